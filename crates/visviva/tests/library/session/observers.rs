//! Observers see each step and each frame; one that fails takes nothing from the others.

use super::{FALL, scene, session};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use visviva::integrate::StepReport;
use visviva::session::{Ending, Halt, Observer, ObserverError, SeenFrame, Session, SessionError, Summary};

/// Writes down what it is told, and fails or stops at a step.
#[derive(Default, Clone)]
struct Witness {
    seen: Arc<Mutex<Vec<String>>>,
    fails_at: Option<u64>,
    stops_at: Option<u64>,
    steps: u64,
}

impl Witness {
    fn note(&self, what: String) {
        self.seen.lock().unwrap().push(what);
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

impl Observer for Witness {
    fn begin(&mut self, session: &Session) -> Result<(), ObserverError> {
        self.note(format!("begin {}", session.steps()));
        Ok(())
    }

    fn change(&mut self, session: &Session) -> Result<(), ObserverError> {
        self.note(format!("change {}", session.changes().len()));
        Ok(())
    }

    fn frame(&mut self, session: &Session, frame: SeenFrame<'_>) -> Result<(), ObserverError> {
        self.note(format!("frame {} at {}", frame.index, session.steps()));
        Ok(())
    }

    fn step(&mut self, session: &Session, report: &StepReport) -> Result<(), ObserverError> {
        assert_eq!(report.ledger.total, session.energies().total);
        self.steps = session.steps();
        self.note(format!("step {}", self.steps));
        if self.fails_at == Some(self.steps) { Err("no more room on the page".into()) } else { Ok(()) }
    }

    fn end(&mut self, _session: &Session, summary: &Summary) -> Result<(), ObserverError> {
        self.note(format!("end {:?} after {}", summary.ending, summary.tally.steps));
        Ok(())
    }

    fn wants_to_stop(&self) -> bool {
        self.stops_at == Some(self.steps)
    }
}

#[test]
fn everything_is_told_in_order() {
    let witness = Witness::default();
    let mut session = session(FALL, &["run.duration=0.04"]);
    session.observe(witness.clone()).unwrap();
    assert_eq!(session.run_until(0.01).unwrap(), Halt::Arrived);
    session.set_gravity([0.0; 3]).unwrap();
    let summary = session.run().unwrap();
    assert_eq!((summary.ending, summary.tally.steps, summary.frames), (Ending::Completed, 4, 3));
    let wanted = [
        "begin 0",
        "frame 0 at 0",
        "step 1",
        "change 1",
        "frame 1 at 2",
        "step 2",
        "step 3",
        "frame 2 at 4",
        "step 4",
        "end Completed after 4",
    ];
    assert_eq!(witness.seen(), wanted);
}

#[test]
fn an_observers_error_ends_the_run_with_it_and_the_others_lose_nothing() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    let failing = Witness { fails_at: Some(5), ..Witness::default() };
    let faithful = Witness::default();
    let mut session = session(FALL, &["run.duration=0.1"]);
    session.observe(failing.clone()).unwrap();
    session.observe(faithful.clone()).unwrap();
    session.record(&folder, &Default::default()).unwrap();
    let error = session.run().unwrap_err();
    assert!(matches!(error, SessionError::Observer(_)));
    assert_eq!(error.to_string(), "no more room on the page");
    let ending = "end Failed(\"no more room on the page\") after 5";
    assert_eq!(faithful.seen().last().unwrap(), ending);
    assert_eq!(failing.seen(), faithful.seen());
    // The session stands where it was, and so does its folder.
    assert_eq!(session.steps(), 5);
    let resumed = Session::resume(&folder).unwrap();
    assert_eq!(resumed.checkpoint(), session.checkpoint());
}

#[test]
fn an_observer_can_ask_to_stop_and_the_session_can_go_on() {
    let mut session = session(FALL, &["run.duration=0.1"]);
    let flag = Arc::new(AtomicBool::new(false));
    session.observe(Witness { stops_at: Some(3), ..Witness::default() }).unwrap();
    session.observe(flag.clone()).unwrap();
    assert_eq!(session.run_until(0.1).unwrap(), Halt::Asked);
    assert_eq!(session.steps(), 3);
    session.step().unwrap();
    flag.store(true, Ordering::Relaxed);
    assert_eq!(session.run().unwrap().ending, Ending::Interrupted);
    flag.store(false, Ordering::Relaxed);
    assert_eq!(session.run().unwrap().ending, Ending::Completed);
    assert_eq!(session.steps(), 10);
}

#[test]
fn an_observer_that_cannot_begin_is_not_taken_on() {
    struct Late;
    impl Observer for Late {
        fn begin(&mut self, _session: &Session) -> Result<(), ObserverError> {
            Err("too late".into())
        }
        fn step(&mut self, _session: &Session, _report: &StepReport) -> Result<(), ObserverError> {
            panic!("it was never taken on")
        }
    }
    let mut session = Session::new(scene(FALL, &[])).unwrap();
    assert!(session.observe(Late).is_err());
    session.step().unwrap();
}
