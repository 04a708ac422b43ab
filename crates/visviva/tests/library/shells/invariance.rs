//! The energy of a shell is that of its shape, wherever it is and however it is turned.

use super::{exact_world, scene};
use nalgebra::{Rotation3, Vector3};
use visviva::model::bodies::flatten;
use visviva::solve::Backend;

#[test]
fn a_turned_and_shifted_shell_has_the_same_energy() {
    for law in ["neo-hookean", "stvk"] {
        for shape in [
            "tube = { radius = 0.05, length = 0.2, cells = [12, 8] }",
            "disc = { radius = 0.1, rings = 6 }",
            "icosphere = { radius = 0.1, subdivisions = 2 }",
        ] {
            let text = format!(
                r#"
gravity = [0, 0, 0]
[[body]]
name = "shell"
kind = "shell"
material = {{ law = "{law}", youngs_modulus = 1e6, bending_modulus = 1e8, thickness = 1e-3, density = 1000 }}
{shape}
"#
            );
            let built = scene(&text, &[]);
            let mut world = exact_world(&built, 1e-9);
            assert!(
                world.evaluation(&flatten(&built.model.rest)).energies.total().abs() < 1e-20,
                "{law}, {shape}: at rest"
            );
            // A bend of all of it, so that membrane and hinges both hold energy.
            let wave = |p: &Vector3<f64>| {
                p + Vector3::new(0.3 * p.y * p.z, 0.01 * (40.0 * p.x).sin(), 0.02 * (30.0 * p.y).cos())
            };
            let deformed: Vec<_> = built.model.rest.iter().map(wave).collect();
            let energy = world.evaluation(&flatten(&deformed)).energies.total();
            assert!(energy > 1e-4, "{law}, {shape}: {energy} J");
            for (turn, shift) in [([0.3, -1.1, 2.0], [0.0; 3]), ([0.0, 3.1, 0.2], [1.0, -2.0, 0.5])] {
                let turn = Rotation3::from_scaled_axis(turn.into());
                let moved: Vec<_> = deformed.iter().map(|p| turn * p + Vector3::from(shift)).collect();
                let there = world.evaluation(&flatten(&moved)).energies.total();
                // Coordinates of 2 m rounded to 2e-16 of them, over edges of a centimetre and strains of a hundredth.
                assert!((there / energy - 1.0).abs() < 1e-11, "{law}, {shape}: {energy} {there} J");
            }
        }
    }
}
