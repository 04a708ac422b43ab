//! A scene that a page starts, with some of its parameters set.

use super::Pilot;
use super::parameters::{assignments, main_parameters};
use crate::connection::Log;
use crate::error::AskError;
use crate::shelf::Shelf;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use visviva::run::RunFolder;
use visviva::session::{Ending, RecordOptions, Session};

/// More at once would only make each slower.
const MOST_AT_ONCE: usize = 4;
/// So many checkpoints are kept over a run for branches to begin from.
const KEPT: f64 = 20.0;

/// Begins a run in a folder of its own; it goes on in a thread of its own. Returns its name.
pub fn start(
    shelf: &Shelf,
    name: &str,
    set: &BTreeMap<String, Value>,
    paused: bool,
    stop: Arc<AtomicBool>,
    log: Log,
) -> Result<String, AskError> {
    make_sure_there_is_room(shelf)?;
    let offered = shelf.scene(name)?;
    let mut scene = offered.source.parse(&[])?;
    // What the page was offered it may set, and nothing else: scenes can name files.
    let offer = main_parameters(&scene)?;
    let set = assignments(&offer, set)?;
    scene = offered.source.parse(&set)?;
    scene.run.keep_checkpoints.get_or_insert(scene.run.duration.value / KEPT);
    let integrator = scene.run.integrator.clone();
    let folder = vacant(&shelf.runs_below, &format!("{name}-{integrator}"))?;
    let mut session = Session::new(scene)?;
    session.record(&folder, &RecordOptions { overwrite: false, scene_name: offered.source.name.clone() })?;
    fly(shelf, session, &folder, paused, stop, log)
}

pub fn make_sure_there_is_room(shelf: &Shelf) -> Result<(), AskError> {
    if shelf.live_runs().len() < MOST_AT_ONCE {
        return Ok(());
    }
    Err(AskError::Words(format!("{MOST_AT_ONCE} runs go on already: stop one, or wait for its end")))
}

/// Lets a recorded session go on in a thread of its own.
pub fn fly(
    shelf: &Shelf,
    session: Session,
    folder: &Path,
    paused: bool,
    stop: Arc<AtomicBool>,
    log: Log,
) -> Result<String, AskError> {
    let (pilot, live) = Pilot::new(session, stop, paused);
    let run = shelf.add(folder, Some(live), false)?;
    let told = folder.display().to_string();
    log(&format!("a page started {told}"));
    let flight = move || {
        let how = match pilot.fly() {
            Ok(summary) => match summary.ending {
                Ending::Completed => format!("{told} is complete"),
                Ending::Interrupted => format!("{told} was stopped; go on with `visviva resume {told}`"),
                Ending::Failed(reason) => format!("{told} stopped after t = {:.4} s: {reason}", summary.time),
            },
            Err(error) => format!("{told}: {error}"),
        };
        log(&how);
    };
    let thread = std::thread::Builder::new().name(format!("run {run}")).spawn(flight);
    thread.map_err(|error| AskError::Words(format!("the run cannot begin: {error}")))?;
    Ok(run)
}

/// `name`, or `name-2` and so on where that is taken.
pub fn vacant(below: &Path, name: &str) -> Result<PathBuf, AskError> {
    let plain: String =
        name.chars().map(|c| if c.is_alphanumeric() || "-_.,=+".contains(c) { c } else { '_' }).collect();
    let numbered = (2..1000).map(|k| format!("{plain}-{k}"));
    let names = std::iter::once(plain.clone()).chain(numbered);
    let vacant = names.map(|name| below.join(name)).find(|folder| RunFolder::check_vacant(folder, false).is_ok());
    vacant.ok_or_else(|| AskError::Words(format!("there are too many runs called {plain}: take some away")))
}
