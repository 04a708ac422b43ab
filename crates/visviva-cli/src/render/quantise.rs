//! 256 colours for an image: boxes of colours cut at their mean where that lessens the error most.
//!
//! After X. Wu, "Efficient statistical computations for optimal color quantization", 1991, on a histogram of six bits
//! a channel; what is lost at a pixel is passed on to its neighbours (R. Floyd, L. Steinberg, 1976).
use super::Image;

const BITS: u32 = 6;
const COLOURS: usize = 256;
const UNKNOWN: u16 = u16::MAX;
/// Part of the error that is passed on: all of it would make even areas grainy.
const PASSED: i32 = 12;
/// Differences in green show most, in blue least.
const SIGHT: [i64; 3] = [3, 4, 2];

#[derive(Debug, Default)]
pub(super) struct Quantiser {
    histogram: Vec<Bin>,
    used: Vec<u32>,
    nearest: Vec<u16>,
    errors: [Vec<[i32; 3]>; 2],
    indices: Vec<u8>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Bin {
    count: i64,
    sum: [i64; 3],
}

/// A run of `used` bins.
#[derive(Debug, Clone, Copy)]
struct Cell {
    start: usize,
    end: usize,
    mean: [f64; 3],
    /// Error of showing all as the mean, and the channel with most of it.
    error: f64,
    channel: usize,
}

fn bin_of(colour: [u8; 3]) -> usize {
    colour.iter().fold(0, |bin, &c| bin << BITS | (c >> (8 - BITS)) as usize)
}

impl Quantiser {
    /// The palette, three bytes a colour, and the index of every pixel.
    pub fn quantise(&mut self, image: &Image) -> (Vec<u8>, &[u8]) {
        self.count(image);
        let palette = self.palette();
        self.map(image, &palette);
        (palette.as_flattened().to_vec(), &self.indices)
    }

    fn count(&mut self, image: &Image) {
        self.histogram.clear();
        self.histogram.resize(1 << (3 * BITS), Bin::default());
        for pixel in &image.pixels {
            let bin = &mut self.histogram[bin_of(*pixel)];
            bin.count += 1;
            (0..3).for_each(|c| bin.sum[c] += pixel[c] as i64);
        }
        self.used.clear();
        self.used.extend((0..self.histogram.len() as u32).filter(|&k| self.histogram[k as usize].count > 0));
    }

    fn palette(&mut self) -> Vec<[u8; 3]> {
        let mut cells = vec![self.cell(0, self.used.len())];
        while cells.len() < COLOURS {
            let worst = (0..cells.len()).max_by(|&a, &b| cells[a].error.total_cmp(&cells[b].error));
            let Some(worst) = worst.filter(|&k| cells[k].error > 0.0) else { break };
            let Cell { start, end, mean, channel, .. } = cells[worst];
            let histogram = &self.histogram;
            let value = |k: u32| colour_of(&histogram[k as usize])[channel];
            self.used[start..end].sort_by(|&a, &b| value(a).total_cmp(&value(b)).then(a.cmp(&b)));
            let split = start + self.used[start..end].partition_point(|&k| value(k) <= mean[channel]);
            let split = split.clamp(start + 1, end - 1);
            cells[worst] = self.cell(start, split);
            cells.push(self.cell(split, end));
        }
        cells.iter().map(|cell| cell.mean.map(|c| c.round() as u8)).collect()
    }

    fn cell(&self, start: usize, end: usize) -> Cell {
        let (mut count, mut sum, mut squares) = (0.0, [0.0; 3], [0.0; 3]);
        for &k in &self.used[start..end] {
            let bin = &self.histogram[k as usize];
            let (weight, colour) = (bin.count as f64, colour_of(bin));
            count += weight;
            for c in 0..3 {
                sum[c] += weight * colour[c];
                squares[c] += weight * colour[c] * colour[c];
            }
        }
        let mean = sum.map(|s| s / f64::max(count, 1.0));
        let error = |c: usize| SIGHT[c] as f64 * (squares[c] - sum[c] * mean[c]).max(0.0);
        let channel = (0..3).max_by(|&a, &b| error(a).total_cmp(&error(b))).unwrap_or(0);
        let total = if end - start > 1 { error(0) + error(1) + error(2) } else { 0.0 };
        // Rare colours count a little more than their area: a small body keeps its own.
        Cell { start, end, mean, error: total / f64::max(count, 1.0).powf(0.3), channel }
    }

    fn map(&mut self, image: &Image, palette: &[[u8; 3]]) {
        self.nearest.clear();
        self.nearest.resize(1 << (3 * BITS), UNKNOWN);
        self.indices.clear();
        self.indices.reserve(image.pixels.len());
        for row in &mut self.errors {
            row.clear();
            row.resize(image.width + 2, [0; 3]);
        }
        for row in image.pixels.chunks_exact(image.width) {
            let [now, below] = &mut self.errors;
            for (x, pixel) in row.iter().enumerate() {
                let wanted = [0, 1, 2].map(|c| (pixel[c] as i32 + now[x + 1][c] / 256).clamp(0, 255) as u8);
                let nearest = &mut self.nearest[bin_of(wanted)];
                if *nearest == UNKNOWN {
                    *nearest = nearest_in(palette, wanted);
                }
                self.indices.push(*nearest as u8);
                let shown = palette[*nearest as usize];
                for c in 0..3 {
                    let lost = (wanted[c] as i32 - shown[c] as i32) * PASSED;
                    now[x + 2][c] += 7 * lost;
                    below[x][c] += 3 * lost;
                    below[x + 1][c] += 5 * lost;
                    below[x + 2][c] += lost;
                }
            }
            now.fill([0; 3]);
            self.errors.swap(0, 1);
        }
    }
}

fn colour_of(bin: &Bin) -> [f64; 3] {
    bin.sum.map(|s| s as f64 / bin.count.max(1) as f64)
}

fn nearest_in(palette: &[[u8; 3]], colour: [u8; 3]) -> u16 {
    let distance =
        |other: &[u8; 3]| -> i64 { (0..3).map(|c| SIGHT[c] * (colour[c] as i64 - other[c] as i64).pow(2)).sum() };
    (0..palette.len()).min_by_key(|&k| distance(&palette[k])).unwrap_or(0) as u16
}
