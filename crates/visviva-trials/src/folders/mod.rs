//! Run folders that were damaged in every way we could think of, met by the real program: no panic, hang or unbounded memory, no
//! damage accepted in silence, and no byte lost that was whole.

mod good_runs;
mod judgement;
mod program;
mod snapshot;
mod spoiling;

use crate::chance::Chance;
use anyhow::{Context, Result};
use good_runs::GoodRun;
use judgement::{Offence, OffenceKind};
use program::Program;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Damaged folders
    #[arg(long, default_value = "5000")]
    pub count: usize,
    /// The same seed gives the same folders
    #[arg(long, default_value = "1")]
    pub seed: u64,
    /// The program; by default `visviva` beside this one
    #[arg(long, value_name = "FILE")]
    pub program: Option<PathBuf>,
    /// Where folders are made, and those of offences kept; by default a temporary folder, which stays if there are any
    #[arg(long, value_name = "DIR")]
    pub place: Option<PathBuf>,
    /// The first trial: an offence is repeated with --first N --count 1
    #[arg(long, default_value = "0")]
    pub first: usize,
    /// Trials at a time
    #[arg(long, default_value = "2")]
    pub threads: usize,
}

/// How often each command met each kind of damage, and how it ended.
#[derive(Debug, Default)]
struct Table {
    /// By damage: folders, commands that succeeded, that succeeded with a word, that refused
    rows: BTreeMap<&'static str, [usize; 4]>,
    offences: Vec<(usize, Offence)>,
}

/// Whether all held.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let beside = || std::env::current_exe().map(|own| own.with_file_name("visviva"));
    let file = arguments.program.clone().map_or_else(beside, Ok)?;
    anyhow::ensure!(
        file.is_file(),
        "{}: there is no such program; build it, or name it with --program",
        file.display()
    );
    let temporary = tempfile::tempdir().context("no place for folders")?;
    let place = arguments.place.clone().unwrap_or_else(|| temporary.path().to_owned());
    std::fs::create_dir_all(&place)?;
    let place = place.canonicalize()?;
    let program = Program { file };
    let runs = GoodRun::make_all(&place.join("good"), &program)?;
    let table = Mutex::new(Table::default());
    let next = AtomicUsize::new(arguments.first);
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads.max(1) {
            scope.spawn(|| {
                loop {
                    let trial = next.fetch_add(1, Ordering::Relaxed);
                    if trial >= arguments.first + arguments.count {
                        break;
                    }
                    let chance = Chance::new(arguments.seed.wrapping_mul(0x9e37_79b9).wrapping_add(trial as u64));
                    let outcome = try_folder(&place, &runs[trial % runs.len()], &program, trial, chance);
                    note(&table, trial, outcome);
                }
            });
        }
    });
    let table = table.into_inner().unwrap_or_default();
    table.print(arguments.count);
    let held = table.offences.is_empty();
    if !held && arguments.place.is_none() {
        println!("the folders are kept in {}", temporary.keep().display());
    }
    Ok(held)
}

/// What was done to a folder, how commands ended, and what they did wrong.
type Outcome = (&'static str, [usize; 3], Vec<Offence>);

fn try_folder(place: &Path, run: &GoodRun, program: &Program, trial: usize, mut chance: Chance) -> Result<Outcome> {
    let folder = place.join(format!("trial-{trial:06}"));
    snapshot::copy(&run.folder, &folder)?;
    let damage = spoiling::spoil(&folder, &mut chance)?;
    let (ends, offences) = judgement::judge(&folder, run, &damage, program)?;
    if offences.is_empty() {
        snapshot::remove(&folder)?;
    }
    Ok((damage.what, ends, offences))
}

fn note(table: &Mutex<Table>, trial: usize, outcome: Result<Outcome>) {
    let Ok(mut table) = table.lock() else { return };
    match outcome {
        Ok((what, ends, offences)) => {
            let row = table.rows.entry(what).or_default();
            row[0] += 1;
            (0..3).for_each(|k| row[k + 1] += ends[k]);
            table.offences.extend(offences.into_iter().map(|offence| (trial, offence)));
        }
        Err(error) => {
            let kind = OffenceKind::Trial;
            table.offences.push((trial, Offence { kind, command: "-", text: format!("{error:#}") }));
        }
    }
}

impl Table {
    fn print(&self, count: usize) {
        println!("{:<34} {:>8} {:>10} {:>12} {:>8}", "damage", "folders", "succeeded", "with a word", "refused");
        for (what, [folders, quiet, told, refused]) in &self.rows {
            println!("{what:<34} {folders:>8} {quiet:>10} {told:>12} {refused:>8}");
        }
        let commands: usize = self.rows.values().map(|row| row[1] + row[2] + row[3]).sum();
        println!("\n{count} folders, {commands} commands");
        for kind in OffenceKind::ALL {
            let found = self.offences.iter().filter(|(_, offence)| offence.kind == kind).count();
            println!("{:<34} {found:>8}", kind.name());
        }
        for (trial, offence) in self.offences.iter().take(40) {
            println!("trial-{trial:06}: {}: {}: {}", offence.kind.name(), offence.command, offence.text);
        }
    }
}
