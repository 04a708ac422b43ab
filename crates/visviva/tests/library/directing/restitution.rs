//! A body returns to e² of its height, and what that takes is booked.

use super::session;
use visviva::model::bodies::node_of;
use visviva::session::Session;

fn ball(e: f64, shape: &str) -> String {
    format!(
        "[contact]\nrestitution = {e}\n[[body]]\nname = \"ball\"\nmaterial = {{ youngs_modulus = 1e7 }}\n{shape}\n\
         translate = [0, 0, 1.05]\n[[obstacle]]\nname = \"floor\"\nplane = {{ size = 4 }}\n"
    )
}

const AFFINE: &str = "kind = \"affine\"\nicosphere = { radius = 0.05, subdivisions = 2 }";

/// Of a session's only body, above where a ball rests on the floor: the barrier holds it up by 0.9 mm `[m]`
fn height(session: &Session) -> f64 {
    let (model, x) = (session.model(), session.positions());
    let mass: f64 = model.node_mass.iter().sum();
    (0..model.node_count()).map(|n| model.node_mass[n] * node_of(x, n).z).sum::<f64>() / mass - 0.0509
}

/// Facets of a coarser one set it spinning, and what spins does not rise.
const STIFF: &str = "ball = { radius = 0.05, shells = 5 }";

/// e of each of the first four bounces that should rise above 1 cm, by the heights reached
fn bounces(e: f64, mut session: Session) -> Vec<f64> {
    let mut heights = vec![height(&session)];
    let [mut before, mut last] = [heights[0]; 2];
    while heights.len() < 5 && e * e * heights[heights.len() - 1] > 0.01 {
        assert!(session.time() < 3.0, "no more bounces: {heights:?}");
        let report = session.step().unwrap();
        assert!(report.ledger.residual.abs() < 1e-9, "the books close: {report:?}");
        let now = height(&session);
        if last > before && last >= now && last > 0.005 {
            // The top of the parabola through three moments
            heights.push(last - (now - before).powi(2) / (8.0 * (before - 2.0 * last + now)));
        }
        [before, last] = [last, now];
    }
    heights.windows(2).map(|two| (two[1] / two[0]).sqrt()).collect()
}

#[test]
fn stiff_balls_part_with_e_of_their_speed() {
    for (shape, steps) in [(AFFINE, &["1/60", "1/120", "1/480"][..]), (STIFF, &["1/60", "1/120"])] {
        for (e, count) in [(0.3, 1), (0.5, 3), (0.8, 4)] {
            for h in steps {
                let found = bounces(e, session(&ball(e, shape), "a-spin", h));
                assert_eq!(found.len(), count, "e = {e}, h = {h}: {found:?}");
                assert!(found.iter().all(|part| (part - e).abs() < 0.05), "{shape}, e = {e}, h = {h}: {found:?}");
            }
        }
    }
}

#[test]
fn balls_that_meet_in_flight_part_with_e_of_their_speed() {
    for (method, h) in [("a-search", "1/120"), ("a-search", "1/480"), ("a-spin", "1/60")] {
        let thrown = |name: &str, x: f64| {
            let speed = -x.signum();
            format!(
                "[[body]]\nname = \"{name}\"\n{AFFINE}\nmaterial = {{ youngs_modulus = 1e7 }}\ntranslate = [{x}, 0, 0]\n\
                 velocity = {{ linear = [{speed}, 0, 0] }}\n"
            )
        };
        let scene =
            format!("gravity = [0, 0, 0]\n[contact]\nrestitution = 0.5\n{}{}", thrown("a", -0.1), thrown("b", 0.1));
        let mut session = session(&scene, method, h);
        let before = session.parts();
        session.run_until(0.3).unwrap();
        for (after, before) in session.parts().iter().zip(before) {
            let kept = -after.momentum.x / before.momentum.x;
            assert!((kept - 0.5).abs() < 0.05, "{method}, {h}: {kept}");
        }
    }
}

#[test]
fn what_a_floor_that_rises_lifts_is_not_held_back() {
    // It rests on a floor that goes up and stops: it leaves with the floor's speed although contacts give back little.
    let scene = "[contact]\nrestitution = 0.2\n[[body]]\nname = \"ball\"\nkind = \"affine\"\nset_down = true\n\
                 material = { youngs_modulus = 1e7 }\nicosphere = { radius = 0.05, subdivisions = 2 }\ntranslate = [0, 0, 0.1]\n\
                 [[obstacle]]\nname = \"floor\"\nplane = { size = 4 }\nshift = [[0, 0, 0, 0], [0.4, 0, 0, 0.8]]\n";
    let mut session = session(scene, "a-spin", "1/120");
    let mut highest = 0.0f64;
    while session.time() < 1.0 {
        session.step().unwrap();
        highest = highest.max(height(&session));
    }
    // v²/2g = 0.204 m above where the floor stopped
    assert!(highest > 0.8 + 0.15, "{highest}");
}
