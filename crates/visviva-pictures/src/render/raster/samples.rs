//! Facets to samples: sorted into tiles, eight samples a pixel decided by depth.
use super::facet::{Facet, NOTHING};

pub(crate) const TILE: usize = 16;
pub(super) const SAMPLES: usize = 8;

/// Where the samples lie about a pixel's centre `[px]`: eight rooks that do not see one another.
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
/// No sample lies farther from the centre along any direction `[px]`.
const REACH: f32 = 0.62;
/// Both neighbours of an edge take the samples on it, and depth decides: no cracks `[px]`.
const SLACK: f32 = 1e-3;

/// The facets that may touch each tile, in their order.
#[derive(Debug, Default)]
pub(crate) struct Bins {
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
