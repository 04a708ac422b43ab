//! Triangles to samples: clipped at the near plane, sorted into tiles, eight samples a pixel decided by depth.
use super::camera::View;
use super::surface::Surface;
use nalgebra::Vector3;
use rayon::prelude::*;

pub(super) const TILE: usize = 16;
pub(super) const SAMPLES: usize = 8;
pub(super) const NOTHING: u32 = u32::MAX;

/// Where the samples lie about a pixel's centre [px]: eight rooks that do not see one another.
pub(super) const OFFSETS: [[f32; 2]; SAMPLES] = [
    [0.0625, -0.1875],
    [-0.0625, 0.1875],
    [0.3125, 0.0625],
    [-0.1875, -0.3125],
    [-0.3125, 0.3125],
    [-0.4375, -0.0625],
    [0.1875, 0.4375],
    [0.4375, -0.4375],
];
/// No sample lies farther from the centre along any direction [px].
const REACH: f32 = 0.62;
/// Both neighbours of an edge take the samples on it, and depth decides: no cracks [px].
const SLACK: f32 = 1e-3;

/// A triangle on the screen.
#[derive(Debug, Clone)]
pub(super) struct Facet {
    /// Distance to each edge as a form in x, y and 1 [px]; inside it is positive.
    edges: [[f64; 3]; 3],
    nearness: [f64; 3],
    /// First and last pixel, x then y.
    bounds: [u16; 4],
    pub surface: u32,
    /// `NOTHING` for a piece of a wire.
    pub triangle: u32,
    /// Edges of the triangle itself; clipping makes others.
    real: [bool; 3],
    /// The smallest height [px].
    pub height: f32,
    /// Its back is seen.
    pub turned: bool,
    /// Hides what lies behind it without being drawn itself.
    pub mask: bool,
}

/// Appends the facets of a surface that can be seen.
pub(super) fn facets(
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

    /// Nearness at a place on the screen [px].
    pub fn nearness(&self, x: f64, y: f64) -> f32 {
        (self.nearness[0] * x + self.nearness[1] * y + self.nearness[2]) as f32
    }

    /// Distance to the nearest edge of the mesh [px].
    pub fn edge_distance(&self, x: f64, y: f64) -> f32 {
        let distance = |k: usize| self.edges[k][0] * x + self.edges[k][1] * y + self.edges[k][2];
        (0..3).filter(|&k| self.real[k]).map(distance).fold(f64::INFINITY, f64::min) as f32
    }
}

/// The facets that may touch each tile, in their order.
#[derive(Debug, Default)]
pub(super) struct Bins {
    starts: Vec<u32>,
    facets: Vec<u32>,
    columns: usize,
}

impl Bins {
    pub fn fill(&mut self, facets: &[Facet], size: (usize, usize)) {
        self.columns = size.0.div_ceil(TILE);
        let tiles = self.columns * size.1.div_ceil(TILE);
        let columns = self.columns;
        let touched = |facet: &Facet| {
            let [x0, x1, y0, y1] = facet.bounds.map(|b| b as usize / TILE);
            (y0..=y1).flat_map(move |y| (x0..=x1).map(move |x| y * columns + x))
        };
        self.starts.clear();
        self.starts.resize(tiles + 1, 0);
        facets.iter().flat_map(touched).for_each(|tile| self.starts[tile + 1] += 1);
        (0..tiles).for_each(|tile| self.starts[tile + 1] += self.starts[tile]);
        self.facets.clear();
        self.facets.resize(self.starts[tiles] as usize, 0);
        for (k, facet) in facets.iter().enumerate() {
            for tile in touched(facet) {
                self.facets[self.starts[tile] as usize] = k as u32;
                self.starts[tile] += 1;
            }
        }
        self.starts.rotate_right(1);
        self.starts[0] = 0;
    }

    pub fn tile(&self, column: usize, row: usize) -> &[u32] {
        let tile = row * self.columns + column;
        &self.facets[self.starts[tile] as usize..self.starts[tile + 1] as usize]
    }
}

/// Samples of one tile: small enough to stay in the nearest cache.
#[derive(Debug, Clone)]
pub(super) struct Samples {
    pub nearness: [[f32; SAMPLES]; TILE * TILE],
    pub facet: [[u32; SAMPLES]; TILE * TILE],
}

impl Samples {
    /// Nothing is seen yet but the plane of a ground, or nothing at all.
    pub fn cleared(corner: (usize, usize), ground: Option<[f64; 3]>, farthest: f32) -> Self {
        let mut samples =
            Samples { nearness: [[farthest; SAMPLES]; TILE * TILE], facet: [[NOTHING; SAMPLES]; TILE * TILE] };
        if let Some(plane) = ground {
            for (pixel, nearness) in samples.nearness.iter_mut().enumerate() {
                let (x, y) = (corner.0 + pixel % TILE, corner.1 + pixel / TILE);
                for (value, offset) in nearness.iter_mut().zip(OFFSETS) {
                    let (x, y) = (x as f64 + 0.5 + offset[0] as f64, y as f64 + 0.5 + offset[1] as f64);
                    *value = farthest.max((plane[0] * x + plane[1] * y + plane[2]) as f32);
                }
            }
        }
        samples
    }

    pub fn draw(&mut self, facet: &Facet, index: u32, corner: (usize, usize)) {
        let [x0, x1, y0, y1] = facet.bounds.map(|b| b as usize);
        let (x0, x1) = (x0.max(corner.0), x1.min(corner.0 + TILE - 1));
        let (y0, y1) = (y0.max(corner.1), y1.min(corner.1 + TILE - 1));
        // Forms about the tile's first pixel: single precision is enough from here on.
        let local = |form: &[f64; 3]| {
            let constant = form[0] * (corner.0 as f64 + 0.5) + form[1] * (corner.1 as f64 + 0.5) + form[2];
            [form[0] as f32, form[1] as f32, constant as f32]
        };
        let edges = [local(&facet.edges[0]), local(&facet.edges[1]), local(&facet.edges[2])];
        let depth = local(&facet.nearness);
        let at_sample = |form: &[f32; 3]| OFFSETS.map(|o| form[0] * o[0] + form[1] * o[1]);
        let edge_steps = [at_sample(&edges[0]), at_sample(&edges[1]), at_sample(&edges[2])];
        let depth_steps = at_sample(&depth);
        for y in y0..=y1 {
            let row = (y - corner.1) as f32;
            for x in x0..=x1 {
                let column = (x - corner.0) as f32;
                let value = |form: &[f32; 3]| form[0] * column + form[1] * row + form[2];
                let centre = [value(&edges[0]), value(&edges[1]), value(&edges[2])];
                if centre[0] < -REACH || centre[1] < -REACH || centre[2] < -REACH {
                    continue;
                }
                let q = value(&depth);
                let pixel = (y - corner.1) * TILE + x - corner.0;
                let (nearness, facets) = (&mut self.nearness[pixel], &mut self.facet[pixel]);
                for s in 0..SAMPLES {
                    // Three comparisons: the library's minimum also minds values that are not numbers.
                    let inside = (centre[0] + edge_steps[0][s] >= -SLACK)
                        & (centre[1] + edge_steps[1][s] >= -SLACK)
                        & (centre[2] + edge_steps[2][s] >= -SLACK);
                    let q = q + depth_steps[s];
                    let wins = inside & (q > nearness[s]);
                    nearness[s] = if wins { q } else { nearness[s] };
                    facets[s] = if wins { index } else { facets[s] };
                }
            }
        }
    }
}
