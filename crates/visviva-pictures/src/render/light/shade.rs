//! Light on a surface and the way to sRGB.
use crate::render::surface::V3;

/// The studio's directions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Studio {
    pub up: V3,
    pub key: V3,
    /// Height of the ground along up, and how far above it its reflected light is back to full `[m]`.
    pub ground: Option<(f32, f32)>,
}

const KEY: f32 = 0.66;
const SKY: f32 = 0.50;
const BOUNCE: f32 = 0.24;
const FILL: f32 = 0.08;
const GLOSS: f32 = 0.10;

impl Studio {
    /// Linear colour of a surface of linear `albedo` that sees parts `key` and `sky` of the lights.
    pub fn shade(&self, albedo: [f32; 3], place: &V3, n: &V3, to_eye: &V3, key: f32, sky: f32) -> [f32; 3] {
        let facing = n.dot(&self.key);
        // Light dies out before the facets of a coarse mesh turn away.
        let lit = key * facing.max(0.0) * smooth(0.0, 0.25, facing);
        let upward = 0.5 + 0.5 * n.dot(&self.up);
        // The ground under a body lies in its shadow and sends little back.
        let near_ground = match self.ground {
            Some((height, reach)) => 0.3 + 0.7 * smooth(0.0, reach, place.dot(&self.up) - height),
            None => 1.0,
        };
        let ambient = SKY * upward * sky + BOUNCE * (1.0 - upward) * near_ground;
        let fill = FILL * n.dot(to_eye).max(0.0) * (0.4 + 0.6 * sky);
        let half = (self.key + to_eye).try_normalize(1e-6).unwrap_or(self.key);
        let gloss = GLOSS * key * n.dot(&half).max(0.0).powi(36) * smooth(0.1, 0.4, facing);
        albedo.map(|a| a * (KEY * lit + ambient + fill) * 1.08 + gloss)
    }
}

/// From 0 at `low` to 1 at `high`, level at both.
pub(crate) fn smooth(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Tables both ways: powers are slow, and differ between mathematics libraries in the last bit only.
#[derive(Debug)]
pub(crate) struct Tones {
    linear: [f32; 256],
    encoded: Vec<u8>,
}

const STEPS: usize = 8192;

impl Tones {
    pub fn new() -> Self {
        let linear = |c: f64| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        let encoded = |v: f64| if v <= 0.0031308 { 12.92 * v } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 };
        Tones {
            linear: std::array::from_fn(|k| linear(k as f64 / 255.0) as f32),
            encoded: (0..=STEPS).map(|k| (255.0 * encoded(k as f64 / STEPS as f64)).round() as u8).collect(),
        }
    }

    pub fn linear(&self, colour: [u8; 3]) -> [f32; 3] {
        colour.map(|c| self.linear[c as usize])
    }

    pub fn encode(&self, colour: [f32; 3]) -> [u8; 3] {
        colour.map(|v| self.encoded[(v.clamp(0.0, 1.0) * STEPS as f32 + 0.5) as usize])
    }
}
