//! Animated GIF, written frame by frame: each with its own 256 colours.
use super::partial::Partial;
use super::quantise::Quantiser;
use super::{Image, RenderError};
use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

pub struct Animation {
    encoder: gif::Encoder<BufWriter<File>>,
    partial: Partial,
    size: (usize, usize),
    rate: f64,
    written: usize,
    quantiser: Quantiser,
}

impl std::fmt::Debug for Animation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Animation").field("path", &self.partial.path()).field("written", &self.written).finish()
    }
}

impl Animation {
    /// An endless loop at `rate` frames a second; the format counts in hundredths of a second, so 50 is the fastest.
    pub fn create(path: &Path, size: (usize, usize), rate: f64) -> Result<Animation, RenderError> {
        super::image::check_size(size.0, size.1)?;
        if !(0.01..=50.0).contains(&rate) {
            return Err(RenderError::Rate(rate));
        }
        let partial = Partial::new(path)?;
        let file = BufWriter::new(partial.create()?);
        let mut encoder = gif::Encoder::new(file, size.0 as u16, size.1 as u16, &[]).map_err(encoding)?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(encoding)?;
        Ok(Animation { encoder, partial, size, rate, written: 0, quantiser: Quantiser::default() })
    }

    pub fn add(&mut self, image: &Image) -> Result<(), RenderError> {
        let found = (image.width, image.height);
        if found != self.size {
            return Err(RenderError::FrameSize { expected: self.size, found });
        }
        let (palette, indices) = self.quantiser.quantise(image);
        // Rounded ends, not rounded lengths: the film keeps its total time.
        let end = |frame: usize| (100.0 * frame as f64 / self.rate).round() as u64;
        let frame = gif::Frame {
            width: image.width as u16,
            height: image.height as u16,
            delay: (end(self.written + 1) - end(self.written)) as u16,
            palette: Some(palette),
            buffer: Cow::Borrowed(indices),
            ..gif::Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(encoding)?;
        self.written += 1;
        Ok(())
    }

    /// Gives the file its name.
    pub fn finish(mut self) -> Result<(), RenderError> {
        let mut file = self.encoder.into_inner().map_err(encoding)?;
        file.flush().map_err(RenderError::write(self.partial.path()))?;
        drop(file);
        self.partial.complete()
    }
}

fn encoding(error: gif::EncodingError) -> RenderError {
    RenderError::Encode(error.to_string())
}
