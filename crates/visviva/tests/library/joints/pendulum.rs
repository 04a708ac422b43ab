//! A rod that swings about its end, on a hinge and on a pinned axis, against T = 4 √(I/mgl) K(sin θ/2).

use super::*;

const PIN: &str = "[[pin]]\nbody = \"rod\"\naxis = { at = [0, 0, 0], axis = [0, 1, 0] }\n";

/// √(I/mgl) K by the arithmetic-geometric mean of 1 and cos θ/2 `[s]`
fn quarter_period(amplitude: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * amplitude).cos());
    for _ in 0..6 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    std::f64::consts::FRAC_PI_2 / a * ((ROD_INERTIA + 0.0625) / (9.8 * 0.25)).sqrt()
}

/// The mean time between two passages of the lowest point `[s]`
fn half_period(held: &str, amplitude: f64, integrator: &str) -> f64 {
    let text = format!("{}{held}", rod("rod", [0.0; 2], amplitude));
    let built = scene(&text, &[&format!("run.integrator={integrator}"), "run.h=1/240"]);
    let (mut passages, mut before) = (Vec::new(), -1.0);
    let end = run(&built, 2.5, |simulation, _| {
        let x = centre(&built.model, 0, &simulation.state.x).x;
        if x * before < 0.0 {
            passages.push(simulation.state.t - built.h * x / (x - before));
        }
        before = x;
    });
    for pin in built.model.pins.iter().filter(|pin| pin.node < 4) {
        assert_eq!(node_of(&end.state.x, pin.node), pin.start, "to the last bit");
    }
    (passages.last().unwrap() - passages[0]) / (passages.len() - 1) as f64
}

#[test]
fn a_rod_on_a_hinge_or_a_pinned_axis_swings_with_the_period_of_a_physical_pendulum_at_any_amplitude() {
    // A-search meets its energy only where α reaches it: half a percent at 2 rad. BDF2 is of second order, hω = 0.02.
    for (integrator, tolerance) in [("a-search", 0.01), ("bdf2", 1e-3)] {
        for amplitude in [0.05, 2.0] {
            for held in [&hinge("\"rod\"", [0.0; 2]), PIN] {
                let ratio = half_period(held, amplitude, integrator) / (2.0 * quarter_period(amplitude));
                assert!((ratio - 1.0).abs() < tolerance, "{integrator} {amplitude} {held}: {ratio}");
            }
        }
    }
}
