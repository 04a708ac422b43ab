//! Each island of touching bodies has its energy and its α for itself.

use super::{scene, session};
use visviva::model::bodies::node_of;
use visviva::scene::Energy;
use visviva::session::Session;

fn ball(name: &str, x: f64, modulus: f64, more: &str) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nmaterial = {{ youngs_modulus = {modulus:?}, law = \"neo-hookean\" }}\nball = {{ radius = 0.05, shells = 2 }}\n\
         translate = [{x}, 0, 0.25]\n{more}\n"
    )
}

const FLOOR: &str = "[[obstacle]]\nname = \"floor\"\nplane = { size = 4 }\n[contact]\nrestitution = 1\n";

/// Heights of a body's first node over 0.5 s
fn heights(mut session: Session, body: usize) -> Vec<f64> {
    let node = session.model().bodies[body].nodes.start;
    (0..60)
        .map(|_| {
            session.step().unwrap();
            node_of(session.positions(), node).z
        })
        .collect()
}

#[test]
fn two_balls_apart_bounce_each_as_it_does_alone() {
    let (soft, stiff) = (ball("soft", 0.0, 2e4, ""), ball("stiff", 0.5, 1e7, ""));
    let farthest = |method: &str, energy: &str| {
        let alone = heights(session(&format!("{stiff}{FLOOR}{energy}"), method, "1/120"), 0);
        let together = heights(session(&format!("{soft}{stiff}{FLOOR}{energy}"), method, "1/120"), 1);
        alone.iter().zip(&together).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    // Newton's tolerance for the scene is 0.01 m/s a step.
    for (method, energy) in [("a-spin", ""), ("a-search", "[energy]\nby = \"island\"\n")] {
        let off = farthest(method, energy);
        assert!(off < 1e-4, "{method}: {off} m");
    }
    assert!(farthest("a-search", "") > 1e-3, "one α for both lets one take from the other");
}

#[test]
fn one_body_calms_down_and_the_others_keep_their_energy_to_round_off() {
    let spinning = |i: usize| {
        let energy = if i == 3 { "energy = { target = \"decay\", tau = 0.2 }" } else { "" };
        format!(
            "[[body]]\nname = \"die{i}\"\nmaterial = {{ youngs_modulus = 2e3 }}\nbox = {{ size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }}\n\
             translate = [{i}, 0, 0]\nvelocity = {{ angular = [0, 0.1, 0.2], about = [{i}, 0, 0] }}\n\
             deform = [{{ kind = \"stretch\", axis = \"x\", from = {}, to = {}, amount = 1.1 }}]\n{energy}\n",
            i as f64 - 0.05,
            i as f64 + 0.05
        )
    };
    let text = format!("gravity = [0, 0, 0]\n{}", (0..10).map(spinning).collect::<String>());
    // With room enough for α that all reach their targets.
    let mut session = session(&text, "a-spin:min=-3,max=5", "1/60");
    let start: Vec<f64> = session.parts().iter().map(|part| part.total()).collect();
    for _ in 0..30 {
        session.step().unwrap();
    }
    for (i, (part, start)) in session.parts().iter().zip(&start).enumerate() {
        let left = part.total() / start;
        if i == 3 {
            // e^(−0.5/0.2) is 0.08; of that its spin stays.
            assert!(left < 0.15, "{left}");
        } else {
            assert!((left - 1.0).abs() < 1e-13, "body {i}: {left}");
        }
    }
}

#[test]
fn the_books_close_and_levels_add_up_through_collisions() {
    let text =
        format!("{}{}{FLOOR}", ball("a", 0.0, 1e5, "velocity = { linear = [1, 0, 0] }"), ball("b", 0.12, 1e6, ""));
    let mut session = session(&text, "a-spin", "1/120");
    for _ in 0..90 {
        let report = session.step().unwrap();
        assert!(report.ledger.residual.abs() < 1e-13 * report.ledger.total.abs());
        let level = session.energies().wanted;
        assert!((level - report.target).abs() < 1e-13 * level.abs());
    }
}

#[test]
fn what_contradicts_itself_is_refused_with_what_to_do() {
    let body = ball("ball", 0.0, 1e6, "energy = { target = \"decay\", tau = 1 }");
    let refused = |text: String| Session::new(scene(&text)).unwrap_err().to_string();
    let by_scene = refused(format!("{body}[energy]\nby = \"scene\"\n"));
    assert!(by_scene.contains("body `ball` has an `energy` of its own"), "{by_scene}");
    let curve = "[energy]\ntarget = \"curve-joules\"\ncurve = [[0, 1], [1, 0]]\n";
    let joules = refused(format!("{}{}{curve}", ball("a", 0.0, 1e6, ""), ball("b", 0.3, 1e6, "")));
    assert!(joules.contains("by = \"scene\""), "{joules}");
    let found = refused(ball("ball", 0.0, 1e6, "energy = { target = \"decay\", tau = 1, ground = \"equilibrium\" }"));
    assert!(found.contains("say it in [energy]"), "{found}");
    let missing = refused(ball("ball", 0.0, 1e6, "energy = { target = \"decay\" }"));
    assert!(missing.contains("body `ball`: energy.tau is missing"), "{missing}");
}

#[test]
fn a_body_may_change_its_mind_under_way_and_the_others_do_not_notice() {
    let text = format!("{}{}{FLOOR}", ball("calm", 0.0, 1e6, ""), ball("lively", 0.5, 1e6, ""));
    let totals = |session: &Session| session.parts().iter().map(|part| part.total()).collect::<Vec<_>>();
    let mut runs = [(); 2].map(|()| session(&text, "a-spin", "1/120"));
    for (asked, session) in [false, true].into_iter().zip(&mut runs) {
        session.run_until(5.0 / 120.0).unwrap();
        if asked {
            session.set_body_target("calm", "decay:tau=0.1".parse().unwrap()).unwrap();
        }
        session.run_until(45.0 / 120.0).unwrap();
    }
    let [left, asked] = &runs;
    let ([_, lively], [calmed, still_lively]) = (&totals(left)[..], &totals(asked)[..]) else { panic!("two bodies") };
    // Newton's tolerance shows in the others' positions, as in the test above.
    assert!((lively - still_lively).abs() < 1e-3 * lively.abs(), "{lively} J, {still_lively} J");
    assert!(*calmed < 0.5 * still_lively, "{calmed} J beside {still_lively} J");

    // Back to before it was asked, and once more: the same bits.
    let (here, end) = (asked.checkpoint(), asked.positions().to_vec());
    let mut again = session(&text, "a-spin", "1/120");
    again.restore(here).unwrap();
    assert_eq!(again.changes().len(), 1);
    assert!(again.positions() == end);
    let unknown = again.set_body_target("clam", "conserve".parse().unwrap()).unwrap_err().to_string();
    assert!(unknown.contains("there is no body `clam`; did you mean `calm`?"), "{unknown}");
    let mut whole = session(&text, "a-search", "1/120");
    let refused = whole.set_body_target("calm", "conserve".parse().unwrap()).unwrap_err().to_string();
    assert!(refused.contains("energy.by = \"island\""), "{refused}");
}

#[test]
fn a_checkpoint_between_goes_on_to_the_same_bits() {
    let text = format!(
        "{}{}{FLOOR}",
        ball("a", 0.0, 1e5, "energy = { target = \"decay\", tau = 0.5 }"),
        ball("b", 0.2, 1e6, "")
    );
    let mut whole = session(&text, "a-spin", "1/120");
    whole.run_until(0.2).unwrap();
    let between = whole.checkpoint();
    whole.run_until(0.4).unwrap();
    let mut again = session(&text, "a-spin", "1/120");
    again.restore(between).unwrap();
    again.run_until(0.4).unwrap();
    assert_eq!(whole.positions(), again.positions());
    assert_eq!(whole.velocities(), again.velocities());
    assert_eq!(whole.energies(), again.energies());
}

#[test]
fn a_target_set_under_way_leaves_bodies_with_their_own_alone() {
    let own = Energy::decay(0.5);
    let text = format!("{}{}{FLOOR}", ball("a", 0.0, 1e5, ""), ball("b", 0.3, 1e5, ""));
    let mut directed = scene(&text);
    directed.bodies[0].energy = Some(own);
    let mut session = Session::new(directed.step("1/120")).unwrap();
    session.set_target("decay:tau=0.1".parse().unwrap()).unwrap();
    session.run_until(0.25).unwrap();
    let [a, b] = [0, 1].map(|body| session.parts()[body].total());
    assert!(b < 0.5 * a, "{a} J and {b} J");
}
