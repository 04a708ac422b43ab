//! What motors put in is booked: the ledger closes, and the energy gained is the work.

use super::*;

/// An arm of 0.5 m and 0.8 kg that lies along x, on a hinge at one end.
fn arm(motor: &str, changes: &[&str]) -> Built {
    let text = block("arm", [0.5, 0.04, 0.04], [0.25, 0.0, 0.0], "") + &hinge("\"arm\"", [0.0; 2]) + motor;
    scene(&text, changes)
}

struct Driven {
    gained: f64,
    work: f64,
    /// The largest change that nothing explains, and the largest difference between bodies' work and the whole
    unexplained: f64,
    unshared: f64,
    end: Simulation<BodiesSolver>,
}

fn drive(built: &Built, until: f64) -> Driven {
    let start = simulation(built).total_energy();
    let (mut work, mut unexplained, mut unshared) = (0.0, 0.0f64, 0.0f64);
    let end = run(built, until, |simulation, report| {
        work += report.ledger.work;
        unexplained = unexplained.max(report.ledger.residual.abs());
        let shared: f64 = simulation.parts().iter().map(|part| part.exchange.work).sum();
        unshared = unshared.max((shared - report.ledger.work).abs());
    });
    Driven { gained: end.total_energy() - start, work, unexplained, unshared, end }
}

#[test]
fn lifting_an_arm_takes_the_work_of_its_weight() {
    for integrator in ["a-search", "bdf2"] {
        let lift = "motor = { angle = [[0, 0], [0.5, \"-90deg\"]] }\n";
        let driven = drive(&arm(lift, &[&format!("run.integrator={integrator}"), "run.h=1/240"]), 0.75);
        let weight = 0.8 * 9.8 * 0.25;
        // What it has of motion it has from the start, and loses where the motor stops.
        assert!((driven.work - weight).abs() < 0.01 * weight, "{integrator}: {}", driven.work);
        assert!(driven.unexplained < 1e-12 && driven.unshared < 1e-12, "{} {}", driven.unexplained, driven.unshared);
        let tip = centre(&arm(lift, &[]).model, 0, &driven.end.state.x);
        assert!((tip - Vector3::new(0.0, 0.0, 0.25)).norm() < 1e-6, "{tip}");
        if integrator == "a-search" {
            assert!((driven.gained - driven.work).abs() < 1e-6 * weight, "{} {}", driven.gained, driven.work);
        }
    }
}

#[test]
fn a_motor_of_limited_strength_speeds_up_with_what_it_has_and_then_keeps_its_speed() {
    let (torque, speed) = (0.2, 2.0);
    let inertia = 0.8 * ((0.25 + 0.0016) / 12.0 + 0.0625);
    let motor = format!("motor = {{ speed = {speed}, max_torque = {torque} }}\n");
    let built = arm(&motor, &["gravity=[0,0,0]", "run.h=1/240"]);
    let angle = |driven: &Driven| {
        let tip = centre(&built.model, 0, &driven.end.state.x);
        (-tip.z).atan2(tip.x)
    };
    let half = drive(&built, 0.25);
    let expected = 0.5 * torque / inertia * 0.0625;
    // Implicit Euler's positions are half a step ahead: h/t = 0.017.
    assert!((angle(&half) / expected - 1.0).abs() < 0.03, "{} {expected}", angle(&half));
    let whole = drive(&built, 1.0);
    let kinetic = 0.5 * inertia * speed * speed;
    assert!((whole.work - kinetic).abs() < 0.02 * kinetic, "{} {kinetic}", whole.work);
    assert!((whole.gained - whole.work).abs() < 0.02 * kinetic, "{} {}", whole.gained, whole.work);
    assert!(whole.unexplained < 1e-12 && whole.unshared < 1e-12, "{} {}", whole.unexplained, whole.unshared);
}

#[test]
fn a_slider_pushes_with_what_it_has_and_follows_its_keyframes() {
    let slider = "[[joint]]\nbodies = [\"block\"]\nslider = { at = [0, 0, 0], axis = [1, 0, 0] }\n";
    let block = block("block", [0.1, 0.1, 0.1], [0.0; 3], "");
    let built = scene(&format!("{block}{slider}motor = {{ speed = 10, max_force = 2 }}\n"), &["run.h=1/240"]);
    let driven = drive(&built, 0.5);
    // 1 kg and 2 N; positions are half a step ahead.
    let way = centre(&built.model, 0, &driven.end.state.x).x;
    assert!((way / 0.25 - 1.0).abs() < 0.02, "{way}");
    assert!((driven.work / 0.5 - 1.0).abs() < 0.02, "{}", driven.work);
    let keys = "motor = { way = [[0, 0], [0.25, 0.2]] }\n";
    let built = scene(&format!("{block}{slider}{keys}"), &["run.h=1/240"]);
    let driven = drive(&built, 0.5);
    assert!((centre(&built.model, 0, &driven.end.state.x) - Vector3::new(0.2, 0.0, 0.0)).norm() < 1e-8);
}

#[test]
fn a_body_hung_on_a_moving_obstacle_goes_with_it_and_the_obstacle_pays() {
    let lift =
        "[[obstacle]]\nname = \"lift\"\nbox = { size = [0.1, 0.1, 0.1] }\nshift = [[0, 0, 0, 0], [1, 0, 0, 0.5]]\n";
    let text = rod("rod", [0.0; 2], 0.0) + &hinge("\"rod\", \"lift\"", [0.0; 2]) + lift;
    for integrator in ["a-search", "bdf2"] {
        let built = scene(&text, &[&format!("run.integrator={integrator}"), "run.h=1/240"]);
        let driven = drive(&built, 1.0);
        let weight = 0.8 * 9.8 * 0.5;
        assert!((driven.work / weight - 1.0).abs() < 0.05, "{integrator}: {} {weight}", driven.work);
        assert!(driven.unshared < 1e-12, "{}", driven.unshared);
        assert!((centre(&built.model, 0, &driven.end.state.x).z - 0.25).abs() < 1e-3);
    }
}
