//! Step after step, to a time or to the scene's end, with everyone told.

use super::{Ending, Observer, ObserverError, Phases, SeenFrame, Session, SessionError, Summary, squash};
use crate::integrate::StepReport;
use crate::scene::Number;

/// Why stepping came to a halt without an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    Arrived,
    /// An observer asked to stop
    Asked,
}

impl Session {
    /// Takes one step. Where it fails, all is as it was before.
    pub fn step(&mut self) -> Result<StepReport, SessionError> {
        self.make_due_changes();
        self.end_freeze()?;
        self.steer()?;
        let (report, row) = self.attempt()?;
        self.steered();
        self.row = row;
        self.tally.add(&self.row);
        self.read_alpha(&report);
        self.unconverged.add(self.steps(), &report.solve);
        self.tally.squash = squash::worse(self.tally.squash, &self.simulation);
        self.freeze.hear(self.simulation.backend.model(), &report.solve, self.simulation.taken());
        self.phases = Phases::from(self.simulation.backend.times()).since(&self.phases_before);
        self.lengthen(self.steps());
        let shown = match self.frames.frame_at(self.steps(), self.time()) {
            Some(index) => self.show_frame(index),
            None => Ok(()),
        };
        // The step is told even if someone could not bear its frame: the others must not lose it.
        let told = self.tell(|observer, session| observer.step(session, &report));
        shown.and(told).map(|()| report)
    }

    /// Goes on to the step that ends nearest to a time `[s]`, or to the first that does not end before where steps are adaptive.
    pub fn run_until(&mut self, t: f64) -> Result<Halt, SessionError> {
        let clock = self.clock();
        let last = ((t - clock.start_time) / clock.h).round() as u64;
        match self.control {
            Some(_) => self.run_while(|session| session.time() < t - 1e-9 * session.clock().h),
            None => self.run_while(|session| session.steps() < last),
        }
    }

    /// Goes on to the scene's end, until a step fails or until an observer asks to stop, and concludes.
    pub fn run(&mut self) -> Result<Summary, SessionError> {
        let halted = self.run_while(|session| !session.is_over());
        self.conclude_after(halted)
    }

    /// Concludes a run by why its last step was the last.
    pub fn conclude_after(&mut self, halted: Result<Halt, SessionError>) -> Result<Summary, SessionError> {
        let ending = match halted {
            Ok(Halt::Arrived) => Ending::Completed,
            Ok(Halt::Asked) => Ending::Interrupted,
            Err(error @ SessionError::Frozen { .. }) => Ending::Failed(error.to_string()),
            Err(error @ SessionError::Step(_)) => Ending::Failed(error.with_advice()),
            Err(error) => {
                // What the others can still save is saved; the first error is the one worth telling.
                let _ = self.conclude(Ending::Failed(error.to_string()));
                return Err(error);
            }
        };
        self.conclude(ending)
    }

    /// Tells everyone that it is over: the recorder writes its last checkpoint and the summary.
    pub fn conclude(&mut self, ending: Ending) -> Result<Summary, SessionError> {
        let summary = self.summary(ending);
        self.tell(|observer, session| observer.end(session, &summary))?;
        Ok(summary)
    }

    /// Lets someone look on from here; a session at its start shows it at once.
    pub fn observe(&mut self, observer: impl Observer + 'static) -> Result<(), SessionError> {
        let others = std::mem::replace(&mut self.observers, vec![Box::new(observer)]);
        let begun = self.tell_beginning();
        let newcomer = std::mem::replace(&mut self.observers, others);
        begun.map(|()| self.observers.extend(newcomer))
    }

    pub(super) fn tell_beginning(&mut self) -> Result<(), SessionError> {
        self.tell(|observer, session| observer.begin(session))?;
        if self.steps() == 0 { self.show_frame(0) } else { Ok(()) }
    }

    /// All hear it, whatever one of them says; the first error is the one told.
    pub(super) fn tell(
        &mut self,
        event: impl Fn(&mut dyn Observer, &Session) -> Result<(), ObserverError>,
    ) -> Result<(), SessionError> {
        let mut observers = std::mem::take(&mut self.observers);
        let told = observers.iter_mut().map(|observer| event(observer.as_mut(), self)).fold(Ok(()), Result::and);
        self.observers = observers;
        told.map_err(SessionError::Observer)
    }

    fn show_frame(&mut self, index: u64) -> Result<(), SessionError> {
        let wanted = self.scene.run.contacts && self.model().contact.is_some();
        let contacts = wanted.then(|| self.contacts());
        let frame = SeenFrame { index, contacts: contacts.as_deref() };
        self.tell(|observer, session| observer.frame(session, frame))
    }

    fn run_while(&mut self, goes_on: impl Fn(&Self) -> bool) -> Result<Halt, SessionError> {
        while goes_on(self) {
            if self.observers.iter().any(|observer| observer.wants_to_stop()) {
                return Ok(Halt::Asked);
            }
            self.step()?;
        }
        Ok(Halt::Arrived)
    }

    /// A scene that is run for longer than it says lasts longer.
    pub(super) fn lengthen(&mut self, steps: u64) {
        let (h, duration) = (self.clock().h, self.scene.run.duration.value);
        let needed = match self.control {
            Some(_) => Some(self.time() + (steps - self.steps()) as f64 * h).filter(|t| *t > duration + h),
            None => (steps > self.scene.run.step_count()).then_some(steps as f64 * h),
        };
        if let Some(needed) = needed {
            self.scene.run.duration = Number::from(needed);
        }
    }
}
