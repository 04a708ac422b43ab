//! What comes of files and surfaces, good and bad.

mod defects;
mod gltf;
mod mending;
mod obj;
mod off;
mod ply;
mod samples;
mod stl;

use std::path::Path;
use visviva_shapes::PolygonMesh;
use visviva_shapes::formats::{Format, Objects};

/// The objects of a file's content.
fn read(format: Format, data: impl AsRef<[u8]>) -> Objects {
    format.read(data.as_ref(), Path::new("nameless")).unwrap()
}

/// What a file's content is refused with.
fn refusal(format: Format, data: impl AsRef<[u8]>) -> String {
    format.read(data.as_ref(), Path::new("nameless")).unwrap_err().to_string()
}

/// The corners of each polygon.
fn faces(mesh: &PolygonMesh) -> Vec<Vec<u32>> {
    mesh.polygons.iter().map(<[u32]>::to_vec).collect()
}

/// No cut and no changed byte makes a reader panic or hang; files cut before `tail` bytes from the end are refused.
fn survives_damage(format: Format, whole: &[u8], tail: usize) {
    for length in 0..whole.len() {
        let cut = format.read(&whole[..length], Path::new("nameless"));
        assert!(cut.is_err() || length + tail >= whole.len(), "cut at {length} of {}", whole.len());
    }
    for at in 0..whole.len() {
        for byte in [0, b' ', b'9', b'-', 0xff] {
            let mut spoiled = whole.to_vec();
            spoiled[at] = byte;
            // Either outcome is right; returning is the claim.
            let _ = format.read(&spoiled, Path::new("nameless"));
        }
    }
}
