//! A free body that flies, turns and rings: what of its momentum is kept, and how fast the rest drifts.

use super::{Setup, cuboid, simulate, solid};
use nalgebra::Vector3;
use visviva::integrate::METHODS;
use visviva::model::State;
use visviva::model::bodies::node_of;
use visviva::solve::Backend;
use visviva::solve::linear::Choice;

/// `[rad/s]`
const SPIN: Vector3<f64> = Vector3::new(0.0, 3.0, 12.0);
const DRIFT: Vector3<f64> = Vector3::new(0.4, -0.1, 0.2);

/// A block of 10 × 8 × 6 cm about the origin, stretched along x at the start, so that it rings.
fn ringing_block(stretch: f64) -> (Setup, State) {
    let mut mesh = cuboid([0.1, 0.08, 0.06], [3, 3, 3]);
    mesh.translate(Vector3::new(-0.05, -0.04, -0.03)).unwrap();
    let x: Vec<f64> = mesh.positions.iter().flat_map(|p| [stretch * p.x, p.y, p.z]).collect();
    let v = (0..mesh.positions.len()).flat_map(|node| {
        let v = DRIFT + SPIN.cross(&node_of(&x, node));
        [v.x, v.y, v.z]
    });
    let v = v.collect();
    (Setup::new(mesh, solid("neo-hookean", 1e5, 0.3)), State::new(x, v))
}

struct Run<'a> {
    integrator: &'a str,
    h: f64,
    steps: u32,
    choice: Choice,
    linear_tolerance: f64,
    /// `[m]`
    displacement: f64,
}

impl Run<'_> {
    /// Largest relative drift of linear momentum, and of angular momentum about the centre of mass.
    fn drift(&self) -> (f64, f64) {
        let (mut setup, state) = ringing_block(1.05);
        setup.linear = self.choice;
        setup.linear_tolerance = self.linear_tolerance;
        setup.displacement = self.displacement;
        let (bodies, mut world) = setup.build();
        let mass: f64 = bodies.node_mass.iter().sum();
        let momenta = |state: &State| {
            let (p, l) = bodies.momenta(&state.x, &state.v);
            let moment = |node: usize| bodies.node_mass[node] * node_of(&state.x, node);
            let centre = (0..bodies.node_count()).map(moment).sum::<Vector3<f64>>() / mass;
            (p, l - centre.cross(&p))
        };
        let (p0, l0) = momenta(&state);
        let mut simulation = simulate(&mut world, state, self.integrator, self.h);
        let mut drift = (0f64, 0f64);
        for _ in 0..self.steps {
            let report = simulation.step().unwrap();
            assert!(report.solve.converged, "{}: {:?}", self.integrator, report.solve);
            let (p, l) = momenta(&simulation.state);
            drift = (drift.0.max((p - p0).norm() / p0.norm()), drift.1.max((l - l0).norm() / l0.norm()));
        }
        drift
    }
}

#[test]
fn every_method_keeps_linear_momentum_to_round_off_with_the_direct_solver() {
    for method in METHODS.iter().filter(|m| m.keeps_linear_momentum) {
        // Explicit methods need a step well below the transit time of a cell, 2 cm at 12 m/s.
        let run = Run {
            integrator: method.name,
            h: 2e-4,
            steps: 100,
            choice: Choice::Direct,
            linear_tolerance: 0.0,
            displacement: 1e-11,
        };
        let (p, _) = run.drift();
        // A velocity is a difference of positions of 0.1 m over h: ε·0.1/2e-4 = 1e-13 m/s of 0.46, and a hundred steps of it.
        assert!(p < 100.0 * 2e-13, "{}: {p:e}", method.name);
    }
}

#[test]
fn conjugate_gradients_keep_linear_momentum_to_round_off_whatever_they_leave() {
    let h = 1.0 / 120.0;
    for integrator in ["implicit-euler", "implicit-midpoint", "bdf2", "a-search"] {
        for linear_tolerance in [1e-2, 1e-4, 1e-8] {
            let run =
                Run { integrator, h, steps: 60, choice: Choice::Iterative, linear_tolerance, displacement: 0.01 * h };
            let (p, _) = run.drift();
            println!("{integrator}, residual {linear_tolerance:e}: drift {p:e}");
            // ε·0.3 m over h = 8e-15 m/s of 0.46, and sixty steps of a few of it.
            assert!(p < 60.0 * 5e-14, "{integrator}: {p:e} at {linear_tolerance:e}");
        }
    }
}

/// One turn of the spinning block `[s]`.
const TURN: f64 = 0.5;

#[test]
fn implicit_midpoint_keeps_angular_momentum_to_the_solvers_tolerance() {
    for steps in [50, 200] {
        for displacement in [1e-7, 1e-9, 1e-11] {
            let h = TURN / f64::from(steps);
            let (choice, linear_tolerance) = (Choice::Direct, 0.0);
            let run = Run { integrator: "implicit-midpoint", h, steps, choice, linear_tolerance, displacement };
            let (_, l) = run.drift();
            println!("h {h}, Newton to {displacement:e} m: drift {l:e}");
            // Quadratic invariants are exact. What Newton leaves is a fraction of its last step, over arms of 5 cm: a turn
            // sums up to the displacement over a centimetre, whatever the step.
            assert!(l < displacement / 0.01, "{l:e} at {displacement:e} m");
        }
    }
}

