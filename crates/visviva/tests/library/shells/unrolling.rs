//! A sheet rolled up, whose rest shape is flat, unrolls.

use super::{exact_world, scene, simulation};
use std::f64::consts::PI;
use visviva::laws::bending::dihedral_angle;
use visviva::scene::Built;

/// Rolled into nine tenths of a tube, weightless; bends along its cells.
fn roll(changes: &[&str]) -> Built {
    let angle = 0.9 * 2.0 * PI;
    let text = format!(
        r#"
gravity = [0, 0, 0]
[[body]]
name = "sheet"
kind = "shell"
material = {{ youngs_modulus = 1e8, thickness = 1e-3, density = 1000 }}
rectangle = {{ size = [0.2, 0.05], cells = [24, 6] }}
deform = [{{ kind = "bend", axis = "x", from = -0.1, to = 0.1, amount = {angle}, towards = "z" }}]
"#
    );
    scene(&text, changes)
}

fn greatest_angle(built: &Built, x: &[f64]) -> f64 {
    let hinges = &built.model.hinges;
    (0..hinges.len()).map(|k| dihedral_angle(&hinges.corners(k, x)).abs()).fold(0.0, f64::max)
}

#[test]
fn a_rolled_sheet_holds_the_energy_of_its_curvature() {
    let built = roll(&[]);
    let mut world = exact_world(&built, 1e-9);
    let energy = visviva::solve::Backend::evaluation(&mut world, &built.start.x).energies.as_slice()[0];
    let (young, thick, nu) = (1e8, 1e-3f64, 0.3);
    let (area, turn) = (0.2 * 0.05, 0.9 * 2.0 * PI / 24.0);
    let curvature = turn / (0.2 / 24.0);
    // 23 of 24 columns of edges bend; the last ends the sheet.
    let bending = young * thick.powi(3) / 24.0 / (1.0 - nu * nu) * curvature * curvature * area * 23.0 / 24.0;
    // Chords are shorter than arcs.
    let strain = turn * turn / 24.0;
    let membrane = 0.5 * young * thick / (1.0 - nu * nu) * strain * strain * area;
    println!("{energy} J, {} J", bending + membrane);
    // The law is not linear: by a strain of a quarter of a percent of the smaller part.
    assert!((energy / (bending + membrane) - 1.0).abs() < 2e-3, "{energy} {bending} {membrane} J");
}

#[test]
fn it_unrolls_and_comes_to_rest_flat() {
    let decay = ["energy.target=decay", "energy.tau=0.05"];
    for changes in [&["run.integrator=implicit-euler", "body.0.material.damping_mass=20"][..], &decay] {
        let built = roll(changes);
        let mut world = exact_world(&built, 1e-8);
        let mut simulation = simulation(&built, &mut world, built.start.clone());
        let start = simulation.total_energy();
        let rolled = greatest_angle(&built, &built.start.x);
        for step in 0..120 {
            let report = simulation.step().unwrap_or_else(|e| panic!("{changes:?}, step {step}: {e}"));
            assert!(report.solve.converged, "{changes:?}, step {step}: {:?}", report.solve);
        }
        let (left, angle) = (simulation.total_energy() / start, greatest_angle(&built, &simulation.state.x));
        println!("{changes:?}: {left} of the energy, hinges at most {angle} rad of {rolled}");
        // e⁻²⁰ is wanted of the energy and e⁻¹⁰ of the angles.
        assert!(left < 1e-6 && angle < 1e-3 * rolled, "{changes:?}: {left} of the energy, {angle} of {rolled} rad");
    }
}
