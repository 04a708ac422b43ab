//! Crank, rod and piston: a loop of four joints that asks many things twice, and does not drift.

use super::*;

const CRANK: f64 = 0.1;
const ROD: f64 = 0.3;

fn slider_crank(motor: &str, changes: &[&str]) -> Built {
    let steel = "material = \"steel\"";
    let part = |name: &str, size: [f64; 3], x: f64| {
        block(name, size, [x, 0.0, 0.0], "").replace("material = { youngs_modulus = 1e10 }", steel)
    };
    let text = [
        part("crank", [CRANK, 0.02, 0.02], 0.5 * CRANK),
        part("rod", [ROD, 0.02, 0.02], CRANK + 0.5 * ROD),
        part("piston", [0.06, 0.06, 0.06], CRANK + ROD),
        hinge("\"crank\"", [0.0, 0.0]) + motor,
        hinge("\"rod\", \"crank\"", [CRANK, 0.0]),
        hinge("\"piston\", \"rod\"", [CRANK + ROD, 0.0]),
        format!("[[joint]]\nbodies = [\"piston\"]\nslider = {{ at = [{}, 0, 0], axis = [1, 0, 0] }}\n", CRANK + ROD),
    ];
    scene(&text.concat(), changes)
}

/// The farthest that the piston is from where the crank puts it `[m]`
fn farthest_off(built: &Built, until: f64) -> f64 {
    let mut farthest: f64 = 0.0;
    run(built, until, |simulation, _| {
        let x = &simulation.state.x;
        let pin = 2.0 * centre(&built.model, 0, x);
        let place = Vector3::new(pin.x + (ROD * ROD - pin.z * pin.z).sqrt(), 0.0, 0.0);
        farthest = farthest.max((centre(&built.model, 2, x) - place).norm());
    });
    farthest
}

#[test]
fn a_slider_crank_falls_and_swings_without_drift() {
    for integrator in ["a-search", "bdf2", "implicit-euler"] {
        let built = slider_crank("", &["run.h=1/60", &format!("run.integrator={integrator}")]);
        let off = farthest_off(&built, 2.0);
        assert!(off < 1e-6, "{integrator}: {off}");
    }
}

#[test]
fn a_motor_turns_it_at_its_speed() {
    let built = slider_crank("motor = { speed = \"-600deg/s\" }\n", &["run.h=1/120"]);
    let off = farthest_off(&built, 0.6);
    assert!(off < 1e-6, "{off}");
    let end = run(&built, 0.6, |_, _| {});
    // 600° a second for 0.6 s is a whole turn.
    let pin = 2.0 * centre(&built.model, 0, &end.state.x);
    assert!((pin - Vector3::new(CRANK, 0.0, 0.0)).norm() < 1e-6, "{pin}");
}

/// Ten seconds: run it by hand, with `--ignored`.
#[test]
#[ignore = "a long run"]
fn a_slider_crank_does_not_drift_in_ten_seconds() {
    for motor in ["", "motor = { speed = 10 }\n"] {
        for h in ["1/60", "1/240"] {
            let off = farthest_off(&slider_crank(motor, &[&format!("run.h={h}")]), 10.0);
            println!("{motor:?} {h}: {off:e}");
            assert!(off < 1e-6, "{off}");
        }
    }
}
