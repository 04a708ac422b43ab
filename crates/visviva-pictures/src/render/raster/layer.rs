//! Bodies that share one depth buffer: drawn to fragments, lit once a pixel, and laid over the frame.
use super::facet::{Facet, NOTHING};
use super::samples::{Bins, OFFSETS, SAMPLES, Samples, TILE};
use super::wires;
use crate::render::light::{Lights, Seen, Studio, Tones, smooth};
use crate::render::surface::{Ramp, Surface, V3};
use crate::render::view::View;
use rayon::prelude::*;

/// One triangle's part of one pixel.
#[derive(Debug, Clone, Copy)]
struct Fragment {
    /// In its band of rows.
    pixel: u32,
    spot: Spot,
    colour: [u8; 3],
    samples: u8,
    edge: f32,
}

/// The surface that covers most of a pixel.
#[derive(Debug, Clone, Copy)]
struct Spot {
    nearness: f32,
    /// In units of 2^-14.
    normal: [i16; 3],
    surface: u32,
}

const EMPTY: Spot = Spot { nearness: 0.0, normal: [0; 3], surface: NOTHING };
const UNIT: f32 = 16384.0;

#[derive(Debug, Default)]
pub(crate) struct Layer {
    fragments: Vec<Vec<Fragment>>,
    spots: Vec<Spot>,
    raw: Vec<Seen>,
    /// Open parts of key light and sky, one state's and all states'.
    soft: Vec<[f32; 2]>,
    light: Vec<[f32; 2]>,
    /// Pixels that show nothing of what lies below.
    pub full: Vec<bool>,
}

/// What all passes over a layer share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub view: &'a View,
    pub size: (usize, usize),
    pub ground: Option<[f64; 3]>,
    pub studio: Studio,
    pub ramp: &'a Ramp,
    pub tones: &'a Tones,
    /// Two places farther apart than this belong to different folds `[m]`.
    pub fold: f32,
}

impl Spot {
    fn normal(&self) -> V3 {
        V3::from(self.normal.map(|c| c as f32 / UNIT))
    }

    /// Whether light found at one place serves at the other.
    fn like(&self, other: &Spot, scene: &Scene) -> bool {
        let product = |k: usize| self.normal[k] as i32 * other.normal[k] as i32;
        self.surface == other.surface
            && product(0) + product(1) + product(2) > (0.85 * UNIT * UNIT) as i32
            && (scene.view.depth(self.nearness) - scene.view.depth(other.nearness)).abs() < scene.fold
    }
}

impl Layer {
    pub fn draw(&mut self, facets: &[Facet], bins: &Bins, surfaces: &[Surface], scene: &Scene) {
        let (width, height) = scene.size;
        let edges = edge_strengths(facets, surfaces);
        self.fragments.resize_with(height.div_ceil(TILE), Vec::new);
        self.spots.clear();
        self.spots.resize(width * height, EMPTY);
        self.full.clear();
        self.full.resize(width * height, false);
        let pixels = self.spots.par_chunks_mut(width * TILE).zip(self.full.par_chunks_mut(width * TILE));
        self.fragments.par_iter_mut().zip(pixels).enumerate().for_each(|(band, (fragments, (spots, full)))| {
            fragments.clear();
            for column in 0..width.div_ceil(TILE) {
                let touching = bins.tile(column, band);
                if touching.is_empty() {
                    continue;
                }
                let corner = (column * TILE, band * TILE);
                let farthest = if scene.view.perspective { 0.0 } else { f32::NEG_INFINITY };
                let mut samples = Samples::cleared(corner, scene.ground, farthest);
                touching.iter().for_each(|&k| samples.draw(&facets[k as usize], k, corner));
                let rows = TILE.min(height - corner.1);
                for pixel in 0..rows * TILE {
                    let (x, y) = (pixel % TILE, pixel / TILE);
                    if corner.0 + x < width {
                        let at = (y * width + corner.0 + x) as u32;
                        let centre = ((corner.0 + x) as f64 + 0.5, (corner.1 + y) as f64 + 0.5);
                        let first = fragments.len();
                        resolve(&samples.facet[pixel], facets, surfaces, &edges, scene, at, centre, fragments);
                        let most = fragments[first..].iter().max_by_key(|f| (f.samples, NOTHING - f.spot.surface));
                        spots[at as usize] = most.map_or(EMPTY, |f| f.spot);
                        let covered: usize = fragments[first..].iter().map(|f| f.samples as usize).sum();
                        full[at as usize] = covered == SAMPLES;
                    }
                }
            }
        });
        self.light.clear();
        self.light.resize(width * height, [1.0; 2]);
        self.raw.resize(width * height, Seen::default());
        self.soft.resize(width * height, [1.0; 2]);
    }

