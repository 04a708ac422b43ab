//! The studio: a soft key light from above the viewer's shoulder and a bright sky, both with shadow maps.
//!
//! The sky is a set of distant lights spread over the upper half sphere. A pixel asks a sixteenth of them, its
//! neighbours in a block of four by four the others (A. Keller, W. Heidrich, "Interleaved sampling", 2001); the key
//! light's penumbra widens with the distance of what blocks it (R. Fernando, "Percentage-closer soft shadows", 2005).
use super::depth_map::DepthMap;
use super::shade::smooth;
use crate::render::surface::{Surface, V3};
use rayon::prelude::*;

const BLOCK: usize = 4;
const SKY_TEXELS: usize = 256;
/// Tangent of the key light's half angle.
const KEY_SPREAD: f32 = 0.085;
/// Coarse squares along a side that tell where no shadow can be, and how many of them one reaches.
const ROOF_SQUARES: usize = 64;
const ROOF_REACH: usize = 4;
const BLOCKER_TAPS: usize = 4;
const SHADOW_TAPS: usize = 6;
/// Sine of the lowest sky light: lower ones would stripe the ground.
const LOWEST: f32 = 0.1;

/// Where shadows matter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ball {
    pub centre: V3,
    pub radius: f32,
}

#[derive(Debug, Default)]
pub(crate) struct Lights {
    key: DepthMap,
    sky: Vec<DepthMap>,
    /// Of each sky light; the zenith is brighter than the horizon.
    weights: Vec<f32>,
    texel: [f32; 2],
    roof: Vec<f32>,
    /// Surfaces farther away than these two shade the sky less and less, then no more `[m]`.
    range: [f32; 2],
}

/// Open part of the sky against all of it, and of the key light.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Seen {
    pub sky: f32,
    pub whole_sky: f32,
    pub key: f32,
}

impl Lights {
    /// Shadows for an image whose longest side has `pixels`.
    pub fn cast(&mut self, surfaces: &[&Surface], up: V3, key: V3, ball: Ball, pixels: usize) {
        let triangles: usize = surfaces.iter().map(|s| s.triangles.len()).sum();
        // Every light draws every triangle once: fewer lights keep large scenes within time.
        let count = BLOCK * BLOCK * if triangles < 60_000 { 3 } else { 2 };
        self.sky.resize_with(count, DepthMap::default);
        self.weights.clear();
        let aside = if up.z.abs() < 0.9 { V3::z() } else { V3::x() };
        let first = aside.cross(&up).normalize();
        let second = up.cross(&first);
        for (k, map) in self.sky.iter_mut().enumerate() {
            // Even in height is even on the sphere; the golden angle keeps neighbours apart.
            let height = LOWEST + (1.0 - LOWEST) * (k as f32 + 0.5) / count as f32;
            let (sin, cos) = (k as f32 * 2.399_963).sin_cos();
            let flat = (1.0 - height * height).sqrt();
            map.aim(up * height + (first * cos + second * sin) * flat, SKY_TEXELS, &ball.centre, ball.radius);
            self.weights.push(0.65 + 0.35 * height);
        }
        self.sky.par_iter_mut().for_each_init(Vec::new, |places, map| {
            for mut band in map.bands(SKY_TEXELS) {
                surfaces.iter().for_each(|surface| band.draw(surface, places));
            }
        });
        let texels = pixels.next_power_of_two().clamp(512, 2048);
        self.key.aim(key, texels, &ball.centre, ball.radius);
        let bands: Vec<_> = self.key.bands(texels / 16).collect();
        bands.into_par_iter().for_each_init(Vec::new, |places, mut band| {
            surfaces.iter().for_each(|surface| band.draw(surface, places));
        });
        self.raise_roof();
        self.range = [1.0, 2.5].map(|r| r * ball.radius);
        self.texel = [self.key.texel(), self.sky[0].texel()];
    }

    /// The highest of the key's map within reach of a shadow's softest edge, in coarse squares.
    fn raise_roof(&mut self) {
        let roof = self.key.size / ROOF_SQUARES;
        let side = ROOF_SQUARES;
        let squares: Vec<f32> = (0..side * side)
            .into_par_iter()
            .map(|k| self.key.highest((k % side * roof, k / side * roof), roof))
            .collect();
        self.roof.clear();
        self.roof.extend((0..side * side).map(|k| {
            let (i, j) = (k % side, k / side);
            let rows = j.saturating_sub(ROOF_REACH)..(j + ROOF_REACH + 1).min(side);
            let columns = i.saturating_sub(ROOF_REACH)..(i + ROOF_REACH + 1).min(side);
            let highest = |row: usize| squares[row * side..][columns.clone()].iter().copied().fold(f32::MIN, f32::max);
            rows.map(highest).fold(f32::MIN, f32::max)
        }));
    }

    fn roof(&self, u: f32, v: f32) -> f32 {
        let size = self.key.size;
        let square = |x: f32| x.clamp(0.0, size as f32 - 1.0) as usize * ROOF_SQUARES / size;
        self.roof[square(v) * ROOF_SQUARES + square(u)]
    }

