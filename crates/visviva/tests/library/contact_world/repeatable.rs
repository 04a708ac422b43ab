//! The same bits for any number of threads, and from a checkpoint on.

use super::{CUBE, GROUND, scene, simulation, world};
use visviva::model::State;
use visviva::scene::Built;
use visviva::simulation::Simulation;
use visviva::solve::SolverMemory;

/// Two cubes, one falling onto the other, with friction: pairs of free surfaces come and go.
fn stack() -> Built {
    let second = CUBE[CUBE.find("[[body]]").unwrap()..].replace("\"cube\"", "\"upper\"");
    let text = format!(
        "[contact]\nfriction = 0.4\n{CUBE}translate = [0, 0, 0.051]\n{second}rotate = {{ axis = [1, 0.4, 0], angle = 0.2 }}\ntranslate = [0.02, 0.01, 0.17]\nvelocity = {{ linear = [0.2, 0, -1] }}\n{GROUND}"
    );
    scene(&text, &[])
}

fn run(built: &Built, steps: usize) -> State {
    let mut world = world(built);
    let mut simulation = simulation(built, &mut world, built.start.clone());
    (0..steps).for_each(|_| assert!(simulation.step().unwrap().solve.converged));
    simulation.state.clone()
}

#[test]
fn one_thread_and_two_give_the_same_bits() {
    let built = stack();
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let one = pool(1).install(|| run(&built, 40));
    let two = pool(2).install(|| run(&built, 40));
    assert_eq!(one, two);
}

#[test]
fn a_run_resumed_in_the_middle_of_contact_repeats_the_bits() {
    let built = stack();
    let straight = run(&built, 40);
    let mut first = world(&built);
    let checkpoint = {
        let mut simulation = simulation(&built, &mut first, built.start.clone());
        (0..20).for_each(|_| assert!(simulation.step().is_ok()));
        assert!(simulation.evaluation().contact_state().active_pairs > 0);
        simulation.checkpoint()
    };
    let text = serde_json::to_string(&first.memory()).unwrap();
    let memory: SolverMemory = serde_json::from_str(&text).unwrap();
    assert!(!memory.contact_blocks.is_empty(), "blocks of pairs between two free bodies are remembered");
    let mut second = world(&built);
    second.restore(memory).unwrap();
    let mut resumed = Simulation::resume(&mut second, checkpoint, built.integrator.build(), &built.plan);
    (0..20).for_each(|_| assert!(resumed.step().is_ok()));
    assert_eq!(resumed.state, straight);
}
