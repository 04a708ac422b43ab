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
/// Where fewer frames than this would fit, what is inside the bodies stays away: motion is worth more.
const ENOUGH: usize = 120;

/// A page and what was left out of it.
#[derive(Debug)]
pub struct StaticPage {
    pub html: String,
    pub frames: usize,
    pub of_frames: usize,
    /// Whether it has what is inside the bodies and the density of their energy
    pub inside: bool,
}

/// Frames are left out evenly where all would take more than the budget `[bytes]`; where few would be left, the inside is.
pub fn static_page(folder: &Path, budget: Option<usize>) -> Result<StaticPage, AskError> {
    let run = ShownRun::open(folder)?;
    let infos = run.frames()?;
    let budget = budget.unwrap_or(USUAL_BUDGET);
    let fitting = |inside: bool| Ok::<_, AskError>(budget / Moment::cost(&run, infos.len(), inside)?);
    let inside = fitting(true)? >= infos.len().min(ENOUGH);
    let chosen = choose(infos.len(), fitting(inside)?);
    let [mut mesh, mut frames, mut contacts, mut within] = [(); 4].map(|()| Blob::new());
    mesh.add(&run.mesh_message(0))?;
    if inside && run.has_tets() {
        within.add(&run.tets_message(0))?;
    }
    for (place, &index) in chosen.iter().enumerate() {
        let moment = Moment::new(&run, place, index, inside)?;
        frames.add(&moment.frame)?;
        moment.contacts.iter().try_for_each(|message| contacts.add(message))?;
        moment.inside.iter().try_for_each(|message| within.add(message))?;
    }
    let mut told = run.description()?;
    told["id"] = json!("r1");
    told["name"] = json!(folder.file_name().unwrap_or_default().to_string_lossy());
    told["state"] = json!("finished");
    told["live"] = json!(false);
    told["times"] = json!(chosen.iter().map(|&index| infos[index].t).collect::<Vec<_>>());
    told["stats"] = run.stats(0)?;
    // A scene's title may hold anything: nothing of it must end the script.
    let told = told.to_string().replace('<', "\\u003c");
    let parts = [("blob-mesh", mesh), ("blob-frames", frames), ("blob-contacts", contacts), ("blob-inside", within)];
    let mut embedded = format!("<script type=\"application/json\" id=\"run\">{told}</script>\n");
    for (id, blob) in parts {
        let text = blob.finish()?;
        embedded += &format!("<script type=\"application/octet-stream;base64\" id=\"{id}\">{text}</script>\n");
    }
    let page = html().map_err(|error| AskError::Words(format!("the page in this program is damaged: {error}")))?;
    let html = page.replacen(PLACE_OF_THE_RUN, &embedded, 1);
    Ok(StaticPage { html, frames: chosen.len(), of_frames: infos.len(), inside })
}

/// Evenly, the first and the last among them, as many as fit.
fn choose(count: usize, fitting: usize) -> Vec<usize> {
    let most = fitting.clamp(2, count.max(2));
    let every = count.saturating_sub(1).div_ceil(most - 1).max(1);
    let mut chosen: Vec<usize> = (0..count).step_by(every).chain(count.checked_sub(1)).collect();
    chosen.dedup();
    chosen
}

/// What the page has of a frame.
struct Moment {
    frame: Vec<u8>,
    contacts: Option<Vec<u8>>,
    /// Where all simulated vertices are, and the density of the energy where that is known
    inside: Vec<Vec<u8>>,
}

impl Moment {
    /// The page counts the frames that it has: this is the one at `place`.
    fn new(run: &ShownRun, place: usize, index: usize, inside: bool) -> Result<Self, AskError> {
        let numbered = |mut message: Vec<u8>, at: usize| {
            message[at..at + 4].copy_from_slice(&(place as u32).to_le_bytes());
            message
        };
        let contacts = match run.contacts_message(0, index) {
            Err(AskError::NoContacts) => None,
            contacts => Some(contacts?),
        };
        let vertices = (inside && run.has_tets()).then(|| run.frame_message(0, index, FrameOf::Mesh)).transpose()?;
        // One whose model cannot be built any more does without.
        let energy = inside.then(|| run.field_message(0, index, "energy").ok()).flatten();
        let energy = energy.map(|message| numbered(coarse(message), 12));
        Ok(Self {
            frame: numbered(run.frame_message(0, index, FrameOf::Shown)?, 8),
            contacts,
            inside: vertices.map(|message| numbered(message, 8)).into_iter().chain(energy).collect(),
        })
    }

    /// Bytes of one of the middle.
    fn cost(run: &ShownRun, count: usize, inside: bool) -> Result<usize, AskError> {
        if count == 0 {
            return Ok(1);
        }
        let Self { frame, contacts, inside } = Self::new(run, 0, count / 2, inside)?;
        let mut one = Blob::new();
        [frame].iter().chain(&contacts).chain(&inside).try_for_each(|message| one.add(message))?;
        Ok(one.deflated()?.len().max(1))
    }
}

/// A field with 8 bits of each number's digits: colours have no more, and the rest would not compress.
fn coarse(mut message: Vec<u8>) -> Vec<u8> {
    const HEAD: usize = 16;
    message[HEAD..].chunks_exact_mut(4).for_each(|number| number[..2].fill(0));
    message
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
