//! glTF 2.0, `.gltf` and `.glb`: an object for each node that shows a mesh, placed as its parents place it.
//!
//! The format: <https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html>. Its y axis points up and its v axis down; here z
//! and v point up, as in Blender: (x, y, z) becomes (x, −z, y) and (u, v) becomes (u, 1 − v). Vertices that glTF splits at
//! seams and creases are one again where they agree to the last bit. Morphs, skins and normals are passed over.

mod accessors;
mod container;
mod document;
mod nodes;

use super::welding::Welding;
use super::{Format, Objects, Place, ReadError, beginning, excerpt};
use crate::{PolygonMesh, Uvs};
use accessors::Accessors;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use document::{Document, Primitive};
use nalgebra::{Matrix3, Matrix4, Vector3};
use nodes::Shown;
use std::path::Path;

pub const FORMAT: Format = Format { name: "glTF", endings: &["glb", "gltf"], sniff, read };

/// Nodes may repeat a mesh. More vertices and indices for each byte than this are taken for a mistake.
const REPEATS: usize = 16;

fn sniff(data: &[u8]) -> bool {
    let json = beginning(data);
    let has_asset = || json.windows(7).any(|window| window == b"\"asset\"");
    container::is_glb(data) || (json.starts_with(b"{") && has_asset())
}

fn read(data: &[u8], path: &Path) -> Result<Objects, ReadError> {
    let (document, binary) = open(data)?;
    let mut buffers = Vec::new();
    buffers.resize_with(document.buffers.len(), || None);
    let accessors = Accessors { document: &document, binary, path, buffers, length: data.len() };
    let mut reader = Reader { accessors, read: 0, objects: Objects::default() };
    for shown in nodes::shown(&document)? {
        let mesh = reader.object(&shown)?;
        reader.objects.meshes.push(mesh);
    }
    Ok(reader.objects)
}

fn open(data: &[u8]) -> Result<(Document, Option<&[u8]>), ReadError> {
    let (json, binary) = if container::is_glb(data) { container::chunks(data)? } else { (beginning(data), None) };
    let document: Document = serde_json::from_slice(json).map_err(|error| ReadError::Syntax {
        place: Place::Line(error.line()),
        expected: "the JSON of a glTF file".into(),
        found: error.to_string(),
    })?;
    if !document.asset.version.starts_with("2.") {
        return Err(other_version(Place::Byte(0), &document.asset.version));
    }
    let compressed = ["KHR_draco_mesh_compression", "EXT_meshopt_compression"];
    if let Some(name) = document.extensions_required.iter().find(|name| compressed.contains(&name.as_str())) {
        let advice = "export without compression".into();
        return Err(ReadError::Unsupported { place: Place::Byte(0), what: name.clone(), advice });
    }
    Ok((document, binary))
}

fn other_version(place: Place, version: &str) -> ReadError {
    let what = format!("glTF version {:?}", excerpt(version.as_bytes()));
    ReadError::Unsupported { place, what, advice: "export glTF 2.0".into() }
}

/// The file with the files that it refers to inside, so that it needs nothing beside it; the same bytes where it refers to none.
pub fn self_contained(data: Vec<u8>, path: &Path) -> Result<Vec<u8>, ReadError> {
    if container::is_glb(&data) {
        return Ok(data);
    }
    let (document, _) = open(&data)?;
    let is_outside = |uri: &Option<String>| uri.as_ref().is_some_and(|uri| !uri.starts_with("data:"));
    if !document.buffers.iter().any(|buffer| is_outside(&buffer.uri)) {
        return Ok(data);
    }
    let Ok(mut json) = serde_json::from_slice::<serde_json::Value>(beginning(&data)) else { return Ok(data) };
    for (number, buffer) in document.buffers.iter().enumerate().filter(|(_, buffer)| is_outside(&buffer.uri)) {
        let bytes = container::buffer(number, buffer, None, path)?;
        json["buffers"][number]["uri"] =
            format!("data:application/octet-stream;base64,{}", STANDARD.encode(&bytes)).into();
    }
    Ok(json.to_string().into_bytes())
}

struct Reader<'a> {
    accessors: Accessors<'a>,
    /// How many vertices and indices so far
    read: usize,
    objects: Objects,
}

