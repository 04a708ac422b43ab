//! The books by body add up to those of the whole.

use super::{scene, world};
use visviva::model::Part;
use visviva::simulation::Simulation;

/// A soft cube with damping on a rough belt that moves, a stiff brick on it, and a block whose foot is pulled along.
const CROWD: &str = r#"
contact = { friction = 0.5, reach = 2e-3 }
[[body]]
name = "cube"
material = { youngs_modulus = 1e5, damping_mass = 0.3, damping_stiffness = 1e-3 }
box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }
translate = [0.0, 0.0, 0.0515]
velocity = { linear = [0.3, 0, -0.5] }
[[body]]
name = "brick"
kind = "affine"
material = { youngs_modulus = 1e7 }
box = { size = [0.06, 0.06, 0.04], cells = [1, 1, 1] }
translate = [0.01, 0.0, 0.123]
velocity = { linear = [0, 0.2, -0.8] }
[[body]]
name = "pulled"
material = { youngs_modulus = 2e5 }
box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }
translate = [-0.1025, 0.0, 0.055]
[[pin]]
body = "pulled"
plane = { point = [0, 0, 0.005], normal = [0, 0, 1] }
shift = [[0, 0, 0, 0], [1, 0.2, 0, 0]]
[[obstacle]]
name = "belt"
plane = { size = 4 }
shift = [[0, 0, 0, 0], [1, 0.5, 0, 0.01]]
"#;

fn near(part: f64, whole: f64, scale: f64) -> bool {
    // Sums of some hundred terms, each rounded.
    (part - whole).abs() <= 1e-12 * scale
}

#[test]
fn energies_losses_work_and_momenta_of_the_bodies_add_up_to_the_whole() {
    for integrator in ["a-search", "bdf2", "implicit-euler", "newmark", "sdirk2", "blending"] {
        let built = scene(CROWD, &[&format!("run.integrator={integrator}")]);
        let solver = world(&built);
        let mut simulation =
            Simulation::new(solver, built.start.clone(), built.integrator.build(), &built.plan, built.h).unwrap();
        let mut seen = [0.0f64; 4];
        for step in 0..12 {
            let report = simulation.step().unwrap();
            let parts = simulation.parts();
            let whole: Part = parts.iter().sum();
            let ledger = report.ledger;
            let scale = ledger.kinetic + report.solve.energies.magnitude();
            assert!(near(whole.kinetic, ledger.kinetic, scale), "{integrator}, step {step}");
            for (part, term) in whole.potential.as_slice().iter().zip(report.solve.energies.as_slice()) {
                assert!(near(*part, *term, scale), "{integrator}, step {step}: {part} {term}");
            }
            let exchange = whole.exchange;
            for (part, booked) in [
                (exchange.friction_loss, ledger.friction_loss),
                (exchange.damping_loss, ledger.damping_loss),
                (exchange.work, ledger.work),
            ] {
                assert!(near(part, booked, scale), "{integrator}, step {step}: {part} {booked}");
            }
            let (p, l) = built.model.momenta(&simulation.state.x, &simulation.state.v);
            assert!((whole.momentum - p).norm() < 1e-14 && (whole.angular_momentum - l).norm() < 1e-14);
            let most = [exchange.friction_loss, exchange.damping_loss, exchange.work, whole.potential.as_slice()[2]];
            (0..4).for_each(|k| seen[k] = seen[k].max(most[k].abs()));
            // Groups are sums as well.
            let groups = Part::grouped(&parts, &[0, 1, 0]);
            let of_first = groups[0].total() + groups[1].total();
            assert!(near(of_first, whole.total(), scale));
            assert!(groups[1] == parts[1]);
        }
        assert!(seen.iter().all(|&amount| amount > 1e-6), "{integrator}: every cause took part: {seen:?}");
    }
}

#[test]
fn two_bodies_share_what_is_between_them_and_an_obstacle_takes_nothing() {
    let built = scene(CROWD, &["body.0.velocity.linear=[0,0,0]", "body.1.translate=[0.01,0,0.1225]"]);
    let solver = world(&built);
    let simulation =
        Simulation::new(solver, built.start.clone(), built.integrator.build(), &built.plan, built.h).unwrap();
    let barrier = |parts: &[Part], body: usize| parts[body].potential.as_slice()[2];
    let parts = simulation.parts();
    // The brick touches the cube alone: what it has, the cube has too, beside what it has with the belt.
    assert!(barrier(&parts, 1) > 0.0 && barrier(&parts, 0) > barrier(&parts, 1), "{parts:?}");
}
