//! What held steps that did not converge belongs to the run, wherever it was taken up again.

use super::{FALL, advance, session};
use visviva::session::Ending;

#[test]
fn what_held_steps_survives_a_checkpoint() {
    let mut session = session(FALL, &["solver.max_iterations=1"]);
    advance(&mut session, 15);
    let checkpoint = session.checkpoint();
    advance(&mut session, 5);
    let through = session.summary(Ending::Completed);
    assert!(through.unconverged.iter().any(|held| held.bodies == ["cube", "ground"]), "{:?}", through.unconverged);
    session.restore(checkpoint).unwrap();
    assert_ne!(session.summary(Ending::Completed).unconverged, through.unconverged, "some are to come");
    advance(&mut session, 5);
    assert_eq!(session.summary(Ending::Completed).unconverged, through.unconverged);
}
