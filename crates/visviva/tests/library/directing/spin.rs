//! What turns freely turns as it should and keeps its angular momentum.

use super::session;
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
use visviva::model::bodies::node_of;
use visviva::session::Session;

/// About the mass centre of all bodies `[kg m²/s]`
fn spin(session: &Session) -> Vector3<f64> {
    let (model, x) = (session.model(), session.positions());
    let (p, l) = model.momenta(x, session.velocities());
    let mass: f64 = model.node_mass.iter().sum();
    let centre = (0..model.node_count()).map(|n| model.node_mass[n] * node_of(x, n)).sum::<Vector3<f64>>() / mass;
    l - centre.cross(&p)
}

/// Largest change of it in so many steps, as a part of it; every step converges and none gains energy.
fn spin_off(mut session: Session, steps: u32) -> f64 {
    let first = spin(&session);
    let mut off = 0.0f64;
    for _ in 0..steps {
        let report = session.step().unwrap();
        assert!(report.solve.converged);
        assert!(report.ledger.total - report.target < 0.01 * report.ledger.kinetic, "{report:?}");
        off = off.max((spin(&session) - first).norm() / first.norm());
    }
    off
}

/// Sums of a hundred steps, each rounded.
const ROUND_OFF: f64 = 1e-12;
const WEIGHTLESS: &str = "gravity = [0, 0, 0]\n";

#[test]
fn a_ringing_block_keeps_its_spin() {
    let block = "gravity = [0, 0, 0]\n[[body]]\nname = \"block\"\nmaterial = { youngs_modulus = 5e4 }\n\
                 box = { size = [0.2, 0.1, 0.06], cells = [4, 2, 1] }\nvelocity = { angular = [1, 2, 13] }\n\
                 deform = [{ kind = \"stretch\", axis = \"x\", from = -0.1, to = 0.1, amount = 1.25 }]\n";
    for h in ["1/60", "1/120"] {
        assert!(spin_off(session(block, "a-spin", h), 100) < ROUND_OFF);
    }
    // The paper's method does not, by far: the test sees what it is about.
    let mut plain = session(block, "a-search", "1/120");
    let first = spin(&plain).norm();
    plain.run_until(100.0 / 120.0).unwrap();
    assert!((spin(&plain).norm() / first - 1.0).abs() > 0.05);
}

#[test]
fn bodies_that_collide_in_flight_keep_their_spin_together() {
    let block = |name: &str, kind: &str, x: f64, v: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nkind = \"{kind}\"\nmaterial = {{ youngs_modulus = 1e6 }}\nbox = {{ size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }}\n\
             translate = [{x}, {}, 0]\nvelocity = {{ linear = [{v}, 0, 0], angular = [0, 3, 9], about = [{x}, 0, 0] }}\n",
            0.3 * x
        )
    };
    for kinds in [["solid", "solid"], ["affine", "affine"], ["solid", "affine"]] {
        let text = format!(
            "[contact]\nrestitution = 1\n{}{}",
            block("left", kinds[0], -0.12, 1.0),
            block("right", kinds[1], 0.12, -1.0)
        );
        assert!(spin_off(session(&text, "a-spin", "1/120"), 60) < ROUND_OFF, "{kinds:?}");
    }
}

#[test]
fn a_thrown_sheet_keeps_its_spin() {
    let sheet = "[[body]]\nname = \"sheet\"\nkind = \"shell\"\nmaterial = { youngs_modulus = 1e6, density = 300, thickness = 1e-3 }\n\
                 rectangle = { size = [0.3, 0.2], cells = [6, 4] }\nvelocity = { linear = [1, 0, 2], angular = [0.5, 12, 1] }\n";
    assert!(spin_off(session(sheet, "a-spin", "1/60"), 60) < ROUND_OFF);
}

const SIZE: Vector3<f64> = Vector3::new(0.2, 0.1, 0.05);