#[test]
fn angular_momentum_drifts_at_the_order_of_each_method() {
    let drift = |integrator: &str, steps: u32| {
        let h = TURN / f64::from(steps);
        Run { integrator, h, steps, choice: Choice::Direct, linear_tolerance: 0.0, displacement: 1e-9 }.drift().1
    };
    // The fastest modes of the block turn by a radian in a step at 800 steps a turn: orders are not yet clean.
    for (integrator, order, slack) in
        [("implicit-euler", 1.0, 0.2), ("bdf2", 2.0, 0.4), ("trapezoidal", 2.0, 0.2), ("a-1", 2.0, 0.2)]
    {
        let (coarse, fine) = (drift(integrator, 800), drift(integrator, 1600));
        let measured = (coarse / fine).log2();
        println!("{integrator}: {coarse:e}, {fine:e} a turn, order {measured:.2}");
        assert!((measured - order).abs() < slack, "{integrator}: order {measured}");
    }
    // A-search jumps between the ends of its interval: no clean order, at least the first.
    let (coarse, fine) = (drift("a-search", 400), drift("a-search", 1600));
    println!("a-search: {coarse:e} at 400, {fine:e} at 1600 steps a turn");
    assert!(coarse / fine > 4.0 && fine < 3e-3, "{coarse:e} {fine:e}");
}

/// L over L₀ after four turns at h = 1/120, from rest shape stretched by `ring`.
fn spin_left(integrator: &str, ring: f64) -> f64 {
    let (mut setup, state) = ringing_block(ring);
    setup.displacement = 1e-7;
    let (bodies, mut world) = setup.build();
    let spin = |state: &State| {
        let (p, l) = bodies.momenta(&state.x, &state.v);
        let mass: f64 = bodies.node_mass.iter().sum();
        let moment = |node: usize| bodies.node_mass[node] * node_of(&state.x, node);
        (l - ((0..bodies.node_count()).map(moment).sum::<Vector3<f64>>() / mass).cross(&p)).norm()
    };
    let before = spin(&state);
    let mut simulation = simulate(&mut world, state, integrator, 1.0 / 120.0);
    for _ in 0..240 {
        simulation.step().unwrap();
    }
    spin(&simulation.state) / before
}

/// The block's first stretching mode has a period of 20 ms, less than three steps. Measured: implicit Euler 0.42, BDF2 0.98, A-1 0.99, A-search 1.00.
#[test]
fn a_calm_spin_is_kept_at_large_steps_by_all_but_implicit_euler() {
    for integrator in ["bdf2", "a-1", "a-search"] {
        let left = spin_left(integrator, 1.0);
        println!("{integrator}: {left}");
        assert!((left - 1.0).abs() < 0.03, "{integrator}: {left}");
    }
    assert!(spin_left("implicit-euler", 1.0) < 0.5);
}

/// The price of decoupled velocities. Stretched by 5 %, the block holds one and a half times its spin's energy as strain, and at
/// this step A-1 and A-search turn some of it into spin. Measured over four turns: A-search goes to 1.44 and stays there, A-1
/// swings between 1.1 and 2.2; at a quarter of the step both stay within 3 %. BDF2, which lets the ringing die, keeps 0.96.
#[test]
fn a_ringing_body_gains_spin_under_a_search_at_large_steps() {
    let left = spin_left("a-search", 1.05);
    println!("a-search: {left}");
    assert!(left > 1.2 && left < 1.7, "{left}");
}

/// A-1 is x₁ = x₀ + h v₀ + h² a₁, v₁ = v₀ + h a₀: L₁ − L₀ = Σ m (h² v₀ × (a₀ − a₁) + h³ a₁ × a₀), nothing else.
#[test]
fn the_spin_that_a_one_gains_is_its_scheme_and_not_its_solver() {
    let h = 1.0 / 120.0;
    let (mut setup, mut state) = ringing_block(1.05);
    setup.displacement = 1e-13;
    let (bodies, mut world) = setup.build();
    let (mut g, mut accelerations) = (vec![0.0; state.x.len()], Vec::new());
    for _ in 0..20 {
        let mut simulation = simulate(&mut world, state.clone(), "a-1", h);
        simulation.step().unwrap();
        let next = simulation.state.clone();
        accelerations.clear();
        for x in [&state.x, &next.x] {
            let at = world.evaluation(x);
            world.gradient(&at, &mut g);
            accelerations
                .push((0..bodies.node_count()).map(|i| -node_of(&g, i) / bodies.node_mass[i]).collect::<Vec<_>>());
        }
        let gain = |i: usize| {
            let (v, a0, a1): (Vector3<f64>, Vector3<f64>, Vector3<f64>) =
                (node_of(&state.v, i), accelerations[0][i], accelerations[1][i]);
            bodies.node_mass[i] * h * h * (v.cross(&(a0 - a1)) + h * a1.cross(&a0))
        };
        let expected: Vector3<f64> = (0..bodies.node_count()).map(gain).sum();
        let before = bodies.momenta(&state.x, &state.v).1;
        let after = bodies.momenta(&next.x, &next.v).1;
        // Newton to 1e-13 m, over h², is 1e-9 m/s² of some hundred.
        assert!((after - before - expected).norm() < 1e-9 * before.norm(), "{:e}", (after - before - expected).norm());
        state = next;
        state.t = 0.0;
    }
}
