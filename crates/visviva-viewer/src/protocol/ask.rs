//! What a page may ask. Runs and scenes are known by names that the program gave: no ask holds a path.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use visviva::scene::ChangeEntry;

/// An ask and the number that its answer carries.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    pub id: u32,
    pub ask: Ask,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase", deny_unknown_fields)]
pub enum Ask {
    Hello {},
    List {},
    Scene {
        name: String,
    },
    Start {
        scene: String,
        #[serde(default)]
        set: BTreeMap<String, Value>,
        /// Whether it waits for `go` before its first step
        #[serde(default)]
        paused: bool,
    },
    Open {
        run: String,
    },
    Mesh {
        run: String,
    },
    Tets {
        run: String,
    },
    Frame {
        run: String,
        index: usize,
        #[serde(default)]
        of: FrameOf,
    },
    Frames {
        run: String,
        from: usize,
        /// One past the last
        to: usize,
    },
    /// Where a live run stands, frame or not
    Now {
        run: String,
    },
    Stats {
        run: String,
        #[serde(default)]
        from: usize,
    },
    Contacts {
        run: String,
        index: usize,
    },
    Field {
        run: String,
        index: usize,
        name: String,
    },
    Pause {
        run: String,
    },
    Go {
        run: String,
    },
    Step {
        run: String,
        #[serde(default = "one")]
        count: u32,
    },
    Stop {
        run: String,
    },
    /// So many simulated seconds a second at most; without a number as fast as it goes
    Pace {
        run: String,
        speed: Option<f64>,
    },
    Change {
        run: String,
        change: Value,
    },
    Grab {
        run: String,
        /// Of those shown
        vertex: usize,
        /// `[m]`
        point: [f64; 3],
        /// `[N/m]`
        #[serde(default)]
        stiffness: Option<f64>,
    },
    Release {
        run: String,
    },
    Branch {
        run: String,
        #[serde(default)]
        index: Option<usize>,
        /// `[s]`
        #[serde(default)]
        t: Option<f64>,
        #[serde(default)]
        change: Value,
    },
    Save {
        run: String,
    },
}

/// Which points a frame is to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FrameOf {
    /// Those seen
    #[default]
    Shown,
    /// All vertices that are simulated
    Mesh,
}

fn one() -> u32 {
    1
}

impl Asked {
    /// What cannot be read is told with its number, where that can be read at least.
    pub fn read(text: &str) -> Result<Self, (Value, String)> {
        let mut value: Value =
            serde_json::from_str(text).map_err(|error| (Value::Null, format!("this is no JSON: {error}")))?;
        let id = value.as_object_mut().and_then(|object| object.remove("id")).unwrap_or_default();
        let number = id.as_u64().and_then(|id| u32::try_from(id).ok());
        let Some(number) = number else {
            return Err((Value::Null, "an ask needs an `id`, a whole number from 0 to 4294967295".to_owned()));
        };
        let ask = Ask::deserialize(value).map_err(|error| (id, format!("this ask is not understood: {error}")))?;
        Ok(Self { id: number, ask })
    }
}

/// A `[[change]]` as a page says it; its step does not count.
pub fn change_entry(change: Value) -> Result<ChangeEntry, String> {
    let Value::Object(mut change) = change else {
        return Err("a change is a table such as {\"gravity\": [0, 0, 0]}".into());
    };
    if change.get("energy").is_some_and(|energy| energy.get("curve_file").is_some()) {
        return Err("a curve's file cannot be given here: give its points".into());
    }
    change.insert("step".into(), 0.into());
    ChangeEntry::deserialize(Value::Object(change)).map_err(|error| format!("this change is not understood: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_names_no_file() {
        let change = serde_json::json!({ "energy": { "target": "curve-joules", "curve_file": "/etc/hostname" } });
        assert!(change_entry(change).unwrap_err().contains("give its points"));
    }

    #[test]
    fn asks_are_read_and_what_is_none_is_told_with_its_number() {
        let asked = Asked::read(r#"{"id": 7, "ask": "frame", "run": "r1", "index": 3, "of": "mesh"}"#).unwrap();
        let frame = Ask::Frame { run: "r1".into(), index: 3, of: FrameOf::Mesh };
        assert_eq!(asked, Asked { id: 7, ask: frame });
        assert_eq!(Asked::read(r#"{"id": 0, "ask": "hello"}"#).unwrap().ask, Ask::Hello {});
        for (text, id, part) in [
            ("", Value::Null, "no JSON"),
            ("[1]", Value::Null, "`id`"),
            (r#"{"ask": "hello"}"#, Value::Null, "`id`"),
            (r#"{"id": -1, "ask": "hello"}"#, Value::Null, "`id`"),
            (r#"{"id": 7}"#, 7.into(), "ask"),
            (r#"{"id": 7, "ask": "explode"}"#, 7.into(), "explode"),
            (r#"{"id": 7, "ask": "frame", "run": "r1", "index": -1}"#, 7.into(), "-1"),
            (r#"{"id": 7, "ask": "frame", "run": "r1", "index": 1, "path": "../x"}"#, 7.into(), "path"),
            (r#"{"id": 7, "ask": "frame", "run": 5, "index": 1}"#, 7.into(), "string"),
        ] {
            let (told, words) = Asked::read(text).unwrap_err();
            assert!(told == id && words.contains(part), "{text}: {told} {words}");
        }
    }
}
