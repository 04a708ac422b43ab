//! A step that fails leaves everything as it was.

use super::session;
use visviva::integrate::METHODS;
use visviva::session::{Ending, SessionError};

/// One end of a bar is held; the other is pushed through it within a step, at 0.05 s.
const CRUSHED: &str = r#"
title = "A bar is crushed"
run = { h = "1/100", duration = 0.2 }

[[body]]
name = "bar"
material = { youngs_modulus = 1e5 }
box = { size = [0.2, 0.05, 0.05], cells = [4, 1, 1] }

[[pin]]
body = "bar"
plane = { point = [-0.1, 0, 0], normal = [1, 0, 0] }

[[pin]]
body = "bar"
plane = { point = [0.1, 0, 0], normal = [1, 0, 0] }
shift = [[0, 0, 0, 0], [0.05, -0.002, 0, 0], [0.06, -0.5, 0, 0]]
"#;

#[test]
fn a_failed_step_leaves_the_checkpoint_as_it_was_with_every_method() {
    let mut failed = 0;
    for method in METHODS {
        let mut session = session(CRUSHED, &[&format!("run.integrator={}", method.name)]);
        let error = loop {
            let before = session.checkpoint();
            match session.step() {
                Ok(_) if session.steps() < 20 => {}
                Ok(_) => break None,
                Err(error) => {
                    // Written out: an energy that is no number, of methods that step into inversion, is not equal to itself.
                    let after = format!("{:?}", session.checkpoint());
                    assert!(after == format!("{before:?}"), "{}: {error}", method.name);
                    break Some(error);
                }
            }
        };
        let Some(error) = error else { continue };
        failed += 1;
        // Once more the same: it has forgotten nothing and learnt nothing.
        let again = session.step().unwrap_err();
        assert_eq!(again.to_string(), error.to_string(), "{}", method.name);
        assert!(matches!(again, SessionError::Step(_)));
    }
    assert!(failed > METHODS.len() / 2, "{failed} methods fail here");
}

/// A cube that falls onto ground that repels it only within a nanometre.
const HAIR: &str = r#"
title = "A reach of nothing"
run = { h = "1/60", duration = 1 }
contact = { reach = 1e-9 }

[[body]]
name = "cube"
material = { youngs_modulus = 1e5 }
box = { size = [0.1, 0.1, 0.1], cells = [3, 3, 3] }
translate = [0, 0, 0.06]
velocity = { linear = [0, 0, -2] }

[[obstacle]]
name = "ground"
plane = { size = 4 }
"#;

#[test]
fn a_body_that_cannot_move_for_ten_steps_ends_the_run_with_the_reason() {
    for integrator in ["a-search", "a-1"] {
        let changes = [&format!("run.integrator={integrator}")[..], "solver.max_iterations=20"];
        let mut frozen = session(HAIR, &changes);
        let summary = frozen.run().unwrap();
        let Ending::Failed(reason) = &summary.ending else { panic!("{integrator}: {:?}", summary.ending) };
        for part in ["`cube` has not moved in the 10 steps before t = 0.", "contact.reach = 1.0e-9 m", "run.h"] {
            assert!(reason.contains(part), "{integrator}: `{part}` is missing in: {reason}");
        }
        assert!(frozen.steps() < 20, "{integrator}: {}", frozen.steps());
        // Whoever insists may go on, to the same end.
        assert!(frozen.step().is_ok());
        assert!(matches!(frozen.run().unwrap().ending, Ending::Failed(_)));
    }
}

#[test]
fn a_body_at_rest_is_not_frozen_even_where_its_steps_do_not_converge() {
    let calm =
        ["contact.reach=1e-3", "body.0.velocity.linear=[0,0,0]", "body.0.translate=[0,0,0.0509]", "run.duration=0.5"];
    for changes in
        [&["solver.max_iterations=1"][..], &["solver.gap_tolerance=1e-14"], &["run.integrator=implicit-euler"]]
    {
        let mut resting = session(HAIR, &[&calm[..], changes].concat());
        let summary = resting.run().unwrap();
        assert_eq!(summary.ending, Ending::Completed, "{changes:?}");
    }
}
