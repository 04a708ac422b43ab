//! glTF 2.0 in one binary file (.glb), for browsers and game engines: a mesh a body, a morph target a frame, and an animation that
//! goes from one to the next.
//!
//! <https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html>: y is up, v runs downwards, all numbers are little-endian.

mod document;
mod surface;

use super::Format;
use super::at_the_end::{AtTheEnd, file_in};
use super::motion::Motion;
use crate::run::error::{At, OutputError};
use crate::run::whole_file;
use document::{Document, words};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

pub const FORMAT: Format = Format {
    name: "gltf",
    aliases: &["glb"],
    what: "for browsers, game engines and Blender: one .glb with every body, its UVs, materials' names and motion",
    folder: "gltf",
    uses_materials: false,
    unwieldy: Some((
        100_000_000,
        "a morph target a frame is much for most viewers; take fewer frames (--fps, --every), or usd or pc2",
    )),
    exporter: |place| Box::new(AtTheEnd::new(place, write)),
};

/// Its length is written in 32 bits.
const MOST_BYTES: u64 = u32::MAX as u64;

fn write(motion: &Motion, place: &Path) -> Result<Vec<PathBuf>, OutputError> {
    let path = file_in(place, "motion.glb")?;
    let document = Document::of(motion).at(&path)?;
    let json = padded(document.json(motion).to_string().into_bytes());
    let bytes = 28 + json.len() as u64 + document.length;
    if bytes > MOST_BYTES {
        return Err(OutputError::TooLong { path, bytes, most: MOST_BYTES });
    }
    let fill = |out: &mut BufWriter<File>| {
        out.write_all(b"glTF")?;
        words(out, [2, bytes as u32, json.len() as u32])?;
        out.write_all(b"JSON")?;
        out.write_all(&json)?;
        words(out, [document.length as u32])?;
        out.write_all(b"BIN\0")?;
        document.write_buffer(out, motion)
    };
    whole_file::write_in_parts(&path, fill).at(&path)?;
    Ok(vec![path])
}

/// With spaces, to a multiple of four.
fn padded(mut json: Vec<u8>) -> Vec<u8> {
    json.resize(json.len().next_multiple_of(4), b' ');
    json
}