    /// What a place sees of the lights; `x` and `y` choose its share of the questions.
    pub fn seen(&self, place: &V3, normal: &V3, x: usize, y: usize) -> Seen {
        let turn = x % BLOCK + BLOCK * (y % BLOCK);
        let mut seen = Seen { key: self.key(place, normal, x, y), ..Seen::default() };
        // Lifted off the surface, so that it does not shade itself.
        let lifted = place + normal * (1.6 * self.texel[1]);
        for k in (turn..self.sky.len()).step_by(BLOCK * BLOCK) {
            self.ask(k, &lifted, normal, jitter(x, y, k), &mut seen);
        }
        seen
    }

    /// Open part of the sky, all lights asked.
    pub fn whole_sky(&self, place: &V3, normal: &V3) -> f32 {
        let mut seen = Seen::default();
        let lifted = place + normal * (0.5 * self.texel[1]);
        (0..self.sky.len()).for_each(|k| self.ask(k, &lifted, normal, [0.0; 2], &mut seen));
        seen.sky / seen.whole_sky.max(1e-6)
    }

    fn ask(&self, k: usize, lifted: &V3, normal: &V3, aside: [f32; 2], seen: &mut Seen) {
        let map = &self.sky[k];
        let weight = normal.dot(&map.towards_light()) * self.weights[k];
        if weight > 0.0 {
            let [u, v, along] = map.place(lifted);
            seen.whole_sky += weight;
            let above = map.height(u + aside[0], v + aside[1]) - along;
            if above <= self.texel[1] {
                seen.sky += weight;
            } else if above > self.range[0] {
                // A single light's shadow would show as a spot of its own from far away.
                seen.sky += weight * smooth(self.range[0], self.range[1], above);
            }
        }
    }

    /// Open part of the key light.
    pub fn key(&self, place: &V3, normal: &V3, x: usize, y: usize) -> f32 {
        let turn = x % BLOCK + BLOCK * (y % BLOCK);
        let map = &self.key;
        let facing = normal.dot(&map.towards_light());
        if facing <= 0.0 {
            return 0.0;
        }
        // Grazing light needs a longer lift.
        let lifted = place + normal * (self.texel[0] * (1.5 + 2.5 * (1.0 - facing)));
        let [u, v, along] = map.place(&lifted);
        let size = map.size as f32;
        if !(u > -64.0 && v > -64.0 && u < size + 64.0 && v < size + 64.0) {
            return 1.0;
        }
        let along = along + self.texel[0];
        if self.roof(u, v) <= along {
            return 1.0;
        }
        let slope = KEY_SPREAD / self.texel[0];
        let (mut blockers, mut above) = (0, 0.0);
        for tap in 0..BLOCKER_TAPS {
            let [du, dv] = spiral(tap, BLOCKER_TAPS, turn);
            // Two rings: a narrow one finds what touches, a wide one what hangs far above.
            let reach = if tap % 2 == 0 { 6.0 } else { 0.03 * size };
            let height = map.height(u + reach * du, v + reach * dv) - along;
            if height > 0.0 && slope * height >= reach * (du * du + dv * dv).sqrt() * 0.5 - 2.0 {
                blockers += 1;
                above += height;
            }
        }
        let radius = if blockers == 0 { 2.0 } else { (slope * above / blockers as f32).clamp(2.0, 0.06 * size) };
        let (mut open, mut asked) = (0, 0);
        // Where nothing was found above, a few more questions are enough.
        for tap in (0..SHADOW_TAPS).step_by(if blockers == 0 { 3 } else { 1 }) {
            let [du, dv] = spiral(tap, SHADOW_TAPS, turn);
            let height = map.height(u + radius * du, v + radius * dv) - along;
            // On a slope the surface itself rises towards the light beside the place.
            open += (height <= radius * 0.5 * self.texel[0]) as u32;
            asked += 1;
        }
        open as f32 / asked as f32
    }
}

/// Up to a texel to either side, different for each pixel: grain instead of the map's stairs.
fn jitter(x: usize, y: usize, k: usize) -> [f32; 2] {
    let mut hash = (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77) ^ (k as u32) << 7;
    hash = (hash ^ hash >> 15).wrapping_mul(0x2C1B_3C6D);
    hash ^= hash >> 13;
    [hash & 0xFFFF, hash >> 16].map(|h| h as f32 / 32768.0 - 1.0)
}

/// Vogel's sunflower on the unit disc, turned for each of the sixteen pixels of a block.
fn spiral(tap: usize, taps: usize, turn: usize) -> [f32; 2] {
    static POINTS: std::sync::LazyLock<Vec<[f32; 2]>> = std::sync::LazyLock::new(|| {
        let mut points = Vec::new();
        for taps in [BLOCKER_TAPS, SHADOW_TAPS] {
            for turn in 0..BLOCK * BLOCK {
                for tap in 0..taps {
                    let radius = ((tap as f32 + (turn as f32 + 0.5) / 16.0) / taps as f32).sqrt();
                    let angle = tap as f32 * 2.399_963 + turn as f32 * 7.0 * std::f32::consts::FRAC_PI_8;
                    points.push([radius * angle.cos(), radius * angle.sin()]);
                }
            }
        }
        points
    });
    let first = if taps == BLOCKER_TAPS { 0 } else { BLOCK * BLOCK * BLOCKER_TAPS };
    POINTS[first + turn * taps + tap]
}
