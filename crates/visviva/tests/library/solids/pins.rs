//! A body held by nodes that move: every joule they put in is booked, and none other.

use super::{Setup, cuboid, simulate, solid};
use nalgebra::Vector3;
use visviva::model::motion::Motion;
use visviva::model::{Damping, DampingLaw, State};
use visviva::solve::Backend;

/// Shaken and turned by its low face.
fn driven() -> Setup {
    let mut setup =
        Setup::new(cuboid([0.1, 0.05, 0.05], [4, 2, 2]), solid("neo-hookean", 1e5, 0.3)).pinned_where(|p| p.x < 1e-9);
    let shift = Vector3::new(0.02, 0.01, -0.03);
    let motion = Motion::FIXED
        .with_shift(&[(0.0, Vector3::zeros()), (0.1, shift), (0.25, -shift), (0.3, Vector3::zeros())])
        .unwrap()
        .with_turn(Vector3::x_axis(), Vector3::new(0.0, 0.025, 0.025), vec![(0.0, 0.0), (0.3, 1.5)])
        .unwrap();
    setup.pins[0].motion = motion;
    setup.gravity = Vector3::new(0.0, 0.0, -9.8);
    setup
}

#[test]
fn the_ledger_closes_to_round_off_under_a_pin_that_shifts_and_turns() {
    let damped = |law| Damping { mass: 0.5, stiffness: 1e-3, law };
    for damping in [Damping::default(), damped(DampingLaw::Viscous), damped(DampingLaw::Rayleigh)] {
        for integrator in [
            "implicit-euler",
            "bdf2",
            "sdirk2",
            "trapezoidal",
            "tr-bdf2",
            "newmark",
            "a-1",
            "a-search",
            "decoupled-sdirk2-large",
        ] {
            let mut setup = driven();
            setup.damping = damping;
            let rest = setup.rest();
            let (_, mut world) = setup.build();
            let v = vec![0.0; rest.len()];
            let mut simulation = simulate(&mut world, State::new(rest, v), integrator, 1.0 / 240.0);
            let (mut work, mut loss) = (0.0, 0.0);
            for _ in 0..72 {
                let before = simulation.total_energy();
                let report = simulation.step().unwrap();
                assert!(report.solve.converged, "{integrator}: {:?}", report.solve);
                let l = report.ledger;
                let causes = l.work - l.friction_loss - l.damping_loss + l.integrator + l.correction;
                // The books hold sums of a dozen entries of this size.
                let scale = l.kinetic.abs() + l.potential.abs() + before.abs() + l.correction.abs() + l.work.abs();
                assert!(l.residual.abs() < 1e-14 * scale, "{integrator}: {l:?}");
                assert!((l.total - before - causes).abs() < 1e-14 * scale, "{integrator}: {l:?}");
                // The books say what the state says.
                let State { x, v, .. } = simulation.state.clone();
                let now =
                    simulation.backend.evaluation(&x).energies.total() + simulation.backend.mass().kinetic_energy(&v);
                assert!((l.total - now).abs() < 1e-14 * scale, "{integrator}: {} {now}", l.total);
                work += l.work.abs();
                loss += l.damping_loss;
                // Where the velocity that damping acts on is the one over the step, it can only take.
                let over_step = ["implicit-euler", "a-1", "a-search"].contains(&integrator);
                assert!(!over_step || l.damping_loss >= 0.0, "{integrator}: {l:?}");
            }
            assert!(work > 1e-3, "{integrator}: {work} J");
            assert_eq!(loss > 0.0, damping != Damping::default(), "{integrator}: {loss} J");
        }
    }
}

