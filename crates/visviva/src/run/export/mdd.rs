//! MDD, the point cache of LightWave that Blender and Houdini read: a file a body, big-endian.
//!
//! i32 frames, i32 points, then f32 times `[s]` of all frames, then x y z of every point of every frame as f32.

use super::Format;
use super::at_the_end::{AtTheEnd, file_a_body};
use super::motion::Motion;
use crate::run::error::OutputError;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub const FORMAT: Format = Format {
    name: "mdd",
    aliases: &[],
    what: "for Blender, Houdini and LightWave, on the mesh you gave: a point cache a body, with times",
    folder: "mdd",
    uses_materials: false,
    unwieldy: None,
    exporter: |place| Box::new(AtTheEnd::new(place, write)),
};

fn write(motion: &Motion, folder: &Path) -> Result<Vec<PathBuf>, OutputError> {
    file_a_body(motion, folder, "mdd", |out, body| write_body(out, motion, body))
}

fn write_body(out: &mut impl Write, motion: &Motion, body: usize) -> io::Result<()> {
    for count in [motion.frame_count(), motion.point_count(body)] {
        out.write_all(&i32::try_from(count).map_err(io::Error::other)?.to_be_bytes())?;
    }
    motion.times().iter().try_for_each(|&t| out.write_all(&(t as f32).to_be_bytes()))?;
    for frame in 0..motion.frame_count() {
        let points = motion.positions(body, frame)?;
        points.as_flattened().iter().try_for_each(|&value| out.write_all(&(value as f32).to_be_bytes()))?;
    }
    Ok(())
}
