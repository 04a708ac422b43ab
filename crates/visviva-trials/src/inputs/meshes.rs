//! Mesh files of tets: what is accepted is finite and refers to nodes that exist.

use super::formats::{Format, Verdict};
use anyhow::Result;
use std::fmt::Write;
use std::path::Path;
use visviva::mesh::formats::vtu::{self, Cells, Layout};
use visviva::mesh::formats::{RawMesh, bytes_of, read_raw};
use visviva::mesh::generate::{cuboid, icosphere};
use visviva::mesh::{Mesh, TetMesh, TriMesh, WiredSurface};

/// One for each format of the library's table that holds tets.
pub fn formats() -> Result<Vec<Format>> {
    let tets = cuboid([1.0, 1.0, 1.0].into(), [1, 1, 1])?;
    let surface = icosphere(1.0, 0)?;
    let written = |name: &'static str, mesh: RawMesh| Ok::<_, anyhow::Error>((name, bytes_of(&mesh, Path::new(name))?));
    let gmsh = vec![
        written("tets.msh", tets.clone().into())?,
        written("surface.msh", surface.into())?,
        ("v2.msh", gmsh2_text(&tets)?.into_bytes()),
        ("v2-binary.msh", gmsh2_binary(&tets)),
        ("v4-binary.msh", gmsh4_binary(&tets)),
    ];
    let vtk = [(false, false), (false, true), (true, false), (true, true)];
    let vtk_names = ["text.vtk", "text-5.vtk", "binary.vtk", "binary-5.vtk"];
    let vtk = vtk.iter().zip(vtk_names).map(|(&(binary, newer), name)| (name, legacy(&tets, binary, newer))).collect();
    let vtu = vec![
        ("text.vtu", vtu_text(&tets)?.into_bytes()),
        ("appended.vtu", vtu_of(&tets, Layout::Appended, false)?),
        ("appended-zlib.vtu", vtu_of(&tets, Layout::Appended, true)?),
        ("inline.vtu", vtu_of(&tets, Layout::Inline, false)?),
        ("inline-zlib.vtu", vtu_of(&tets, Layout::Inline, true)?),
    ];
    let format = |name, samples| Format { name, samples, attempt: Box::new(attempt) };
    Ok(vec![format("gmsh", gmsh), format("vtk", vtk), format("vtu", vtu)])
}

/// As loading does it, for a solid, a shell, a stiff body and an obstacle.
pub fn attempt(name: &str, data: &[u8]) -> Verdict {
    let Ok(raw) = read_raw(data, Path::new(name)) else { return Verdict::Refused };
    let tets = TetMesh { positions: raw.positions.clone(), tets: raw.tets.clone() };
    let surface = TriMesh { positions: raw.positions.clone(), triangles: raw.triangles.clone() };
    let wired = WiredSurface { surface: surface.clone(), wires: raw.lines.clone() };
    let mut accepted = false;
    if let Ok(loaded) = Mesh::Tets(tets).checked() {
        accepted = true;
        if let Some(problem) = unsound(&loaded.mesh) {
            return Verdict::Wrong(problem);
        }
    }
    if let Ok(loaded) = surface.checked() {
        accepted = true;
        let mut surface = loaded.mesh;
        // Whatever they say, they must come to an end.
        let _ = surface.validate_sheet();
        let _ = surface.validate_solid();
        if let Some(problem) = unsound(&Mesh::Surface(surface)) {
            return Verdict::Wrong(problem);
        }
    }
    if let Ok(loaded) = wired.checked() {
        accepted = true;
        let WiredSurface { surface, wires } = loaded.mesh;
        if wires.as_flattened().iter().any(|&node| node as usize >= surface.positions.len()) {
            return Verdict::Wrong("a wire's end does not exist".into());
        }
    }
    if accepted { Verdict::Accepted } else { Verdict::Refused }
}

