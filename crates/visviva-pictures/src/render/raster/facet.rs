//! Triangles on the screen: clipped at the near plane, with their edges and their nearness as forms in x and y.
use crate::render::surface::Surface;
use crate::render::view::View;
use nalgebra::Vector3;
use rayon::prelude::*;

/// Stands for no facet, no surface, no triangle.
pub(super) const NOTHING: u32 = u32::MAX;

/// A triangle on the screen.
#[derive(Debug, Clone)]
pub(crate) struct Facet {
    /// Distance to each edge as a form in x, y and 1 `[px]`; inside it is positive.
    pub(super) edges: [[f64; 3]; 3],
    pub(super) nearness: [f64; 3],
    /// First and last pixel, x then y.
    pub(super) bounds: [u16; 4],
    pub surface: u32,
    /// `NOTHING` for a piece of a wire.
    pub triangle: u32,
    /// Edges of the triangle itself; clipping makes others.
    real: [bool; 3],
    /// The smallest height `[px]`.
    pub height: f32,
    /// Its back is seen.
    pub turned: bool,
    /// Hides what lies behind it without being drawn itself.
    pub mask: bool,
}

/// Appends the facets of a surface that can be seen.
pub(crate) fn facets(
    surface: &Surface,
    index: u32,
    mask: bool,
    view: &View,
    size: (usize, usize),
    out: &mut Vec<Facet>,
) {
    let triangles = surface.triangles.par_iter().enumerate().with_min_len(2048);
    out.par_extend(triangles.flat_map_iter(|(t, triangle)| {
        let corners = triangle.map(|v| surface.seen[v as usize]);
        let facet = |corners: [Vector3<f64>; 3], real: bool| {
            let facet = Facet::new(corners.map(|c| view.to_screen(&c)), size)?;
            Some(Facet { surface: index, triangle: t as u32, real: [real; 3], mask, ..facet })
        };
        let behind = corners.map(|c| c.z < view.near);
        let parts = match behind {
            [false, false, false] => [facet(corners, true), None],
            [true, true, true] => [None, None],
            _ => clipped(corners, behind, view.near).map(|part| part.and_then(|corners| facet(corners, false))),
        };
        parts.into_iter().flatten()
    }));
}

/// What of a triangle lies before the near plane: one or two triangles.
fn clipped(corners: [Vector3<f64>; 3], behind: [bool; 3], near: f64) -> [Option<[Vector3<f64>; 3]>; 2] {
    let mut kept: Vec<Vector3<f64>> = Vec::with_capacity(4);
    for k in 0..3 {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        if !behind[k] {
            kept.push(a);
        }
        if behind[k] != behind[(k + 1) % 3] {
            kept.push(a + (b - a) * ((near - a.z) / (b.z - a.z)));
        }
    }
    [2, 3].map(|k| Some([*kept.first()?, *kept.get(k - 1)?, *kept.get(k)?]))
}

impl Facet {
    pub fn new(corners: [[f64; 3]; 3], size: (usize, usize)) -> Option<Facet> {
        let [a, b, c] = corners;
        let twice_area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if twice_area.is_nan() || twice_area.abs() <= 1e-9 {
            return None;
        }
        let span = |k: usize, side: usize| {
            let low = a[k].min(b[k]).min(c[k]) - 0.5;
            let high = a[k].max(b[k]).max(c[k]) - 0.5;
            // Samples reach half a pixel beyond their pixel's centre.
            let (low, high) = ((low - 0.5).ceil().max(0.0), (high + 0.5).floor().min(side as f64 - 1.0));
            (low <= high).then_some((low as u16, high as u16))
        };
        let ((x0, x1), (y0, y1)) = (span(0, size.0)?, span(1, size.1)?);
        let sign = twice_area.signum();
        let (mut edges, mut nearness, mut height) = ([[0.0; 3]; 3], [0.0; 3], f64::INFINITY);
        for k in 0..3 {
            // Edge k faces corner k.
            let (p, q) = (corners[(k + 1) % 3], corners[(k + 2) % 3]);
            let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
            let length = dx.hypot(dy).max(1e-12);
            let (x, y) = (-dy * sign / length, dx * sign / length);
            edges[k] = [x, y, -x * p[0] - y * p[1]];
            let own_height = twice_area.abs() / length;
            height = height.min(own_height);
            (0..3).for_each(|j| nearness[j] += edges[k][j] / own_height * corners[k][2]);
        }
        Some(Facet {
            edges,
            nearness,
            bounds: [x0, x1, y0, y1],
            surface: 0,
            triangle: 0,
            real: [true; 3],
            height: height as f32,
            turned: sign > 0.0,
            mask: false,
        })
    }

    pub fn is_wire(&self) -> bool {
        self.triangle == NOTHING
    }

    /// Nearness at a place on the screen `[px]`.
    pub fn nearness(&self, x: f64, y: f64) -> f32 {
        (self.nearness[0] * x + self.nearness[1] * y + self.nearness[2]) as f32
    }

    /// Distance to the nearest edge of the mesh `[px]`.
    pub fn edge_distance(&self, x: f64, y: f64) -> f32 {
        let distance = |k: usize| self.edges[k][0] * x + self.edges[k][1] * y + self.edges[k][2];
        (0..3).filter(|&k| self.real[k]).map(distance).fold(f64::INFINITY, f64::min) as f32
    }
}
