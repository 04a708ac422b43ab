//! What falls on a floor without friction goes on bouncing: what free fall loses is owed to the next bounce.

use super::session;
use visviva::model::bodies::node_of;
use visviva::scene::SceneSource;
use visviva::session::Session;

fn ball(kind: &str, shape: &str) -> String {
    format!(
        "[contact]\nrestitution = 1\n[[body]]\nname = \"ball\"\nkind = \"{kind}\"\nmaterial = {{ youngs_modulus = 1e7 }}\n{shape}\n\
         translate = [0, 0, 1.05]\n[[obstacle]]\nname = \"floor\"\nplane = {{ size = 4 }}\n"
    )
}

/// The highest that a ball's centre comes above its rest on the floor in the last two seconds, as a part of the drop; its total never
/// exceeds its target.
fn late_apex(mut session: Session, duration: f64) -> f64 {
    let mut apex = 0.0f64;
    let mass: f64 = session.model().node_mass.iter().sum();
    while session.time() < duration {
        let report = session.step().unwrap();
        assert!(report.ledger.total - report.target < 1e-12 * report.target, "{report:?}");
        let model = session.model();
        let height: f64 =
            (0..model.node_count()).map(|n| model.node_mass[n] * node_of(session.positions(), n).z).sum::<f64>() / mass;
        if session.time() > duration - 2.0 {
            apex = apex.max(height - 0.05);
        }
    }
    apex
}

#[test]
fn an_affine_ball_still_returns_after_thirty_seconds() {
    let ball = ball("affine", "icosphere = { radius = 0.05, subdivisions = 3 }");
    for h in ["1/60", "1/120"] {
        let apex = late_apex(session(&ball, "a-spin", h), 30.0);
        assert!(apex > 0.95, "{h}: {apex}");
    }
    // The paper's method has turned most of it into spin by then.
    let mut plain = session(&ball, "a-search", "1/120");
    plain.run_until(30.0).unwrap();
    let part = &plain.parts()[0];
    assert!(part.motion.rotation > 0.3 * part.kinetic.max(plain.energies().gravity), "{part:?}");
}

#[test]
fn what_is_owed_in_flight_is_the_loss_of_implicit_euler() {
    // Half a gh² a step, whatever the velocity.
    let ball = ball("affine", "icosphere = { radius = 0.05, subdivisions = 2 }");
    let mut session = session(&ball, "a-spin", "1/60");
    let mass: f64 = session.model().node_mass.iter().sum();
    for step in 1..=10 {
        let report = session.step().unwrap();
        let owed = report.target - report.ledger.total;
        let lost = 0.5 * mass * (9.8f64 / 60.0).powi(2) * f64::from(step);
        assert!((owed - lost).abs() < 1e-12 * report.target, "step {step}: {owed} J, {lost} J");
    }
}

/// What is left of a thrown coarse ball's energy of motion in its flight and height after one bounce.
fn flight_after_a_bounce(modulus: &str, height: f64, method: &str, run: &str) -> f64 {
    let ball = format!(
        "[contact]\nrestitution = 1\n[[body]]\nname = \"ball\"\nmaterial = {{ youngs_modulus = {modulus}, law = \"neo-hookean\" }}\n\
         ball = {{ radius = 0.05, shells = 3 }}\ntranslate = [0, 0, {height}]\nvelocity = {{ linear = [0, 0, -4.4] }}\n\
         [[obstacle]]\nname = \"floor\"\nplane = {{ size = 4 }}\n"
    );
    let text = format!("title = \"test\"\nrun = {{ {run}, duration = 0.12, integrator = \"{method}\" }}\n{ball}");
    let source = SceneSource { name: "test".into(), text, folder: std::env::temp_dir() };
    let mut session = Session::new(source.parse(&[]).unwrap()).unwrap();
    let energy = |session: &Session| session.parts()[0].motion.translation + session.energies().gravity;
    let (start, motion) = (energy(&session), session.parts()[0].motion.translation);
    session.run_until(0.12).unwrap();
    assert_eq!(session.row().active_pairs, Some(0), "it has left the floor");
    1.0 + (energy(&session) - start) / motion
}

#[test]
fn a_soft_ball_loses_to_vibration_what_it_truly_loses_where_steps_follow_the_contact() {
    for height in [0.06, 0.076] {
        let truth = flight_after_a_bounce("1e5", height, "sdirk2", "h = \"1/1920\"");
        // Its slowest vibration takes 0.02 s: a step of 1/120 s knows nothing of it and gives all back to the bounce.
        let plain = flight_after_a_bounce("1e5", height, "a-spin", "h = \"1/120\"");
        assert!(truth < 0.65 && plain > 0.9, "from {height} m: {truth}, {plain}");
        for (method, h) in [("a-spin", "1/120"), ("a-spin", "1/60"), ("a-search", "1/120")] {
            let run = format!("h = \"{h}\", adaptive = {{ min = \"1/480\" }}");
            let left = flight_after_a_bounce("1e5", height, method, &run);
            assert!((left - truth).abs() < 0.05, "{method} at {h} from {height} m: {left}, {truth}");
        }
    }
}

#[test]
fn a_stiff_ball_loses_little_where_steps_follow_the_contact_no_further_than_it_lasts() {
    for h in ["1/120", "1/60"] {
        let run = format!("h = \"{h}\", adaptive = {{ min = \"1/480\" }}");
        let left = flight_after_a_bounce("1e7", 0.07, "a-spin", &run);
        assert!(left > 0.95 && left < 1.0, "{h}: {left}");
    }
}
