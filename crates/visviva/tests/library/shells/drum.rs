//! A drum: a stretched disc held at its rim has the frequencies j_mn/R √(T/σ), T its tension and σ its mass per area (Rayleigh).

use super::{exact_world, scene, simulation, slowest_frequency};
use visviva::math::bessel;
use visviva::model::bodies::node_of;
use visviva::scene::Built;

/// At rest `[m]`
const RADIUS: f64 = 0.1;
const STRETCH: f64 = 1.2;
/// E t `[N/m]` over 1 − ν is 500; `[kg/m²]`
const AREAL_DENSITY: f64 = 0.4;
const MODES: [(u32, u32); 3] = [(0, 1), (1, 1), (2, 1)];

fn drum(law: &str, rings: usize, (diameters, circles): (u32, u32)) -> Built {
    let radius = STRETCH * RADIUS;
    let text = format!(
        r#"
gravity = [0, 0, 0]
[[body]]
name = "skin"
kind = "shell"
material = {{ law = "{law}", youngs_modulus = 1e6, poisson_ratio = 0.2, thickness = 4e-4, areal_density = {AREAL_DENSITY}, bending_modulus = 0 }}
disc = {{ radius = {RADIUS}, rings = {rings} }}
velocity = {{ drum = {{ radius = {radius}, nodal_diameters = {diameters}, nodal_circles = {circles}, speed = 1e-3 }} }}
deform = [
    {{ kind = "stretch", axis = "x", from = 0, to = 1, amount = {STRETCH} }},
    {{ kind = "stretch", axis = "x", from = 0, to = -1, amount = {STRETCH} }},
    {{ kind = "stretch", axis = "y", from = 0, to = 1, amount = {STRETCH} }},
    {{ kind = "stretch", axis = "y", from = 0, to = -1, amount = {STRETCH} }},
]
[[pin]]
body = "skin"
rim = true
"#
    );
    scene(&text, &[])
}

/// ω `[rad/s]` of the ideal drum; the tension is the nominal stress of the law at F = s I, over the stretched length.
fn frequency(law: &str, (m, n): (u32, u32)) -> f64 {
    let (et, nu) = (1e6 * 4e-4, 0.2);
    let (mu, lambda) = (et / (2.0 * (1.0 + nu)), et * nu / (1.0 - nu * nu));
    let s = STRETCH;
    let tension = match law {
        "stvk" => (mu + lambda) * (s * s - 1.0),
        _ => (mu * s + (lambda * (s * s).ln() - mu) / s) / s,
    };
    bessel::zero(m, n) / (s * RADIUS) * (tension / (AREAL_DENSITY / (s * s))).sqrt()
}

#[test]
fn frequencies_of_a_drum_converge_with_the_square_of_the_mesh_width() {
    for law in ["stvk", "neo-hookean"] {
        for mode in MODES {
            let ideal = frequency(law, mode);
            let errors = [6, 12, 24].map(|rings| {
                let built = drum(law, rings, mode);
                // The stretch deepens with a displacement z by (z/R)²: 1e-10 of the frequency.
                slowest_frequency(&built, &built.start.x, &built.start.v, 1e-5 * RADIUS, ideal) / ideal - 1.0
            });
            println!("{law}, mode {mode:?}: {ideal} rad/s, errors {errors:?}");
            let [coarse, middle, fine] = errors;
            for ratio in [coarse / middle, middle / fine] {
                assert!((3.6..4.4).contains(&ratio), "{law} {mode:?}: {errors:?}");
            }
            assert!(fine.abs() < 5e-3, "{law} {mode:?}: {errors:?}");
        }
    }
}

#[test]
fn a_drum_sounds_at_its_discrete_frequency_in_time() {
    for mode in MODES {
        let mut built = drum("stvk", 8, mode);
        let omega = slowest_frequency(&built, &built.start.x, &built.start.v, 1e-5 * RADIUS, frequency("stvk", mode));
        built.h = 0.05 / omega;
        built.integrator = "implicit-midpoint".parse().unwrap();
        let mut world = exact_world(&built, 1e-14);
        // The sampled shape is the discrete mode but for the square of the mesh width; its part of it is measured.
        let shape = built.start.v.clone();
        let mut simulation = simulation(&built, &mut world, built.start.clone());
        let mut crossings = Vec::new();
        let mut before = 0.0;
        while crossings.len() < 7 {
            simulation.step().unwrap();
            let along =
                |node: usize| built.model.node_mass[node] * shape[3 * node + 2] * node_of(&simulation.state.x, node).z;
            let now: f64 = (0..built.model.node_count()).map(along).sum();
            if before * now < 0.0 {
                crossings.push(simulation.state.t - built.h * now / (now - before));
            }
            before = now;
        }
        let measured = std::f64::consts::PI * 6.0 / (crossings[6] - crossings[0]);
        let expected = 2.0 / built.h * (0.5 * omega * built.h).atan();
        println!("mode {mode:?}: {measured} rad/s in time, {expected} expected");
        // Overtones of the same symmetry have a few thousandths of the amplitude and move the crossings by that of a radian.
        assert!((measured / expected - 1.0).abs() < 5e-4, "mode {mode:?}: {measured} {expected} rad/s");
    }
}
