//! What is answered to each ask.

use super::Log;
use crate::error::AskError;
use crate::live::{self, LiveRun, Order};
use crate::protocol::Ask;
use crate::replay::frame_message;
use crate::shelf::Shelf;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tokio::sync::{mpsc, oneshot};
use visviva::scene::json_schema;

/// Frames that one ask may want.
const MOST_FRAMES: usize = 64;
/// The number of a frame that is none: where a run stands between two.
const BETWEEN_FRAMES: usize = u32::MAX as usize;

#[derive(Debug)]
pub enum Answer {
    Json(Value),
    Binary(Vec<u8>),
    /// When a run has carried it out
    Later,
}

/// What answers need beside the shelf.
#[derive(Clone)]
pub struct Surroundings {
    /// Ends what pages have started
    pub stop: Arc<AtomicBool>,
    pub log: Log,
    /// Where answers go that take as long as a step
    pub later: mpsc::Sender<String>,
}

impl Ask {
    /// The run that a page will want to hear of.
    pub fn watched(&self) -> Option<&str> {
        match self {
            Self::Open { run } => Some(run),
            _ => None,
        }
    }

    /// Several frames are so many asks: each is sent before the next is read.
    pub fn parts(self) -> Vec<Self> {
        match self {
            Self::Frames { run, from, to } if from < to => {
                let frame = |index| Self::Frame { run: run.clone(), index, of: Default::default() };
                (from..to.min(from.saturating_add(MOST_FRAMES))).map(frame).collect()
            }
            ask => vec![ask],
        }
    }
}

/// Reads folders, and so may wait for a disk.
pub fn answer(shelf: &Arc<Shelf>, id: u32, ask: Ask, around: Surroundings) -> Result<Answer, AskError> {
    let json = |value: Value| Ok(Answer::Json(value));
    let binary = |bytes: Vec<u8>| Ok(Answer::Binary(bytes));
    let order = |run: &str, order: Order| {
        let answer = shelf.live(run)?.order(order)?;
        answer_later(id, around.later.clone(), answer);
        Ok(Answer::Later)
    };
    match ask {
        Ask::Hello {} => json(shelf.hello()?),
        Ask::List {} => json(shelf.list()?),
        Ask::Scene { name } => {
            let offered = shelf.scene(&name)?;
            let main = live::main_parameters(&offered.source.parse(&[])?)?;
            let schema: Value = serde_json::from_str(&json_schema()).unwrap_or_default();
            json(json!({ "toml": offered.source.text, "schema": schema, "main": main }))
        }
        Ask::Start { scene, set, paused } => {
            begin(shelf, id, around, move |shelf, stop, log| live::start(shelf, &scene, &set, paused, stop, log))
        }
        Ask::Open { run } => json(shelf.description(&run)?),
        Ask::Mesh { run } => binary(shelf.run(&run)?.mesh_message(id)),
        Ask::Tets { run } => binary(shelf.run(&run)?.tets_message(id)),
        Ask::Frame { run, index, of } => binary(shelf.run(&run)?.frame_message(id, index, of)?),
        // None of them: others are asked for one by one.
        Ask::Frames { .. } => json(json!({ "frames": 0 })),
        Ask::Now { run } => now(shelf, id, &run),
        Ask::Stats { run, from } => json(shelf.run(&run)?.stats(from)?),
        Ask::Contacts { run, index } => binary(shelf.run(&run)?.contacts_message(id, index)?),
        Ask::Field { run, index, name } => binary(shelf.run(&run)?.field_message(id, index, &name)?),
        Ask::Pause { run } => order(&run, Order::Pause),
        Ask::Go { run } => order(&run, Order::Go),
        Ask::Step { run, count } => order(&run, Order::Step(count)),
        Ask::Stop { run } => order(&run, Order::Stop),
        Ask::Pace { run, speed } => order(&run, Order::Pace(speed)),
        Ask::Change { run, change } => order(&run, Order::Change(change)),
        Ask::Grab { run, vertex, point, stiffness } => {
            let shown = shelf.run(&run)?;
            let under = shown.vertex_under(vertex).ok_or_else(|| AskError::Value {
                what: format!("vertex {vertex}"),
                allowed: format!("there are {}, counted from 0", shown.vertex_count()),
            })?;
            order(&run, Order::Grab { vertex: under, point, stiffness })
        }
        Ask::Release { run } => order(&run, Order::Release),
        Ask::Branch { run, index, t, change } => {
            let from = match (t, index) {
                (Some(t), _) => t,
                (None, Some(index)) => shelf.run(&run)?.time_of(index)?,
                (None, None) => return Err(AskError::Words("say where to branch: index or t".to_owned())),
            };
            begin(shelf, id, around, move |shelf, stop, log| live::branch(shelf, &run, from, &change, stop, log))
        }
        Ask::Save { run } => match shelf.live(&run) {
            Ok(_) => order(&run, Order::Save),
            Err(_) => json(json!({ "toml": shelf.run(&run)?.run_toml()? })),
        },
    }
}

/// Where a run stands that pauses; of others the last frame.
fn now(shelf: &Shelf, id: u32, run: &str) -> Result<Answer, AskError> {
    let shown = shelf.run(run)?;
    match shelf.progress_of(run).as_ref().and_then(LiveRun::standing) {
        Some(standing) => {
            let seen = shown.seen(&standing.vertices);
            Ok(Answer::Binary(frame_message(id, BETWEEN_FRAMES, standing.t, &seen)))
        }
        None => {
            let last = shown.frames()?.len().saturating_sub(1);
            Ok(Answer::Binary(shown.frame_message(id, last, Default::default())?))
        }
    }
}

/// A scene may take minutes to build: it gets a thread of its own, and its name is told when it has begun.
fn begin(
    shelf: &Arc<Shelf>,
    id: u32,
    around: Surroundings,
    beginning: impl FnOnce(&Shelf, Arc<AtomicBool>, Log) -> Result<String, AskError> + Send + 'static,
) -> Result<Answer, AskError> {
    let turn = shelf.turn_to_begin()?;
    let (reply, answer) = oneshot::channel();
    let shelf = shelf.clone();
    let begin = move || {
        let begun = beginning(&shelf, around.stop, around.log).map(|run| json!({ "run": run }));
        drop(turn);
        // The page may be gone.
        let _ = reply.send(begun);
    };
    let thread = std::thread::Builder::new().name("beginning a run".to_owned()).spawn(begin);
    thread.map_err(|error| AskError::Words(format!("the run cannot begin: {error}")))?;
    answer_later(id, around.later, answer);
    Ok(Answer::Later)
}

/// A step may take minutes, and the page wants other things meanwhile.
fn answer_later(id: u32, later: mpsc::Sender<String>, answer: oneshot::Receiver<Result<Value, AskError>>) {
    tokio::spawn(async move {
        let message = match answer.await {
            Ok(Ok(value)) => json!({ "id": id, "ok": value }),
            Ok(Err(error)) => json!({ "id": id, "error": error.to_string() }),
            Err(_) => json!({ "id": id, "error": AskError::NotLive.to_string() }),
        };
        // The page may be gone.
        let _ = later.send(message.to_string()).await;
    });
}
