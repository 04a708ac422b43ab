//! The same small mesh written by hand in every dialect that is read, for the round trips and the spoiled files.

use nalgebra::Vector3;
use std::fmt::Write;
use visviva::mesh::TetMesh;
use visviva::mesh::formats::gmsh;
use visviva::mesh::formats::vtu::{self, Cells, DataArray, Frame, Layout, Values};
use visviva::mesh::generate::ball;

pub fn mesh() -> TetMesh {
    ball(0.3, 1).unwrap()
}

/// File name and content, each a whole and valid file of `mesh()`.
pub fn all() -> Vec<(&'static str, Vec<u8>)> {
    let m = mesh();
    let mut files = vec![
        ("v2_text.msh", gmsh2_text(&m).into_bytes()),
        ("v2_little.msh", gmsh2_binary(&m, false)),
        ("v2_big.msh", gmsh2_binary(&m, true)),
        ("v4_text.msh", gmsh4_text(&m)),
        ("v4_little.msh", gmsh4_binary(&m, false)),
        ("v4_big.msh", gmsh4_binary(&m, true)),
        ("v4_text.vtk", vtk(&m, false, false)),
        ("v4_binary.vtk", vtk(&m, true, false)),
        ("v5_text.vtk", vtk(&m, false, true)),
        ("v5_binary.vtk", vtk(&m, true, true)),
        ("text.vtu", vtu_text(&m).into_bytes()),
        ("appended_base64.vtu", vtu_appended_base64(&m)),
    ];
    for (name, layout, compress) in [
        ("appended.vtu", Layout::Appended, false),
        ("appended_zlib.vtu", Layout::Appended, true),
        ("inline.vtu", Layout::Inline, false),
        ("inline_zlib.vtu", Layout::Inline, true),
    ] {
        files.push((name, vtu(&m, layout, compress)));
    }
    files
}

pub fn vtu(m: &TetMesh, layout: Layout, compress: bool) -> Vec<u8> {
    let speed: Vec<f64> = m.positions.iter().flat_map(|x| [x.x, x.y, -x.z]).collect();
    let energy: Vec<f32> = (0..m.tets.len()).map(|t| t as f32 / 3.0).collect();
    let number: Vec<i64> = (0..m.tets.len() as i64).collect();
    let frame = Frame {
        positions: &m.positions,
        cells: Cells::Tets(&m.tets),
        point_data: &[DataArray { name: "velocity", components: 3, values: Values::F64(&speed) }],
        cell_data: &[
            DataArray { name: "energy <J>", components: 1, values: Values::F32(&energy) },
            DataArray { name: "number", components: 1, values: Values::I64(&number) },
        ],
        time: Some(0.25),
        interpolated: false,
    };
    let mut out = Vec::new();
    vtu::write(&mut out, &frame, layout, compress).unwrap();
    out
}

fn lines(m: &TetMesh) -> (String, String) {
    let x = m.positions.iter().map(|x| format!("{:?} {:?} {:?}\n", x.x, x.y, x.z)).collect();
    let tets = m.tets.iter().map(|t| format!("{} {} {} {}\n", t[0], t[1], t[2], t[3])).collect();
    (x, tets)
}

/// With a physical name, a point and a line to pass over.
fn gmsh2_text(m: &TetMesh) -> String {
    let mut s =
        String::from("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"ball\"\n$EndPhysicalNames\n");
    writeln!(s, "$Nodes\n{}", m.positions.len()).unwrap();
    for (i, x) in m.positions.iter().enumerate() {
        writeln!(s, "{} {:?} {:?} {:?}", i + 11, x.x, x.y, x.z).unwrap();
    }
    writeln!(s, "$EndNodes\n$Elements\n{}\n1 15 2 0 1 11\n2 1 0 11 12", m.tets.len() + 2).unwrap();
    for (t, n) in m.tets.iter().enumerate() {
        writeln!(s, "{} 4 2 1 1 {} {} {} {}", t + 3, n[0] + 11, n[1] + 11, n[2] + 11, n[3] + 11).unwrap();
    }
    s + "$EndElements\n"
}

/// Bytes of numbers in one byte order.
struct Bytes {
    big: bool,
    out: Vec<u8>,
}

impl Bytes {
    fn put<const N: usize>(&mut self, mut little: [u8; N]) {
        if self.big {
            little.reverse();
        }
        self.out.extend(little);
    }
    fn ints(&mut self, values: &[i32]) {
        values.iter().for_each(|v| self.put(v.to_le_bytes()));
    }
    fn sizes(&mut self, values: &[usize]) {
        values.iter().for_each(|&v| self.put((v as u64).to_le_bytes()));
    }
    fn reals(&mut self, values: &Vector3<f64>) {
        values.iter().for_each(|v| self.put(v.to_le_bytes()));
    }
    fn text(&mut self, text: &str) {
        self.out.extend(text.as_bytes());
    }
}

fn gmsh2_binary(m: &TetMesh, big: bool) -> Vec<u8> {
    let mut b = Bytes { big, out: Vec::new() };
    b.text("$MeshFormat\n2.2 1 8\n");
    b.ints(&[1]);
    b.text(&format!("\n$EndMeshFormat\n$Nodes\n{}\n", m.positions.len()));
    for (i, x) in m.positions.iter().enumerate() {
        b.ints(&[i as i32 + 1]);
        b.reals(x);
    }
    b.text(&format!("\n$EndNodes\n$Elements\n{}\n", m.tets.len() + 1));
    b.ints(&[15, 1, 2, 1, 0, 0, 1]);
    b.ints(&[4, m.tets.len() as i32, 2]);
    for (t, n) in m.tets.iter().enumerate() {
        b.ints(&[t as i32 + 2, 0, 1]);
        b.ints(&n.map(|i| i as i32 + 1));
    }
    b.text("\n$EndElements\n");
    b.out
}

