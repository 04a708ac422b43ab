//! What a glTF file says and holds: JSON that places everything in one buffer, and that buffer.

use super::surface::{Part, Surface};
use crate::run::export::looks::{Materials, body_colours, palette_colour};
use crate::run::export::motion::Motion;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::ops::Range;

/// Meshes with their places in the buffer, which is written in the same order: times and weights, then for each body its indices,
/// texture coordinates, first frame, and how far every later frame is from that.
#[derive(Debug)]
pub struct Document<'a> {
    materials: Materials<'a>,
    meshes: Vec<Mesh>,
    /// Bodies that have a part without a material: each gets one in its colour
    plain: Vec<usize>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    mesh_values: Vec<Value>,
    /// Of the buffer
    pub length: u64,
}

#[derive(Debug)]
struct Mesh {
    body: usize,
    surface: Surface,
    /// Frames that need a morph target: all but the first, none where nothing moves
    targets: Range<usize>,
}

// Component types and targets of buffer views, as glTF counts them
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;
const TIMES: usize = 0;
const WEIGHTS: usize = 1;

impl<'a> Document<'a> {
    pub fn of(motion: &'a Motion) -> io::Result<Self> {
        let mut document = Self {
            materials: Materials::of(&motion.bodies),
            meshes: Vec::new(),
            plain: Vec::new(),
            views: Vec::new(),
            accessors: Vec::new(),
            mesh_values: Vec::new(),
            length: 0,
        };
        document.add_timeline(motion);
        for (body, shown) in motion.bodies.iter().enumerate() {
            let surface = Surface::of(body, shown, &motion.positions(body, 0)?, &document.materials);
            if surface.parts.is_empty() {
                continue;
            }
            if surface.parts.iter().any(|part| part.material.is_none()) {
                document.plain.push(body);
            }
            let targets = 1..if motion.moves(body)? { motion.frame_count() } else { 1 };
            document.add_mesh(motion, Mesh { body, surface, targets })?;
        }
        Ok(document)
    }