    /// Adds the shadows of one state, weakened by its opacity.
    pub fn light(&mut self, lights: &Lights, scene: &Scene, opacity: f32) {
        let (width, height) = scene.size;
        let spots = &self.spots;
        self.raw.par_chunks_mut(width * TILE).enumerate().for_each(|(band, raw)| {
            for (k, raw) in raw.iter_mut().enumerate() {
                let (x, y) = (k % width, band * TILE + k / width);
                let spot = &spots[y * width + x];
                if spot.surface != NOTHING {
                    let place = scene.view.position(x as f32 + 0.5, y as f32 + 0.5, spot.nearness);
                    *raw = lights.seen(&place, &spot.normal(), x, y);
                }
            }
        });
        let raw = &self.raw;
        self.soft.par_chunks_mut(width * TILE).enumerate().for_each(|(band, soft)| {
            for (k, soft) in soft.iter_mut().enumerate() {
                let (x, y) = (k % width, band * TILE + k / width);
                let spot = &spots[y * width + x];
                if spot.surface == NOTHING {
                    continue;
                }
                let (mut sum, mut count) = (Seen::default(), 0);
                // Four by four pixels asked all questions once.
                for row in y.saturating_sub(1)..(y + 3).min(height) {
                    for at in row * width + x.saturating_sub(1)..row * width + (x + 3).min(width) {
                        if spots[at].like(spot, scene) {
                            sum.sky += raw[at].sky;
                            sum.whole_sky += raw[at].whole_sky;
                            sum.key += raw[at].key;
                            count += 1;
                        }
                    }
                }
                *soft = [sum.key / count as f32, (sum.sky + 1e-3) / (sum.whole_sky + 1e-3)];
            }
        });
        let soft = &self.soft;
        self.light.par_chunks_mut(width * TILE).enumerate().for_each(|(band, light)| {
            for (k, light) in light.iter_mut().enumerate() {
                let (x, y) = (k % width, band * TILE + k / width);
                let spot = &spots[y * width + x];
                if spot.surface == NOTHING {
                    continue;
                }
                // The sky's light changes slowly: three by three such blocks, side by side, hide its few lights.
                let (mut sky, mut count) = (0.0, 0);
                for row in [y.wrapping_sub(4), y, y + 4].into_iter().filter(|&row| row < height) {
                    for column in [x.wrapping_sub(4), x, x + 4].into_iter().filter(|&column| column < width) {
                        let at = row * width + column;
                        if spots[at].like(spot, scene) {
                            sky += soft[at][1];
                            count += 1;
                        }
                    }
                }
                let open = [soft[y * width + x][0], sky / count as f32];
                (0..2).for_each(|c| light[c] = light[c].min(1.0 - opacity * (1.0 - open[c])));
            }
        });
    }

    /// Shades the fragments and lays them over the frame.
    pub fn lay(&self, scene: &Scene, opacity: f32, frame: &mut [[f32; 3]]) {
        let width = scene.size.0;
        let bands = frame.par_chunks_mut(width * TILE).zip(&self.fragments);
        bands.enumerate().for_each(|(band, (frame, fragments))| {
            let mut k = 0;
            while k < fragments.len() {
                let pixel = fragments[k].pixel;
                let (x, y) = (pixel as usize % width, band * TILE + pixel as usize / width);
                let (mut sum, mut samples) = ([0.0; 3], 0);
                while k < fragments.len() && fragments[k].pixel == pixel {
                    let colour = self.shade(&fragments[k], scene, x, y);
                    let count = fragments[k].samples;
                    (0..3).for_each(|c| sum[c] += colour[c] * count as f32);
                    samples += count as usize;
                    k += 1;
                }
                let under = &mut frame[pixel as usize];
                let through = 1.0 - opacity * samples as f32 / SAMPLES as f32;
                (0..3).for_each(|c| under[c] = under[c] * through + opacity * sum[c] / SAMPLES as f32);
            }
        });
    }

