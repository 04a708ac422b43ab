//! The same bits from any number of threads, and from a run that was stopped and went on.

use super::{Noise, Setup, cuboid, simulate, solid};
use nalgebra::Vector3;
use visviva::energy::EnergyPlan;
use visviva::integrate::IntegratorSpec;
use visviva::model::{Damping, DampingLaw, State};
use visviva::simulation::Simulation;
use visviva::solve::BodiesSolver;
use visviva::solve::linear::Choice;

const STEPS: usize = 8;
const H: f64 = 1.0 / 120.0;

/// Large enough for several chunks of tets, several subtrees of the factorisation, and for the automatic choice to be one.
fn hanging_block(linear: Choice) -> (BodiesSolver, State) {
    let mesh = cuboid([0.1; 3], [7, 7, 7]);
    let mut setup = Setup::new(mesh, solid("neo-hookean", 1e5, 0.3)).pinned_where(|p| p.z > 0.1 - 1e-9);
    setup.gravity = Vector3::new(0.0, 0.0, -9.8);
    setup.damping = Damping { mass: 0.1, stiffness: 1e-4, law: DampingLaw::Rayleigh };
    setup.linear = linear;
    setup.linear_tolerance = 1e-4;
    setup.displacement = 1e-5;
    let rest = setup.rest();
    let v = Noise(2).flat(rest.len(), 0.5);
    (setup.build().1, State::new(rest, v))
}

/// Every bit of the states and of the books.
fn bits(simulation: &Simulation<&mut BodiesSolver>, totals: &[f64]) -> Vec<u64> {
    let State { x, v, t } = &simulation.state;
    x.iter().chain(v).chain([t]).chain(totals).map(|value| value.to_bits()).collect()
}

fn advance(simulation: &mut Simulation<&mut BodiesSolver>, steps: usize, totals: &mut Vec<f64>) {
    for _ in 0..steps {
        let ledger = simulation.step().unwrap().ledger;
        totals.extend([ledger.kinetic, ledger.potential, ledger.damping_loss, ledger.integrator]);
    }
}

fn whole_run(linear: Choice, integrator: &str) -> Vec<u64> {
    let (mut world, state) = hanging_block(linear);
    let mut simulation = simulate(&mut world, state, integrator, H);
    let mut totals = Vec::new();
    advance(&mut simulation, STEPS, &mut totals);
    bits(&simulation, &totals)
}

#[test]
fn one_two_and_three_threads_give_the_same_bits() {
    for linear in [Choice::Direct, Choice::Iterative, Choice::Auto] {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| whole_run(linear, "a-search"))
        };
        let one = run(1);
        assert!(one == run(2) && one == run(3), "{linear:?}");
    }
}

#[test]
fn a_run_that_was_stopped_goes_on_with_the_same_bits() {
    for linear in [Choice::Direct, Choice::Iterative, Choice::Auto] {
        for integrator in ["a-search-sparse", "bdf2", "trapezoidal"] {
            let (mut world, state) = hanging_block(linear);
            let mut totals = Vec::new();
            let mut simulation = simulate(&mut world, state, integrator, H);
            advance(&mut simulation, 3, &mut totals);
            let checkpoint = simulation.checkpoint();
            let memory = world.memory();
            let (mut world, _) = hanging_block(linear);
            world.restore(memory).unwrap();
            let method = integrator.parse::<IntegratorSpec>().unwrap().build();
            let mut simulation = Simulation::resume(&mut world, checkpoint, method, &EnergyPlan::default());
            advance(&mut simulation, STEPS - 3, &mut totals);
            assert!(bits(&simulation, &totals) == whole_run(linear, integrator), "{linear:?} {integrator}");
        }
    }
}
