//! Cloth in contact: it falls onto bodies and through nothing, and its rim is there too.

use super::{scene, simulation};
use crate::scenes::intersects;
use visviva::model::bodies::node_of;
use visviva::scene::Built;
use visviva::solve::BodiesSolver;

const CLOTH: &str = r#"
[[body]]
name = "cloth"
kind = "shell"
material = { youngs_modulus = 1e5, thickness = 5e-4, areal_density = 0.3 }
"#;

const GROUND: &str = r#"
[[obstacle]]
name = "ground"
plane = { size = 4 }
"#;

/// Runs for some steps; the positions at the end, and in how many steps something touched.
fn run(built: &Built, steps: usize, what: &str) -> (Vec<f64>, usize) {
    let mut world = BodiesSolver::new(built.model.clone(), built.solver).unwrap();
    let mut simulation = simulation(built, &mut world, built.start.clone());
    let mut touched = 0;
    for step in 0..steps {
        let report = simulation.step().unwrap_or_else(|e| panic!("{what}, step {step}: {e}"));
        assert!(report.solve.converged, "{what}, step {step}: {:?}", report.solve);
        assert!(!intersects(&built.model, &simulation.state.x), "{what}, step {step}");
        touched += usize::from(simulation.evaluation().contact_state().active_pairs > 0);
    }
    (simulation.state.x.clone(), touched)
}

fn lowest(built: &Built, body: usize, x: &[f64]) -> f64 {
    built.model.bodies[body].nodes.clone().map(|node| node_of(x, node).z).fold(f64::INFINITY, f64::min)
}

fn highest(built: &Built, body: usize, x: &[f64]) -> f64 {
    built.model.bodies[body].nodes.clone().map(|node| node_of(x, node).z).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn a_cloth_falls_over_a_ball_and_never_through_it() {
    let balls = [
        (
            "stiff ball",
            "kind = \"affine\"\nicosphere = { radius = 0.08, subdivisions = 2 }\nmaterial = { youngs_modulus = 1e8 }",
        ),
        ("soft ball", "ball = { radius = 0.08, shells = 3 }\nmaterial = { youngs_modulus = 5e4 }"),
    ];
    for (name, ball) in balls {
        for integrator in ["a-search", "implicit-euler"] {
            let text = format!(
                "{CLOTH}rectangle = {{ size = [0.3, 0.3], cells = [12, 12] }}\ntranslate = [0.01, 0.02, 0.2]\n[[body]]\nname = \"ball\"\n{ball}\ntranslate = [0, 0, 0.082]\n{GROUND}"
            );
            let built = scene(&text, &[&format!("run.integrator={integrator}")]);
            let what = format!("{name}, {integrator}");
            let (x, touched) = run(&built, 48, &what);
            println!(
                "{what}: touched in {touched} steps, cloth from {} to {} m",
                lowest(&built, 0, &x),
                highest(&built, 0, &x)
            );
            // Falling freely all of it would be on the ground; the middle hangs on the ball's top, the corners beside it.
            assert!(touched > 0 && lowest(&built, 0, &x) < 0.1 && highest(&built, 0, &x) > 0.12, "{what}");
        }
    }
}

/// A sheet in the plane y = 0 whose lower rim is 5 mm over z = 0.
const UPRIGHT: &str = r#"
rectangle = { size = [0.1, 0.1], cells = [4, 4] }
rotate = { axis = [1, 0, 0], angle = 1.5707963267948966 }
translate = [0.003, 0, 0.055]
velocity = { linear = [0, 0, -1] }
"#;

#[test]
fn the_rim_of_a_sheet_meets_the_rim_of_another() {
    // A second sheet in the plane x = 0 ends at z = 0, held: only edge meets edge, neither of a solid.
    let other = r#"
[[body]]
name = "held"
kind = "shell"
material = { youngs_modulus = 1e5, thickness = 5e-4, areal_density = 0.3 }
rectangle = { size = [0.1, 0.1], cells = [3, 3] }
rotate = { axis = [0, 1, 0], angle = 1.5707963267948966 }
translate = [0, 0, -0.05]
[[pin]]
body = "held"
sphere = { centre = [0, 0, 0], radius = 1 }
"#;
    let wire = r#"
[[obstacle]]
name = "wire"
box = { size = [1e-3, 0.4, 1e-3] }
translate = [0, 0, -5e-4]
"#;
    for (name, other) in [("sheet", other), ("wire", wire)] {
        for (integrator, h) in [("a-search", "1/120"), ("implicit-euler", "1/120"), ("a-search", "1/30")] {
            let built = scene(
                &format!("gravity = [0, 0, 0]\n{CLOTH}{UPRIGHT}{other}"),
                &[&format!("run.integrator={integrator}"), &format!("run.h={h}")],
            );
            let what = format!("{name}, {integrator}, {h}");
            let (x, touched) = run(&built, 12, &what);
            println!("{what}: touched in {touched} steps, lower rim at {} m", lowest(&built, 0, &x));
            assert!(touched > 0, "{what}: they never met");
            // The middle of the lower rim never passes the other's rim.
            let middle = built.model.bodies[0].nodes.clone().filter(|&node| {
                let rest = built.model.rest[node];
                (rest.x - 0.003).abs() < 1e-9 && rest.z < 0.006
            });
            let depths: Vec<f64> = middle.map(|node| node_of(&x, node).z).collect();
            assert!(depths.len() == 1 && depths[0] > -0.02, "{what}: {depths:?}");
        }
    }
}