/// What an accepted mesh must not have.
fn unsound(mesh: &Mesh) -> Option<String> {
    if let Some(node) = mesh.positions().iter().position(|x| !x.iter().all(|c| c.is_finite())) {
        return Some(format!("node {node} is not finite"));
    }
    let count = mesh.positions().len();
    let nodes = match mesh {
        Mesh::Tets(mesh) => mesh.tets.as_flattened(),
        Mesh::Surface(mesh) => mesh.triangles.as_flattened(),
    };
    if let Some(node) = nodes.iter().find(|&&node| node as usize >= count) {
        return Some(format!("node {node} does not exist"));
    }
    if let Mesh::Tets(mesh) = mesh {
        let flat = (0..mesh.tets.len()).find(|&t| !(mesh.tet_volume(t) > 0.0 && mesh.tet_volume(t).is_finite()));
        return flat.map(|tet| format!("tet {tet} has the volume {}", mesh.tet_volume(tet)));
    }
    None
}

fn gmsh2_text(mesh: &TetMesh) -> Result<String> {
    let mut text = format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", mesh.positions.len());
    for (i, x) in mesh.positions.iter().enumerate() {
        writeln!(text, "{} {:?} {:?} {:?}", i + 1, x.x, x.y, x.z)?;
    }
    writeln!(text, "$EndNodes\n$Elements\n{}\n1 15 2 0 1 1", mesh.tets.len() + 1)?;
    for (i, [a, b, c, d]) in mesh.tets.iter().map(|tet| tet.map(|node| node + 1)).enumerate() {
        writeln!(text, "{} 4 2 1 1 {a} {b} {c} {d}", i + 2)?;
    }
    Ok(text + "$EndElements\n")
}

fn gmsh2_binary(mesh: &TetMesh) -> Vec<u8> {
    let mut out = b"$MeshFormat\n2.2 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n".to_vec();
    out.extend(format!("{}\n", mesh.positions.len()).bytes());
    for (i, x) in mesh.positions.iter().enumerate() {
        out.extend((i as u32 + 1).to_le_bytes());
        out.extend(x.iter().flat_map(|c| c.to_le_bytes()));
    }
    out.extend(format!("\n$EndNodes\n$Elements\n{}\n", mesh.tets.len()).bytes());
    out.extend([4, mesh.tets.len() as u32, 0].into_iter().flat_map(u32::to_le_bytes));
    for (i, tet) in mesh.tets.iter().enumerate() {
        out.extend([i as u32 + 1].into_iter().chain(tet.map(|node| node + 1)).flat_map(u32::to_le_bytes));
    }
    out.extend(b"\n$EndElements\n");
    out
}

fn gmsh4_binary(mesh: &TetMesh) -> Vec<u8> {
    let (nodes, tets) = (mesh.positions.len() as u64, mesh.tets.len() as u64);
    let mut out = b"$MeshFormat\n4.1 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n".to_vec();
    out.extend([1, nodes, 1, nodes].into_iter().flat_map(u64::to_le_bytes));
    out.extend([3u32, 1, 0].into_iter().flat_map(u32::to_le_bytes));
    out.extend([nodes].into_iter().chain(1..=nodes).flat_map(u64::to_le_bytes));
    out.extend(mesh.positions.iter().flat_map(|x| x.iter()).flat_map(|c| c.to_le_bytes()));
    out.extend(b"\n$EndNodes\n$Elements\n");
    out.extend([1, tets, 1, tets].into_iter().flat_map(u64::to_le_bytes));
    out.extend([3u32, 1, 4].into_iter().flat_map(u32::to_le_bytes));
    out.extend(tets.to_le_bytes());
    for (i, tet) in mesh.tets.iter().enumerate() {
        out.extend([i as u64 + 1].into_iter().chain(tet.map(|node| u64::from(node) + 1)).flat_map(u64::to_le_bytes));
    }
    out.extend(b"\n$EndElements\n");
    out
}

