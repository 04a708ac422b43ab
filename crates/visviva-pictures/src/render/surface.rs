//! A body made ready for drawing: checked, in single precision about the view's origin, with normals at its corners.
use super::view::View;
use super::{Body, Paint, RenderError};
use crate::colour::field_colour;
use nalgebra::Vector3;

pub(super) type V3 = Vector3<f32>;

/// The buffers are kept from frame to frame.
#[derive(Debug, Default)]
pub(super) struct Surface {
    /// From the view's origin `[m]`.
    pub positions: Vec<V3>,
    /// In the eye's axes `[m]`.
    pub seen: Vec<Vector3<f64>>,
    pub triangles: Vec<[u32; 3]>,
    pub wires: Vec<[u32; 2]>,
    /// One for each corner of each triangle.
    pub normals: Vec<[V3; 3]>,
    /// Place on the ramp, one a vertex; empty for a plain body.
    pub field: Vec<f32>,
    pub colour: [u8; 3],
    pub mesh_edges: bool,
    face_normals: Vec<V3>,
    /// The triangles around vertex v are `around[starts[v]..starts[v + 1]]`.
    starts: Vec<u32>,
    around: Vec<u32>,
}

impl Surface {
    /// `index` names the body in errors.
    pub fn prepare(&mut self, body: &Body, index: usize, view: &View) -> Result<(), RenderError> {
        check(body, index)?;
        self.positions.clear();
        self.positions.extend(body.positions.iter().map(|p| (p - view.origin).cast::<f32>()));
        self.seen.clear();
        self.seen.extend(body.positions.iter().map(|p| view.to_view(p)));
        self.triangles.clear();
        self.triangles.extend_from_slice(body.triangles);
        self.wires.clear();
        self.wires.extend_from_slice(body.wires);
        self.mesh_edges = body.style.mesh_edges;
        self.field.clear();
        match body.paint {
            Paint::Plain(colour) => self.colour = colour.rgb(),
            Paint::Field { values, range: (low, high) } => {
                let span = high - low;
                // A field without a span is drawn in the middle colour.
                let place = |v: f64| if span > 0.0 { (v - low) / span } else { v * 0.0 + 0.5 };
                self.field.extend(values.iter().map(|&v| place(v) as f32));
            }
        }
        self.set_normals(body.style.crease_angle);
        Ok(())
    }

    /// Each corner averages the faces around its vertex that bend less than the crease angle, by their areas.
    fn set_normals(&mut self, crease_angle: f64) {
        let x = &self.positions;
        let corners = |t: &[u32; 3]| t.map(|i| x[i as usize]);
        self.face_normals.clear();
        self.face_normals.extend(self.triangles.iter().map(corners).map(|[a, b, c]| (b - a).cross(&(c - a))));
        self.normals.clear();
        let unit = |n: &V3| n.try_normalize(1e-30).unwrap_or_else(V3::zeros);
        if crease_angle <= 0.0 {
            self.normals.extend(self.face_normals.iter().map(|n| [unit(n); 3]));
            return;
        }
        self.starts.clear();
        self.starts.resize(x.len() + 1, 0);
        self.triangles.as_flattened().iter().for_each(|&v| self.starts[v as usize + 1] += 1);
        (0..x.len()).for_each(|v| self.starts[v + 1] += self.starts[v]);
        self.around.clear();
        self.around.resize(3 * self.triangles.len(), 0);
        // Filling moves each start to the next one's place; the shift back follows.
        for (t, triangle) in self.triangles.iter().enumerate() {
            for &v in triangle {
                self.around[self.starts[v as usize] as usize] = t as u32;
                self.starts[v as usize] += 1;
            }
        }
        self.starts.rotate_right(1);
        self.starts[0] = 0;
        let least_cosine = crease_angle.cos() as f32;
        for (t, triangle) in self.triangles.iter().enumerate() {
            let own = unit(&self.face_normals[t]);
            self.normals.push(triangle.map(|v| {
                let around = self.starts[v as usize] as usize..self.starts[v as usize + 1] as usize;
                let faces = self.around[around].iter().map(|&t| self.face_normals[t as usize]);
                let sum = faces.filter(|n| own.dot(n) >= least_cosine * n.norm()).fold(V3::zeros(), |sum, n| sum + n);
                sum.try_normalize(1e-30).unwrap_or(own)
            }));
        }
    }

    /// Weights of the corners at a place in or near a triangle's plane.
    pub fn weights(&self, triangle: usize, place: &V3) -> [f32; 3] {
        let [a, b, c] = self.triangles[triangle].map(|v| self.positions[v as usize]);
        let (e, f, d) = (b - a, c - a, place - a);
        let (ee, ef, ff, de, df) = (e.dot(&e), e.dot(&f), f.dot(&f), d.dot(&e), d.dot(&f));
        let area = ee * ff - ef * ef;
        if area <= 0.0 {
            return [1.0, 0.0, 0.0];
        }
        let v = ((ff * de - ef * df) / area).clamp(0.0, 1.0);
        let w = ((ee * df - ef * de) / area).clamp(0.0, 1.0 - v);
        [1.0 - v - w, v, w]
    }

    pub fn normal(&self, triangle: usize, weights: [f32; 3]) -> V3 {
        let n = &self.normals[triangle];
        (n[0] * weights[0] + n[1] * weights[1] + n[2] * weights[2]).try_normalize(1e-20).unwrap_or(n[0])
    }

    pub fn colour(&self, triangle: usize, weights: [f32; 3], ramp: &Ramp) -> [u8; 3] {
        if self.field.is_empty() {
            return self.colour;
        }
        let t = self.triangles[triangle].map(|v| self.field[v as usize]);
        ramp.colour(t[0] * weights[0] + t[1] * weights[1] + t[2] * weights[2])
    }
}

/// The ramp at 1024 places: its own formula takes cube roots and powers.
#[derive(Debug)]
pub(super) struct Ramp([[u8; 3]; 1025]);

impl Ramp {
    pub fn new() -> Self {
        Ramp(std::array::from_fn(|k| field_colour(if k == 1024 { f64::NAN } else { k as f64 / 1023.0 }).rgb()))
    }

    fn colour(&self, t: f32) -> [u8; 3] {
        self.0[if t.is_nan() { 1024 } else { (t.clamp(0.0, 1.0) * 1023.0).round() as usize }]
    }
}

fn check(body: &Body, index: usize) -> Result<(), RenderError> {
    let vertices = body.positions.len();
    if let Some(vertex) = body.positions.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        return Err(RenderError::NotFinite { body: index, vertex });
    }
    for (triangle, corners) in body.triangles.iter().enumerate() {
        if let Some(&corner) = corners.iter().find(|&&v| v as usize >= vertices) {
            return Err(RenderError::Index { body: index, triangle, index: corner, vertices });
        }
    }
    for (wire, ends) in body.wires.iter().enumerate() {
        if let Some(&end) = ends.iter().find(|&&v| v as usize >= vertices) {
            return Err(RenderError::WireIndex { body: index, wire, index: end, vertices });
        }
    }
    match body.paint {
        Paint::Field { values, .. } if values.len() != vertices => {
            Err(RenderError::FieldLength { body: index, vertices, values: values.len() })
        }
        _ => Ok(()),
    }
}
