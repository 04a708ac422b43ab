//! A run that leaves another one, live or over, with other wishes.

use super::start::{fly, make_sure_there_is_room, vacant};
use crate::connection::Log;
use crate::error::AskError;
use crate::shelf::Shelf;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use visviva::run::RunFolder;
use visviva::session::{Branch, Branched, RecordOptions, Session};

/// Begins one at a time `[s]`, from the nearest checkpoint that was kept before. Returns its name.
pub fn branch(
    shelf: &Shelf,
    parent: &str,
    from: f64,
    change: &Value,
    stop: Arc<AtomicBool>,
    log: Log,
) -> Result<String, AskError> {
    make_sure_there_is_room(shelf)?;
    let parent = shelf.folder(parent)?;
    let name = parent.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = vacant(&shelf.runs_below, &format!("{name}-from-{}", (1e4 * from).round() / 1e4))?;
    let scene_name = RunFolder::at(&parent).scene()?.provenance.unwrap_or_default().scene;
    let branch = Branch { from, set: settings(change)?, ..Branch::default() };
    let options = RecordOptions { overwrite: false, scene_name };
    let Branched { session, notes, .. } = Session::branch(&parent, &branch, &folder, &options)?;
    notes.iter().for_each(|note| log(&format!("note: {note}")));
    fly(shelf, session, &folder, false, stop, log)
}

/// A change as a branch knows it: `{"energy": {"tau": 0.5}}` is `energy.tau=0.5`. What may not change the session refuses.
fn settings(change: &Value) -> Result<Vec<String>, AskError> {
    let Some(change) = change.as_object() else {
        return if change.is_null() { Ok(Vec::new()) } else { Err(not_understood(change)) };
    };
    let mut set = Vec::new();
    for (key, value) in change {
        match (key.as_str(), value) {
            ("energy", Value::Object(energy)) => {
                // A key goes into a line of text as it is.
                if let Some(strange) =
                    energy.keys().find(|key| !key.bytes().all(|b| b == b'_' || b.is_ascii_lowercase()))
                {
                    return Err(AskError::Words(format!("`{strange}` is no key of an energy")));
                }
                if energy.contains_key("curve_file") {
                    return Err(AskError::Words("a curve's file cannot be given here: give its points".to_owned()));
                }
                // The kind of target first: what it needs may come before it in the alphabet.
                let (kind, rest): (Vec<_>, Vec<_>) = energy.iter().partition(|(key, _)| *key == "target");
                set.extend(kind.into_iter().chain(rest).map(|(key, value)| format!("energy.{key}={}", text(value))));
            }
            ("gravity", value) => set.push(format!("gravity={value}")),
            ("integrator", value) => set.push(format!("run.integrator={}", text(value))),
            ("duration", value) => set.push(format!("run.duration={}", text(value))),
            _ => return Err(not_understood(value)),
        }
    }
    Ok(set)
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn not_understood(change: &Value) -> AskError {
    let allowed = "a branch may change energy, gravity, integrator and duration".to_owned();
    AskError::Value { what: change.to_string(), allowed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_change_becomes_settings_and_files_are_refused() {
        let change = json!({ "energy": { "ground": -1, "target": "decay", "tau": 0.5 }, "gravity": [0, 0, -1.6] });
        let set = settings(&change).unwrap();
        assert_eq!(set, ["energy.target=decay", "energy.ground=-1", "energy.tau=0.5", "gravity=[0,0,-1.6]"]);
        assert_eq!(settings(&json!({ "integrator": "bdf2" })).unwrap(), ["run.integrator=bdf2"]);
        assert!(settings(&Value::Null).unwrap().is_empty());
        for wrong in [json!(7), json!({ "run": { "h": 1 } }), json!({ "energy": { "curve_file": "/etc/passwd" } })] {
            assert!(settings(&wrong).is_err(), "{wrong}");
        }
    }
}
