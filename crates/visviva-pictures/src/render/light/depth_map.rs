//! How far towards a distant light the surfaces reach: the shadow map of one direction.
use crate::render::surface::{Surface, V3};

/// Texel (i, j) covers a square across the light; its value is the largest place along the light there.
#[derive(Debug, Default, Clone)]
pub(super) struct DepthMap {
    pub size: usize,
    /// Across, across and towards the light.
    axes: [V3; 3],
    /// Texels to a metre, and the texel of the origin.
    scale: f32,
    shift: [f32; 2],
    texels: Vec<f32>,
}

impl DepthMap {
    /// A map of `size` by `size` texels over the ball about `centre`.
    pub fn aim(&mut self, towards_light: V3, size: usize, centre: &V3, radius: f32) {
        let aside = if towards_light.z.abs() < 0.9 { V3::z() } else { V3::x() };
        let first = aside.cross(&towards_light).normalize();
        self.axes = [first, towards_light.cross(&first), towards_light];
        self.size = size;
        // Two texels of border, so that what lies outside is never covered.
        self.scale = (size as f32 - 4.0) / (2.0 * radius);
        self.shift = [0, 1].map(|k| size as f32 / 2.0 - self.scale * self.axes[k].dot(centre));
        self.texels.clear();
        self.texels.resize(size * size, f32::NEG_INFINITY);
    }

    /// Texel coordinates and the place along the light `[m]`.
    pub fn place(&self, p: &V3) -> [f32; 3] {
        let across = |k: usize| self.scale * self.axes[k].dot(p) + self.shift[k];
        [across(0), across(1), self.axes[2].dot(p)]
    }

    /// `[m]`
    pub fn texel(&self) -> f32 {
        1.0 / self.scale
    }

    pub fn towards_light(&self) -> V3 {
        self.axes[2]
    }

    /// Largest place along the light; nothing at all outside.
    pub fn height(&self, u: f32, v: f32) -> f32 {
        let (i, j) = (u as usize, v as usize);
        let inside = u >= 0.0 && v >= 0.0 && i < self.size && j < self.size;
        if inside { self.texels[j * self.size + i] } else { f32::NEG_INFINITY }
    }

    /// Largest place along the light in a square of texels.
    pub fn highest(&self, (i, j): (usize, usize), side: usize) -> f32 {
        let row = |j: usize| self.texels[j * self.size + i..][..side].iter().copied().fold(f32::NEG_INFINITY, f32::max);
        (j..j + side).map(row).fold(f32::NEG_INFINITY, f32::max)
    }

    /// Draws surfaces in a band of rows, so that bands can be filled side by side.
    pub fn bands(&mut self, rows: usize) -> impl Iterator<Item = Band<'_>> {
        let (size, frame) = (self.size, Frame { axes: self.axes, scale: self.scale, shift: self.shift });
        let bands = self.texels.chunks_mut(rows * size).enumerate();
        bands.map(move |(k, texels)| Band { first: k * rows, size, frame, texels })
    }
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    axes: [V3; 3],
    scale: f32,
    shift: [f32; 2],
}

#[derive(Debug)]
pub(super) struct Band<'a> {
    first: usize,
    size: usize,
    frame: Frame,
    texels: &'a mut [f32],
}

impl Band<'_> {
    /// `places` is scratch.
    pub fn draw(&mut self, surface: &Surface, places: &mut Vec<[f32; 3]>) {
        let Frame { axes, scale, shift } = self.frame;
        places.clear();
        places.extend(surface.positions.iter().map(|p| {
            // Counted from texel centres.
            let across = |k: usize| scale * axes[k].dot(p) + shift[k] - 0.5;
            [across(0), across(1), axes[2].dot(p)]
        }));
        for triangle in &surface.triangles {
            self.triangle(triangle.map(|v| places[v as usize]));
        }
    }

    fn triangle(&mut self, [a, b, c]: [[f32; 3]; 3]) {
        let rows = self.texels.len() / self.size;
        // A cast rounds towards zero; from 1 on, that is down, and one more is up.
        let up = |low: f32, first: usize| if low <= first as f32 { first } else { low as usize + 1 };
        let (low, high) = (a[1].min(b[1]).min(c[1]), a[1].max(b[1]).max(c[1]));
        let (y0, y1) = (up(low, self.first), high.min((self.first + rows) as f32 - 1.0));
        if y1 < y0 as f32 {
            return;
        }
        let (low, high) = (a[0].min(b[0]).min(c[0]), a[0].max(b[0]).max(c[0]));
        let (x0, x1) = (up(low, 0), high.min(self.size as f32 - 1.0));
        if x1 < x0 as f32 {
            return;
        }
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if area == 0.0 {
            return;
        }
        let inverse = 1.0 / area;
        for y in y0..=y1 as usize {
            let py = y as f32;
            for x in x0..=x1 as usize {
                let px = x as f32;
                let wb = ((px - a[0]) * (c[1] - a[1]) - (py - a[1]) * (c[0] - a[0])) * inverse;
                let wc = ((b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0])) * inverse;
                if wb >= -1e-4 && wc >= -1e-4 && wb + wc <= 1.0001 {
                    let height = a[2] + wb * (b[2] - a[2]) + wc * (c[2] - a[2]);
                    let texel = &mut self.texels[(y - self.first) * self.size + x];
                    *texel = texel.max(height);
                }
            }
        }
    }
}
