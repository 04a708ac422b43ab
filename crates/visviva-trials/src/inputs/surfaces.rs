//! Files of polygons: what is accepted is whole, and mending it and looking for its defects come to an end.

use super::formats::{Format, Verdict};
use super::meshes;
use anyhow::Result;
use std::fmt::Write;
use std::path::Path;
use visviva::mesh::formats::{bytes_of, read_objects};
use visviva::mesh::generate::icosphere;
use visviva::mesh::{TriMesh, WiredSurface};
use visviva_shapes::PolygonMesh;

/// One for each format of the library's table that holds polygons.
pub fn formats() -> Result<Vec<Format>> {
    let ball = icosphere(1.0, 0)?;
    let wires = WiredSurface { surface: ball.clone(), wires: vec![[0, 5], [5, 7]] };
    let obj = vec![
        ("surface.obj", bytes_of(&ball.clone().into(), Path::new("surface.obj"))?),
        ("wires.obj", bytes_of(&wires.into(), Path::new("wires.obj"))?),
        ("quads.obj", b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf 1/1/1 2//1 3/1 4\nl -1 -3\n".to_vec()),
        ("objects.obj", OBJECTS.to_vec()),
    ];
    let stl = vec![("text.stl", stl_text(&ball)?.into_bytes()), ("binary.stl", stl_binary(&ball))];
    let ply = ["ascii", "binary_little_endian", "binary_big_endian"].map(|kind| ply(&ball, kind));
    let ply = ["text.ply", "little.ply", "big.ply"].into_iter().zip(ply).collect();
    let off = vec![
        ("plain.off", off(&ball, "OFF", "")?.into_bytes()),
        ("colours.off", off(&ball, "COFF", " 255 0 0 255")?.into_bytes()),
    ];
    let gltf = vec![
        ("text.gltf", gltf(&ball, "\"uri\":\"data:;base64,").into_bytes()),
        ("binary.glb", glb(&ball)),
        ("nodes.gltf", NODES.to_vec()),
    ];
    let format = |name, samples| Format { name, samples, attempt: Box::new(attempt) };
    Ok(vec![format("obj", obj), format("stl", stl), format("ply", ply), format("off", off), format("gltf", gltf)])
}

const OBJECTS: &[u8] = b"mtllib a.mtl\no first\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0.5\nusemtl red\nf 1/1 3/2 2/1\n\
    g side\nf 1 2 4\nusemtl blue\nf 2 3 \\\n 4\nf 3 1 4\no second\nv 2 0 0\nv 3 0 0\nv 3 1 0\nv 2.5 0.2 0\nv 2 1 0\nf -5 -4 -3 -2 -1\np 1\n";

/// A triangle that two nodes show, one of them turned, with indices as bytes behind its points.
const NODES: &[u8] = br#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1]}],
"nodes":[{"mesh":0,"name":"a","children":[2]},{"mesh":0,"rotation":[0,0,1,0],"scale":[2,2,-2]},{"translation":[0,1,0],"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0,"mode":4}]}],"materials":[{"name":"red"}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}],
"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":3}],
"buffers":[{"byteLength":39,"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAAAAAIC/AAEC"}]}"#;

fn attempt(name: &str, data: &[u8]) -> Verdict {
    if let Ok(objects) = read_objects(data, Path::new(name)) {
        for mesh in &objects.meshes {
            let mended = mesh.mend();
            let lost = mended.vertex_of.iter().any(|&vertex| vertex as usize >= mended.mesh.positions.len());
            if let Some(problem) = unsound(mesh).or_else(|| unsound(&mended.mesh)) {
                return Verdict::Wrong(problem);
            }
            if lost || mended.vertex_of.len() != mesh.positions.len() {
                return Verdict::Wrong("mending loses vertices".into());
            }
            // Whatever they say, they must come to an end.
            let _ = format!("{} {:?}", mended.defects(), mended.notes);
        }
    }
    meshes::attempt(name, data)
}

/// What an accepted surface must not have.
fn unsound(mesh: &PolygonMesh) -> Option<String> {
    let count = mesh.positions.len();
    let polygons = &mesh.polygons;
    let uvs = mesh.uvs.as_ref();
    let faults = [
        (mesh.positions.iter().flatten().any(|c| !c.is_finite()), "a position is not finite"),
        (polygons.corners.iter().any(|&vertex| vertex as usize >= count), "a corner does not exist"),
        (mesh.lines.as_flattened().iter().any(|&vertex| vertex as usize >= count), "a line's end does not exist"),
        (
            polygons.ends.last().is_some_and(|&end| end as usize != polygons.corners.len()),
            "corners belong to no polygon",
        ),
        (uvs.is_some_and(|uvs| uvs.of_corner.len() != polygons.corners.len()), "corners lack texture"),
        (
            uvs.is_some_and(|uvs| uvs.of_corner.iter().any(|&uv| uv as usize >= uvs.values.len())),
            "a texture coordinate does not exist",
        ),
        (!mesh.material_of.is_empty() && mesh.material_of.len() != polygons.len(), "polygons lack materials"),
        (mesh.material_of.iter().any(|&m| m as usize >= mesh.materials.len()), "a material does not exist"),
    ];
    faults.into_iter().find(|(is_there, _)| *is_there).map(|(_, what)| what.to_owned())
}

