//! A body's surface as glTF wants it: triangles by material, and one texture coordinate a vertex.

use crate::run::ShownBody;
use crate::run::export::looks::Materials;
use std::collections::HashMap;
use visviva_shapes::{PolygonMesh, Polygons};

/// Vertices split where a seam of the texture runs.
#[derive(Debug)]
pub struct Surface {
    /// Which of the body's points each vertex is; the first are all of them, in their order
    pub point_of: Vec<u32>,
    /// Of each vertex, v downwards; empty where the surface has none
    pub uvs: Vec<[f32; 2]>,
    pub parts: Vec<Part>,
}

/// What is drawn in one go.
#[derive(Debug)]
pub struct Part {
    /// Of all materials; none where the body has none of its own
    pub material: Option<usize>,
    pub mode: Mode,
    /// Vertices of one triangle or line after the other
    pub indices: Vec<u32>,
}

/// As glTF counts them
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Lines = 1,
    Triangles = 4,
}

impl Surface {
    /// With its points in the first frame `[m]`: they say how a polygon is cut.
    pub fn of(index: usize, body: &ShownBody, points: &[[f64; 3]], materials: &Materials<'_>) -> Self {
        let mut split = Split::new(body);
        let corners = (0..body.polygons.corners.len()).map(|corner| split.vertex(body, corner)).collect();
        let polygons = Polygons { corners, ends: body.polygons.ends.clone() };
        let positions = split.point_of.iter().map(|&point| points[point as usize].into()).collect();
        let cut = PolygonMesh { positions, polygons, ..PolygonMesh::default() }.triangulate();
        let triangles = |wanted: &dyn Fn(usize) -> bool| {
            let all = cut.triangles.iter().zip(&cut.polygon_of).filter(|(_, polygon)| wanted(**polygon as usize));
            all.flat_map(|(triangle, _)| *triangle).collect::<Vec<u32>>()
        };
        let by_material = materials.parts(index).into_iter().map(|(material, polygons)| {
            let indices = triangles(&|polygon| polygons.binary_search(&polygon).is_ok());
            Part { material: Some(material), mode: Mode::Triangles, indices }
        });
        let mut parts: Vec<Part> = by_material.collect();
        if parts.is_empty() {
            let indices = triangles(&|_| true);
            parts.push(Part { material: None, mode: Mode::Triangles, indices });
        }
        parts.push(Part { material: None, mode: Mode::Lines, indices: body.wires.as_flattened().to_vec() });
        parts.retain(|part| !part.indices.is_empty());
        Self { point_of: split.point_of, uvs: split.uvs, parts }
    }
}

/// A vertex for each texture coordinate that a point has.
struct Split {
    point_of: Vec<u32>,
    uvs: Vec<[f32; 2]>,
    /// By point and the bits of its texture coordinate
    known: HashMap<(u32, [u32; 2]), u32>,
    seen: Vec<bool>,
}

impl Split {
    fn new(body: &ShownBody) -> Self {
        let count = body.rides.len();
        let uvs = if body.uvs.is_some() { vec![[0.0; 2]; count] } else { Vec::new() };
        Self { point_of: (0..count as u32).collect(), uvs, known: HashMap::new(), seen: vec![false; count] }
    }

    fn vertex(&mut self, body: &ShownBody, corner: usize) -> u32 {
        let point = body.polygons.corners[corner];
        let Some(uvs) = &body.uvs else { return point };
        let [u, v] = uvs.values[uvs.of_corner[corner] as usize];
        let uv = [u as f32, (1.0 - v) as f32];
        let first = !std::mem::replace(&mut self.seen[point as usize], true);
        *self.known.entry((point, uv.map(f32::to_bits))).or_insert_with(|| {
            if first {
                self.uvs[point as usize] = uv;
                return point;
            }
            self.point_of.push(point);
            self.uvs.push(uv);
            self.point_of.len() as u32 - 1
        })
    }
}
