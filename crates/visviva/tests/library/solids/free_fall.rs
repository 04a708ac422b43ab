//! A body that falls freely: each scheme's own closed form, and no strain.

use super::{Setup, cuboid, largest, simulate, solid};
use nalgebra::Vector3;
use visviva::integrate::{IntegratorSpec, LinearForm, METHODS};
use visviva::model::State;
use visviva::model::bodies::node_of;

const GRAVITY: Vector3<f64> = Vector3::new(0.3, 0.0, -9.8);
const H: f64 = 2e-3;
const STEPS: u32 = 50;

/// What a scheme adds to the true fall after n steps, in units of h²g.
///
/// Velocities are exact. A Runge–Kutta step moves by h v + h² g Σ b_i c_i, the true one by h v + ½ h² g.
/// BDF2 is exact but for its implicit first step, whose error e₁ = ½ its recursion 3e₊ = 4e − e₋ carries on to ¾ (1 − 3⁻ⁿ).
fn excess(form: LinearForm, name: &str) -> f64 {
    let n = f64::from(STEPS);
    let per_step =
        |t: &visviva::integrate::Tableau| (0..t.stage_count()).map(|i| t.b[i] * t.node(i)).sum::<f64>() - 0.5;
    match form {
        LinearForm::RungeKutta(tableau) => n * per_step(&tableau),
        LinearForm::Decoupled { base, .. } => n * per_step(&base),
        LinearForm::Newmark { .. } => 0.0,
        LinearForm::Bdf2 => 0.75 * (1.0 - 3f64.powi(-(STEPS as i32))),
        LinearForm::ExplicitSymplectic => {
            if name == "symplectic-euler" {
                0.5 * n
            } else {
                0.0
            }
        }
        // Over implicit Euler, with nothing for α to act on; blending is midpoint where midpoint is on target.
        LinearForm::Adaptive => {
            if name == "blending" {
                0.0
            } else {
                0.5 * n
            }
        }
    }
}

#[test]
fn every_method_falls_by_its_own_closed_form_without_strain() {
    for method in METHODS {
        let mut setup = Setup::new(cuboid([0.1; 3], [2, 2, 2]), solid("neo-hookean", 1e4, 0.3));
        setup.gravity = GRAVITY;
        let rest = setup.rest();
        let (bodies, mut world) = setup.build();
        let v0 = Vector3::new(0.5, -0.2, 1.0);
        let v: Vec<f64> = (0..bodies.node_count()).flat_map(|_| [v0.x, v0.y, v0.z]).collect();
        let mut simulation = simulate(&mut world, State::new(rest, v), method.name, H);
        let mut elastic = 0.0f64;
        for _ in 0..STEPS {
            let report = simulation.step().unwrap();
            assert!(report.solve.converged, "{}: {:?}", method.name, report.solve);
            elastic = elastic.max(report.solve.energies.as_slice()[0].abs());
        }
        let t = f64::from(STEPS) * H;
        let form = method.name.parse::<IntegratorSpec>().unwrap().build().linear_form();
        let fall = v0 * t + GRAVITY * (0.5 * t * t + H * H * excess(form, method.name));
        let (x, v) = (&simulation.state.x, &simulation.state.v);
        let off = largest((0..bodies.node_count()).map(|node| (node_of(x, node) - bodies.rest[node] - fall).norm()));
        let fast = largest((0..bodies.node_count()).map(|node| (node_of(v, node) - v0 - GRAVITY * t).norm()));
        // A velocity is a difference of positions of 0.2 m over h: each step may round it by 2e-14 m/s, and the sum of 50 of
        // these moves x by 0.1 s of it; methods of several stages round more often. Strains of 1e-12 hold 1e-24 of 10 J.
        assert!(off < 1e-12, "{}: {off:e} m", method.name);
        assert!(fast < 5e-12, "{}: {fast:e} m/s", method.name);
        assert!(elastic < 1e-23, "{}: {elastic:e} J", method.name);
    }
}
