//! Joined bodies keep their momenta, and the books by body add up.

use super::*;

/// Two blocks that fly and turn, joined by one kind of joint.
fn pair(joint: &str, changes: &[&str]) -> Built {
    let moving = |spin: [f64; 3]| format!("velocity = {{ linear = [0.3, -0.2, 0.4], angular = {spin:?} }}");
    let text = block("first", [0.2, 0.1, 0.05], [0.1, 0.0, 0.0], &moving([1.0, 2.0, -1.0]))
        + &block("second", [0.1, 0.1, 0.2], [-0.1, 0.0, 0.02], &moving([-2.0, 0.5, 1.0]))
        + &format!("[[joint]]\nbodies = [\"first\", \"second\"]\n{joint}\n");
    let changes: Vec<&str> = ["gravity=[0,0,0]"].iter().chain(changes).copied().collect();
    scene(&text, &changes)
}

const KINDS: [&str; 5] = [
    "ball = { at = [0, 0, 0] }",
    "hinge = { at = [0, 0, 0.01], axis = [0, 1, 1] }",
    "slider = { at = [0, 0, 0], axis = [1, 0, 0] }",
    "fixed = true",
    "hinge = { at = [0, 0, 0], axis = [0, 1, 0] }\nmotor = { speed = 3 }",
];

#[test]
fn every_joint_keeps_momenta_and_its_books_by_body() {
    for kind in KINDS {
        let built = pair(kind, &["run.h=1/480", "run.integrator=bdf2"]);
        let (p0, l0) = built.model.momenta(&built.start.x, &built.start.v);
        let end = run(&built, 0.25, |simulation, report| {
            let parts = simulation.parts();
            let total: f64 = parts.iter().map(|part| part.total()).sum();
            assert!((total - report.ledger.total).abs() < 1e-12, "{kind}");
            let work: f64 = parts.iter().map(|part| part.exchange.work).sum();
            assert!((work - report.ledger.work).abs() < 1e-12, "{kind}");
        });
        let (p1, l1) = built.model.momenta(&end.state.x, &end.state.v);
        // Rounding of stiff forces, k d ε h of a Newton step d; of the angular momentum what BDF2 loses of it at hω = 0.01.
        assert!((p1 - p0).norm() < 1e-9 * p0.norm(), "{kind}: {}", (p1 - p0).norm());
        assert!((l1 - l0).norm() < 5e-3 * l0.norm(), "{kind}: {l0} {l1}");
    }
}

#[test]
fn start_velocities_are_brought_to_fit_as_an_impulse_at_the_joint_would() {
    let built = pair(KINDS[1], &[]);
    assert!(built.warnings.iter().any(|warning| warning.contains("do not fit their joints")), "{:?}", built.warnings);
    let rate = |joint: &visviva::model::ModelJoint| {
        let moved: Vec<f64> = built.start.x.iter().zip(&built.start.v).map(|(x, v)| x + 1e-3 * v).collect();
        joint.gap(&moved) / 1e-3
    };
    assert!(built.model.joints.iter().map(rate).fold(0.0, f64::max) < 1e-9);
    // What the joint gives one body it takes from the other.
    let apart = pair(KINDS[1], &["joint=[]"]);
    let momenta = |built: &Built| built.model.momenta(&built.start.x, &built.start.v);
    let ((p, l), (q, m)) = (momenta(&apart), momenta(&built));
    // Inertias are taken a billionth larger than they are, so that a body on an axis has one along it.
    assert!((p - q).norm() < 1e-9 && (l - m).norm() < 1e-7, "{p} {q} {l} {m}");
}