fn gmsh4_text(m: &TetMesh) -> Vec<u8> {
    let mut out = Vec::new();
    gmsh::write(&mut out, &m.clone().into()).unwrap();
    out
}

/// With an entities section, a section nobody knows, and parametric nodes in a block of their own.
fn gmsh4_binary(m: &TetMesh, big: bool) -> Vec<u8> {
    let mut b = Bytes { big, out: Vec::new() };
    let n = m.positions.len();
    b.text("$MeshFormat\n4.1 1 8\n");
    b.ints(&[1]);
    b.text("\n$EndMeshFormat\n$Entities\n");
    b.sizes(&[0, 0, 0, 0]);
    b.text("\n$EndEntities\n$Novelty\n\x00\x01$End\n$EndNovelty\n$Nodes\n");
    b.sizes(&[2, n, 1, n]);
    b.ints(&[2, 1, 1]);
    b.sizes(&[1, 1]);
    b.reals(&m.positions[0]);
    b.put(0.5f64.to_le_bytes());
    b.put(0.5f64.to_le_bytes());
    b.ints(&[3, 1, 0]);
    b.sizes(&[n - 1]);
    (2..=n).for_each(|tag| b.sizes(&[tag]));
    m.positions[1..].iter().for_each(|x| b.reals(x));
    b.text("\n$EndNodes\n$Elements\n");
    b.sizes(&[2, m.tets.len() + 1, 1, m.tets.len() + 1]);
    b.ints(&[0, 1, 15]);
    b.sizes(&[1, 1, 1]);
    b.ints(&[3, 1, 4]);
    b.sizes(&[m.tets.len()]);
    for (t, nodes) in m.tets.iter().enumerate() {
        b.sizes(&[t + 2]);
        b.sizes(&nodes.map(|i| i as usize + 1));
    }
    b.text("\n$EndElements\n");
    b.out
}

fn vtk(m: &TetMesh, binary: bool, v5: bool) -> Vec<u8> {
    let (n, cells) = (m.positions.len(), m.tets.len());
    let (x, tets) = lines(m);
    let mut b = Bytes { big: true, out: Vec::new() };
    b.text(if v5 { "# vtk DataFile Version 5.1\n" } else { "# vtk DataFile Version 4.2\n" });
    b.text(if binary { "a ball\nBINARY\n" } else { "a ball\nASCII\n" });
    b.text("DATASET UNSTRUCTURED_GRID\nFIELD FieldData 1\nTIME 1 1 int\n");
    if binary {
        b.ints(&[7])
    } else {
        b.text("7")
    }
    b.text(&format!("\nPOINTS {n} double\n"));
    if binary {
        m.positions.iter().for_each(|x| b.reals(x))
    } else {
        b.text(&x)
    }
    b.text("\nMETADATA\nINFORMATION 0\n\n");
    if v5 {
        b.text(&format!("CELLS {} {}\nOFFSETS vtktypeint64\n", cells + 1, 4 * cells));
        for c in 0..=cells {
            if binary { b.sizes(&[4 * c]) } else { b.text(&format!("{} ", 4 * c)) }
        }
        b.text("\nCONNECTIVITY vtktypeint64\n");
        if binary { m.tets.as_flattened().iter().for_each(|&i| b.sizes(&[i as usize])) } else { b.text(&tets) }
    } else {
        b.text(&format!("CELLS {cells} {}\n", 5 * cells));
        for t in &m.tets {
            let [p, q, r, s] = t.map(|i| i as i32);
            if binary { b.ints(&[4, p, q, r, s]) } else { b.text(&format!("4 {p} {q} {r} {s}\n")) }
        }
    }
    b.text(&format!("\nCELL_TYPES {cells}\n"));
    for _ in 0..cells {
        if binary { b.ints(&[10]) } else { b.text("10\n") }
    }
    b.text("\n");
    b.out
}

fn vtu_text(m: &TetMesh) -> String {
    let (x, tets) = lines(m);
    let (n, cells) = (m.positions.len(), m.tets.len());
    let offsets: String = (1..=cells).map(|c| format!("{} ", 4 * c)).collect();
    let types = "10 ".repeat(cells);
    format!(
        "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n\
         <Piece NumberOfPoints=\"{n}\" NumberOfCells=\"{cells}\">\n<Points>\n\
         <DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">{x}</DataArray>\n</Points>\n<Cells>\n\
         <DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">{tets}</DataArray>\n\
         <DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">{offsets}</DataArray>\n\
         <DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">{types}</DataArray>\n\
         </Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n"
    )
}

/// The inline arrays moved behind the XML, as VTK does with encoded appended data.
fn vtu_appended_base64(m: &TetMesh) -> Vec<u8> {
    let inline = String::from_utf8(vtu(m, Layout::Inline, true)).unwrap();
    let (mut xml, mut data) = (String::new(), String::new());
    let mut rest = inline.as_str();
    while let Some((before, after)) = rest.split_once(" format=\"binary\">\n") {
        let (text, tail) = after.split_once("\n</DataArray>").unwrap();
        write!(xml, "{before} format=\"appended\" offset=\"{}\"/>", data.len()).unwrap();
        data.push_str(text);
        rest = tail;
    }
    let end = rest.replace("</VTKFile>", "");
    format!("{xml}{end}<AppendedData encoding=\"base64\">\n_{data}\n</AppendedData>\n</VTKFile>\n").into_bytes()
}
