//! frames/: positions and velocities over time, a file each, and times.csv.
//!
//! A frame counts once its line stands in times.csv, which is written after the frame itself: what a crash leaves of one is
//! never taken for a frame.

use super::error::{At, OutputError};
use super::inventory::FrameRecord;
use super::run_folder::RunFolder;
use super::run_mesh::{RunMesh, grouped};
use super::{CONTACTS, FRAMES, TIMES, lines, npy, whole_file};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

pub(super) const TIMES_HEADER: &str = "frame,step,t";

/// A frame that is there.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameInfo {
    pub index: u64,
    pub step: u64,
    /// `[s]`
    pub t: f64,
    pub path: PathBuf,
}

/// One frame's content, a row a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Positions `[m]`
    pub x: Vec<[f64; 3]>,
    /// Velocities `[m/s]`
    pub v: Vec<[f64; 3]>,
}

impl Frame {
    /// From flat coordinates, as in a state.
    pub fn from_flat(x: &[f64], v: &[f64]) -> Self {
        Self { x: grouped(x), v: grouped(v) }
    }
}

impl RunFolder {
    /// Writes a frame whole or not at all; x and v are flat, as in a state.
    pub fn write_frame(&self, index: u64, step: u64, t: f64, x: &[f64], v: &[f64]) -> Result<FrameRecord, OutputError> {
        let path = self.frame_path(index);
        let n = x.len() / 3;
        if x.len() != 3 * n || v.len() != x.len() {
            let expected = "three positions and three velocities a node".to_owned();
            return Err(OutputError::Shape { path, found: vec![x.len(), v.len()], expected });
        }
        let bytes = npy::encode(&[2, n, 3], &[x, v]);
        self.clear(&path)?;
        whole_file::write_lazily(&path, &bytes).at(&path)?;
        let record = FrameRecord { index, step, t, hash: xxh3_64(&bytes), contacts: None };
        let added = lines::append(&self.times_path(), &times_line(&record));
        if added.is_err() {
            // The frame has no time and would be passed over; the first error is the one worth telling.
            let _ = std::fs::remove_file(&path);
        }
        added.map(|()| record)
    }

    /// The frames that are there, in order. The run may be going on, or have been cut short.
    pub fn frames(&self) -> Result<Vec<FrameInfo>, OutputError> {
        let files: BTreeSet<u64> = indices_in(&self.path().join(FRAMES))?.into_iter().collect();
        let there = self.listed()?.into_iter().filter(|(index, _)| files.contains(index));
        Ok(there.map(|(index, (step, t))| FrameInfo { index, step, t, path: self.frame_path(index) }).collect())
    }

    /// The frames where none is missing: what is measured of a part would be taken for the whole.
    pub fn all_frames(&self) -> Result<Vec<FrameInfo>, OutputError> {
        let frames = self.frames()?;
        if frames.len() < self.listed()?.len() {
            return Err(OutputError::MissingPart { path: self.path().into(), part: "frames, or some of them" });
        }
        Ok(frames)
    }

    /// The frames before the last one that are not there.
    pub fn missing_frames(&self) -> Result<Vec<u64>, OutputError> {
        let frames = self.frames()?;
        let mut missing = Vec::new();
        let mut next = 0;
        for frame in frames {
            // Files are named one by one; a gap of billions is a lie in times.csv, and a thousand names tell enough.
            missing.extend((next..frame.index).take(1000_usize.saturating_sub(missing.len())));
            next = frame.index + 1;
        }
        Ok(missing)
    }

    pub fn read_frame(&self, index: u64) -> Result<Frame, OutputError> {
        let path = self.frame_path(index);
        if !path.exists() {
            let count = self.frames()?.len();
            return Err(OutputError::NoSuchFrame { path, index, count });
        }
        let array = npy::read::<f64>(&path)?;
        let &[2, n, 3] = &array.shape[..] else {
            return Err(OutputError::Shape { path, found: array.shape, expected: "(2, nodes, 3)".into() });
        };
        let (x, v) = array.values.split_at(3 * n);
        Ok(Frame::from_flat(x, v))
    }

    /// Positions and velocities of the mesh's vertices, a row each.
    pub fn read_vertices(&self, mesh: &RunMesh, index: u64) -> Result<Frame, OutputError> {
        Ok(self.read_nodes_and_vertices(mesh, index)?.1)
    }

