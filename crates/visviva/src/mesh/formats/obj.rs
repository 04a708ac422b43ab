//! Wavefront OBJ surfaces, written.

use super::RawMesh;
use crate::mesh::MeshError;
use std::io::Write;

/// Numbers count from 1.
pub fn write(out: &mut dyn Write, mesh: &RawMesh) -> Result<(), MeshError> {
    for x in &mesh.positions {
        // {:?} writes the shortest text that reads back to the same bits.
        writeln!(out, "v {:?} {:?} {:?}", x.x, x.y, x.z)?;
    }
    let number = |node: u32| u64::from(node) + 1;
    for [a, b, c] in mesh.triangles.iter().map(|t| t.map(number)) {
        writeln!(out, "f {a} {b} {c}")?;
    }
    for [a, b] in mesh.lines.iter().map(|l| l.map(number)) {
        writeln!(out, "l {a} {b}")?;
    }
    Ok(())
}
