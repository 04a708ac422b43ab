//! An image in memory: three bytes a pixel, its PNG, its size and its parts.
use crate::partial_file::write_whole;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Longest side of an image `[px]`; more would take gigabytes.
const LARGEST_SIDE: usize = 16384;

/// What can be wrong with an image or its file.
#[derive(Debug, Error)]
pub enum ImageError {
    #[error("an image of {width} by {height} pixels has no area")]
    Empty { width: usize, height: usize },
    #[error("an image of {width} by {height} pixels is too large: no side may pass {limit}")]
    TooLarge { width: usize, height: usize, limit: usize },
    #[error("the picture could not be encoded: {0}")]
    Encode(String),
    #[error("{path} could not be written: {source}")]
    Write { path: PathBuf, source: io::Error },
}

impl ImageError {
    /// For `map_err` on writing to a path.
    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> ImageError {
        let path = path.into();
        move |source| ImageError::Write { path, source }
    }

    pub(crate) fn encode(error: impl std::fmt::Display) -> ImageError {
        ImageError::Encode(error.to_string())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    pub width: usize,
    pub height: usize,
    /// sRGB, row after row from the top.
    pub pixels: Vec<[u8; 3]>,
}

impl Image {
    pub fn new(width: usize, height: usize, colour: [u8; 3]) -> Result<Image, ImageError> {
        check_size((width, height), LARGEST_SIDE)?;
        Ok(Image { width, height, pixels: vec![colour; width * height] })
    }

    pub fn bytes(&self) -> &[u8] {
        self.pixels.as_flattened()
    }

    pub fn to_png(&self) -> Result<Vec<u8>, ImageError> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        // Even areas and thin lines pack best as they are: filters made charts a quarter larger, frames a seventh.
        encoder.set_filter(png::Filter::NoFilter);
        let mut writer = encoder.write_header().map_err(ImageError::encode)?;
        writer.write_image_data(self.bytes()).map_err(ImageError::encode)?;
        writer.finish().map_err(ImageError::encode)?;
        Ok(out)
    }

    /// The file appears whole or not at all.
    pub fn write_png(&self, path: &Path) -> Result<(), ImageError> {
        write_whole(path, &self.to_png()?).map_err(ImageError::write(path))
    }

    /// Averages down, or repeats up, to another size.
    pub fn resized(&self, width: usize, height: usize) -> Result<Image, ImageError> {
        let mut out = Image::new(width, height, [0; 3])?;
        for y in 0..height {
            let rows = spread(y, height, self.height);
            for x in 0..width {
                let columns = spread(x, width, self.width);
                let count = (rows.len() * columns.len()) as u32;
                let mut sum = [count / 2; 3];
                for row in rows.clone() {
                    for pixel in &self.pixels[row * self.width + columns.start..row * self.width + columns.end] {
                        (0..3).for_each(|c| sum[c] += pixel[c] as u32);
                    }
                }
                out.pixels[y * width + x] = sum.map(|s| (s / count) as u8);
            }
        }
        Ok(out)
    }

    /// Copies an image with its upper left corner at a place; what passes the border is cut.
    pub(crate) fn put(&mut self, image: &Image, (x, y): (usize, usize)) {
        let width = image.width.min(self.width.saturating_sub(x));
        for row in 0..image.height.min(self.height.saturating_sub(y)) {
            let (to, from) = ((y + row) * self.width + x, row * image.width);
            self.pixels[to..to + width].copy_from_slice(&image.pixels[from..from + width]);
        }
    }
}

/// The pixels of a side of `from` that make pixel `k` of a side of `to`.
fn spread(k: usize, to: usize, from: usize) -> std::ops::Range<usize> {
    let start = k * from / to;
    start..((k + 1) * from / to).max(start + 1)
}

pub(crate) fn check_size((width, height): (usize, usize), limit: usize) -> Result<(), ImageError> {
    if width == 0 || height == 0 {
        return Err(ImageError::Empty { width, height });
    }
    if width.max(height) > limit {
        return Err(ImageError::TooLarge { width, height, limit });
    }
    Ok(())
}
