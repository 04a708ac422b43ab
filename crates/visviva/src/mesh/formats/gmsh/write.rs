//! Gmsh 4.1 text: one block of nodes, one of each kind of element, without entities.

use crate::mesh::MeshError;
use crate::mesh::formats::RawMesh;
use std::io::Write;

/// Numbers count from 1; coordinates keep every digit.
pub fn write(out: &mut dyn Write, mesh: &RawMesh) -> Result<(), MeshError> {
    let nodes = mesh.positions.len();
    writeln!(out, "$MeshFormat\n4.1 0 8\n$EndMeshFormat")?;
    writeln!(out, "$Nodes\n1 {nodes} {} {nodes}\n3 1 0 {nodes}", nodes.min(1))?;
    for tag in 1..=nodes {
        writeln!(out, "{tag}")?;
    }
    for x in &mesh.positions {
        // {:?} writes the shortest text that reads back to the same bits.
        writeln!(out, "{:?} {:?} {:?}", x.x, x.y, x.z)?;
    }
    // Nodes of all elements, nodes an element, its dimension and its code.
    let kinds: [(&[u32], usize, usize, usize); 2] =
        [(mesh.triangles.as_flattened(), 3, 2, 2), (mesh.tets.as_flattened(), 4, 3, 4)];
    let blocks: Vec<_> = kinds.into_iter().filter(|kind| !kind.0.is_empty()).collect();
    let count: usize = blocks.iter().map(|(nodes, size, ..)| nodes.len() / size).sum();
    writeln!(out, "$EndNodes\n$Elements\n{} {count} {} {count}", blocks.len(), count.min(1))?;
    let mut tag = 0;
    for (nodes, size, dimension, code) in blocks {
        writeln!(out, "{dimension} 1 {code} {}", nodes.len() / size)?;
        for element in nodes.chunks_exact(size) {
            tag += 1;
            let corners: Vec<String> = element.iter().map(|&i| (u64::from(i) + 1).to_string()).collect();
            writeln!(out, "{tag} {}", corners.join(" "))?;
        }
    }
    writeln!(out, "$EndElements")?;
    Ok(())
}
