//! The server as a page meets it, and as those meet it that are no page: a raw client over a real socket.

mod client;
mod live;
mod replay;
mod security;
mod static_page;
mod strain;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use visviva::scene::{Scene, SceneSource};
use visviva::session::{RecordOptions, Session};
use visviva_viewer::{OfferedScene, Viewer, ViewerOptions};

/// A soft cube that falls onto the ground: 60 steps, 31 frames, milliseconds a step.
const FALL: &str = concat!(
    "title = \"A cube falls\"\nrun = { h = \"1/100\", duration = 0.6, frame_rate = 50, contacts = true }\n",
    include_str!("../../../visviva/tests/library/session/falling_cube.toml")
);

fn source(text: &str) -> SceneSource {
    SceneSource { name: "fall".into(), text: text.into(), folder: Default::default() }
}

fn scene(changes: &[&str]) -> Scene {
    let changes: Vec<String> = changes.iter().map(|&change| change.to_owned()).collect();
    source(FALL).parse(&changes).unwrap_or_else(|error| panic!("{error}"))
}

/// A session that writes `NAME` in a folder.
fn recorded(folder: &Path, name: &str, changes: &[&str]) -> (Session, PathBuf) {
    let path = folder.join(name);
    let mut session = Session::new(scene(changes)).unwrap();
    session.record(&path, &RecordOptions::default()).unwrap();
    (session, path)
}

/// A finished run.
fn finished(folder: &Path, name: &str) -> PathBuf {
    let (mut session, path) = recorded(folder, name, &[]);
    session.run().unwrap();
    path
}

/// A server on any port, and what it logs.
fn viewer(runs_below: &Path) -> (Viewer, Arc<Mutex<Vec<String>>>) {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let log = {
        let lines = lines.clone();
        Arc::new(move |line: &str| lines.lock().unwrap().push(line.to_owned()))
    };
    let scenes = vec![OfferedScene { name: "fall".into(), source: source(FALL) }];
    let options =
        ViewerOptions { port: Some(0), scenes, runs_below: runs_below.to_owned(), log, ..ViewerOptions::default() };
    (Viewer::start(options).unwrap(), lines)
}
