//! Where the energy could not be brought to its target, and whether that is to worry about.

use super::{FALL, SWING, session};

#[test]
fn a_free_fall_is_told_to_be_all_right() {
    for height in ["0.2", "20"] {
        let mut session = session(FALL, &[&format!("body.0.translate=[0,0,{height}]"), "run.duration=0.04"]);
        let summary = session.run().unwrap();
        let [flight] = &summary.off_target[..] else { panic!("{:?}", summary.off_target) };
        assert_eq!((flight.during, &flight.bodies[..]), ("flight", &["cube".to_owned()][..]));
        let [said] = &summary.off_target_in_words[..] else { panic!("{:?}", summary.off_target_in_words) };
        assert!(said.contains("`cube` flew freely or rested") && said.contains("nothing is wrong"), "{said}");
        assert!(!said.contains("run.h"), "no step would help: {said}");
    }
}

#[test]
fn a_hard_landing_at_a_long_step_names_who_touched_and_what_to_do() {
    let thrown = ["run.h=1/30", "run.duration=0.5", "body.0.velocity.linear=[0,0,-3]", "contact.restitution=1"];
    let summary = session(FALL, &thrown).run().unwrap();
    let landing = summary.off_target.iter().find(|off| off.during == "contact").expect("it cannot all be kept");
    assert_eq!(landing.bodies, ["cube", "ground"]);
    assert!(landing.worst < -0.02 && landing.steps > 0 && landing.longest <= landing.time + 1e-12, "{landing:?}");
    let said = summary.off_target_in_words.join("\n");
    for part in
        ["while `cube` touched `ground`) the energy could not be brought to its target", "missing", "run.h = 1/60"]
    {
        assert!(said.contains(part), "`{part}` is not in: {said}");
    }
}

#[test]
fn a_body_that_is_held_does_not_fly() {
    let summary = session(SWING, &[]).run().unwrap();
    let [swing] = &summary.off_target[..] else { panic!("{:?}", summary.off_target) };
    assert_eq!((swing.during, &swing.bodies[..]), ("motion", &["bar".to_owned()][..]));
    let said = summary.off_target_in_words.join("\n");
    assert!(said.contains("`bar` moved without touching anything") && said.contains("run.h = 1/120"), "{said}");
    let quiet = session(SWING, &["run.integrator=implicit-euler"]).run().unwrap();
    assert!(quiet.off_target_in_words.is_empty(), "a method that follows no target misses none");
}
