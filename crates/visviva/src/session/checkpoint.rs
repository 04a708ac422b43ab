//! Where a session can go on: to the same bits, in the same process or in another.

use super::step_control::StepControl;
use super::unconverged::Unconverged;
use super::{AlphaMeter, Phases, Session, SessionError, Tally, TimedChange};
use crate::run::{Inventory, OutputError, StatsRow, checkpoint};
use crate::simulation;
use crate::solve::SolverMemory;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// All that a session carries from step to step beside its scene.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Hash of the model it belongs to
    model: u64,
    simulation: simulation::Checkpoint,
    solver: SolverMemory,
    /// Those made and, after them, those to come
    changes: Vec<TimedChange>,
    made: usize,
    row: StatsRow,
    tally: Tally,
    unconverged: Unconverged,
    alpha: AlphaMeter,
    control: Option<StepControl>,
    phases: Phases,
}

impl Checkpoint {
    /// Done when it was made.
    pub fn steps(&self) -> u64 {
        self.simulation.clock.steps
    }

    /// Replaces the file; it is on the disk when this returns.
    pub fn write(&self, path: &Path) -> Result<(), OutputError> {
        checkpoint::write(path, &(Inventory::default(), self), None)
    }

    /// One that was written on its own, or a run folder's.
    pub fn read(path: &Path) -> Result<Self, OutputError> {
        checkpoint::read::<(Inventory, Self)>(path).map(|(_, checkpoint)| checkpoint)
    }
}

impl Session {
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            model: self.model_hash,
            simulation: self.simulation.checkpoint(),
            solver: self.simulation.backend.memory(),
            changes: self.changes.clone(),
            made: self.made,
            row: self.row.clone(),
            tally: self.tally,
            unconverged: self.unconverged.clone(),
            alpha: self.alpha.clone(),
            control: self.control,
            phases: self.phases,
        }
    }

    /// Goes to a checkpoint of the same scene, forth or back. Changes made since are undone and forgotten; a run folder that is
    /// being written loses what came after.
    pub fn restore(&mut self, checkpoint: Checkpoint) -> Result<(), SessionError> {
        self.adopt(checkpoint)?;
        self.tell_beginning()
    }

    fn adopt(&mut self, checkpoint: Checkpoint) -> Result<(), SessionError> {
        let (saved, built) = (checkpoint.model, self.model_hash);
        if saved != built {
            return Err(SessionError::OtherModel { saved, built });
        }
        self.simulation.backend.restore(checkpoint.solver)?;
        (self.changes, self.made) = (checkpoint.changes, checkpoint.made);
        self.write_down_changes();
        let plan = self.settings_in_force()?;
        self.simulation.restore(checkpoint.simulation, plan);
        self.hold_steered();
        self.freeze = Default::default();
        (self.row, self.tally, self.phases) = (checkpoint.row, checkpoint.tally, checkpoint.phases);
        self.unconverged = checkpoint.unconverged;
        (self.alpha, self.control) = (checkpoint.alpha, checkpoint.control);
        self.phases_before = Phases::from(self.simulation.backend.times()).since(&self.phases);
        Ok(())
    }

    /// Goes to where a run folder's checkpoint stands. Changes are those of run.toml, which knows of later ones too.
    pub(super) fn go_on_from(&mut self, mut saved: Checkpoint) -> Result<(), SessionError> {
        let made = saved.made;
        if saved.changes.get(..made) != self.changes.get(..made) {
            return Err(SessionError::OtherChanges { made });
        }
        saved.changes.clone_from(&self.changes);
        self.adopt(saved)
    }
}
