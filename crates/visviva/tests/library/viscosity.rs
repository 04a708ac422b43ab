//! Damping of deformation: spins are kept, vibrations decay as fast as they should, and what is taken is booked, for all kinds of bodies.

use crate::scenes::{scene, world};
use visviva::energy::EnergyPlan;
use visviva::model::bodies::node_of;
use visviva::scene::Built;
use visviva::simulation::Simulation;

fn spinning(kind: &str, shape: &str, law: &str) -> String {
    format!(
        r#"
gravity = [0, 0, 0]
[[body]]
name = "body"
kind = "{kind}"
material = {{ youngs_modulus = 1e6, damping_stiffness = 0.001, damping_law = "{law}", {} }}
{shape}
velocity = {{ angular = [0, 0, 5] }}
"#,
        if kind == "shell" { "thickness = 0.002, density = 1000" } else { "density = 1000" }
    )
}

const BOX: &str = "box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }";
const SHEET: &str = "rectangle = { size = [0.1, 0.1], cells = [4, 4] }";

/// Angular momentum at the end of 0.2 s over that at the start, and all that damping took.
fn kept(text: &str, integrator: &str, h: u32) -> (f64, f64) {
    let built = scene(text, &[&format!("run.integrator={integrator}"), &format!("run.h=1/{h}")]);
    let mut world = world(&built);
    let start = built.start.clone();
    let spin = |x: &[f64], v: &[f64]| built.model.momenta(x, v).1.z;
    let before = spin(&start.x, &start.v);
    let mut simulation =
        Simulation::new(&mut world, start, built.integrator.build(), &EnergyPlan::default(), built.h).unwrap();
    let mut lost = 0.0;
    for _ in 0..h / 5 {
        let ledger = simulation.step().unwrap().ledger;
        assert!(ledger.damping_loss >= 0.0);
        lost += ledger.damping_loss;
    }
    (spin(&simulation.state.x, &simulation.state.v) / before, lost)
}

#[test]
fn viscosity_does_not_brake_a_spin_and_rayleigh_damping_does() {
    for (kind, shape) in [("solid", BOX), ("affine", BOX), ("shell", SHEET)] {
        for h in [30, 120, 480] {
            let (spin, lost) = kept(&spinning(kind, shape, "viscous"), "a-search", h);
            // What A-search itself does to a spin at 1/30 s is 0.3 %.
            assert!((spin - 1.0).abs() < 5e-3, "{kind}, 1/{h} s: {spin}");
            assert!(lost < 1e-4, "{kind}, 1/{h} s: {lost} J");
        }
        let (spin, _) = kept(&spinning(kind, shape, "rayleigh"), "a-search", 120);
        assert!(spin < 0.9, "{kind}: {spin}");
    }
}

#[test]
fn two_step_and_many_stage_methods_know_rotation_too() {
    for (integrator, least) in [("bdf2", 0.997), ("sdirk2", 0.98), ("trapezoidal", 0.999), ("tr-bdf2", 0.99)] {
        let text = spinning("solid", BOX, "viscous");
        let (damped, _) = kept(&text, integrator, 120);
        let (free, _) = kept(&text.replace("0.001", "0"), integrator, 120);
        assert!(damped > least, "{integrator}: {damped}");
        // Stages of a method that does not keep rotations are a little strained by it.
        assert!((damped - free).abs() < 5e-3, "{integrator}: {damped}, and {free} undamped");
    }
}

fn length_of(built: &Built, x: &[f64]) -> f64 {
    let nodes = built.model.bodies[0].nodes.clone();
    let along = nodes.map(|node| node_of(x, node).x);
    let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    high - low
}

#[test]
fn a_stretched_bar_loses_its_vibration_at_the_rate_of_the_law() {
    // Its slowest mode has ω ≈ π c/l; viscosity takes e^(−½ β ω² t) of the amplitude.
    let (modulus, density, length, beta) = (1e5, 1000.0, 0.2, 4e-4);
    let text = format!(
        r#"
gravity = [0, 0, 0]
[[body]]
name = "bar"
material = {{ youngs_modulus = {modulus}, poisson_ratio = 0, density = {density}, damping_stiffness = {beta}, law = "corotated" }}
box = {{ size = [{length}, 0.02, 0.02], cells = [16, 1, 1] }}
deform = [{{ kind = "stretch", axis = "x", from = -0.1, to = 0.1, amount = 1.02 }}]
"#
    );
    let omega = std::f64::consts::PI * f64::sqrt(modulus / density) / length;
    let period = 2.0 * std::f64::consts::PI / omega;
    for law in ["viscous", "rayleigh"] {
        let text = text.replace("law = \"corotated\"", &format!("law = \"corotated\", damping_law = \"{law}\""));
        let built = scene(&text, &["run.integrator=sdirk2", &format!("run.h={}", period / 200.0)]);
        let mut world = world(&built);
        let start = built.start.clone();
        let first = length_of(&built, &start.x) - length;
        let mut simulation =
            Simulation::new(&mut world, start, built.integrator.build(), &EnergyPlan::default(), built.h).unwrap();
        for _ in 0..400 {
            simulation.step().unwrap();
        }
        // After two whole periods it is stretched again.
        let kept = (length_of(&built, &simulation.state.x) - length) / first;
        // The slowest mode holds 8/π² of a uniform stretch; the others, at least nine times as damped, have died.
        let expected = 8.0 / std::f64::consts::PI.powi(2) * (-0.5 * beta * omega * omega * 2.0 * period).exp();
        assert!((kept - expected).abs() < 0.05 * expected, "{law}: {kept} {expected}");
    }
}