    fn add_view(&mut self, bytes: usize, more: Value) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": self.length, "byteLength": bytes });
        merge(&mut view, more);
        self.length += bytes as u64;
        self.views.push(view);
        self.views.len() - 1
    }

    fn add_accessor(&mut self, view: usize, component: u32, kind: &str, count: usize, more: Value) -> usize {
        let mut accessor = json!({ "bufferView": view, "componentType": component, "type": kind, "count": count });
        merge(&mut accessor, more);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Times, and for each of them the weights of all morph targets; none where there is one frame.
    fn add_timeline(&mut self, motion: &Motion) {
        let times = motion.times();
        let weights = times.len() * (times.len() - 1);
        if weights == 0 {
            return;
        }
        let view = self.add_view(4 * times.len(), json!({}));
        let ends = json!({ "min": [times[0] as f32], "max": [times[times.len() - 1] as f32] });
        self.add_accessor(view, FLOAT, "SCALAR", times.len(), ends);
        let view = self.add_view(4 * weights, json!({}));
        self.add_accessor(view, FLOAT, "SCALAR", weights, json!({}));
    }

    fn add_mesh(&mut self, motion: &Motion, mesh: Mesh) -> io::Result<()> {
        let Mesh { body, surface, targets } = &mesh;
        let count = surface.point_of.len();
        let mut indices = Vec::new();
        for part in &surface.parts {
            let view = self.add_view(4 * part.indices.len(), json!({ "target": INDICES }));
            indices.push(self.add_accessor(view, UNSIGNED_INT, "SCALAR", part.indices.len(), json!({})));
        }
        let mut attributes = json!({});
        if !surface.uvs.is_empty() {
            let view = self.add_view(8 * count, json!({ "target": VERTICES }));
            attributes["TEXCOORD_0"] = self.add_accessor(view, FLOAT, "VEC2", count, json!({})).into();
        }
        let frames = 1 + targets.len();
        let view = self.add_view(12 * count * frames, json!({ "target": VERTICES, "byteStride": 12 }));
        let first = mesh.positions(motion, 0)?;
        attributes["POSITION"] = self.add_accessor(view, FLOAT, "VEC3", count, bounds(&first, 0)).into();
        let mut moved = Vec::new();
        for frame in targets.clone() {
            let way = ways(&first, &mesh.positions(motion, frame)?);
            let accessor = self.add_accessor(view, FLOAT, "VEC3", count, bounds(&way, 12 * count * frame));
            moved.push(json!({ "POSITION": accessor }));
        }
        let primitive = |(part, indices): (&Part, usize)| {
            let material = part.material.unwrap_or(self.materials.names.len() + self.plain.len() - 1);
            let mut value =
                json!({ "attributes": attributes, "indices": indices, "mode": part.mode as u32, "material": material });
            if !moved.is_empty() {
                value["targets"] = moved.clone().into();
            }
            value
        };
        let primitives: Vec<Value> = surface.parts.iter().zip(indices).map(primitive).collect();
        let mut value = json!({ "name": motion.bodies[*body].name, "primitives": primitives });
        if !moved.is_empty() {
            let codes = motion.time_codes();
            let names: Vec<String> = targets.clone().map(|frame| format!("frame {}", codes[frame])).collect();
            merge(&mut value, json!({ "weights": vec![0; moved.len()], "extras": { "targetNames": names } }));
        }
        self.mesh_values.push(value);
        self.meshes.push(mesh);
        Ok(())
    }

    pub fn json(&self, motion: &Motion) -> Value {
        let node = |(at, mesh): (usize, &Mesh)| json!({ "name": motion.bodies[mesh.body].name, "mesh": at });
        let nodes: Vec<Value> = self.meshes.iter().enumerate().map(node).collect();
        let mut value = json!({
            "asset": { "version": "2.0", "generator": "visviva" },
            "scene": 0,
            "scenes": [{ "nodes": (0..nodes.len()).collect::<Vec<_>>() }],
            "nodes": nodes,
            "meshes": self.mesh_values,
            "materials": self.material_values(motion),
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{ "byteLength": self.length }],
        });
        let moving = self.meshes.iter().enumerate().filter(|(_, mesh)| !mesh.targets.is_empty());
        let channel = |(node, _)| json!({ "sampler": 0, "target": { "node": node, "path": "weights" } });
        let channels: Vec<Value> = moving.map(channel).collect();
        if !channels.is_empty() {
            let sampler = json!({ "input": TIMES, "output": WEIGHTS, "interpolation": "LINEAR" });
            value["animations"] = json!([{ "name": "motion", "samplers": [sampler], "channels": channels }]);
        }
        value
    }

    /// Those that files named, then those of bodies that have none.
    fn material_values(&self, motion: &Motion) -> Vec<Value> {
        let value = |name: &str, [r, g, b]: [f64; 3], thin: bool| {
            let look = json!({ "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.5 });
            json!({ "name": name, "pbrMetallicRoughness": look, "doubleSided": thin })
        };
        let thin = |name: &str| {
            let mut shells = motion.bodies.iter().filter(|body| body.kind == "shell");
            shells.any(|body| body.materials.iter().any(|own| own == name))
        };
        let named = self.materials.names.iter().enumerate().map(|(k, name)| value(name, palette_colour(k), thin(name)));
        let colours = body_colours(&motion.bodies);
        let own = |&index: &usize| {
            let body = &motion.bodies[index];
            value(&body.name, colours[index], body.kind == "shell")
        };
        named.chain(self.plain.iter().map(own)).collect()
    }

    pub fn write_buffer(&self, out: &mut impl Write, motion: &Motion) -> io::Result<()> {
        let times = motion.times();
        if times.len() > 1 {
            floats(out, times.iter().map(|&t| t as f32))?;
            let weights = |frame| (1..times.len()).map(move |target| f32::from(u8::from(frame == target)));
            floats(out, (0..times.len()).flat_map(weights))?;
        }
        for mesh in &self.meshes {
            words(out, mesh.surface.parts.iter().flat_map(|part| part.indices.iter().copied()))?;
            floats(out, mesh.surface.uvs.as_flattened().iter().copied())?;
            let first = mesh.positions(motion, 0)?;
            floats(out, first.as_flattened().iter().copied())?;
            for frame in mesh.targets.clone() {
                let way = ways(&first, &mesh.positions(motion, frame)?);
                floats(out, way.as_flattened().iter().copied())?;
            }
        }
        Ok(())
    }
}

impl Mesh {
    /// Of all vertices, with y up.
    fn positions(&self, motion: &Motion, frame: usize) -> io::Result<Vec<[f32; 3]>> {
        let points = motion.positions(self.body, frame)?;
        let turned = |[x, y, z]: [f64; 3]| [x as f32, z as f32, -y as f32];
        Ok(self.surface.point_of.iter().map(|&point| turned(points[point as usize])).collect())
    }
}

/// From the first frame.
fn ways(first: &[[f32; 3]], then: &[[f32; 3]]) -> Vec<[f32; 3]> {
    first.iter().zip(then).map(|(from, to)| std::array::from_fn(|axis| to[axis] - from[axis])).collect()
}

/// Where in its view, and the least and the greatest of each coordinate.
fn bounds(points: &[[f32; 3]], offset: usize) -> Value {
    let reach = |pick: fn(f32, f32) -> f32| -> [f32; 3] {
        std::array::from_fn(|axis| points.iter().map(|point| point[axis]).reduce(pick).unwrap_or(0.0))
    };
    json!({ "byteOffset": offset, "min": reach(f32::min), "max": reach(f32::max) })
}

fn merge(value: &mut Value, more: Value) {
    if let (Value::Object(fields), Value::Object(more)) = (value, more) {
        fields.extend(more);
    }
}

pub fn words(out: &mut impl Write, values: impl IntoIterator<Item = u32>) -> io::Result<()> {
    values.into_iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}

fn floats(out: &mut impl Write, values: impl IntoIterator<Item = f32>) -> io::Result<()> {
    words(out, values.into_iter().map(f32::to_bits))
}
