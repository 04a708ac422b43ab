//! The studio floor: the background itself, darkened by shadows and a metric grid that fades with distance.
use super::samples::TILE;
use crate::render::light::{Ball, Lights, smooth};
use crate::render::surface::V3;
use crate::render::view::View;
use rayon::prelude::*;

const KEY_SHADE: f32 = 0.40;
const SKY_SHADE: f32 = 0.52;
const LINE: f32 = 0.11;
const MAJOR_LINE: f32 = 0.22;

/// What the frame needs to know of the floor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plane {
    /// Nearness as a form in x, y and 1.
    pub nearness: [f64; 3],
    pub up: V3,
    /// Two directions in the plane.
    pub axes: [V3; 2],
    /// Grid coordinates of the view's origin `[m]`.
    pub origin: [f64; 2],
    pub spacing: f64,
    /// Along up, from the view's origin `[m]`.
    pub height: f32,
    pub ball: Ball,
}

#[derive(Debug, Default)]
pub(crate) struct Floor {
    raw: Vec<f32>,
    /// Open part of the key light, by pixel.
    key: Vec<f32>,
    /// Open part of the sky on a square about the scene: it varies slowly.
    sky: Vec<f32>,
}

/// Marks pixels whose floor nobody sees.
const HIDDEN: f32 = -1.0;
/// Side of the sky's square in cells, and half of it against the scene's radius.
const CELLS: usize = 192;
const HALF_SIDE: f32 = 3.0;

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
        self.key.clear();
        self.key.resize(size.0 * size.1, 1.0);
        self.raw.resize(size.0 * size.1, 1.0);
        self.sky.clear();
        self.sky.resize(CELLS * CELLS, 1.0);
    }

    /// Adds the shadows of one state, weakened by its opacity.
    ///
    /// Pixels that are `hidden` are passed over.
    pub fn light(
        &mut self,
        plane: &Plane,
        lights: &Lights,
        view: &View,
        size: (usize, usize),
        hidden: &[bool],
        opacity: f32,
    ) {
        self.raw.par_chunks_mut(size.0 * TILE).enumerate().for_each(|(band, raw)| {
            for (k, raw) in raw.iter_mut().enumerate() {
                let (x, y) = (k % size.0, band * TILE + k / size.0);
                if hidden[y * size.0 + x] {
                    *raw = HIDDEN;
                    continue;
                }
                let place = plane.at(view, x as f32 + 0.5, y as f32 + 0.5);
                *raw = place.map_or(1.0, |place| lights.key(&place, &plane.up, x, y));
            }
        });
        let raw = &self.raw;
        self.key.par_chunks_mut(size.0 * TILE).enumerate().for_each(|(band, key)| {
            for (k, key) in key.iter_mut().enumerate() {
                let (x, y) = (k % size.0, band * TILE + k / size.0);
                if raw[y * size.0 + x] == HIDDEN {
                    continue;
                }
                let (mut sum, mut count) = (0.0, 0);
                // Four by four pixels asked all questions once.
                for row in y.saturating_sub(1)..(y + 3).min(size.1) {
                    for open in &raw[row * size.0 + x.saturating_sub(1)..row * size.0 + (x + 3).min(size.0)] {
                        sum += open.max(0.0);
                        count += (*open != HIDDEN) as u32;
                    }
                }
                // The darkest state wins: shadows of the same thing do not add up.
                *key = key.min(1.0 - opacity * (1.0 - sum / count as f32));
            }
        });
        self.light_sky(plane, lights, opacity);
    }

    fn light_sky(&mut self, plane: &Plane, lights: &Lights, opacity: f32) {
        let cell = 2.0 * HALF_SIDE * plane.ball.radius / CELLS as f32;
        let foot = plane.foot();
        let mut open = vec![0.0; CELLS * CELLS];
        open.par_chunks_mut(CELLS).enumerate().for_each(|(row, open)| {
            let aside = |k: usize| (k as f32 + 0.5 - CELLS as f32 / 2.0) * cell;
            for (column, open) in open.iter_mut().enumerate() {
                let place = foot + plane.axes[0] * aside(column) + plane.axes[1] * aside(row);
                *open = lights.whole_sky(&place, &plane.up);
            }
        });
        // The lights are few and their maps coarse: a short blur hides both.
        for _ in 0..2 {
            open = blurred(&open);
        }
        self.sky.iter_mut().zip(&open).for_each(|(sky, open)| *sky = sky.min(1.0 - opacity * (1.0 - open)));
    }

    /// Open part of the sky at a place on the plane.
    fn sky(&self, plane: &Plane, place: &V3) -> f32 {
        let from_foot = place - plane.foot();
        let scale = CELLS as f32 / (2.0 * HALF_SIDE * plane.ball.radius);
        let [u, v] = [0, 1].map(|k| plane.axes[k].dot(&from_foot) * scale + CELLS as f32 / 2.0 - 0.5);
        let last = CELLS as f32 - 1.0;
        if !(u >= 0.0 && v >= 0.0 && u < last && v < last) {
            return 1.0;
        }
        let (i, j) = (u as usize, v as usize);
        let (s, t) = (u - i as f32, v - j as f32);
        let row = |j: usize| self.sky[j * CELLS + i] * (1.0 - s) + self.sky[j * CELLS + i + 1] * s;
        let open = row(j) * (1.0 - t) + row(j + 1) * t;
        // No edge where the square ends.
        let inside = (u.min(last - u)).min(v.min(last - v)) / last;
        1.0 - (1.0 - open) * smooth(0.0, 0.2, inside)
    }

    /// Fills the frame with background and floor.
    pub fn paint(
        &self,
        plane: Option<&Plane>,
        view: &View,
        size: (usize, usize),
        hidden: &[bool],
        frame: &mut [[f32; 3]],
    ) {
        let line_width = (size.1 as f32 / 900.0).clamp(0.8, 3.0);
        frame.par_chunks_mut(size.0 * TILE).enumerate().for_each(|(band, frame)| {
            for (k, pixel) in frame.iter_mut().enumerate() {
                let (x, y) = (k % size.0, band * TILE + k / size.0);
                if hidden[y * size.0 + x] {
                    continue;
                }
                let paper = background(y, size.1);
                let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
                let floor = plane.and_then(|plane| Some((plane, plane.at(view, px, py)?)));
                let tone = floor.map_or(1.0, |(plane, place)| {
                    let (key, sky) = (self.key[y * size.0 + x], self.sky(plane, &place));
                    let shadow = 1.0 - KEY_SHADE * (1.0 - key) - SKY_SHADE * (1.0 - sky);
                    shadow * (1.0 - plane.lines(view, &place, (px, py), line_width))
                });
                // Shadows lean towards blue by a little: grey ones look dirty.
                *pixel = [paper * tone, paper * (tone + 0.004 * (1.0 - tone)), paper * (tone + 0.02 * (1.0 - tone))];
            }
        });
    }
}