fn stl_text(mesh: &TriMesh) -> Result<String> {
    let mut text = String::from("solid a ball\n");
    for triangle in &mesh.triangles {
        text += " facet normal 0 0 1\n  outer loop\n";
        for x in triangle.map(|node| mesh.positions[node as usize]) {
            writeln!(text, "   vertex {:?} {:?} {:?}", x.x, x.y, x.z)?;
        }
        text += "  endloop\n endfacet\n";
    }
    Ok(text + "endsolid a ball\n")
}

fn stl_binary(mesh: &TriMesh) -> Vec<u8> {
    let mut out = vec![b' '; 80];
    out.extend((mesh.triangles.len() as u32).to_le_bytes());
    for triangle in &mesh.triangles {
        out.extend([0; 12]);
        let corners = triangle.map(|node| mesh.positions[node as usize]);
        out.extend(corners.iter().flat_map(|x| x.iter()).flat_map(|&c| (c as f32).to_le_bytes()));
        out.extend([0; 2]);
    }
    out
}

/// With texture coordinates, and a property of faces and an element that nobody needs.
fn ply(mesh: &TriMesh, kind: &str) -> Vec<u8> {
    let (vertices, faces) = (mesh.positions.len(), mesh.triangles.len());
    let mut out = format!(
        "ply\nformat {kind} 1.0\ncomment a ball\nelement vertex {vertices}\nproperty float x\nproperty float y\n\
         property float z\nproperty float s\nproperty float t\nelement face {faces}\n\
         property list uchar int vertex_indices\nproperty uchar flag\nelement edge 1\nproperty int vertex1\n\
         property int vertex2\nelement other 1\nproperty list ushort double values\nend_header\n"
    )
    .into_bytes();
    let mut put = |little: &[u8], text: String| match kind {
        "ascii" => out.extend(text.bytes()),
        "binary_big_endian" => out.extend(little.iter().rev()),
        _ => out.extend(little),
    };
    for x in &mesh.positions {
        for (k, c) in [x.x, x.y, x.z, 0.5 * x.x, 0.25].into_iter().enumerate() {
            put(&(c as f32).to_le_bytes(), format!("{}{}", c as f32, if k < 4 { " " } else { "\n" }));
        }
    }
    for triangle in &mesh.triangles {
        put(&[3], "3 ".into());
        triangle.iter().for_each(|node| put(&node.to_le_bytes(), format!("{node} ")));
        put(&[1], "1\n".into());
    }
    put(&0u32.to_le_bytes(), "0 ".into());
    put(&5u32.to_le_bytes(), "5\n".into());
    put(&1u16.to_le_bytes(), "1 ".into());
    put(&0.5f64.to_le_bytes(), "0.5\n".into());
    out
}

fn off(mesh: &TriMesh, word: &str, colour: &str) -> Result<String> {
    let mut text = format!("{word}\n# a ball\n{} {} 0\n", mesh.positions.len(), mesh.triangles.len());
    for x in &mesh.positions {
        writeln!(text, "{:?} {:?} {:?}{colour}", x.x, x.y, x.z)?;
    }
    for [a, b, c] in &mesh.triangles {
        writeln!(text, "3 {a} {b} {c}")?;
    }
    Ok(text)
}

/// Points, then indices of two bytes.
fn gltf_bytes(mesh: &TriMesh) -> Vec<u8> {
    let points = mesh.positions.iter().flat_map(|x| [x.x, x.y, x.z]).flat_map(|c| (c as f32).to_le_bytes());
    points.chain(mesh.triangles.iter().flatten().flat_map(|&node| (node as u16).to_le_bytes())).collect()
}

fn gltf(mesh: &TriMesh, uri: &str) -> String {
    let (points, indices) = (mesh.positions.len(), 3 * mesh.triangles.len());
    let (first, second) = (12 * points, 2 * indices);
    let uri = if uri.is_empty() { String::new() } else { format!("{uri}{}\",", base64(&gltf_bytes(mesh))) };
    format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],"meshes":[{{"name":"ball","primitives":[
{{"attributes":{{"POSITION":0}},"indices":1}}]}}],"accessors":[
{{"bufferView":0,"componentType":5126,"count":{points},"type":"VEC3"}},
{{"bufferView":1,"componentType":5123,"count":{indices},"type":"SCALAR"}}],"bufferViews":[
{{"buffer":0,"byteLength":{first}}},{{"buffer":0,"byteOffset":{first},"byteLength":{second}}}],
"buffers":[{{{uri}"byteLength":{}}}]}}"#,
        first + second
    )
}

fn glb(mesh: &TriMesh) -> Vec<u8> {
    let chunk = |kind: &[u8; 4], mut bytes: Vec<u8>, filler: u8| {
        bytes.resize(bytes.len().next_multiple_of(4), filler);
        [&(bytes.len() as u32).to_le_bytes(), &kind[..], &bytes[..]].concat()
    };
    let chunks = [chunk(b"JSON", gltf(mesh, "").into(), b' '), chunk(b"BIN\0", gltf_bytes(mesh), 0)].concat();
    [b"glTF", &2u32.to_le_bytes()[..], &(12 + chunks.len() as u32).to_le_bytes(), &chunks].concat()
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}
