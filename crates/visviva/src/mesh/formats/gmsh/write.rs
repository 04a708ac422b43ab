//! Gmsh 4.1 text, one block of nodes and one of tets, without entities.

use crate::mesh::{MeshError, TetMesh};
use std::io::Write;

/// Numbers count from 1; coordinates keep every digit.
pub fn write(out: &mut impl Write, mesh: &TetMesh) -> Result<(), MeshError> {
    let (nodes, tets) = (mesh.positions.len(), mesh.tets.len());
    writeln!(out, "$MeshFormat\n4.1 0 8\n$EndMeshFormat")?;
    writeln!(out, "$Nodes\n1 {nodes} {} {nodes}\n3 1 0 {nodes}", nodes.min(1))?;
    for tag in 1..=nodes {
        writeln!(out, "{tag}")?;
    }
    for x in &mesh.positions {
        // {:?} writes the shortest text that reads back to the same bits.
        writeln!(out, "{:?} {:?} {:?}", x.x, x.y, x.z)?;
    }
    writeln!(out, "$EndNodes\n$Elements\n1 {tets} {} {tets}\n3 1 4 {tets}", tets.min(1))?;
    for (t, tet) in mesh.tets.iter().enumerate() {
        let [a, b, c, d] = tet.map(|i| i as u64 + 1);
        writeln!(out, "{} {a} {b} {c} {d}", t + 1)?;
    }
    writeln!(out, "$EndElements")?;
    Ok(())
}