    /// The same with the nodes it was made from, in one reading.
    pub fn read_nodes_and_vertices(&self, mesh: &RunMesh, index: u64) -> Result<(Frame, Frame), OutputError> {
        let nodes = self.read_frame(index)?;
        let vertices = mesh.at_vertices(nodes.clone()).ok_or_else(|| OutputError::Shape {
            path: self.frame_path(index),
            found: vec![2, nodes.x.len(), 3],
            expected: format!("the nodes of the mesh's {} vertices", mesh.rest.len()),
        })?;
        Ok((nodes, vertices))
    }

    /// Lists these frames and no others.
    pub fn list_frames(&self, frames: &[FrameRecord]) -> Result<(), OutputError> {
        let (times, text) = (self.times_path(), times_text(frames));
        let is_so = std::fs::read(&times).is_ok_and(|bytes| bytes == text.as_bytes());
        if is_so { Ok(()) } else { whole_file::write(&times, text.as_bytes()).at(&times) }
    }

    /// Removes the frames from an index on, and the contacts beside them: they belong to what was given up.
    pub fn remove_frames_from(&self, index: u64) -> Result<(), OutputError> {
        for folder in [FRAMES, CONTACTS].map(|name| self.path().join(name)).iter().filter(|folder| folder.is_dir()) {
            for later in indices_in(folder)?.into_iter().filter(|later| *later >= index) {
                let path = folder.join(frame_name(later));
                std::fs::remove_file(&path).at(&path)?;
            }
        }
        Ok(())
    }

    /// Step and time of each frame in times.csv.
    pub(super) fn listed(&self) -> Result<BTreeMap<u64, (u64, f64)>, OutputError> {
        read_times(&self.times_path())
    }

    pub fn frame_path(&self, index: u64) -> PathBuf {
        self.path().join(FRAMES).join(frame_name(index))
    }

    pub(crate) fn times_path(&self) -> PathBuf {
        self.path().join(TIMES)
    }
}

/// What times.csv says of these frames.
pub(super) fn times_text(frames: &[FrameRecord]) -> String {
    let lines = frames.iter().map(|frame| times_line(frame) + "\n");
    [format!("{TIMES_HEADER}\n")].into_iter().chain(lines).collect()
}

fn times_line(frame: &FrameRecord) -> String {
    format!("{},{},{:?}", frame.index, frame.step, frame.t)
}

/// Of the files in a folder that are named by a frame
pub(super) fn indices_in(folder: &Path) -> Result<Vec<u64>, OutputError> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).at(folder)? {
        found.extend(entry.at(folder)?.file_name().to_str().and_then(frame_index));
    }
    Ok(found)
}

pub(super) fn frame_name(index: u64) -> String {
    format!("{index:06}.npy")
}

/// The index that a file name stands for.
pub(super) fn frame_index(name: &str) -> Option<u64> {
    let index = name.strip_suffix(".npy")?.parse().ok()?;
    (frame_name(index) == name).then_some(index)
}

/// Step and time by frame. A line of a resumed run replaces the one before it.
fn read_times(path: &Path) -> Result<BTreeMap<u64, (u64, f64)>, OutputError> {
    let bytes = std::fs::read(path).at(path)?;
    let mut times = BTreeMap::new();
    for (line, text) in lines::complete(&bytes) {
        let cells: Vec<&str> = text.unwrap_or("").split(',').collect();
        let parsed = match cells[..] {
            _ if line == 1 && text == Some(TIMES_HEADER) => continue,
            [index, step, t] if line > 1 => {
                index.parse().ok().zip(step.parse().ok()).zip(t.parse().ok()).filter(|((i, _), _)| *i < u64::MAX)
            }
            _ => None,
        };
        let Some(((index, step), t)) = parsed else {
            let wanted = if line == 1 { TIMES_HEADER } else { "a frame, its step and its time" };
            let problem = format!("{wanted} should stand here, not {:?}", text.unwrap_or("bytes that are not text"));
            return Err(OutputError::Line { path: path.to_owned(), line, problem });
        };
        times.insert(index, (step, t));
    }
    Ok(times)
}
