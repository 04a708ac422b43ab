//! The same bits for any number of threads, and from a checkpoint on.

use super::*;
use visviva::model::State;

/// A double pendulum with a motor at its elbow, that hits a ball.
fn machine() -> Built {
    let ball = "[[body]]\nname = \"ball\"\nkind = \"affine\"\nmaterial = \"rubber\"\nicosphere = { radius = 0.1, subdivisions = 1 }\n\
                translate = [0.15, 0, -0.8]\n";
    let text = rod("upper", [0.0; 2], 0.0)
        + &rod("lower", [0.0, -0.5], 0.0)
        + ball
        + &hinge("\"upper\"", [0.0; 2])
        + &hinge("\"lower\", \"upper\"", [0.0, -0.5])
        + "motor = { speed = -6, max_torque = 3 }\n";
    scene(&text, &["contact.friction=0.3"])
}

const STEPS: usize = 16;

fn go(built: &Built) -> State {
    let mut simulation = simulation(built);
    let mut touched = false;
    for _ in 0..STEPS {
        simulation.step().unwrap();
        touched |= simulation.evaluation().contact_state().active_pairs > 0;
    }
    assert!(touched);
    simulation.state.clone()
}

#[test]
fn one_thread_and_two_give_the_same_bits_and_a_resumed_run_too() {
    let built = machine();
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let one = pool(1).install(|| go(&built));
    assert_eq!(one, pool(2).install(|| go(&built)));
    let mut first = simulation(&built);
    (0..STEPS / 2).for_each(|_| assert!(first.step().is_ok()));
    let mut solver = world(&built);
    solver.restore(first.backend.memory()).unwrap();
    let mut resumed = Simulation::resume(solver, first.checkpoint(), built.integrator.build(), &built.plan);
    (STEPS / 2..STEPS).for_each(|_| assert!(resumed.step().is_ok()));
    assert_eq!(resumed.state, one);
}
