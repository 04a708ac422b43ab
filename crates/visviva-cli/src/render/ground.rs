//! The studio floor: the background itself, darkened by shadows and a metric grid that fades with distance.
use super::camera::View;
use super::lights::{Ball, Lights, Seen};
use super::raster::TILE;
use super::shade::smooth;
use super::surface::V3;
use rayon::prelude::*;

const KEY_SHADE: f32 = 0.40;
const SKY_SHADE: f32 = 0.52;
const LINE: f32 = 0.07;
const MAJOR_LINE: f32 = 0.13;

/// What the frame needs to know of the floor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane {
    /// Nearness as a form in x, y and 1.
    pub nearness: [f64; 3],
    pub up: V3,
    /// Two directions in the plane.
    pub axes: [V3; 2],
    /// Grid coordinates of the view's origin [m].
    pub origin: [f64; 2],
    pub spacing: f64,
    pub ball: Ball,
}

#[derive(Debug, Default)]
pub(super) struct Floor {
    raw: Vec<Seen>,
    /// Open parts of the key light and the sky.
    light: Vec<[f32; 2]>,
}

/// Linear grey of the empty background, darker towards the bottom.
fn background(y: usize, height: usize) -> f32 {
    0.97 - 0.09 * smooth(0.1, 1.0, y as f32 / height as f32)
}

impl Plane {
    fn at(&self, view: &View, x: f32, y: f32) -> Option<V3> {
        let [a, b, c] = self.nearness;
        let q = (a * x as f64 + b * y as f64 + c) as f32;
        (!view.perspective || q > 1e-9).then(|| view.position(x, y, q))
    }
}

impl Floor {
    pub fn clear(&mut self, size: (usize, usize)) {
        self.light.clear();
        self.light.resize(size.0 * size.1, [1.0; 2]);
        self.raw.resize(size.0 * size.1, Seen::default());
    }

    /// Adds the shadows of one state, weakened by its opacity.
    pub fn light(&mut self, plane: &Plane, lights: &Lights, view: &View, size: (usize, usize), opacity: f32) {
        let far = 6.0 * plane.ball.radius;
        self.raw.par_chunks_mut(size.0 * TILE).enumerate().for_each(|(band, raw)| {
            for (k, raw) in raw.iter_mut().enumerate() {
                let (x, y) = (k % size.0, band * TILE + k / size.0);
                let place = plane.at(view, x as f32 + 0.5, y as f32 + 0.5);
                *raw = match place.filter(|p| (p - plane.ball.centre).norm() < far) {
                    Some(place) => lights.seen(&place, &plane.up, x, y),
                    None => Seen { sky: 1.0, whole_sky: 1.0, key: 1.0 },
                };
            }
        });
        let raw = &self.raw;
        self.light.par_chunks_mut(size.0 * TILE).enumerate().for_each(|(band, light)| {
            for (k, light) in light.iter_mut().enumerate() {
                let (x, y) = (k % size.0, band * TILE + k / size.0);
                let (mut sum, mut count) = (Seen::default(), 0);
                // Four by four pixels asked all questions once.
                for row in y.saturating_sub(1)..(y + 3).min(size.1) {
                    for seen in &raw[row * size.0 + x.saturating_sub(1)..row * size.0 + (x + 3).min(size.0)] {
                        sum.sky += seen.sky;
                        sum.whole_sky += seen.whole_sky;
                        sum.key += seen.key;
                        count += 1;
                    }
                }
                let open = [sum.key / count as f32, sum.sky / sum.whole_sky.max(1e-6)];
                // The darkest state wins: shadows of the same thing do not add up.
                (0..2).for_each(|c| light[c] = light[c].min(1.0 - opacity * (1.0 - open[c])));
            }
        });
    }

    /// Fills the frame with background and floor.
    pub fn paint(&self, plane: Option<&Plane>, view: &View, size: (usize, usize), frame: &mut [[f32; 3]]) {
        let line_width = (size.1 as f32 / 900.0).clamp(0.8, 3.0);
        frame.par_chunks_mut(size.0 * TILE).enumerate().for_each(|(band, frame)| {
            for (k, pixel) in frame.iter_mut().enumerate() {
                let (x, y) = (k % size.0, band * TILE + k / size.0);
                let paper = background(y, size.1);
                let tone = plane.map_or(1.0, |plane| {
                    let [key, sky] = self.light[y * size.0 + x];
                    let shadow = 1.0 - KEY_SHADE * (1.0 - key) - SKY_SHADE * (1.0 - sky);
                    shadow * (1.0 - plane.lines(view, x as f32 + 0.5, y as f32 + 0.5, line_width))
                });
                // Shadows lean towards blue by a little: grey ones look dirty.
                *pixel = [paper * tone, paper * (tone + 0.004 * (1.0 - tone)), paper * (tone + 0.02 * (1.0 - tone))];
            }
        });
    }
}

impl Plane {
    /// How much the grid darkens a pixel.
    fn lines(&self, view: &View, x: f32, y: f32, width: f32) -> f32 {
        if self.spacing <= 0.0 {
            return 0.0;
        }
        let (Some(here), Some(right), Some(below)) =
            (self.at(view, x, y), self.at(view, x + 1.0, y), self.at(view, x, y - 1.0))
        else {
            return 0.0;
        };
        let radius = self.ball.radius;
        let fade = 1.0 - smooth(1.5 * radius, 5.0 * radius, (here - self.ball.centre).norm());
        if fade <= 0.0 {
            return 0.0;
        }
        let mut strongest = 0.0f32;
        for k in 0..2 {
            let axis = &self.axes[k];
            let pixel = axis.dot(&(right - here)).hypot(axis.dot(&(below - here))).max(1e-12);
            let place = (axis.dot(&here) as f64 + self.origin[k]) / self.spacing;
            let line = place.round();
            let distance = (place - line).abs() * self.spacing;
            let cover = (0.5 * width + 0.5 - distance as f32 / pixel).clamp(0.0, 1.0);
            // Lines nearer than a few pixels would turn into grey.
            let apart = smooth(4.0, 14.0, self.spacing as f32 / pixel);
            let strength = if line.rem_euclid(5.0) == 0.0 { MAJOR_LINE } else { LINE };
            strongest = strongest.max(cover * apart * strength);
        }
        strongest * fade
    }
}
