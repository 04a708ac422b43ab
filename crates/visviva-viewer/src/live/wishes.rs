//! A change as a page words it: what it does not say of the energy stays as it is.

use crate::error::AskError;
use crate::protocol::change_entry;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use visviva::scene::{ChangeEntry, Energy, Scene};
use visviva::session::Session;

/// Keys that say the same: the new one takes the old one's place.
const RIVALS: [[&str; 2]; 3] = [["tau", "half_life"], ["schedule", "half_lives"], ["curve", "curve_file"]];
/// Keys that a kind of target alone has.
const MEANT: [(&str, &str); 6] = [
    ("tau", "decay"),
    ("half_life", "decay"),
    ("curve", "curve-joules"),
    ("schedule", "schedule"),
    ("half_lives", "schedule"),
    ("rest_at", "rest"),
];

#[derive(Debug, Default)]
pub struct Wishes {
    /// The energy of the bodies at rest under some gravity, once it was found `[J]`
    at_rest: Option<([f64; 3], f64)>,
}

impl Wishes {
    /// The whole change. To find the energy at rest may take a while; `stop` ends that.
    pub fn entry(&mut self, session: &Session, change: Value, stop: &AtomicBool) -> Result<ChangeEntry, AskError> {
        let mut change = change;
        if let Some(wanted) = change.get_mut("energy") {
            let now = scene_in_force(session);
            *wanted = with_the_rest(&json!(now.energy), wanted.take())?;
            if wanted["ground"] == "equilibrium" {
                wanted["ground"] = json!(self.energy_at_rest(now, stop)?);
            }
        }
        change_entry(change).map_err(AskError::Words)
    }

    fn energy_at_rest(&mut self, now: Scene, stop: &AtomicBool) -> Result<f64, AskError> {
        let gravity = now.gravity;
        if let Some((_, known)) = self.at_rest.filter(|(of, _)| *of == gravity) {
            return Ok(known);
        }
        let mut scene = Scene { changes: Vec::new(), ..now };
        scene.energy = Energy::decay(1.0).ground_at_equilibrium();
        let go_on =
            |_: &_| if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let found = scene.build()?.find_ground(&mut { go_on })?;
        let energy =
            found.ok_or_else(|| AskError::Words("the energy at rest was not found: give joules".to_owned()))?.energy;
        self.at_rest = Some((gravity, energy));
        Ok(energy)
    }
}

/// The scene with the gravity and the energy that hold now.
fn scene_in_force(session: &Session) -> Scene {
    let mut scene = session.scene().clone();
    let made = session.changes().len();
    for change in scene.changes.iter().take(made).cloned().collect::<Vec<_>>() {
        scene.energy = change.energy.unwrap_or(scene.energy);
        scene.gravity = change.gravity.unwrap_or(scene.gravity);
    }
    scene
}

/// What holds, with what is said laid over it. Another kind of target keeps the ground alone.
fn with_the_rest(now: &Value, said: Value) -> Result<Value, AskError> {
    let Value::Object(said) = said else {
        return Err(AskError::Words("energy is a table such as {\"tau\": 0.5}".to_owned()));
    };
    let meant = |(key, kind): (&str, &'static str)| said.contains_key(key).then(|| Value::from(kind));
    let kind = said.get("target").cloned().or_else(|| MEANT.into_iter().find_map(meant));
    let is_kept = |key: &str| match &kind {
        Some(kind) if *kind != now["target"] => key == "ground",
        // Whether it is directed as a whole or by island is settled before the first step.
        _ => key != "start_scale" && key != "by",
    };
    let is_replaced =
        |key: &str| RIVALS.iter().any(|pair| pair.contains(&key) && pair.iter().any(|k| said.contains_key(*k)));
    let mut energy = now.as_object().cloned().unwrap_or_default();
    energy.retain(|key, _| is_kept(key) && !is_replaced(key));
    kind.map(|kind| energy.insert("target".into(), kind));
    energy.extend(said);
    Ok(Value::Object(energy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_of_the_energy_stays() {
        let now = json!({ "target": "decay", "half_life": 2.0, "ground": -1.5, "start_scale": 0.9 });
        let laid = |said| with_the_rest(&now, said).unwrap();
        assert_eq!(laid(json!({ "tau": 0.5 })), json!({ "target": "decay", "tau": 0.5, "ground": -1.5 }));
        let curve = laid(json!({ "curve": [[0, 1], [1, 0.5]] }));
        assert_eq!(curve, json!({ "target": "curve-joules", "curve": [[0, 1], [1, 0.5]], "ground": -1.5 }));
        assert_eq!(laid(json!({ "target": "conserve" })), json!({ "target": "conserve", "ground": -1.5 }));
        assert!(with_the_rest(&now, json!(7)).is_err());
    }
}
