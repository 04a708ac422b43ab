//! An image in few colours, as GIF and small PNG have it.

use crate::image::{Image, ImageError};

/// Of an image: three bytes a colour, and the index of every pixel.
pub struct Quantised {
    pub palette: Vec<u8>,
    pub indices: Vec<u8>,
}

impl Quantised {
    /// `dithering` is the part of a colour's error that is passed on to its neighbours.
    pub fn of(image: &Image, colours: u16, dithering: f32) -> Result<Self, quantizr::Error> {
        let bytes: Vec<u8> = image.pixels.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect();
        let source = quantizr::Image::new(&bytes, image.width, image.height)?;
        let mut options = quantizr::Options::default();
        options.set_max_colors(colours.into())?;
        let mut found = quantizr::QuantizeResult::quantize(&source, &options);
        found.set_dithering_level(dithering)?;
        let mut indices = vec![0; image.pixels.len()];
        found.remap_image(&source, &mut indices)?;
        let palette = found.get_palette();
        let colours = &palette.entries[..palette.count as usize];
        Ok(Self { palette: colours.iter().flat_map(|colour| [colour.r, colour.g, colour.b]).collect(), indices })
    }
}

impl Image {
    /// In so few colours, at most 256, that it is a third as large: for pages that hold many pictures.
    pub fn to_small_png(&self, colours: u16) -> Result<Vec<u8>, ImageError> {
        // Passing errors on would make even areas grainy, and grain packs badly.
        let Quantised { palette, indices } = Quantised::of(self, colours, 0.0).map_err(ImageError::encode)?;
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(palette);
        encoder.set_filter(png::Filter::NoFilter);
        encoder.set_compression(png::Compression::High);
        let mut writer = encoder.write_header().map_err(ImageError::encode)?;
        writer.write_image_data(&indices).map_err(ImageError::encode)?;
        writer.finish().map_err(ImageError::encode)?;
        Ok(out)
    }
}
