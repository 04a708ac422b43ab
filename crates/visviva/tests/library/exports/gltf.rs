//! glTF: chunks, accessors and the animation, read as the specification says. The script test-exports asks other readers.

use super::{BOX, FRAMES, QUADS, RATE, box_in, exported, uv};
use serde_json::Value;
use std::collections::BTreeSet;

struct Glb {
    json: Value,
    buffer: Vec<u8>,
}

impl Glb {
    fn exported() -> Self {
        let [(name, bytes)] = &exported("gltf")[..] else { panic!("one file") };
        assert_eq!(name, "motion.glb");
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&bytes[..4], word(4), word(8)), (&b"glTF"[..], 2, bytes.len()));
        let json_end = 20 + word(12);
        assert_eq!((&bytes[16..20], json_end % 4), (&b"JSON"[..], 0));
        assert_eq!((word(json_end), &bytes[json_end + 4..json_end + 8]), (bytes.len() - json_end - 8, &b"BIN\0"[..]));
        let json: Value = serde_json::from_slice(&bytes[20..json_end]).unwrap();
        assert_eq!(json["buffers"][0]["byteLength"], bytes.len() - json_end - 8);
        Self { json, buffer: bytes[json_end + 8..].to_vec() }
    }

    /// The words of an accessor, and how many belong together.
    fn words(&self, accessor: &Value) -> Vec<[u8; 4]> {
        let accessor = &self.json["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC2" => 2,
            _ => 3,
        };
        let (within, length) = (number(&accessor["byteOffset"]), 4 * width * number(&accessor["count"]));
        assert!(within + length <= number(&view["byteLength"]), "{accessor} in {view}");
        let start = number(&view["byteOffset"]) + within;
        self.buffer[start..start + length].as_chunks().0.to_vec()
    }

    fn floats(&self, accessor: &Value) -> Vec<f32> {
        self.words(accessor).into_iter().map(f32::from_le_bytes).collect()
    }

    fn points(&self, accessor: &Value) -> Vec<[f32; 3]> {
        self.floats(accessor).as_chunks().0.to_vec()
    }
}

fn y_up([x, y, z]: [f64; 3]) -> [f32; 3] {
    [x as f32, z as f32, -y as f32]
}

#[test]
fn triangles_have_the_points_uvs_and_materials_of_the_polygons() {
    let glb = Glb::exported();
    let mesh = &glb.json["meshes"][0];
    assert_eq!((&mesh["name"], &glb.json["nodes"][0]["name"]), (&"my box".into(), &"my box".into()));
    let mut found = BTreeSet::new();
    for primitive in mesh["primitives"].as_array().unwrap() {
        let points = glb.points(&primitive["attributes"]["POSITION"]);
        let uvs = glb.floats(&primitive["attributes"]["TEXCOORD_0"]);
        let name = &glb.json["materials"][primitive["material"].as_u64().unwrap() as usize]["name"];
        let indices: Vec<usize> =
            glb.words(&primitive["indices"]).into_iter().map(|word| u32::from_le_bytes(word) as usize).collect();
        for triangle in indices.chunks(3) {
            let is = |quad: usize, corner: usize, vertex: usize| {
                let [u, v] = uv(quad, corner);
                let same_uv = uvs[2 * vertex..2 * vertex + 2] == [u as f32, (1.0 - v) as f32];
                same_uv && points[vertex] == y_up(BOX[QUADS[quad][corner] as usize])
            };
            let corner_of = |quad: usize, vertex: usize| (0..4).find(|&corner| is(quad, corner, vertex));
            let whole = |quad: usize| triangle.iter().map(|&v| corner_of(quad, v)).collect::<Option<Vec<usize>>>();
            let (quad, corners) = (0..6).find_map(|quad| Some((quad, whole(quad)?))).expect("it is part of a quad");
            assert!(corners.is_sorted(), "it keeps its side: {corners:?}");
            assert_eq!(name, if [0, 1, 3].contains(&quad) { "Red paint" } else { "Côté" });
            found.insert((quad, corners));
        }
    }
    assert_eq!(found.len(), 12, "{found:?}");
}

#[test]
fn every_frame_is_a_morph_target_and_the_animation_goes_from_one_to_the_next() {
    let glb = Glb::exported();
    let primitive = &glb.json["meshes"][0]["primitives"][0];
    let first = glb.points(&primitive["attributes"]["POSITION"]);
    let targets = primitive["targets"].as_array().unwrap();
    assert_eq!(targets.len(), FRAMES - 1);
    for frame in 1..FRAMES {
        let ways = glb.points(&targets[frame - 1]["POSITION"]);
        // The first vertices are the user's, in their order; copies at seams follow.
        for (vertex, point) in box_in(frame).into_iter().enumerate() {
            let there: [f32; 3] = std::array::from_fn(|axis| first[vertex][axis] + ways[vertex][axis]);
            assert_eq!(there, y_up(point), "vertex {vertex} in frame {frame}");
        }
        let bounds = &glb.json["accessors"][targets[frame - 1]["POSITION"].as_u64().unwrap() as usize];
        let highest = ways.iter().map(|way| way[1]).reduce(f32::max).unwrap();
        assert_eq!(bounds["max"][1].as_f64(), Some(f64::from(highest)));
    }
    let animation = &glb.json["animations"][0];
    let moving: Vec<&Value> =
        animation["channels"].as_array().unwrap().iter().map(|channel| &channel["target"]["node"]).collect();
    assert_eq!(moving, [0, 1], "the floor stands still");
    assert!(glb.json["meshes"][2]["primitives"][0]["targets"].is_null());
    let sampler = &animation["samplers"][0];
    assert_eq!(glb.floats(&sampler["input"]), (0..FRAMES).map(|k| (k as f64 / RATE) as f32).collect::<Vec<_>>());
    let weights = glb.floats(&sampler["output"]);
    let rows: Vec<&[f32]> = weights.chunks(FRAMES - 1).collect();
    assert_eq!(rows, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
}

#[test]
fn bodies_without_materials_have_one_of_their_own_and_wires_are_lines() {
    let glb = Glb::exported();
    let names: Vec<&str> =
        glb.json["materials"].as_array().unwrap().iter().map(|material| material["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Red paint", "Côté", "sheet", "floor"]);
    assert_eq!(glb.json["materials"][2]["doubleSided"], true);
    let modes: Vec<&Value> =
        glb.json["meshes"][2]["primitives"].as_array().unwrap().iter().map(|primitive| &primitive["mode"]).collect();
    assert_eq!(modes, [4, 1]);
}