/// Legacy VTK, whose binary numbers have their big end first.
fn legacy(mesh: &TetMesh, binary: bool, newer: bool) -> Vec<u8> {
    let (kind, version) = (if binary { "BINARY" } else { "ASCII" }, if newer { "5.1" } else { "4.2" });
    let (nodes, cells) = (mesh.positions.len(), mesh.tets.len());
    let mut out = format!("# vtk DataFile Version {version}\na cube\n{kind}\nDATASET UNSTRUCTURED_GRID\n").into_bytes();
    let reals = |out: &mut Vec<u8>, values: &mut dyn Iterator<Item = f64>| {
        values.for_each(|x| if binary { out.extend(x.to_be_bytes()) } else { out.extend(format!("{x:?} ").bytes()) });
    };
    let integers = |out: &mut Vec<u8>, wide: bool, values: &mut dyn Iterator<Item = u32>| {
        values.for_each(|i| match (binary, wide) {
            (false, _) => out.extend(format!("{i} ").bytes()),
            (true, false) => out.extend(i.to_be_bytes()),
            (true, true) => out.extend(u64::from(i).to_be_bytes()),
        });
    };
    out.extend(format!("POINTS {nodes} double\n").bytes());
    reals(&mut out, &mut mesh.positions.iter().flat_map(|x| [x.x, x.y, x.z]));
    if newer {
        out.extend(format!("\nCELLS {} {}\nOFFSETS vtktypeint64\n", cells + 1, 4 * cells).bytes());
        integers(&mut out, true, &mut (0..=cells as u32).map(|cell| 4 * cell));
        out.extend(b"\nCONNECTIVITY vtktypeint64\n");
        integers(&mut out, true, &mut mesh.tets.as_flattened().iter().copied());
    } else {
        out.extend(format!("\nCELLS {cells} {}\n", 5 * cells).bytes());
        integers(&mut out, false, &mut mesh.tets.iter().flat_map(|&[a, b, c, d]| [4, a, b, c, d]));
    }
    out.extend(format!("\nCELL_TYPES {cells}\n").bytes());
    integers(&mut out, false, &mut (0..cells).map(|_| 10));
    out.push(b'\n');
    out
}

fn vtu_of(mesh: &TetMesh, layout: Layout, compress: bool) -> Result<Vec<u8>> {
    let cells = Cells::Tets(&mesh.tets);
    let frame = vtu::Frame {
        positions: &mesh.positions,
        cells,
        point_data: &[],
        cell_data: &[],
        time: Some(0.5),
        interpolated: false,
    };
    let mut out = Vec::new();
    vtu::write(&mut out, &frame, layout, compress)?;
    Ok(out)
}

fn vtu_text(mesh: &TetMesh) -> Result<String> {
    let (nodes, cells) = (mesh.positions.len(), mesh.tets.len());
    let mut text = format!(
        "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid>\n<Piece NumberOfPoints=\"{nodes}\" NumberOfCells=\"{cells}\">\n"
    );
    let mut array = |kind: &str, name: &str, values: &mut dyn Iterator<Item = String>| {
        let values: Vec<String> = values.collect();
        let values = values.join(" ");
        writeln!(text, "<DataArray type=\"{kind}\" Name=\"{name}\" format=\"ascii\">{values}</DataArray>")
    };
    array("Float64", "x", &mut mesh.positions.iter().flat_map(|x| [x.x, x.y, x.z]).map(|c| format!("{c:?}")))?;
    array("Int32", "connectivity", &mut mesh.tets.as_flattened().iter().map(u32::to_string))?;
    array("Int32", "offsets", &mut (1..=cells).map(|cell| (4 * cell).to_string()))?;
    array("UInt8", "types", &mut (0..cells).map(|_| "10".to_owned()))?;
    let text = text.replacen("<DataArray", "<Points><DataArray", 1).replacen(
        "</DataArray>",
        "</DataArray></Points><Cells>",
        1,
    );
    Ok(text + "</Cells></Piece></UnstructuredGrid></VTKFile>\n")
}
