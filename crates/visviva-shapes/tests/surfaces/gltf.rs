//! glTF files: text with its numbers inside, and GLB.

use super::{faces, read, refusal, survives_damage};
use nalgebra::Vector3;
use visviva_shapes::formats::gltf::FORMAT;

/// Base64 by hand (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |group: &[u8]| {
        let bits = (0..3).fold(0u32, |bits, k| bits << 8 | u32::from(*group.get(k).unwrap_or(&0)));
        let letter =
            |k: usize| if k <= group.len() { LETTERS[(bits >> (18 - 6 * k) & 63) as usize] as char } else { '=' };
        [letter(0), letter(1), letter(2), letter(3)]
    };
    bytes.chunks(3).flat_map(group).collect()
}

/// Two squares folded along a common side, split there as for normals: 8 vertices with texture, 4 triangles.
/// Positions, texture as shorts, indices as bytes, shorts and integers, each with its bufferView.
fn bytes() -> Vec<u8> {
    let positions: [[i32; 3]; 8] =
        [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [1, 0, 0], [1, 0, -1], [1, 1, -1], [1, 1, 0]];
    let mut bytes: Vec<u8> = positions.iter().flatten().flat_map(|&c| (c as f32).to_le_bytes()).collect();
    let texture = positions.iter().flat_map(|p| [65535 * p[0].abs(), 65535 * p[1].abs()]);
    bytes.extend(texture.flat_map(|c| (c as u16).to_le_bytes()));
    let indices: [u8; 12] = [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7];
    bytes.extend(indices);
    bytes.extend(indices.iter().flat_map(|&i| u16::from(i).to_le_bytes()));
    bytes.extend(indices.iter().flat_map(|&i| u32::from(i).to_le_bytes()));
    bytes.extend([0, 1, 3, 2, 2, 7, 6]);
    bytes
}

fn json(uri: &str, primitives: &str, nodes: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{nodes}],
"meshes":[{{"name":"fold","primitives":[{primitives}]}}],"materials":[{{"name":"red"}},{{"name":"blue"}}],
"accessors":[
{{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3"}},
{{"bufferView":1,"componentType":5123,"normalized":true,"count":8,"type":"VEC2"}},
{{"bufferView":2,"componentType":5121,"count":12,"type":"SCALAR"}},
{{"bufferView":3,"componentType":5123,"count":12,"type":"SCALAR"}},
{{"bufferView":4,"componentType":5125,"count":12,"type":"SCALAR"}},
{{"bufferView":4,"byteOffset":24,"componentType":5125,"count":6,"type":"SCALAR"}},
{{"bufferView":5,"componentType":5121,"count":4,"type":"SCALAR"}},
{{"bufferView":5,"byteOffset":4,"componentType":5121,"count":3,"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":96}},{{"buffer":0,"byteOffset":96,"byteLength":32,"byteStride":4}},
{{"buffer":0,"byteOffset":128,"byteLength":12}},{{"buffer":0,"byteOffset":140,"byteLength":24}},
{{"buffer":0,"byteOffset":164,"byteLength":48}},{{"buffer":0,"byteOffset":212,"byteLength":7}}],
"buffers":[{{{uri}"byteLength":219}}]}}"#
    )
}

const NODE: &str = r#"{"mesh":0,"name":"paper"}"#;

