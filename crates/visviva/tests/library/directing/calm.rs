//! Decay of vibration alone, rest at a time, a ground that is found in contact, and bodies that are set down.

use super::{scene, session};
use std::ops::ControlFlow;
use visviva::Session;
use visviva::scene::BuildError;
use visviva::solve::EquilibriumError;

/// A block that flies, turns and rings, far from everything.
const RINGING: &str = "gravity = [0, 0, 0]\n[[body]]\nname = \"block\"\nmaterial = { youngs_modulus = 1e5 }\n\
                       box = { size = [0.2, 0.1, 0.1], cells = [4, 2, 2] }\n\
                       velocity = { linear = [1, 0, 0], angular = [0, 0, 3] }\n\
                       deform = [{ kind = \"stretch\", axis = \"x\", from = -0.1, to = 0.1, amount = 1.1 }]\n";

#[test]
fn decay_of_vibration_leaves_flight_and_turning_alone() {
    let tau = 0.2;
    let wish = format!("[energy]\ntarget = \"decay\"\ntakes = \"vibration\"\ntau = {tau}\n");
    let (mut calm, mut free) =
        (session(&format!("{RINGING}{wish}"), "a-search", "1/960"), session(RINGING, "a-search", "1/960"));
    let vibration = |session: &Session| {
        let part = &session.parts()[0];
        part.motion.vibration + session.energies().elastic
    };
    let (start, parts) = (vibration(&calm), calm.parts()[0]);
    let losses: f64 = (0..288).map(|_| calm.step().unwrap().ledger.damping_loss).sum();
    free.run_until(0.3).unwrap();
    let after = calm.parts()[0];
    assert!((after.momentum - parts.momentum).norm() < 1e-12);
    // Turning as it turns without any decay: what is taken has no angular momentum.
    assert!((after.motion.rotation / free.parts()[0].motion.rotation - 1.0).abs() < 0.05, "{after:?}");
    // 1.5 τ: half its period a vibration is strain, so that it is a little early or late.
    let (left, wanted) = (vibration(&calm) / start, (-0.3f64 / tau).exp());
    assert!((left / wanted - 1.0).abs() < 0.1, "{left} {wanted}");
    assert!((losses - (calm.energies().wanted - free.energies().wanted).abs()).abs() < 1e-9 * losses, "{losses}");
    let [total, wanted] = [calm.energies().total, calm.energies().wanted];
    assert!((total - wanted).abs() < 0.01 * total, "{total} {wanted}");
}

#[test]
fn a_clamped_bar_has_nothing_but_vibration() {
    let scene = "gravity = [0, 0, 0]\n[energy]\ntarget = \"decay\"\ntakes = \"vibration\"\nhalf_life = 0.1\n\
                 [[body]]\nname = \"bar\"\nmaterial = { youngs_modulus = 1e5 }\nbox = { size = [0.2, 0.05, 0.05], cells = [6, 1, 1] }\n\
                 velocity = { ramp = { axis = \"x\", from = -0.1, to = 0.1, velocity = [0, 0, 0.5] } }\n\
                 [[pin]]\nbody = \"bar\"\nplane = { point = [-0.1, 0, 0], normal = [1, 0, 0] }\n";
    let mut session = session(scene, "a-search", "1/480");
    let start = session.energies().total;
    session.run_until(0.5).unwrap();
    // Five half-lives
    let left = session.energies().total / start;
    assert!(left < 1.5 / 32.0 && left > 0.6 / 32.0, "{left}");
}

const BAR: &str = "[[body]]\nname = \"bar\"\nmaterial = { youngs_modulus = 1e5 }\n\
                   box = { size = [0.2, 0.05, 0.05], cells = [6, 1, 1] }\n\
                   [[pin]]\nbody = \"bar\"\nplane = { point = [-0.1, 0, 0], normal = [1, 0, 0] }\n";

/// How far the total is above its target at most, as a part of what there was above ground; how often it is within a hundredth.
fn followed(wish: &str, h: &str) -> (f64, f64, Session) {
    let mut session = session(&format!("[energy]\nground = \"equilibrium\"\n{wish}\n{BAR}"), "a-search", h);
    let above = session.energies().wanted - ground(&session);
    let (mut worst, mut near, mut steps) = (0.0f64, 0.0, 0.0);
    while session.time() < 1.2 - 1e-9 {
        session.step().unwrap();
        let energies = session.energies();
        let off = (energies.total - energies.wanted) / above;
        // It must have begun to swing before there is motion to take from.
        if session.time() > 0.3 {
            worst = worst.max(off);
            near += f64::from(u8::from(off.abs() < 0.01));
            steps += 1.0;
        }
    }
    (worst, near / steps, session)
}