/// Implicit Euler's own loss is −½‖v₁ − v₀‖²_m + P(x₁) − P(x₀) − ∇P(x₁)·Δx over the free nodes, less the work of the pinned
/// ones, the mean of their reactions over their way.
#[test]
fn implicit_eulers_booked_loss_and_work_are_their_closed_forms() {
    let setup = driven();
    let rest = setup.rest();
    let (bodies, mut world) = setup.build();
    let n = rest.len();
    let mut simulation = simulate(&mut world, State::new(rest, vec![0.0; n]), "implicit-euler", 1.0 / 240.0);
    let (mut g0, mut g1) = (vec![0.0; n], vec![0.0; n]);
    for _ in 0..72 {
        let before = simulation.state.clone();
        let ledger = simulation.step().unwrap().ledger;
        let after = simulation.state.clone();
        let at = simulation.backend.evaluation(&before.x);
        simulation.backend.gradient(&at, &mut g0);
        let at = simulation.backend.evaluation(&after.x);
        simulation.backend.gradient(&at, &mut g1);
        let (mut work, mut along) = (0.0, 0.0);
        for i in 0..n {
            let way = after.x[i] - before.x[i];
            if bodies.mass.is_pinned(i / 3) {
                work += 0.5 * (g0[i] + g1[i]) * way;
            } else {
                along += g1[i] * way;
            }
        }
        let dv: Vec<f64> = after.v.iter().zip(&before.v).map(|(a, b)| a - b).collect();
        let change = simulation.backend.evaluation(&after.x).energies.total()
            - simulation.backend.evaluation(&before.x).energies.total();
        let loss = change - along - bodies.mass.kinetic_energy(&dv) - work;
        // A force that Newton left at 1e-12 m of 0.25 kg over h², times a way of a centimetre.
        assert!((ledger.work - work).abs() < 1e-14, "{} {work}", ledger.work);
        assert!((ledger.integrator - loss).abs() < 2e-10, "{} {loss}", ledger.integrator);
    }
}

#[test]
fn the_work_of_a_slow_stretch_is_the_energy_gained() {
    for law in ["neo-hookean", "corotated", "stvk"] {
        let mut setup = Setup::new(cuboid([0.1, 0.05, 0.05], [4, 2, 2]), solid(law, 1e5, 0.3))
            .pinned_where(|p| p.x < 1e-9)
            .pinned_where(|p| p.x > 0.1 - 1e-9);
        let rest = setup.rest();
        // Pulled by 30 % and sheared by 10 %, in 200 s.
        let pull = [(0.0, Vector3::zeros()), (200.0, Vector3::new(0.03, 0.01, 0.0))];
        setup.pins[1].motion = Motion::FIXED.with_shift(&pull).unwrap();
        let (_, mut world) = setup.build();
        let steps = 200;
        let v = vec![0.0; rest.len()];
        let mut simulation = simulate(&mut world, State::new(rest, v), "implicit-euler", 200.0 / f64::from(steps));
        let (mut work, mut gained, mut kinetic) = (0.0, 0.0, 0.0);
        for _ in 0..steps {
            let ledger = simulation.step().unwrap().ledger;
            work += ledger.work;
            (gained, kinetic) = (ledger.total, ledger.kinetic);
        }
        // One second a step is forever to a bar that rings at 50 Hz: all the energy is strain.
        assert!(kinetic < 1e-6 * gained, "{law}: {kinetic} of {gained} J");
        // The trapezoidal rule over 200 steps: (1/200)²/12 of how far the force is from a straight line.
        assert!((work / gained - 1.0).abs() < 1e-5, "{law}: {work} {gained}");
    }
}

/// Work done over 0.6 s, and the energy gained by it `[J]`.
fn work_and_gain(integrator: &str, h: f64) -> (f64, f64) {
    let setup = driven();
    let rest = setup.rest();
    let (_, mut world) = setup.build();
    let v = vec![0.0; rest.len()];
    let mut simulation = simulate(&mut world, State::new(rest, v), integrator, h);
    let start = simulation.total_energy();
    let work = (0..(0.6 / h).round() as u32).map(|_| simulation.step().unwrap().ledger.work).sum();
    (work, simulation.total_energy() - start)
}

#[test]
fn a_search_takes_the_work_of_a_moving_pin_and_keeps_it() {
    let (reference, gain) = work_and_gain("stormer-verlet", 5e-5);
    // h ω of the fastest mode is 0.2: the books of the fine run close to its square over a hundred.
    assert!((gain / reference - 1.0).abs() < 1e-3, "{reference} J put in, {gain} J there");
    // Measured: 0.85 of the reference at 1/120 and 0.95 at 1/480, of which 0.98 and all is kept.
    for (h, error) in [(1.0 / 120.0, 0.2), (1.0 / 480.0, 0.1)] {
        let (work, gain) = work_and_gain("a-search", h);
        println!("a-search at 1/{:.0}: {work} J put in, {gain} J there, reference {reference} J", 1.0 / h);
        assert!((work / reference - 1.0).abs() < error, "{work} of {reference} J");
        assert!(gain > 0.95 * work, "{work} J put in, {gain} J there");
    }
    // Implicit Euler has lost it all by then.
    let (work, gain) = work_and_gain("implicit-euler", 1.0 / 480.0);
    assert!(gain < 0.1 * work, "{work} J put in, {gain} J there");
}
