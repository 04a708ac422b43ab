//! The same bits for any number of threads, and from a checkpoint on, with affine bodies among others.

use super::{scene, simulation, world};
use visviva::model::State;
use visviva::scene::Built;
use visviva::simulation::Simulation;
use visviva::solve::SolverMemory;

/// A small net with a ball in it and a soft cube on the ball, with friction.
fn pile() -> Built {
    let text = r#"
contact = { friction = 0.4 }
[[body]]
name = "net"
kind = "affine"
material = { youngs_modulus = 1e8 }
chain_net = { rings = [3, 3], major_radius = 0.03, minor_radius = 0.005, segments = [16, 8] }
[[body]]
name = "ball"
kind = "affine"
material = { youngs_modulus = 1e8 }
icosphere = { radius = 0.06, subdivisions = 2 }
translate = [0, 0, 0.098]
velocity = { linear = [0, 0, -1] }
[[body]]
name = "cube"
material = { youngs_modulus = 1e5 }
box = { size = [0.05, 0.05, 0.05], cells = [2, 2, 2] }
translate = [0.004, 0, 0.187]
velocity = { linear = [0, 0, -2] }
[[pin]]
body = "net"
halfspace = { point = [0.1, 0, 0], normal = [1, 0, 0] }
[[pin]]
body = "net"
halfspace = { point = [-0.1, 0, 0], normal = [-1, 0, 0] }
"#;
    scene(text, &[])
}

const STEPS: usize = 16;

fn run(built: &Built) -> State {
    let mut world = world(built);
    let mut simulation = simulation(built, &mut world);
    (0..STEPS).for_each(|_| assert!(simulation.step().is_ok()));
    assert!(simulation.evaluation().contact_state().active_pairs > 20);
    simulation.state.clone()
}

#[test]
fn one_thread_and_two_give_the_same_bits_and_a_resumed_run_too() {
    let built = pile();
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let one = pool(1).install(|| run(&built));
    assert_eq!(one, pool(2).install(|| run(&built)));
    let mut first = world(&built);
    let checkpoint = {
        let mut simulation = simulation(&built, &mut first);
        (0..STEPS / 2).for_each(|_| assert!(simulation.step().is_ok()));
        simulation.checkpoint()
    };
    let text = serde_json::to_string(&first.memory()).unwrap();
    let memory: SolverMemory = serde_json::from_str(&text).unwrap();
    assert!(!memory.contact_blocks.is_empty(), "blocks of pairs between two free bodies are remembered");
    let mut second = world(&built);
    second.restore(memory).unwrap();
    let mut resumed = Simulation::resume(&mut second, checkpoint, built.integrator.build(), &built.plan);
    (STEPS / 2..STEPS).for_each(|_| assert!(resumed.step().is_ok()));
    assert_eq!(resumed.state, one);
}