impl Plane {
    /// Under the middle of the scene.
    fn foot(&self) -> V3 {
        self.ball.centre - self.up * (self.up.dot(&self.ball.centre) - self.height)
    }

    /// How much the grid darkens a place, seen at a pixel.
    fn lines(&self, view: &View, here: &V3, (x, y): (f32, f32), width: f32) -> f32 {
        // After the camera, not the bodies: the grid stands still in a film.
        let reach = view.half_height as f32;
        let fade = 1.0 - smooth(2.0 * reach, 7.0 * reach, here.norm());
        if self.spacing <= 0.0 || fade <= 0.0 {
            return 0.0;
        }
        let (Some(right), Some(above)) = (self.at(view, x + 1.0, y), self.at(view, x, y - 1.0)) else {
            return 0.0;
        };
        let mut strongest = 0.0f32;
        for k in 0..2 {
            let axis = &self.axes[k];
            let (dx, dy) = (axis.dot(&(right - here)), axis.dot(&(above - here)));
            let pixel = (dx * dx + dy * dy).sqrt().max(1e-12);
            let place = (axis.dot(here) as f64 + self.origin[k]) / self.spacing;
            // Counted from far below zero, where a cast rounds down: the library's rounding is slow.
            let line = (place.clamp(-1e9, 1e9) + 5e9 + 0.5) as i64 - 5_000_000_000;
            let distance = (place - line as f64).abs() * self.spacing;
            let cover = (0.5 * width + 0.5 - distance as f32 / pixel).clamp(0.0, 1.0);
            // Lines nearer than a few pixels would turn into grey.
            let apart = smooth(4.0, 14.0, self.spacing as f32 / pixel);
            let strength = if line % 5 == 0 { MAJOR_LINE } else { LINE };
            strongest = strongest.max(cover * apart * strength);
        }
        strongest * fade
    }
}

/// The mean over three by three cells.
fn blurred(cells: &[f32]) -> Vec<f32> {
    let mut out = cells.to_vec();
    for j in 1..CELLS - 1 {
        for i in 1..CELLS - 1 {
            let row = |j: usize| cells[j * CELLS + i - 1..=j * CELLS + i + 1].iter().sum::<f32>();
            out[j * CELLS + i] = (row(j - 1) + row(j) + row(j + 1)) / 9.0;
        }
    }
    out
}
