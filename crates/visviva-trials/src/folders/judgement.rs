//! All commands that read a run folder, on one that is damaged: what each may do, and what is an offence.

use super::good_runs::GoodRun;
use super::program::{End, Program};
use super::snapshot::{self, Files};
use super::spoiling::Damage;
use anyhow::Result;
use std::path::Path;
use visviva::run::Fingerprint;
use visviva::run::stats::COLUMNS;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OffenceKind {
    Panic,
    Hang,
    Silence,
    Lost,
    OtherResult,
    Wordless,
    Trial,
}

impl OffenceKind {
    pub const ALL: [Self; 7] =
        [Self::Panic, Self::Hang, Self::Silence, Self::Lost, Self::OtherResult, Self::Wordless, Self::Trial];

    pub fn name(self) -> &'static str {
        match self {
            Self::Panic => "panic, or ended by a signal",
            Self::Hang => "hang",
            Self::Silence => "damage accepted in silence",
            Self::Lost => "lost data",
            Self::OtherResult => "resumed to another result",
            Self::Wordless => "failed without a word",
            Self::Trial => "the trial itself failed",
        }
    }
}

#[derive(Debug)]
pub struct Offence {
    pub kind: OffenceKind,
    pub command: &'static str,
    pub text: String,
}

/// A command that only reads.
struct Reader {
    name: &'static str,
    verb: &'static str,
    options: &'static [&'static str],
    depends_on: fn(&str) -> bool,
}

const READERS: [Reader; 6] = [
    Reader { name: "verify", verb: "verify", options: &[], depends_on: is_of_the_run },
    Reader { name: "verify --strict", verb: "verify", options: &["--strict", "--json"], depends_on: is_of_the_run },
    Reader {
        name: "plot",
        verb: "plot",
        options: &["--what", "energy", "--out", "../plots/"],
        depends_on: |file| file == "stats.csv",
    },
    Reader { name: "measure", verb: "measure", options: &[], depends_on: is_shown },
    Reader { name: "export", verb: "export", options: &["--out", "../exported"], depends_on: is_shown },
    Reader {
        name: "render",
        verb: "render",
        options: &["--size", "16x9", "--no-ground", "--at", "0.04", "--out", "../pictures"],
        depends_on: is_shown,
    },
];

/// Everything but the summary, and checkpoints as long as nothing else is wrong.
fn is_of_the_run(file: &str) -> bool {
    !file.ends_with(".bin") && file != "summary.json"
}

fn is_shown(file: &str) -> bool {
    is_of_the_run(file) && file != "bodies.csv"
}

/// How many commands succeeded, succeeded with a word and refused, and what was wrong.
pub fn judge(folder: &Path, run: &GoodRun, damage: &Damage, program: &Program) -> Result<([usize; 3], Vec<Offence>)> {
    let intact = snapshot::files(&run.folder)?;
    let before = snapshot::files(folder)?;
    let mut judgement = Judgement { ends: [0; 3], offences: Vec::new() };
    // Each trial has files of its own beside its folder.
    let beside = folder.with_extension("out");
    std::fs::create_dir_all(beside.join("x"))?;
    let path = folder.display().to_string();
    for Reader { name, verb, options, depends_on } in READERS {
        let end = program.run(&beside.join("x"), &[&[verb, path.as_str()], options].concat())?;
        judgement.common(name, &end);
        let matters = |file: &&String| depends_on(file) && is_answered_for(run, file, &intact, &before);
        let quiet = end.code == Some(0) && !end.complained;
        if let Some(file) = damage.files.iter().find(matters).filter(|_| quiet) {
            judgement.add(OffenceKind::Silence, name, format!("{file}: nothing was said ({})", damage.what));
        }
        if snapshot::files(folder)? != before {
            judgement.add(OffenceKind::Lost, name, "a command that only reads changed the folder".into());
        }
    }
    let forced = folder.with_extension("forced");
    snapshot::copy(folder, &forced)?;
    let end = program.run(folder, &["resume", &path, "--quiet"])?;
    judgement.common("resume", &end);
    let after = snapshot::files(folder)?;
    if end.code == Some(0) {
        if let Some(file) = run.end.keys().find(|name| !same_result(name, &run.end, &after)) {
            let said = end.said.lines().next().unwrap_or("nothing was said");
            judgement.add(OffenceKind::OtherResult, "resume", format!("{file} ({}): {said}", damage.what));
        }
    } else {
        if after != before {
            judgement.add(OffenceKind::Lost, "resume", format!("it failed and changed the folder ({})", damage.what));
        }
        let end = program.run(&forced, &["resume", &forced.display().to_string(), "--quiet", "--force"])?;
        judgement.common("resume --force", &end);
        judgement.losses("resume --force", &before, &snapshot::files(&forced)?, damage);
    }
    judgement.losses("resume", &before, &after, damage);
    snapshot::remove(&forced)?;
    snapshot::remove(&beside)?;
    Ok((judgement.ends, judgement.offences))
}