fn text(primitives: &str, nodes: &str) -> String {
    json(&format!(r#""uri":"data:application/octet-stream;base64,{}","#, base64(&bytes())), primitives, nodes)
}

fn glb(primitives: &str, nodes: &str) -> Vec<u8> {
    let chunk = |kind: &[u8; 4], mut bytes: Vec<u8>, filler: u8| {
        bytes.resize(bytes.len().next_multiple_of(4), filler);
        [&(bytes.len() as u32).to_le_bytes(), &kind[..], &bytes[..]].concat()
    };
    let chunks = [chunk(b"JSON", json("", primitives, nodes).into(), b' '), chunk(b"BIN\0", bytes(), 0)].concat();
    [b"glTF".to_vec(), 2u32.to_le_bytes().to_vec(), (12 + chunks.len() as u32).to_le_bytes().to_vec(), chunks].concat()
}

fn primitive(indices: usize) -> String {
    format!(r#"{{"attributes":{{"POSITION":0,"TEXCOORD_0":1}},"indices":{indices},"material":1}}"#)
}

#[test]
fn split_vertices_are_one_again_z_is_up_and_texture_stays_with_corners() {
    let files = (2..5).flat_map(|k| [text(&primitive(k), NODE).into_bytes(), glb(&primitive(k), NODE)]);
    for data in files {
        let objects = read(FORMAT, &data);
        let [mesh] = &objects.meshes[..] else { panic!() };
        assert_eq!((mesh.name.as_str(), mesh.positions.len()), ("paper", 6));
        assert_eq!(faces(mesh), [[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]]);
        assert_eq!(mesh.positions[4], Vector3::new(1.0, 1.0, 0.0), "what was −z is y");
        assert_eq!(mesh.positions[3], Vector3::new(0.0, 0.0, 1.0), "what was y is z");
        let uvs = mesh.uvs.as_ref().unwrap();
        let corner = |k: usize| uvs.values[uvs.of_corner[k] as usize];
        assert_eq!([corner(0), corner(2), corner(6)], [[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]);
        assert_eq!((&mesh.materials[..], &mesh.material_of[..]), (&["blue".to_owned()][..], &[0; 4][..]));
    }
}

#[test]
fn strips_fans_lines_and_primitives_without_indices_are_read() {
    let of =
        |rest: &str| read(FORMAT, text(&format!(r#"{{"attributes":{{"POSITION":0}}{rest}}}"#), NODE)).meshes.remove(0);
    // The vertices 4 and 7 are 1 and 2 again.
    assert_eq!(faces(&of("")), [[0, 1, 2], [3, 1, 4]]);
    assert_eq!(faces(&of(r#","mode":5,"indices":6"#)), [[0, 1, 3], [1, 2, 3]]);
    assert_eq!(faces(&of(r#","mode":6,"indices":6"#)), [[1, 3, 0], [3, 2, 0]]);
    assert_eq!(of(r#","mode":1,"indices":6"#).lines, [[0, 1], [3, 2]]);
    assert_eq!(of(r#","mode":3,"indices":6"#).lines, [[0, 1], [1, 3], [3, 2]]);
    assert_eq!(of(r#","mode":2,"indices":6"#).lines, [[0, 1], [1, 3], [3, 2], [2, 0]]);
    let needle = read(FORMAT, text(r#"{"attributes":{"POSITION":0},"indices":7}"#, NODE));
    assert_eq!(needle.skipped.into_iter().collect::<Vec<_>>(), [("triangles with two equal corners", 1)]);
}

#[test]
fn materials_of_several_primitives_are_told_apart() {
    let two = r#"{"attributes":{"POSITION":0,"TEXCOORD_0":1},"indices":5,"material":0},{"attributes":{"POSITION":0},"indices":5}"#;
    let mesh = read(FORMAT, text(two, NODE)).meshes.remove(0);
    assert_eq!(
        (&mesh.materials[..], &mesh.material_of[..]),
        (&["red".to_owned(), String::new()][..], &[0, 0, 1, 1][..])
    );
    assert_eq!(mesh.positions.len(), 6, "both share their vertices");
    assert_eq!(mesh.uvs.unwrap().of_corner[6..], [0; 6]);
}

#[test]
fn each_node_with_a_mesh_is_an_object_placed_by_its_parents() {
    let nodes = r#"{"children":[1,2],"translation":[10,0,0],"scale":[2,2,2]},
        {"mesh":0,"name":"a","rotation":[0,0.7071067811865476,0,0.7071067811865476]},
        {"mesh":0,"matrix":[-1,0,0,0, 0,1,0,0, 0,0,1,0, 0,5,0,1]},{"mesh":0,"name":"not in the scene"}"#;
    let meshes = read(FORMAT, text(&primitive(2), nodes)).meshes;
    assert_eq!(meshes.iter().map(|mesh| mesh.name.as_str()).collect::<Vec<_>>(), ["a", "fold"]);
    // A quarter turn about glTF's y takes x to −z, which is y here.
    assert!((meshes[0].positions[1] - Vector3::new(10.0, 2.0, 0.0)).norm() < 1e-14, "{}", meshes[0].positions[1]);
    assert_eq!(meshes[1].positions[1], Vector3::new(8.0, 0.0, 10.0));
    assert_eq!(faces(&meshes[1])[0], [2, 1, 0], "a mirror keeps what is outside outside");
}

#[test]
fn bad_files_are_refused_with_their_place() {
    let good = text(&primitive(2), NODE);
    let said = |from: &str, to: &str| refusal(FORMAT, good.replacen(from, to, 1));
    assert!(said("\"2.0\"", "\"1.0\"").contains("glTF version \"1.0\" is not supported: export glTF 2.0"));
    assert_eq!(
        said("\"count\":8,\"type\":\"VEC3\"", "\"count\":4000000000,\"type\":\"VEC3\""),
        "accessor 0: expected 4000000000 tuples of 12 bytes, found a bufferView of 96 bytes"
    );
    assert_eq!(said("VEC3", "VEC4"), "accessor 0: expected VEC3, found \"VEC4\"");
    assert_eq!(said("5126", "5130"), "accessor 0: expected a componentType from 5120 to 5126, found 5130");
    assert_eq!(
        said("\"byteStride\":4", "\"byteStride\":0"),
        "accessor 1: expected a byteStride of 4 at least, found 0"
    );
    assert_eq!(
        said("\"byteLength\":96", "\"byteLength\":960"),
        "bufferView 0: expected a range within its buffer of 219 bytes, found 0..960"
    );
    assert_eq!(
        said("\"byteLength\":219", "\"byteLength\":220"),
        "buffer 0: its byteLength says 220, but there are 219"
    );
    assert_eq!(said("\"mesh\":0", "\"mesh\":7"), "node 0: expected a mesh that exists, found 7");
    assert_eq!(said("\"mesh\":0", "\"children\":[0]"), "node 0: expected one parent, found another, or itself");
    assert!(said("\"count\":8", "\"sparse\":{},\"count\":8").contains("a sparse accessor is not supported"));
    assert!(said("\"bufferView\":0,", "").contains("export without compression"));
    let few = said("\"count\":8", "\"count\":5");
    assert_eq!(few, "accessor 2: index 7 refers to node 5, which the file does not hold");
    let comma = said("\"scene\":0,", "\"scene\":0");
    assert!(comma.starts_with("line 1: expected the JSON of a glTF file, found expected `,`"), "{comma}");
    let required =
        good.replacen("\"scene\":0", "\"scene\":0,\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]", 1);
    assert!(
        refusal(FORMAT, required).contains("KHR_draco_mesh_compression is not supported: export without compression")
    );
    for uri in ["/etc/hostname", "http://there/a.bin", "missing.bin", "%zz", "."] {
        let outside = refusal(FORMAT, json(&format!("\"uri\":\"{uri}\","), &primitive(2), NODE));
        assert!(outside.starts_with(&format!("buffer 0: {uri:?}, which it refers to, cannot be read")), "{outside}");
    }
}

#[test]
fn a_small_file_cannot_repeat_a_mesh_without_end() {
    let many = vec![primitive(2); 20_000].join(",");
    let meshes = vec![NODE; 500].join(",");
    let scene = (0..500).map(|k| k.to_string()).collect::<Vec<_>>().join(",");
    let bomb = text(&many, &meshes).replacen("\"nodes\":[0]", &format!("\"nodes\":[{scene}]"), 1);
    let said = refusal(FORMAT, bomb);
    assert!(said.contains("vertices of meshes that nodes repeat are more than the"), "{said}");
}

#[test]
fn damage_is_survived_and_noticed() {
    survives_damage(FORMAT, text(&primitive(2), NODE).as_bytes(), 0);
    survives_damage(FORMAT, &glb(&primitive(2), NODE), 1);
}
