//! A target that rises or falls faster than the method can follow is told at the end.

use super::{SWING, session};
use visviva::session::Ending;

#[test]
fn a_target_that_is_out_of_reach_is_told_with_its_time_and_size() {
    // Twenty times what the bar swings with, within half a second.
    let rising = ["energy.target=curve-joules", "energy.curve=[[0,0],[0.5,5]]"];
    let mut late = session(SWING, &rising);
    let summary = late.run().unwrap();
    let warnings = summary.warnings.join("\n");
    assert!(warnings.contains("the energy stayed below its target from t = 0.0"), "{warnings}");
    assert!(warnings.contains("let the target rise more slowly") && warnings.contains("run.h"), "{warnings}");
    let mut aside = session(SWING, &[&rising[..], &["run.integrator=bdf2"]].concat());
    assert_eq!(aside.run().unwrap().warnings, Vec::<String>::new(), "this method does not follow targets");
}

#[test]
fn a_target_that_is_met_is_not_told() {
    let mut session = session(SWING, &[]);
    session.run_until(0.5).unwrap();
    assert_eq!(session.summary(Ending::Completed).warnings, Vec::<String>::new());
}