#[test]
fn a_bar_lies_still_at_its_time() {
    let wish = "[energy]\nground = \"equilibrium\"\ntarget = \"rest\"\nrest_at = 1\n";
    let mut session = session(&format!("{wish}{BAR}"), "a-search", "1/240");
    session.run_until(1.2).unwrap();
    let speed = session.velocities().iter().map(|v| v.abs()).fold(0.0, f64::max);
    assert!(speed < 0.01, "{speed} m/s");
}

#[test]
fn a_decay_faster_than_alpha_can_take_is_followed_all_the_same() {
    let (worst, near, _) = followed("target = \"decay\"\nhalf_life = 0.1", "1/240");
    assert!(worst < 0.01 && near > 0.9, "{worst} above, {near} of the steps within a hundredth");
}

fn ground(session: &Session) -> f64 {
    match session.scene().energy.ground {
        visviva::scene::Ground::Joules(joules) => joules,
        visviva::scene::Ground::Named(_) => panic!("not found"),
    }
}

const TWO_BLOCKS: &str = "[energy]\ntarget = \"decay\"\ntau = 0.2\nground = \"equilibrium\"\n[contact]\nfriction = 0.5\n\
                          [[body]]\nname = \"low\"\nkind = \"affine\"\nmaterial = { youngs_modulus = 1e7 }\n\
                          box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }\ntranslate = [0, 0, 0.1]\n\
                          [[body]]\nname = \"high\"\nkind = \"affine\"\nmaterial = { youngs_modulus = 1e7 }\n\
                          box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }\ntranslate = [0.03, 0, 0.3]\n";

#[test]
fn the_ground_of_a_pile_is_where_it_comes_to_lie() {
    let floor = "[[obstacle]]\nname = \"floor\"\nplane = { size = 4 }\n";
    let built = |text: &str| scene(text).integrator("a-search").build().unwrap();
    let mut pile = built(&format!("{TWO_BLOCKS}{floor}"));
    let found = pile.find_ground(&mut |_| ControlFlow::Continue(())).unwrap().unwrap();
    // Both at rest on each other: centres at 5 and 15 cm and gaps of less than a millimetre.
    let least = 9.8 * (0.05 + 0.15);
    assert!(found.energy > least && found.energy < least + 9.8 * 0.003, "{found:?}");
    assert!(found.time.is_some_and(|time| time < 5.0), "{found:?}");
    let stopped = built(&format!("{TWO_BLOCKS}{floor}")).find_ground(&mut |_| ControlFlow::Break(())).unwrap_err();
    assert!(matches!(stopped, BuildError::Ground(EquilibriumError::Interrupted)), "{stopped}");
    let falls = built(TWO_BLOCKS).find_ground(&mut |_| ControlFlow::Continue(())).unwrap_err().to_string();
    assert!(falls.contains("falls or drifts freely") && falls.contains("give joules"), "{falls}");
}

#[test]
fn a_body_that_is_set_down_stays_where_it_is() {
    let text = "[contact]\nrestitution = 0.9\n[[body]]\nname = \"ball\"\nkind = \"affine\"\nset_down = true\n\
                material = { youngs_modulus = 1e7 }\nicosphere = { radius = 0.05, subdivisions = 2 }\ntranslate = [0, 0, 0.7]\n\
                [[body]]\nname = \"block\"\nset_down = true\nmaterial = { youngs_modulus = 1e6 }\n\
                box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }\ntranslate = [0.3, 0, 0.5]\n\
                [[obstacle]]\nname = \"floor\"\nplane = { size = 4 }\n";
    let mut session = session(text, "a-search", "1/120");
    let start = session.positions().to_vec();
    let row = session.row().clone();
    assert!(row.min_distance.is_some_and(|gap| gap > 1e-4 && gap < 1e-3), "{row:?}");
    session.run_until(0.5).unwrap();
    let moved = session.positions().iter().zip(&start).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    // The soft block sinks by ρ g L²/2E = 0.5 mm of itself; nothing hops.
    assert!(moved < 1e-3, "{moved}");
}

#[test]
fn a_body_with_nothing_below_it_or_a_pin_is_not_set_down() {
    let body = "[[body]]\nname = \"ball\"\nset_down = true\nmaterial = { youngs_modulus = 1e6 }\nball = { radius = 0.05, shells = 2 }\n\
                translate = [9, 0, 0.5]\n[[obstacle]]\nname = \"floor\"\nplane = { size = 4 }\n";
    let refused = |text: &str| scene(text).build().unwrap_err().to_string();
    assert!(refused(body).contains("body `ball`: set_down: nothing lies below it"), "{}", refused(body));
    let weightless = format!("gravity = [0, 0, 0]\n{body}");
    assert!(refused(&weightless).contains("no gravity"));
    let pinned = format!("{body}[[pin]]\nbody = \"ball\"\nnodes = [0]\n");
    assert!(refused(&pinned).contains("it is pinned"));
}
