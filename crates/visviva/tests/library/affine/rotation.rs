//! Free rotation of a box with three different moments, against Euler's equations I ω̇ = Iω × ω.

use super::{frame, scene, simulation, world};
use nalgebra::{Matrix3, Vector3};
use visviva::math::polar;
use visviva::scene::Built;

/// 10 × 20 × 30 cm: the y axis is the middle one.
fn spinning(spin: Vector3<f64>, integrator: &str, h: f64) -> Built {
    let text = format!(
        "gravity = [0, 0, 0]\n[[body]]\nname = \"box\"\nkind = \"affine\"\nmaterial = {{ youngs_modulus = 1e6 }}\nbox = {{ size = [0.1, 0.2, 0.3], cells = [1, 1, 1] }}\nvelocity = {{ linear = [0.4, -0.1, 0.2], angular = [{}, {}, {}] }}\n",
        spin.x, spin.y, spin.z
    );
    scene(&text, &[&format!("run.integrator={integrator}"), &format!("run.h={h}")])
}

fn moments() -> Vector3<f64> {
    let squares = Vector3::new(0.01, 0.04, 0.09);
    (Vector3::repeat(squares.sum()) - squares) * (6.0 / 12.0)
}

/// Times `[s]` at which ω turns over in the body's frame along an axis, by Euler's equations.
fn turnovers(start: Vector3<f64>, axis: usize, until: f64) -> Vec<f64> {
    let inertia = moments();
    let slope = |w: Vector3<f64>| inertia.component_mul(&w).cross(&w).component_div(&inertia);
    let h = 1e-4;
    let (mut w, mut found) = (start, Vec::new());
    for step in 0..(until / h) as usize {
        let k1 = slope(w);
        let k2 = slope(w + 0.5 * h * k1);
        let k3 = slope(w + 0.5 * h * k2);
        let k4 = slope(w + h * k3);
        let next = w + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        if next[axis] * w[axis] < 0.0 {
            found.push(h * (step as f64 + w[axis] / (w[axis] - next[axis])));
        }
        w = next;
    }
    found
}

struct Flight {
    /// Largest changes, relative to the start's
    linear: f64,
    angular: f64,
    energy: f64,
    turnovers: Vec<f64>,
    /// Largest distance of a singular value of A from one
    strain: f64,
    least_along_axis: f64,
}

fn fly(spin: Vector3<f64>, axis: usize, integrator: &str, h: f64, until: f64) -> Flight {
    let built = spinning(spin, integrator, h);
    let mut world = world(&built);
    let mut simulation = simulation(&built, &mut world);
    let bodies = &built.model;
    let about_centre = |x: &[f64], v: &[f64]| {
        let (linear, angular) = bodies.momenta(x, v);
        (linear, angular - visviva::model::bodies::node_of(x, 0).cross(&linear))
    };
    let (p0, l0) = about_centre(&built.start.x, &built.start.v);
    let energy = simulation.total_energy();
    let inverse = Matrix3::from_diagonal(&moments().map(|m| 1.0 / m));
    let mut flight = Flight {
        linear: 0.0,
        angular: 0.0,
        energy: 0.0,
        turnovers: Vec::new(),
        strain: 0.0,
        least_along_axis: f64::INFINITY,
    };
    let mut before = spin[axis];
    for step in 0..(until / h).round() as usize {
        assert!(simulation.step().unwrap().solve.converged);
        let state = &simulation.state;
        let (p, l) = about_centre(&state.x, &state.v);
        flight.linear = flight.linear.max((p - p0).norm() / p0.norm());
        flight.angular = flight.angular.max((l - l0).norm() / l0.norm());
        flight.energy = flight.energy.max((simulation.total_energy() - energy).abs() / energy);
        let a = frame(bodies, 0, &state.x);
        flight.strain = a.singular_values().iter().map(|s| (s - 1.0).abs()).fold(flight.strain, f64::max);
        let now = (inverse * polar::rotation(&a).transpose() * l)[axis];
        if now * before < 0.0 {
            flight.turnovers.push(h * (step as f64 + before / (before - now)));
        }
        flight.least_along_axis = flight.least_along_axis.min(now.abs());
        before = now;
    }
    flight
}

/// About the middle axis with a nudge.
const MIDDLE: Vector3<f64> = Vector3::new(2.0, 10.0, 0.0);

#[test]
fn a_spin_about_the_middle_axis_turns_over_when_eulers_equations_say() {
    let exact = turnovers(MIDDLE, 1, 1.7);
    assert_eq!(exact.len(), 2, "{exact:?}");
    for integrator in ["a-1", "a-search"] {
        let found = fly(MIDDLE, 1, integrator, 1.0 / 960.0, 1.7).turnovers;
        assert_eq!(found.len(), exact.len(), "{integrator}: {found:?} {exact:?}");
        for (found, exact) in found.iter().zip(&exact) {
            assert!((found - exact).abs() < 0.01 * exact, "{integrator}: {found} {exact}");
        }
    }
}

#[test]
fn spins_about_the_other_axes_stay() {
    for (axis, spin) in [(0, Vector3::new(10.0, 0.5, 0.5)), (2, Vector3::new(0.5, 0.5, 10.0))] {
        let flight = fly(spin, axis, "a-search", 1.0 / 240.0, 2.0);
        assert!(flight.turnovers.is_empty() && flight.least_along_axis > 9.5, "{axis} {}", flight.least_along_axis);
    }
}

#[test]
fn energy_and_angular_momentum_are_kept_to_second_order_and_linear_momentum_to_rounding() {
    // A-1 changes L by h² v × (∇P₁ − ∇P₀), a difference that adds up to h² v × ∇P. A-search does the same where α is near 1.
    for (integrator, ratios) in [("a-1", 3.5..4.5), ("a-search", 2.5..6.5)] {
        let flights = [1.0 / 240.0, 1.0 / 480.0, 1.0 / 960.0].map(|h| fly(MIDDLE, 1, integrator, h, 1.0));
        for flight in &flights {
            // A few hundred steps' rounding
            assert!(flight.linear < 1e-12, "{integrator}: {}", flight.linear);
            // ρ ω² r²/μ ~ 1000 · 100 · 0.03/4e6, and nothing is added to it.
            assert!(flight.strain < 1e-3, "{integrator}: {}", flight.strain);
        }
        for k in 0..2 {
            let angular = flights[k].angular / flights[k + 1].angular;
            let energy = flights[k].energy / flights[k + 1].energy;
            println!("{integrator} {angular} {energy} {:e}", flights[k].angular);
            assert!(ratios.contains(&angular) && ratios.contains(&energy), "{integrator}: {angular} {energy}");
        }
        assert!(flights[2].angular < 5e-4, "{integrator}: {}", flights[2].angular);
    }
}
