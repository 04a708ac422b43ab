//! An image in few colours, as GIF and small PNG have it.

use crate::image::Image;

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
