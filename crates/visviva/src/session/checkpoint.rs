//! Where a session can go on: to the same bits, in the same process or in another.

use super::frame_clock::FrameClock;
use super::{Phases, Session, SessionError, Tally, TimedChange};
use crate::run::checkpoint::{self, CheckpointError};
use crate::run::{OutputError, RunFolder, Stats, StatsRow};
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
    phases: Phases,
}

/// What the first version held.
#[derive(Debug, Deserialize)]
struct FirstCheckpoint {
    simulation: simulation::Checkpoint,
    solver: SolverMemory,
}

impl Checkpoint {
    /// Done when it was made.
    pub fn steps(&self) -> u64 {
        self.simulation.clock.steps
    }

    /// Replaces the file; it is on the disk when this returns.
    pub fn write(&self, path: &Path) -> Result<(), OutputError> {
        checkpoint::write(path, self)
    }

    pub fn read(path: &Path) -> Result<Self, OutputError> {
        checkpoint::read(path)
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
        let target = self.settings_in_force()?;
        self.simulation.restore(checkpoint.simulation, target);
        self.freeze = Default::default();
        self.frames = FrameClock::new(self.scene.run.frame_rate, self.clock());
        (self.row, self.tally, self.phases) = (checkpoint.row, checkpoint.tally, checkpoint.phases);
        self.phases_before = Phases::from(self.simulation.backend.times()).since(&self.phases);
        Ok(())
    }

    /// Goes to where a run folder's checkpoint stands. Changes are those of run.toml, which knows of later ones too.
    pub(super) fn go_on_in(&mut self, folder: &RunFolder) -> Result<(), SessionError> {
        let path = folder.checkpoint_path();
        let mut saved = match Checkpoint::read(&path) {
            Err(OutputError::Checkpoint { error: CheckpointError::OtherVersion { found: 1 }, .. }) => {
                self.complete(checkpoint::read_version(&path, 1)?, folder)?
            }
            read => read?,
        };
        let made = saved.made;
        if saved.changes.get(..made) != self.changes.get(..made) {
            return Err(SessionError::OtherChanges { made });
        }
        saved.changes.clone_from(&self.changes);
        self.adopt(saved)
    }

    /// What the first version did not hold is taken from the folder: the mesh instead of a hash, sums from the statistics.
    fn complete(&mut self, saved: FirstCheckpoint, folder: &RunFolder) -> Result<Checkpoint, SessionError> {
        if let Some(what) = folder.mesh()?.difference(&self.mesh()) {
            return Err(OutputError::OtherMesh { path: folder.path().to_owned(), what }.into());
        }
        let FirstCheckpoint { simulation, solver } = saved;
        let (steps, path) = (simulation.clock.steps, folder.stats_path());
        let mut rows = Stats::read(&path)?.rows.into_iter().take_while(|row| row.step <= steps);
        let lost = |last: Option<u64>| OutputError::LostRows { path: path.clone(), last, steps };
        let mut row = rows.next().ok_or_else(|| lost(None))?;
        let mut tally = Tally::new(&row);
        for next in rows {
            tally.add(&next);
            row = next;
        }
        if row.step != steps {
            return Err(lost(Some(row.step)).into());
        }
        self.warnings.push(format!(
            "{}: of an earlier version, without the hash of its model (its mesh was compared) and the times of its phases",
            folder.checkpoint_path().display()
        ));
        let (model, phases) = (self.model_hash, Phases::default());
        Ok(Checkpoint { model, simulation, solver, changes: Vec::new(), made: 0, row, tally, phases })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;
    use std::fs;

    const SCENE: &str = r#"
title = "A cube falls"
run = { h = "1/100", duration = 0.1, frame_rate = 100 }

[[body]]
name = "cube"
material = { youngs_modulus = 1e5 }
box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }
translate = [0, 0, 0.051]

[[obstacle]]
name = "ground"
plane = { size = 4 }
"#;

    /// Four steps into a folder, with a checkpoint as the first version wrote it.
    fn old_run(folder: &Path) -> Session {
        let scene: Scene = toml::from_str(SCENE).unwrap();
        let mut session = Session::new(scene).unwrap();
        session.record(folder, &Default::default()).unwrap();
        session.run_until(0.04).unwrap();
        session.conclude(super::super::Ending::Interrupted).unwrap();
        let Checkpoint { simulation, solver, .. } = session.checkpoint();
        checkpoint::write_version(&folder.join("checkpoint.bin"), &(simulation, solver), 1).unwrap();
        session
    }

    #[test]
    fn a_checkpoint_of_the_first_version_goes_on_and_says_what_it_lacks() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("run");
        let mut session = old_run(&folder);
        let mut resumed = Session::resume(&folder).unwrap();
        assert!(resumed.warnings()[0].contains("earlier version"), "{:?}", resumed.warnings());
        assert_eq!(resumed.row(), session.row());
        assert_eq!(resumed.tally, session.tally);
        session.run_until(0.1).unwrap();
        resumed.run().unwrap();
        assert_eq!(resumed.simulation.checkpoint(), session.simulation.checkpoint());
    }

    #[test]
    fn a_checkpoint_without_a_hash_is_not_trusted_with_another_mesh() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("run");
        old_run(&folder);
        let toml = fs::read_to_string(folder.join("run.toml")).unwrap();
        fs::write(folder.join("run.toml"), toml.replacen("0.1,\n", "0.11,\n", 1)).unwrap();
        let message = Session::resume(&folder).unwrap_err().to_string();
        assert!(message.contains("vertex 0 at") && message.contains("where the run has"), "{message}");
        fs::write(folder.join("run.toml"), toml).unwrap();
        fs::write(folder.join("stats.csv"), "step,t\n").unwrap();
        let message = Session::resume(&folder).unwrap_err().to_string();
        assert!(message.contains("stats.csv"), "{message}");
    }
}
