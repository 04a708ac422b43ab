//! A run as one page that needs no program: the page with all it would have asked for inside.
//!
//! Messages are the socket's own, each after its length, deflated and in base64.

use crate::error::AskError;
use crate::page::{PLACE_OF_THE_RUN, html};
use crate::protocol::FrameOf;
use crate::replay::ShownRun;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// Bytes of frames that a page holds at most before they are put into base64, where their user says nothing else.
pub const USUAL_BUDGET: usize = 32 << 20;

/// A page and what was left out of it.
#[derive(Debug)]
pub struct StaticPage {
    pub html: String,
    pub frames: usize,
    pub of_frames: usize,
}

/// Frames are left out evenly where all would take more than the budget `[bytes]`.
pub fn static_page(folder: &Path, budget: Option<usize>) -> Result<StaticPage, AskError> {
    let run = ShownRun::open(folder)?;
    let infos = run.frames()?;
    let budget = budget.unwrap_or(USUAL_BUDGET);
    let chosen = choose(&run, infos.len(), budget)?;
    let mut mesh = Blob::new();
    mesh.add(&run.mesh_message(0))?;
    let (mut frames, mut contacts) = (Blob::new(), Blob::new());
    for (place, &index) in chosen.iter().enumerate() {
        let mut frame = run.frame_message(0, index, FrameOf::Shown)?;
        // The page counts those that it has.
        frame[8..12].copy_from_slice(&(place as u32).to_le_bytes());
        frames.add(&frame)?;
        match run.contacts_message(0, index) {
            Ok(message) => contacts.add(&message)?,
            Err(AskError::NoContacts) => {}
            Err(error) => return Err(error),
        }
    }
    let mut told = run.description()?;
    told["id"] = json!("r1");
    told["name"] = json!(folder.file_name().unwrap_or_default().to_string_lossy());
    told["state"] = json!("finished");
    told["live"] = json!(false);
    told["has"]["tets"] = json!(false);
    told["times"] = json!(chosen.iter().map(|&index| infos[index].t).collect::<Vec<_>>());
    told["stats"] = run.stats(0)?;
    // A scene's title may hold anything: nothing of it must end the script.
    let told = told.to_string().replace('<', "\\u003c");
    let parts = [("blob-mesh", mesh), ("blob-frames", frames), ("blob-contacts", contacts)];
    let mut embedded = format!("<script type=\"application/json\" id=\"run\">{told}</script>\n");
    for (id, blob) in parts {
        let text = blob.finish()?;
        embedded += &format!("<script type=\"application/octet-stream;base64\" id=\"{id}\">{text}</script>\n");
    }
    let page = html().map_err(|error| AskError::Words(format!("the page in this program is damaged: {error}")))?;
    let html = page.replacen(PLACE_OF_THE_RUN, &embedded, 1);
    Ok(StaticPage { html, frames: chosen.len(), of_frames: infos.len() })
}

/// Evenly, the first and the last among them, as many as fit by what one of the middle takes.
fn choose(run: &ShownRun, count: usize, budget: usize) -> Result<Vec<usize>, AskError> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let mut one = Blob::new();
    one.add(&run.frame_message(0, count / 2, FrameOf::Shown)?)?;
    let each = one.deflated()?.len().max(1);
    let most = (budget / each).clamp(2, count.max(2));
    let every = (count - 1).div_ceil(most - 1).max(1);
    let mut chosen: Vec<usize> = (0..count).step_by(every).chain([count - 1]).collect();
    chosen.dedup();
    Ok(chosen)
}

struct Blob(DeflateEncoder<Vec<u8>>);

impl Blob {
    fn new() -> Self {
        Self(DeflateEncoder::new(Vec::new(), Compression::default()))
    }

    fn add(&mut self, message: &[u8]) -> Result<(), AskError> {
        let length = (message.len() as u32).to_le_bytes();
        self.0.write_all(&length).and_then(|()| self.0.write_all(message)).map_err(out_of_memory)
    }

    fn deflated(self) -> Result<Vec<u8>, AskError> {
        self.0.finish().map_err(out_of_memory)
    }

    fn finish(self) -> Result<String, AskError> {
        Ok(STANDARD.encode(self.deflated()?))
    }
}

fn out_of_memory(error: std::io::Error) -> AskError {
    AskError::Words(format!("the page cannot be made: {error}"))
}
