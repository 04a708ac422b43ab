//! In which condition a run folder is: what was damaged, what is missing, what a crash has left.

use super::damage::{Damage, Harm};
use super::frames::{frame_name, indices_in};
use super::inventory::Inventory;
use super::run_folder::RunFolder;
use super::stats::Stats;
use super::{CONTACTS, FRAMES, TIMES};
use std::collections::BTreeSet;
use std::fs;

/// Of a folder, as a reader of the run should know it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Condition {
    pub damage: Vec<Damage>,
    /// What is worth knowing and no damage, such as the last row of a run that was cut short
    pub notes: Vec<String>,
}

/// Files that are named one by one; more tell no more.
const MOST: usize = 1000;

impl RunFolder {
    /// Compares every file with the last checkpoint's inventory, and frames, rows and lists with each other.
    pub fn condition(&self) -> Condition {
        let mut condition = Condition::default();
        let inventory = self.known_inventory(&mut condition);
        if let Some(inventory) = &inventory {
            condition.damage = inventory.damage(self);
        }
        if inventory.is_none() && condition.notes.is_empty() {
            condition.notes.push("there is no checkpoint: files cannot be compared with their hashes".into());
        }
        let last_listed = self.look_at_frames(inventory.as_ref(), &mut condition);
        self.look_at_rows(last_listed, &mut condition);
        self.look_at_kept(&mut condition);
        condition
    }

    /// Of the statistics alone: whether all rows are there and as they were written.
    pub fn condition_of_rows(&self) -> Condition {
        let mut condition = Condition::default();
        if let Some(inventory) = self.known_inventory(&mut condition) {
            condition.damage = inventory.damage_of_rows(self);
        }
        let last_listed = self.frames().ok().and_then(|frames| frames.last().map(|frame| frame.step));
        self.look_at_rows(last_listed, &mut condition);
        condition
    }

    fn known_inventory(&self, condition: &mut Condition) -> Option<Inventory> {
        for (path, which) in self.checkpoint_paths().iter().zip(["", ", nor with those of the checkpoint before"]) {
            match super::checkpoint::read_inventory(path) {
                Ok(inventory) => return Some(inventory),
                // A run without any checkpoint was not written by a session.
                Err(_) if self.checkpoint_paths().iter().all(|path| path.symlink_metadata().is_err()) => {
                    condition
                        .notes
                        .push("there is no checkpoint: its files cannot be compared with their hashes".into());
                    return None;
                }
                Err(error) => condition.notes.push(format!("{error}: files cannot be compared with its hashes{which}")),
            }
        }
        None
    }

    /// Returns the step of the last frame that is listed.
    fn look_at_frames(&self, inventory: Option<&Inventory>, condition: &mut Condition) -> Option<u64> {
        let listed = match self.listed() {
            Ok(listed) => listed,
            Err(error) => {
                condition.add(TIMES, Harm::Unreadable(error.to_string()));
                return None;
            }
        };
        let there: BTreeSet<u64> = indices_in(&self.path().join(FRAMES)).unwrap_or_default().into_iter().collect();
        let next = listed.last_key_value().map_or(0, |(index, _)| index + 1);
        // Files are named one by one; a gap of billions is a lie in times.csv.
        let expected = (0..next).filter(|index| !there.contains(index)).take(MOST);
        expected.for_each(|index| condition.add(format!("{FRAMES}/{}", frame_name(index)), Harm::Missing));
        let unlisted: Vec<u64> = there.into_iter().filter(|index| !listed.contains_key(index)).collect();
        match unlisted[..] {
            [index] if index == next => {
                condition
                    .notes
                    .push(format!("frame {index} is not listed in {TIMES}: the run goes on, or was cut there"));
            }
            _ => {
                let names = unlisted.iter().take(MOST).map(|index| format!("{FRAMES}/{}", frame_name(*index)));
                names.for_each(|name| condition.add(name, Harm::Unlisted));
            }
        }
        let with_contacts = inventory.is_some_and(|known| known.frames.iter().any(|frame| frame.contacts.is_some()));
        for index in listed.keys().filter(|_| with_contacts).take(MOST) {
            let name = format!("{CONTACTS}/{}", frame_name(*index));
            if !self.path().join(&name).is_file() {
                condition.add(name, Harm::Missing);
            }
        }
        listed.last_key_value().map(|(_, (step, _))| *step)
    }

    /// A branch may want any of them.
    fn look_at_kept(&self, condition: &mut Condition) {
        for (_, path) in self.kept_checkpoints().unwrap_or_default() {
            if let Err(error) = super::checkpoint::read_inventory(&path) {
                let name = path.strip_prefix(self.path()).unwrap_or(&path).display().to_string();
                condition.add(name, Harm::Unreadable(error.to_string()));
            }
        }
    }

    fn look_at_rows(&self, last_listed: Option<u64>, condition: &mut Condition) {
        const STATS: &str = "stats.csv";
        let path = self.stats_path();
        let rows = match Stats::read(&path) {
            Ok(stats) => stats.rows,
            Err(error) => return condition.add(STATS, Harm::Unreadable(error.to_string())),
        };
        if let Some(pair) = rows.windows(2).find(|pair| pair[1].step != pair[0].step.saturating_add(1)) {
            let (before, after) = (pair[0].step, pair[1].step);
            condition.add(STATS, Harm::Altered(format!(": after the row of step {before} comes that of step {after}")));
        }
        if let Some(first) = rows.first().filter(|first| first.step > 0) {
            condition.add(STATS, Harm::Cut(format!("its rows begin at step {}", first.step)));
        }
        let last = rows.last().map(|row| row.step);
        // A frame comes before its row: the one that is being written has none yet.
        if last_listed.is_some_and(|frame| last.map_or(0, |last| last + 1) < frame) {
            let end = last.map_or("there are none".to_owned(), |last| format!("they end at step {last}"));
            condition.add(STATS, Harm::Cut(format!("frames have more steps than rows, {end}")));
        }
        if fs::read(&path).is_ok_and(|bytes| bytes.last().is_some_and(|&last| last != b'\n')) {
            condition.notes.push(format!("{STATS}: its last row is not whole: the run goes on, or was cut there"));
        }
    }
}

impl Condition {
    /// Unless as much is known of the file.
    fn add(&mut self, file: impl Into<String>, harm: Harm) {
        let file = file.into();
        if self.damage.iter().all(|known| known.file != file) {
            self.damage.push(Damage::new(file, harm));
        }
    }
}
