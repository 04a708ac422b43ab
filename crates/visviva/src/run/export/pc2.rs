//! PC2, the point cache of 3ds Max that Blender's Mesh Cache modifier plays: a file a body, little-endian.
//!
//! `POINTCACHE2\0`, then i32 version 1, i32 points, f32 first frame, f32 frames a sample, i32 samples, then x y z of every point of
//! every sample as f32.

use super::Format;
use super::at_the_end::{AtTheEnd, file_a_body};
use super::motion::Motion;
use crate::run::error::OutputError;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub const FORMAT: Format = Format {
    name: "pc2",
    aliases: &[],
    what: "for Blender's Mesh Cache modifier, on the mesh you gave: a point cache a body",
    folder: "pc2",
    uses_materials: false,
    unwieldy: None,
    exporter: |place| Box::new(AtTheEnd::new(place, write)),
};

fn write(motion: &Motion, folder: &Path) -> Result<Vec<PathBuf>, OutputError> {
    let spacing = spacing(motion).map_err(|after| OutputError::UnevenFrames { path: folder.to_owned(), after })?;
    file_a_body(motion, folder, "pc2", |out, body| write_body(out, motion, body, spacing))
}

fn write_body(out: &mut impl Write, motion: &Motion, body: usize, spacing: f64) -> io::Result<()> {
    let count = |n: usize| i32::try_from(n).map_err(io::Error::other);
    out.write_all(b"POINTCACHE2\0")?;
    out.write_all(&1i32.to_le_bytes())?;
    out.write_all(&count(motion.point_count(body))?.to_le_bytes())?;
    out.write_all(&(motion.time_codes()[0] as f32).to_le_bytes())?;
    out.write_all(&(spacing as f32).to_le_bytes())?;
    out.write_all(&count(motion.frame_count())?.to_le_bytes())?;
    for frame in 0..motion.frame_count() {
        let points = motion.positions(body, frame)?;
        points.as_flattened().iter().try_for_each(|&value| out.write_all(&(value as f32).to_le_bytes()))?;
    }
    Ok(())
}

/// Frames from one sample to the next; where they are uneven, the time `[s]` after which they are.
fn spacing(motion: &Motion) -> Result<f64, f64> {
    let codes = motion.time_codes();
    let spacing = codes.get(1).map_or(1.0, |second| second - codes[0]);
    // What nobody sees.
    let even = |pair: &[f64]| (pair[1] - pair[0] - spacing).abs() < 1e-3 * spacing;
    match codes.windows(2).position(|pair| !even(pair)) {
        Some(at) => Err(motion.times()[at]),
        None => Ok(spacing),
    }
}
