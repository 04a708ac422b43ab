//! Surfaces in the files of other programs: a format is a file here and a constant that tells how it is known and read.

mod cursor;
mod error;
pub mod gltf;
pub mod obj;
pub mod off;
pub mod ply;
mod scalar;
pub mod stl;
pub(crate) mod welding;

pub use cursor::{Cursor, Encoding};
pub use error::{Place, ReadError};
pub use scalar::Scalar;

use crate::PolygonMesh;
use std::collections::BTreeMap;
use std::path::Path;

/// How surfaces are kept in files.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// As messages call it
    pub name: &'static str,
    /// Of file names, without the dot
    pub endings: &'static [&'static str],
    /// Whether the whole bytes of a file are of this format
    pub sniff: fn(&[u8]) -> bool,
    read: fn(&[u8], &Path) -> Result<Objects, ReadError>,
}

impl Format {
    /// The objects of a file's bytes. Its path tells where files lie that it refers to.
    pub fn read(&self, data: &[u8], path: &Path) -> Result<Objects, ReadError> {
        let (count, limit) = (data.len() as u128, u128::from(u32::MAX));
        // Vertices and corners are counted in 32 bits, and each takes two bytes at least.
        if count > limit { Err(ReadError::TooMany { what: "bytes", count, limit }) } else { (self.read)(data, path) }
    }
}

/// What a file holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Objects {
    /// One for each object; a file without polygons gives one with its vertices
    pub meshes: Vec<PolygonMesh>,
    /// How many elements of each other kind were passed over
    pub skipped: BTreeMap<&'static str, usize>,
}

impl Objects {
    fn skip(&mut self, kind: &'static str) {
        *self.skipped.entry(kind).or_default() += 1;
    }
}

/// What follows white space and a byte-order mark.
pub fn beginning(data: &[u8]) -> &[u8] {
    let start = data.trim_ascii_start();
    start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start)
}

/// The first printable characters of something unexpected, short enough for a message.
pub fn excerpt(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(24)]).chars().filter(|c| !c.is_control()).collect()
}

/// The node index if the file's number names a node.
pub fn node_index(node: i64, node_count: usize) -> Option<u32> {
    u32::try_from(node).ok().filter(|&i| (i as usize) < node_count)
}
