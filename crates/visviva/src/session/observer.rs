//! Whoever looks on while a session goes: recorder, progress, exporters, a page in a browser.

use super::{Session, Summary};
use crate::integrate::StepReport;
use crate::solve::ContactForce;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub type ObserverError = Box<dyn std::error::Error + Send + Sync>;

/// A frame as it is shown, `run.frame_rate` of them a second.
#[derive(Debug, Clone, Copy)]
pub struct SeenFrame<'a> {
    pub index: u64,
    /// Where `run.contacts` asks for them
    pub contacts: Option<&'a [ContactForce]>,
}

/// Is told what happens, in the order of these methods. An error ends the run, after all others have been told the same.
pub trait Observer: Send {
    /// What follows goes on from where the session stands: at the start, or at a checkpoint.
    fn begin(&mut self, _session: &Session) -> Result<(), ObserverError> {
        Ok(())
    }

    /// Something was changed, for the steps that follow.
    fn change(&mut self, _session: &Session) -> Result<(), ObserverError> {
        Ok(())
    }

    /// The first one shows the start, each other one the end of a step that is then told.
    fn frame(&mut self, _session: &Session, _frame: SeenFrame<'_>) -> Result<(), ObserverError> {
        Ok(())
    }

    /// After its frame, where it shows one.
    fn step(&mut self, _session: &Session, _report: &StepReport) -> Result<(), ObserverError> {
        Ok(())
    }

    fn end(&mut self, _session: &Session, _summary: &Summary) -> Result<(), ObserverError> {
        Ok(())
    }

    /// Asked before each step.
    fn wants_to_stop(&self) -> bool {
        false
    }
}

/// A flag that is set from elsewhere to end the run after the current step.
impl Observer for Arc<AtomicBool> {
    fn wants_to_stop(&self) -> bool {
        self.load(Ordering::Relaxed)
    }
}