    fn shade(&self, fragment: &Fragment, scene: &Scene, x: usize, y: usize) -> [f32; 3] {
        let spot = &fragment.spot;
        let (width, height) = scene.size;
        let own = y * width + x;
        let mut at = own;
        // At an outline the pixel's light may belong to the other surface: a neighbour knows better.
        if !self.spots[own].like(spot, scene) {
            let rows = y.saturating_sub(1)..(y + 2).min(height);
            let around = rows.flat_map(|row| (x.saturating_sub(1)..(x + 2).min(width)).map(move |c| row * width + c));
            at = around.into_iter().find(|&at| self.spots[at].like(spot, scene)).unwrap_or(own);
        }
        let [key, sky] = self.light[at];
        let place = scene.view.position(x as f32 + 0.5, y as f32 + 0.5, spot.nearness);
        let albedo = scene.tones.linear(fragment.colour).map(|a| a * (1.0 - 0.7 * fragment.edge));
        scene.studio.shade(albedo, &place, &spot.normal(), &scene.view.towards_eye(&place), key, sky)
    }
}

/// How strongly each surface shows its edges: triangles of a few pixels would be all edge.
fn edge_strengths(facets: &[Facet], surfaces: &[Surface]) -> Vec<f32> {
    let mut heights = vec![(0.0, 0); surfaces.len()];
    for facet in facets.iter().filter(|facet| surfaces[facet.surface as usize].mesh_edges && !facet.is_wire()) {
        let (sum, count) = &mut heights[facet.surface as usize];
        *sum += facet.height;
        *count += 1;
    }
    heights.iter().map(|&(sum, count)| if count > 0 { smooth(2.0, 8.0, sum / count as f32) } else { 0.0 }).collect()
}

/// One fragment for every triangle or strip of a wire seen in a pixel.
fn resolve(
    samples: &[u32; SAMPLES],
    facets: &[Facet],
    surfaces: &[Surface],
    edges: &[f32],
    scene: &Scene,
    pixel: u32,
    centre: (f64, f64),
    out: &mut Vec<Fragment>,
) {
    let mut done = [false; SAMPLES];
    for s in 0..SAMPLES {
        if done[s] || samples[s] == NOTHING || facets[samples[s] as usize].mask {
            continue;
        }
        let (mut count, mut offset) = (0, [0.0f32; 2]);
        for other in s..SAMPLES {
            if samples[other] == samples[s] {
                done[other] = true;
                count += 1;
                (0..2).for_each(|c| offset[c] += OFFSETS[other][c]);
            }
        }
        let facet = &facets[samples[s] as usize];
        let surface = &surfaces[facet.surface as usize];
        // The middle of the samples lies on the triangle, the pixel's centre perhaps not.
        let x = centre.0 + (offset[0] / count as f32) as f64;
        let y = centre.1 + (offset[1] / count as f32) as f64;
        let nearness = facet.nearness(x, y);
        let place = scene.view.position(x as f32, y as f32, nearness);
        let to_eye = scene.view.towards_eye(&place);
        let (mut normal, colour) = if facet.is_wire() {
            (to_eye, wires::COLOUR)
        } else {
            let weights = surface.weights(facet.triangle as usize, &place);
            let normal = surface.normal(facet.triangle as usize, weights) * if facet.turned { -1.0 } else { 1.0 };
            (normal, surface.colour(facet.triangle as usize, weights, scene.ramp))
        };
        let away = normal.dot(&to_eye);
        // A smooth normal may turn from the eye near an outline though its triangle does not.
        if away < 0.0 {
            normal = (normal - to_eye * (1.01 * away)).try_normalize(1e-6).unwrap_or(to_eye);
        }
        let strength = edges[facet.surface as usize];
        let edge = if strength > 0.0 && !facet.is_wire() {
            let half = 0.5 * (scene.size.1 as f32 / 900.0).clamp(0.7, 2.5);
            let cover = (half + 0.5 - facet.edge_distance(x, y)).clamp(0.0, 1.0);
            strength * cover * smooth(0.5, 3.0, facet.height)
        } else {
            0.0
        };
        let normal = [normal.x, normal.y, normal.z].map(|c| (c * UNIT) as i16);
        let spot = Spot { nearness, normal, surface: facet.surface };
        out.push(Fragment { pixel, spot, colour, samples: count, edge });
    }
}
