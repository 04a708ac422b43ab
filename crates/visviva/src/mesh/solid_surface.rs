//! The checks a surface passes before it stands for the solid inside it: each edge has two triangles, one each way.

use super::{FirstFew, MeshError, TriMesh, Warning};
use nalgebra::Vector3;
use visviva_shapes::lowest_of_parts;

/// Less volume than this × area × diameter is rounding: the surface folds back on itself.
const THIN: f64 = 1e-13;

/// A side of a triangle: its lower and its higher node, whether it runs upward, and the triangle.
type Side = ([u32; 2], bool, usize);

/// A connected part of a surface.
struct Part {
    /// Its first triangle
    triangle: usize,
    volume: f64,
    low: Vector3<f64>,
    high: Vector3<f64>,
}

impl TriMesh {
    /// Checks that the surface bounds a solid: [`TriMesh::validate`], closed, oriented, with a volume. One that is inside
    /// out is flipped, which the warnings say. Whether it crosses itself is not checked here.
    pub fn validate_solid(&mut self) -> Result<Vec<Warning>, MeshError> {
        self.validate()?;
        self.check_closed()?;
        let volume = self.enclosed_volume();
        if volume.abs() <= THIN * self.area() * self.diameter() || !volume.is_finite() {
            return Err(MeshError::NoVolume { volume });
        }
        let mut warnings = Vec::new();
        if volume < 0.0 {
            self.triangles.iter_mut().for_each(|t| t.swap(1, 2));
            warnings.push(Warning::SurfaceFlipped { triangles: self.triangles.len() });
        }
        self.check_parts()?;
        Ok(warnings)
    }

    /// A closed part of negative volume is a cavity, and lies within the box around another part.
    fn check_parts(&self) -> Result<(), MeshError> {
        let parts = self.parts();
        let inside =
            |inner: &Part, outer: &Part| (0..3).all(|k| outer.low[k] < inner.low[k] && inner.high[k] < outer.high[k]);
        let is_astray = |part: &&Part| part.volume < 0.0 && !parts.iter().any(|p| p.volume > 0.0 && inside(part, p));
        match parts.iter().find(is_astray) {
            Some(part) => Err(MeshError::PartInsideOut { triangle: part.triangle, volume: part.volume }),
            None => Ok(()),
        }
    }

    /// The connected parts, in the order of their first triangles.
    fn parts(&self) -> Vec<Part> {
        let lowest = lowest_of_parts(self.positions.len(), &self.triangles);
        let centre = self.centre();
        let mut part_of_root = vec![usize::MAX; self.positions.len()];
        let mut parts: Vec<Part> = Vec::new();
        for (t, nodes) in self.triangles.iter().enumerate() {
            let root = lowest[nodes[0] as usize];
            if part_of_root[root] == usize::MAX {
                part_of_root[root] = parts.len();
                let corner = self.corners(t)[0];
                parts.push(Part { triangle: t, volume: 0.0, low: corner, high: corner });
            }
            let part = &mut parts[part_of_root[root]];
            let corners = self.corners(t);
            (part.low, part.high) = corners.iter().fold((part.low, part.high), |(l, h), x| (l.inf(x), h.sup(x)));
            let [a, b, c] = corners.map(|x| x - centre);
            part.volume += a.dot(&b.cross(&c)) / 6.0;
        }
        parts
    }

    /// Each edge exactly twice, in opposite directions.
    fn check_closed(&self) -> Result<(), MeshError> {
        let mut sides: Vec<Side> = Vec::with_capacity(3 * self.triangles.len());
        for (t, &[a, b, c]) in self.triangles.iter().enumerate() {
            sides.extend([[a, b], [b, c], [c, a]].map(|[a, b]| ([a.min(b), a.max(b)], a < b, t)));
        }
        sides.sort_unstable();
        for run in sides.chunk_by(|a, b| a.0 == b.0) {
            let edge = run[0].0;
            match run {
                [(_, false, _), (_, true, _)] => {}
                [only] => return Err(MeshError::OpenEdge { edge, triangle: only.2 }),
                [a, b] => return Err(MeshError::InconsistentEdge { edge, triangles: [a.2, b.2] }),
                many => {
                    let mut triangles: Vec<usize> = many.iter().map(|side| side.2).collect();
                    triangles.sort_unstable();
                    return Err(MeshError::NonManifoldEdge { edge, triangles: FirstFew::of(triangles) });
                }
            }
        }
        Ok(())
    }

    /// The total area `[m²]`.
    pub fn area(&self) -> f64 {
        let area = |t: usize| {
            let [a, b, c] = self.corners(t);
            0.5 * (b - a).cross(&(c - a)).norm()
        };
        (0..self.triangles.len()).map(area).sum()
    }

    /// The diagonal of the bounding box `[m]`.
    fn diameter(&self) -> f64 {
        self.bounding_box().map_or(0.0, |[low, high]| (high - low).norm())
    }
}
