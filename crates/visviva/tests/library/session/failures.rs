//! A step that fails leaves everything as it was.

use super::session;
use visviva::integrate::METHODS;
use visviva::session::SessionError;

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