/// How a rigid brick without forces has turned after t `[s]`, by Euler's equations and the classical Runge–Kutta method.
fn tumbled(first: Vector3<f64>, t: f64) -> Rotation3<f64> {
    let side = SIZE.map(|s| s * s);
    let inertia = Matrix3::from_diagonal(&Vector3::new(side.y + side.z, side.x + side.z, side.x + side.y));
    let inverse = inertia.try_inverse().unwrap();
    let l = inertia * first;
    let steps = 20_000;
    let h = t / f64::from(steps);
    // The body's angular velocity in its own axes: I ω' = Iω × ω, q' = ½ q ω.
    let rate = |w: Vector3<f64>| inverse * (inertia * w).cross(&w);
    let (mut w, mut q) = (inverse * l, UnitQuaternion::identity());
    for _ in 0..steps {
        let k1 = rate(w);
        let k2 = rate(w + 0.5 * h * k1);
        let k3 = rate(w + 0.5 * h * k2);
        let k4 = rate(w + h * k3);
        let middle = w + 0.25 * h * (k1 + k2);
        w += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        q *= UnitQuaternion::from_scaled_axis(h * middle);
    }
    q.to_rotation_matrix()
}

#[test]
fn an_affine_brick_of_three_inertias_tumbles_as_a_rigid_one() {
    // Near its middle axis it turns over. hω = 0.27 and 0.13.
    let first = Vector3::new(0.3, 8.0, 0.1);
    let text = format!(
        "{WEIGHTLESS}[[body]]\nname = \"brick\"\nkind = \"affine\"\nmaterial = {{ youngs_modulus = 1e8 }}\n\
         box = {{ size = [0.2, 0.1, 0.05], cells = [1, 1, 1] }}\nvelocity = {{ angular = [{}, {}, {}] }}\n",
        first.x, first.y, first.z
    );
    let miss = |method: &str, h: u32| {
        let mut session = session(&text, method, &format!("1/{h}"));
        session.run_until(1.0).unwrap();
        let (x, rest) = (session.positions(), &session.model().rest);
        let columns = |axis: &dyn Fn(usize) -> Vector3<f64>| Matrix3::from_columns(&[axis(1), axis(2), axis(3)]);
        let now = columns(&|node| node_of(x, node) - node_of(x, 0));
        let turned = now * columns(&|node| rest[node] - rest[0]).try_inverse().unwrap();
        (turned * tumbled(first, 1.0).matrix().transpose() - Matrix3::identity()).norm()
    };
    let misses = [30, 60, 120].map(|h| miss("a-spin", h));
    // Second order; a-search has turned by a quarter less at 1/30 s and misses by all there is.
    assert!(misses[0] < 0.1 && misses[1] < 0.3 * misses[0] && misses[2] < 0.3 * misses[1], "{misses:?}");
    assert!(miss("a-search", 30) > 5.0 * misses[0]);
}

#[test]
fn a_stiff_bar_on_a_hinge_of_pins_turns_as_a_rigid_one() {
    // Without weight: the angle grows by ω₀ t.
    let bar = "gravity = [0, 0, 0]\n[[body]]\nname = \"bar\"\nmaterial = { youngs_modulus = 1e7 }\nbox = { size = [0.2, 0.05, 0.05], cells = [4, 1, 1] }\n\
               translate = [0.1, 0, 0.025]\nvelocity = { angular = [0, -15, 0] }\n[[pin]]\nbody = \"bar\"\nedge = { from = [0, -0.025, 0], to = [0, 0.025, 0] }\n";
    for (h, most) in [(30, 0.01), (60, 0.003)] {
        let mut session = session(bar, "a-spin", &format!("1/{h}"));
        let far = session.model().node_count() - 1;
        let (mut angle, mut before) = (0.0, node_of(session.positions(), far));
        for _ in 0..h {
            session.step().unwrap();
            let now = node_of(session.positions(), far);
            angle += (before.z * now.x - before.x * now.z).atan2(before.x * now.x + before.z * now.z);
            before = now;
        }
        assert!((angle.abs() / 15.0 - 1.0).abs() < most, "1/{h} s: {angle} rad");
    }
}
