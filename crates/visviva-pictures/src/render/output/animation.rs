//! Animated GIF, written frame by frame: each with its own 256 colours.
use super::check_frame;
use crate::image::{Image, ImageError};
use crate::partial_file::PartialFile;
use crate::quantised::Quantised;
use crate::render::{RenderError, check_picture_size};
use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

pub struct Animation {
    encoder: gif::Encoder<BufWriter<File>>,
    partial: PartialFile,
    size: (usize, usize),
    rate: f64,
    written: usize,
}

/// Part of a colour's error that is passed on to its neighbours: all of it would make even areas grainy.
const DITHERING: f32 = 0.75;

impl std::fmt::Debug for Animation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Animation").field("path", &self.partial.path()).field("written", &self.written).finish()
    }
}

impl Animation {
    /// An endless loop at `rate` frames a second; the format counts in hundredths of a second, so 50 is the fastest.
    pub fn create(path: &Path, size: (usize, usize), rate: f64) -> Result<Animation, RenderError> {
        check_picture_size(size)?;
        if !(0.01..=50.0).contains(&rate) {
            return Err(RenderError::Rate(rate));
        }
        let partial = PartialFile::new(path).map_err(ImageError::write(path))?;
        let file = BufWriter::new(partial.create().map_err(ImageError::write(path))?);
        let mut encoder = gif::Encoder::new(file, size.0 as u16, size.1 as u16, &[]).map_err(ImageError::encode)?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(ImageError::encode)?;
        Ok(Animation { encoder, partial, size, rate, written: 0 })
    }

    pub fn add(&mut self, image: &Image) -> Result<(), RenderError> {
        check_frame(self.size, image)?;
        let Quantised { palette, indices } = Quantised::of(image, 256, DITHERING).map_err(ImageError::encode)?;
        // Rounded ends, not rounded lengths: the film keeps its total time.
        let end = |frame: usize| (100.0 * frame as f64 / self.rate).round() as u64;
        let frame = gif::Frame {
            width: image.width as u16,
            height: image.height as u16,
            delay: (end(self.written + 1) - end(self.written)) as u16,
            palette: Some(palette),
            buffer: Cow::Owned(indices),
            ..gif::Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(ImageError::encode)?;
        self.written += 1;
        Ok(())
    }

    /// Gives the file its name.
    pub fn finish(mut self) -> Result<(), RenderError> {
        let mut file = self.encoder.into_inner().map_err(ImageError::encode)?;
        let flushed = file.flush();
        drop(file);
        Ok(flushed.and_then(|()| self.partial.complete()).map_err(ImageError::write(self.partial.path()))?)
    }
}
