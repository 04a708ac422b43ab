//! Every dialect reads back the mesh it holds, and every fault is named with its place and its remedy.

use super::samples;
use nalgebra::Vector3;
use std::path::Path;
use visviva::mesh::formats::pvd::TimeSeries;
use visviva::mesh::formats::vtu::{self, Cells, DataArray, Frame, Layout, Values};
use visviva::mesh::formats::{FORMATS, Format, RawMesh, read_raw, self_contained};
use visviva::mesh::generate::{ball, cuboid, icosphere};
use visviva::mesh::{Mesh, MeshError, Warning, load_mesh, load_polygons, load_tet_mesh, load_tri_mesh, write_mesh};

fn read(name: &str, data: &[u8]) -> Result<RawMesh, MeshError> {
    read_raw(data, Path::new(name))
}

/// The message of what the text is refused with.
fn refusal(name: &str, text: &str) -> String {
    read(name, text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn every_dialect_reads_back_bit_for_bit() {
    let mesh = samples::mesh();
    for (name, data) in samples::all() {
        let raw = read(name, &data).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(raw.positions, mesh.positions, "{name}");
        assert_eq!(raw.tets, mesh.tets, "{name}");
        // The content tells the format, whatever the name.
        assert_eq!(read("mesh", &data).unwrap(), raw, "{name}");
    }
}

#[test]
fn every_format_that_is_written_reads_back_bit_for_bit_and_is_known_by_its_content() {
    let folder = tempfile::tempdir().unwrap();
    // A sign of zero, a subnormal number and digits that no decimal of few places holds.
    let mut solid = ball(0.1, 2).unwrap();
    solid.positions[0] = Vector3::new(-0.0, 5e-324, 1.0 / 3.0 - 0.3);
    let mut written = 0;
    for format in FORMATS {
        let path = folder.path().join(format!("mesh.{}", format.endings[0]));
        let mut mixed = RawMesh::from(solid.clone());
        mixed.triangles = solid.boundary().triangles;
        let mut wired = RawMesh::from(solid.surface());
        wired.lines = vec![[0, 1], [1, 2]];
        for mesh in [solid.clone().into(), solid.surface().into(), mixed, wired] {
            if let Err(error) = write_mesh(&path, &mesh) {
                let said = error.to_string();
                assert!(said.contains(".msh, .vtu, .obj") || said.contains(" and no "), "{}: {said}", format.name);
                continue;
            }
            written += 1;
            let data = std::fs::read(&path).unwrap();
            assert_eq!(Format::of(&data, Path::new("nameless")).unwrap().name, format.name);
            let back = read("nameless", &data).unwrap();
            let bits = |m: &RawMesh| m.positions.iter().flatten().map(|c| c.to_bits()).collect::<Vec<_>>();
            assert_eq!((bits(&back), &back), (bits(&mesh), &mesh), "{}", format.name);
        }
    }
    assert_eq!(written, 3 + 3 + 2, "Gmsh and VTU hold tets and triangles, OBJ triangles and lines");
}

#[test]
fn a_file_says_itself_whether_it_holds_tets_or_a_surface() {
    let folder = tempfile::tempdir().unwrap();
    let solid = ball(0.1, 2).unwrap();
    for ending in ["msh", "vtu"] {
        let path = folder.path().join(format!("mesh.{ending}"));
        write_mesh(&path, &solid.clone().into()).unwrap();
        assert_eq!(load_mesh(&path).unwrap().mesh, Mesh::Tets(solid.clone()));
        write_mesh(&path, &solid.surface().into()).unwrap();
        assert_eq!(load_mesh(&path).unwrap().mesh, Mesh::Surface(solid.surface()));
    }
    let path = folder.path().join("surface.tets");
    let text = "# no ending, no tets\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    std::fs::write(&path, text).unwrap();
    assert!(matches!(load_mesh(&path).unwrap().mesh, Mesh::Surface(_)));
    std::fs::write(&path, text.replace("f 1 2 3", "l 1 2 3")).unwrap();
    let error = load_mesh(&path).unwrap_err().to_string();
    assert!(error.contains("no tetrahedra or triangles in the file (3 nodes, 2 lines)"), "{error}");
}

#[test]
fn loading_reports_what_was_skipped_removed_and_flipped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.msh");
    let text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 9 9 9\n3 1 0 0\n4 0 1 0\n5 0 0 1\n$EndNodes\n\
                $Elements\n2\n1 15 2 0 1 2\n2 4 2 0 1 3 1 4 5\n$EndElements\n";
    std::fs::write(&path, text).unwrap();
    let loaded = load_tet_mesh(&path).unwrap();
    assert_eq!(loaded.mesh.positions.len(), 4);
    assert!(loaded.mesh.volume() > 0.0);
    let said: Vec<String> = loaded.warnings.iter().map(Warning::to_string).collect();
    assert_eq!(said[0], "1 elements skipped: points");
    assert!(said[1].starts_with("1 nodes that no element uses were removed: 1;"), "{}", said[1]);
    assert_eq!(said[2], "all 1 tets were left-handed and have been flipped");

    let error = load_tri_mesh(&path).unwrap_err().to_string();
    assert!(error.contains("one.msh: no triangles in the file (5 nodes, 1 tetrahedra, 1 points)"), "{error}");
    let error = load_tet_mesh(folder.path().join("none.msh")).unwrap_err().to_string();
    assert!(error.contains("none.msh: there is no such file"), "{error}");
}

#[test]
fn faults_in_gmsh_text_name_the_line() {
    let head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n";
    let short = refusal("a.msh", &format!("{head}2\n1 0 0\n2 0 0 1\n$EndNodes\n"));
    assert_eq!(short, "line 6: expected a coordinate, found the end of the line");
    let word = refusal("a.msh", &format!("{head}2\n1 0 0 zero\n"));
    assert_eq!(word, "line 6: expected a coordinate, found \"zero\"");
    let few = refusal("a.msh", &format!("{head}2\n1 0 0 0\n$EndNodes\n"));
    assert_eq!(few, "line 7: expected a node number, found \"$EndNodes\"");
    let many = refusal("a.msh", &format!("{head}1\n1 0 0 0\n2 0 0 0\n$EndNodes\n"));
    assert_eq!(many, "line 7: expected $EndNodes, found \"2\"");
    let twice = refusal("a.msh", &format!("{head}2\n1 0 0 0\n1 0 0 1\n$EndNodes\n"));
    assert_eq!(twice, "line 7: expected a new node number, found 1 again");
    let unknown =
        refusal("a.msh", &format!("{head}1\n1 0 0 0\n$EndNodes\n$Elements\n1\n9 4 0 1 2 3 4\n$EndElements\n"));
    assert_eq!(unknown, "line 10: element 9 refers to node 2, which the file does not hold");
    let second =
        refusal("a.msh", &format!("{head}1\n1 0 0 0\n$EndNodes\n$Elements\n1\n9 11 0 1 2 3 4\n$EndElements\n"));
    assert!(second.contains("line 10: element type 11") && second.contains("export linear"), "{second}");
    let huge = refusal("a.msh", &format!("{head}99999999999999\n1 0 0 0\n"));
    assert!(huge.contains("truncated"), "{huge}");
    let old = refusal("a.msh", "$MeshFormat\n4 0 8\n$EndMeshFormat\n");
    assert!(old.contains("save it as 4.1"), "{old}");
    let parametric = refusal("a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$ParametricNodes\n");
    assert!(parametric.contains("line 4") && parametric.contains("SaveParametric"), "{parametric}");
    let count = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 2 1 2\n3 1 0 1\n1\n0 0 0\n$EndNodes\n";
    assert_eq!(refusal("a.msh", count), "line 5: the node count says 2, but there are 1");
}

#[test]
fn a_foreign_byte_order_mark_is_refused() {
    let mut data = samples::all().into_iter().find(|(name, _)| *name == "v4_little.msh").unwrap().1;
    data[20] = 7;
    let error = read("a.msh", &data).unwrap_err().to_string();
    assert!(error.contains("byte-order mark"), "{error}");
}

#[test]
fn faults_in_vtk_files_are_named() {
    let vtk = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 float\n0 0 0\n";
    let unknown = refusal("a.vtk", &format!("{vtk}CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n"));
    assert_eq!(unknown, "line 7: cell 0 refers to node 1, which the file does not hold");
    let second = refusal("a.vtk", &format!("{vtk}CELLS 1 2\n1 0\nCELL_TYPES 1\n24\n"));
    assert!(second.contains("export linear"), "{second}");
    let count = refusal("a.vtk", &format!("{vtk}CELLS 2 2\n1 0\nCELL_TYPES 1\n1\n"));
    assert_eq!(count, "line 7: the cell count says 2, but there are 1");
    assert!(refusal("a.vtk", vtk).contains("truncated"));
    let kind = refusal("a.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n");
    assert!(kind.contains("POLYDATA") && kind.contains("unstructured grid"), "{kind}");
    let inline = String::from_utf8(samples::vtu(&samples::mesh(), Layout::Inline, true)).unwrap();
    assert!(refusal("a.vtu", &inline.replace("ZLib", "LZ4")).contains("LZ4DataCompressor\" is not supported"));
    assert!(refusal("a.vtu", "<VTKFile type=\"PolyData\"></VTKFile>").contains("PolyData"));
    assert!(refusal("a.ply", "ply").contains("line 1: the file ends where end_header should be"));
    assert!(refusal("a.ply", "plywood").contains("not recognised"));
    assert!(
        refusal("a.usd", "#usda 1.0").contains("this is a USD file, which is not read; convert it to one of STL (.stl")
    );
    assert!(refusal("a.msh", "").contains("truncated"));
}

#[test]
fn a_vtu_of_many_blocks_keeps_all_of_them() {
    // 14³ nodes are 65,856 bytes of coordinates: two blocks and a part; 4096 nodes would end on a full block.
    for cells in [13, 15] {
        let mesh = cuboid(Vector3::repeat(1.0), [cells; 3]).unwrap();
        for layout in [Layout::Appended, Layout::Inline] {
            let raw = read("a.vtu", &samples::vtu(&mesh, layout, true)).unwrap();
            assert_eq!((raw.positions, raw.tets), (mesh.positions.clone(), mesh.tets.clone()));
        }
    }
}

#[test]
fn the_pieces_of_a_vtu_are_joined() {
    let mesh = samples::mesh();
    let text = samples::all().into_iter().find(|(name, _)| *name == "text.vtu").unwrap().1;
    let text = String::from_utf8(text).unwrap();
    let (before, after) = text.split_once("<Piece").unwrap();
    let (piece, after) = after.split_once("</Piece>").unwrap();
    let empty = "<Piece NumberOfPoints=\"0\" NumberOfCells=\"0\"/>";
    let twice = format!("{before}<Piece{piece}</Piece>{empty}<Piece{piece}</Piece>{after}");
    let raw = read("a.vtu", twice.as_bytes()).unwrap();
    let (n, cells) = (mesh.positions.len(), mesh.tets.len());
    assert_eq!((raw.positions.len(), raw.tets.len()), (2 * n, 2 * cells));
    assert_eq!(raw.tets[cells], mesh.tets[0].map(|i| i + n as u32));
}

#[test]
fn surfaces_go_through_vtu_too() {
    let surface = ball(1.0, 2).unwrap().surface();
    let frame = Frame {
        positions: &surface.positions,
        cells: Cells::Triangles(&surface.triangles),
        point_data: &[],
        cell_data: &[],
        time: None,
        interpolated: false,
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.vtu");
    vtu::write(&mut std::fs::File::create(&path).unwrap(), &frame, Layout::Appended, true).unwrap();
    let loaded = load_tri_mesh(&path).unwrap();
    assert_eq!(loaded.mesh, surface);
    assert_eq!(loaded.warnings, []);

    let wires = [[0, 1], [1, 2]];
    let mut bytes = Vec::new();
    let wired = Frame { cells: Cells::Wired(&surface.triangles, &wires), ..frame };
    vtu::write(&mut bytes, &wired, Layout::Appended, true).unwrap();
    let raw = read("w.vtu", &bytes).unwrap();
    assert_eq!((raw.triangles, raw.skipped["lines"]), (surface.triangles.clone(), 2));

    let short = DataArray { name: "p", components: 3, values: Values::F64(&[1.0]) };
    let error = vtu::write(&mut Vec::new(), &Frame { point_data: &[short], ..frame }, Layout::Inline, false);
    assert!(matches!(error, Err(MeshError::DataLength { actual: 1, .. })));
}

#[test]
fn obj_polygons_negative_indices_and_slashes_are_read() {
    let text =
        "# a square\nv 0 0 0\nv 1 0 0 1.0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2//1 3/1 4 # quad\nf -4 -3 -2\n";
    let raw = read("a.obj", text.as_bytes()).unwrap();
    assert_eq!(raw.triangles, [[0, 1, 2], [0, 2, 3], [0, 1, 2]]);
    assert_eq!(refusal("a.obj", "v 0 0\n"), "line 1: expected a coordinate, found the end of the line");
    assert_eq!(refusal("a.obj", "v 0 0 0\nf 1 1\n"), "line 2: expected at least three corners, found \"2\"");
    let unknown = refusal("a.obj", "v 0 0 0\nf 1 0 1\n");
    assert_eq!(unknown, "line 2: face 0 refers to node 0, which the file does not hold");
    assert!(refusal("a.obj", "v 0 0 0\nf 1 -2 1\n").contains("node -2"));
}

#[test]
fn a_binary_stl_is_known_whatever_its_free_bytes_look_like() {
    let sphere = icosphere(1.0, 1).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for title in ["<$ # vtk", "solid", "ply\n"] {
        let mut bytes = title.as_bytes().to_vec();
        bytes.resize(80, 0);
        bytes.extend((sphere.triangles.len() as u32).to_le_bytes());
        for triangle in &sphere.triangles {
            bytes.extend([0; 12]);
            let corners = triangle.map(|i| sphere.positions[i as usize]);
            bytes.extend(corners.iter().flat_map(|x| x.iter()).flat_map(|&c| (c as f32).to_le_bytes()));
            bytes.extend([0; 2]);
        }
        let path = folder.path().join("ball.STL");
        std::fs::write(&path, bytes).unwrap();
        let loaded = load_tri_mesh(&path).unwrap();
        assert_eq!((loaded.mesh.positions.len(), loaded.mesh.validate_sheet().unwrap().len()), (42, 120));
        assert_eq!(loaded.warnings, []);
    }
}

#[test]
fn polygons_are_loaded_object_by_object_and_joined_where_one_body_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.obj");
    let text =
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\no left\nf 1 2 3 4\no right\nf 2 5 6 3\no wire\nl 1 2\n";
    std::fs::write(&path, text).unwrap();
    let objects = load_polygons(&path).unwrap();
    let told: Vec<_> = objects.iter().map(|o| (o.name.as_str(), o.positions.len(), o.polygons.len())).collect();
    assert_eq!(told, [("left", 4, 1), ("right", 4, 1)]);
    let Mesh::Surface(joined) = load_mesh(&path).unwrap().mesh else { panic!() };
    assert_eq!((joined.positions.len(), joined.triangles.len()), (6, 4), "common vertices stay common");

    let path = folder.path().join("solid.msh");
    write_mesh(&path, &ball(0.1, 1).unwrap().into()).unwrap();
    let error = load_polygons(&path).unwrap_err().to_string();
    assert!(error.contains("solid.msh: no polygons in the file (") && error.contains("tetrahedra"), "{error}");
    write_mesh(&path, &ball(0.1, 1).unwrap().surface().into()).unwrap();
    assert_eq!(load_polygons(&path).unwrap().len(), 1);
}

#[test]
fn surfaces_of_other_programs_are_known_by_their_content_and_joined_to_one_body() {
    let off = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
               element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    let gltf = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}},{{"mesh":0,"translation":[1,0,0]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}}],"buffers":[{{"byteLength":36,"uri":"{TRIANGLE}"}}]}}"#
    );
    for (text, name, nodes) in [(off, "OFF", 3), (ply, "PLY", 3), (&gltf, "glTF", 5)] {
        assert_eq!(Format::of(text.as_bytes(), Path::new("nameless")).unwrap().name, name);
        let raw = read("nameless", text.as_bytes()).unwrap();
        assert_eq!((raw.positions.len(), raw.triangles.len()), (nodes, nodes / 2), "{name}");
        assert_eq!(raw.triangles[0], [0, 1, 2]);
    }
}

