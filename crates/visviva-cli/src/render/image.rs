//! An image in memory: three bytes a pixel, its PNG and its parts laid over one another.
use super::RenderError;
use resvg::tiny_skia::Pixmap;
use std::path::Path;
use visviva::run::whole_file;

/// Longest side of an image [px]; a larger one would take gigabytes to draw.
pub(super) const LARGEST_SIDE: usize = 8192;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    pub width: usize,
    pub height: usize,
    /// sRGB, row after row from the top.
    pub pixels: Vec<[u8; 3]>,
}

impl Image {
    pub fn new(width: usize, height: usize, colour: [u8; 3]) -> Result<Image, RenderError> {
        check_size(width, height)?;
        Ok(Image { width, height, pixels: vec![colour; width * height] })
    }

    pub fn bytes(&self) -> &[u8] {
        self.pixels.as_flattened()
    }

    pub fn to_png(&self) -> Result<Vec<u8>, RenderError> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let wrong = |error: png::EncodingError| RenderError::Encode(error.to_string());
        let mut writer = encoder.write_header().map_err(wrong)?;
        writer.write_image_data(self.bytes()).map_err(wrong)?;
        writer.finish().map_err(wrong)?;
        Ok(out)
    }

    /// The file appears whole or not at all.
    pub fn write_png(&self, path: &Path) -> Result<(), RenderError> {
        whole_file::write(path, &self.to_png()?).map_err(RenderError::write(path))
    }

    /// Averages down, or repeats up, to another size.
    pub fn resized(&self, width: usize, height: usize) -> Result<Image, RenderError> {
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
    pub(super) fn put(&mut self, image: &Image, (x, y): (usize, usize)) {
        let width = image.width.min(self.width.saturating_sub(x));
        for row in 0..image.height.min(self.height.saturating_sub(y)) {
            let (to, from) = ((y + row) * self.width + x, row * image.width);
            self.pixels[to..to + width].copy_from_slice(&image.pixels[from..from + width]);
        }
    }

    /// Lays a drawing with its own transparency over the image.
    pub(super) fn lay(&mut self, drawing: &Pixmap, (x, y): (usize, usize)) {
        let (columns, rows) = (drawing.width() as usize, drawing.height() as usize);
        for row in 0..rows.min(self.height.saturating_sub(y)) {
            for column in 0..columns.min(self.width.saturating_sub(x)) {
                let over = drawing.pixels()[row * columns + column];
                let pixel = &mut self.pixels[(y + row) * self.width + x + column];
                let through = 255 - over.alpha() as u32;
                let ink = [over.red(), over.green(), over.blue()];
                *pixel = [0, 1, 2].map(|c| (ink[c] as u32 + (pixel[c] as u32 * through + 127) / 255).min(255) as u8);
            }
        }
    }
}

/// The pixels of a side of `from` that make pixel `k` of a side of `to`.
fn spread(k: usize, to: usize, from: usize) -> std::ops::Range<usize> {
    let start = k * from / to;
    start..((k + 1) * from / to).max(start + 1)
}

pub(super) fn check_size(width: usize, height: usize) -> Result<(), RenderError> {
    if width == 0 || height == 0 {
        return Err(RenderError::EmptyImage { width, height });
    }
    if width.max(height) > LARGEST_SIDE {
        return Err(RenderError::TooLarge { width, height, limit: LARGEST_SIDE });
    }
    Ok(())
}