struct Judgement {
    ends: [usize; 3],
    offences: Vec<Offence>,
}

impl Judgement {
    fn add(&mut self, kind: OffenceKind, command: &'static str, text: String) {
        self.offences.push(Offence { kind, command, text });
    }

    fn common(&mut self, name: &'static str, end: &End) {
        let said = || end.said.lines().last().unwrap_or_default().to_owned();
        match end.code {
            Some(0) => self.ends[usize::from(end.complained)] += 1,
            _ => self.ends[2] += 1,
        }
        if end.hung {
            self.add(OffenceKind::Hang, name, said());
        } else if end.code.is_none_or(|code| code > 2) || end.said.contains("panicked") {
            self.add(OffenceKind::Panic, name, format!("code {:?}: {}", end.code, said()));
        } else if end.code != Some(0) && !end.said.contains("error: ") {
            self.add(OffenceKind::Wordless, name, format!("code {:?}", end.code));
        }
    }

    /// Frames, contacts, meshes and inputs that were whole are there as they were.
    fn losses(&mut self, name: &'static str, before: &Files, after: &Files, damage: &Damage) {
        let kept = |file: &str| file.contains('/') && !file.ends_with("times.csv") && !file.contains(".partial");
        let lost = before.iter().find(|(file, bytes)| {
            kept(file) && !damage.files.contains(*file) && after.get(*file).is_none_or(|now| now != *bytes)
        });
        if let Some((file, _)) = lost {
            self.add(OffenceKind::Lost, name, format!("{file} ({})", damage.what));
        }
    }
}

/// Whether a change of this file lies in what the last checkpoint answers for: what a killed run wrote later is computed again.
fn is_answered_for(run: &GoodRun, file: &str, intact: &Files, now: &Files) -> bool {
    let (then, now) = (intact.get(file), now.get(file));
    if then == now {
        return false;
    }
    let frame = run.inventory.frames.iter().any(|frame| file.ends_with(&format!("/{:06}.npy", frame.index)));
    let later = file.ends_with(".npy") && !file.starts_with("mesh/") && !frame;
    let rows = run.inventory.rows.iter().find(|known| known.name == file);
    let length = if file.ends_with("times.csv") {
        let listed = run.inventory.frames.len() + 1;
        then.map(|bytes| bytes.split_inclusive(|&b| b == b'\n').take(listed).map(<[u8]>::len).sum())
    } else {
        rows.map(|known: &Fingerprint| known.length as usize)
    };
    match (length, then, now) {
        (Some(length), Some(then), Some(now)) => then.get(..length) != now.get(..length),
        _ => !later,
    }
}

/// Whether a run came to the same; wall-clock times aside.
fn same_result(name: &str, wanted: &Files, found: &Files) -> bool {
    // Of the run's end, times and memory are told too.
    if name.ends_with(".bin") || name == "summary.json" {
        return true;
    }
    let Some((wanted, found)) = wanted.get(name).zip(found.get(name)) else { return false };
    if name != "stats.csv" {
        return wanted == found;
    }
    let wall = COLUMNS.len() - 1;
    let cells = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        text.lines().map(|line| line.split(',').take(wall).collect::<Vec<_>>().join(",")).collect::<Vec<_>>()
    };
    cells(wanted) == cells(found)
}