impl Reader<'_> {
    fn object(&mut self, shown: &Shown) -> Result<PolygonMesh, ReadError> {
        let document = self.accessors.document;
        let mesh = document.meshes.get(shown.mesh).ok_or_else(|| ReadError::Syntax {
            place: Place::Item("node", shown.node),
            expected: "a mesh that exists".into(),
            found: shown.mesh.to_string(),
        })?;
        let name = document.nodes[shown.node].name.clone().or_else(|| mesh.name.clone()).unwrap_or_default();
        let mut surface = Surface { mesh: PolygonMesh { name, ..PolygonMesh::default() }, ..Surface::default() };
        for primitive in &mesh.primitives {
            self.primitive(primitive, &mut surface)?;
        }
        surface.finish(&shown.transform, Place::Item("node", shown.node))
    }

    fn primitive(&mut self, primitive: &Primitive, surface: &mut Surface) -> Result<(), ReadError> {
        let Some(&position) = primitive.attributes.get("POSITION") else { return Ok(()) };
        let texture = primitive.attributes.get("TEXCOORD_0");
        let vertices: Vec<u32> = self
            .accessors
            .reals::<3>(position)?
            .into_iter()
            .map(|position| surface.welding.vertex(Vector3::from(position)))
            .collect();
        let uvs = texture.map(|&texture| self.accessors.reals::<2>(texture)).transpose()?;
        let indices = match primitive.indices {
            Some(accessor) => self.accessors.indices(accessor)?,
            None => (0..vertices.len() as u32).collect(),
        };
        self.read += vertices.len() + indices.len();
        let limit = (1 << 16) + REPEATS * self.accessors.length;
        if self.read > limit {
            let (what, count, limit) = ("vertices of meshes that nodes repeat", self.read as u128, limit as u128);
            return Err(ReadError::TooMany { what, count, limit });
        }
        if let Some(k) = indices.iter().position(|&index| index as usize >= vertices.len()) {
            let place = Place::Item("accessor", primitive.indices.unwrap_or(position));
            return Err(ReadError::UnknownNode { place, kind: "index", element: k as u64, node: indices[k].into() });
        }
        let material = self.material(primitive, surface);
        let vertex = |index: u32| vertices[index as usize];
        let first_uv = surface.texture.len() as u32;
        // The first value is that of corners without.
        let uv = |index: u32| {
            if uvs.as_ref().is_some_and(|uvs| (index as usize) < uvs.len()) { first_uv + index } else { 0 }
        };
        match primitive.mode.unwrap_or(4) {
            0 => self.objects.skip("points"),
            mode @ 1..=3 => surface.mesh.lines.extend(lines(mode, &indices).map(|line| line.map(vertex))),
            mode @ 4..=6 => {
                for triangle in triangles(mode, &indices) {
                    let [a, b, c] = triangle.map(vertex);
                    if a == b || b == c || c == a {
                        // Strips turn corners by triangles without extent.
                        if mode == 4 {
                            self.objects.skip("triangles with two equal corners");
                        }
                        continue;
                    }
                    surface.mesh.polygons.push(&[a, b, c]);
                    surface.mesh.material_of.push(material);
                    surface.texture_of.extend(triangle.map(uv));
                }
            }
            other => {
                let (place, expected) = (Place::Item("accessor", position), "a mode from 0 to 6".into());
                return Err(ReadError::Syntax { place, expected, found: other.to_string() });
            }
        }
        surface.texture.extend(uvs.into_iter().flatten().map(|[u, v]| [u, 1.0 - v]));
        Ok(())
    }

    /// The number of the primitive's material in the surface; one without has no name.
    fn material(&self, primitive: &Primitive, surface: &mut Surface) -> u32 {
        let own = primitive.material.and_then(|material| self.accessors.document.materials.get(material));
        let name =
            own.map(|own| own.name.clone().unwrap_or_else(|| format!("material {}", primitive.material.unwrap_or(0))));
        let (name, materials) = (name.unwrap_or_default(), &mut surface.mesh.materials);
        let known = materials.iter().position(|known| *known == name);
        known.unwrap_or_else(|| {
            materials.push(name);
            materials.len() - 1
        }) as u32
    }
}

/// A mesh that grows primitive by primitive, in the file's axes.
struct Surface {
    mesh: PolygonMesh,
    welding: Welding,
    texture: Vec<[f64; 2]>,
    /// Of each corner
    texture_of: Vec<u32>,
}

impl Default for Surface {
    fn default() -> Self {
        let (mesh, welding) = Default::default();
        Self { mesh, welding, texture: vec![[0.0; 2]], texture_of: Vec::new() }
    }
}

impl Surface {
    fn finish(self, transform: &Matrix4<f64>, place: Place) -> Result<PolygonMesh, ReadError> {
        let Self { mut mesh, welding, texture, texture_of: mut of_corner } = self;
        let z_up = Matrix3::new(1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0);
        let (linear, shift) = (z_up * transform.fixed_view::<3, 3>(0, 0), z_up * transform.fixed_view::<3, 1>(0, 3));
        mesh.positions = welding.positions.iter().map(|position| linear * position + shift).collect();
        if let Some(k) = mesh.positions.iter().position(|position| !position.iter().all(|c| c.is_finite())) {
            let found = format!("{:?} at vertex {k}", mesh.positions[k].as_slice());
            return Err(ReadError::Syntax { place, expected: "finite positions".into(), found });
        }
        if linear.determinant() < 0.0 {
            // A mirror turns faces inside out; the specification turns them back.
            for polygon in 0..mesh.polygons.len() {
                let range = mesh.polygons.range(polygon);
                mesh.polygons.corners[range.clone()].reverse();
                of_corner[range].reverse();
            }
        }
        if let Some(uv) = texture.iter().find(|uv| !uv.iter().all(|c| c.is_finite())) {
            let expected = "finite texture coordinates".into();
            return Err(ReadError::Syntax { place, expected, found: format!("{uv:?}") });
        }
        mesh.uvs = (texture.len() > 1).then_some(Uvs { values: texture, of_corner });
        if mesh.materials.iter().all(String::is_empty) {
            (mesh.materials, mesh.material_of) = (Vec::new(), Vec::new());
        }
        Ok(mesh)
    }
}

fn triangles(mode: u32, indices: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    let count = if mode == 4 { indices.len() / 3 } else { indices.len().saturating_sub(2) };
    (0..count).map(move |k| match mode {
        4 => [indices[3 * k], indices[3 * k + 1], indices[3 * k + 2]],
        5 => [indices[k], indices[k + 1 + k % 2], indices[k + 2 - k % 2]],
        _ => [indices[k + 1], indices[k + 2], indices[0]],
    })
}

fn lines(mode: u32, indices: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    let count = match mode {
        1 => indices.len() / 2,
        2 if indices.len() > 1 => indices.len(),
        _ => indices.len().saturating_sub(1),
    };
    (0..count).map(move |k| match mode {
        1 => [indices[2 * k], indices[2 * k + 1]],
        _ => [indices[k], indices[(k + 1) % indices.len()]],
    })
}