/// (0, 0, 0), (1, 0, 0) and (0, 0, −1) in single precision, which glTF turns to (0, 1, 0).
const TRIANGLE: &str = "data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAAAAAIC/";

#[test]
fn a_copy_of_a_gltf_file_needs_nothing_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gltf");
    let text = r#"{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
        "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"points%20of%20a.bin"}]}"#;
    std::fs::write(&path, text).unwrap();
    let lacking = self_contained(text.into(), &path).unwrap_err().to_string();
    assert!(lacking.contains("buffer 0: \"points%20of%20a.bin\", which it refers to, cannot be read"), "{lacking}");
    let points = [0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, -1.0];
    std::fs::write(folder.path().join("points of a.bin"), points.map(f32::to_le_bytes).as_flattened()).unwrap();
    let copy = self_contained(text.into(), &path).unwrap();
    assert_eq!(read("elsewhere/a.gltf", &copy).unwrap(), read_raw(text.as_bytes(), &path).unwrap());
    assert_eq!(self_contained(copy.clone(), &path).unwrap(), copy);
}

#[test]
fn a_time_series_lists_its_frames() {
    let mut series = TimeSeries::default();
    series.push(0.0, "a&b_0.vtu");
    series.push(0.04, "a&b_1.vtu");
    let xml = series.to_xml();
    assert!(xml.contains("<DataSet timestep=\"0.04\" group=\"\" part=\"0\" file=\"a&amp;b_1.vtu\"/>"), "{xml}");
    let folder = tempfile::tempdir().unwrap();
    series.write(folder.path().join("run.pvd")).unwrap();
    assert!(series.write(folder.path().join("no/run.pvd")).unwrap_err().to_string().contains("run.pvd"));
}
