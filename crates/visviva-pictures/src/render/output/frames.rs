//! Numbered frames: NAME-00001.png, NAME-00002.png, …
use crate::image::{Image, ImageError};
use crate::render::RenderError;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub struct Frames {
    folder: PathBuf,
    name: String,
    written: usize,
}

impl Frames {
    /// The folder is made if absent.
    pub fn new(folder: &Path, name: impl Into<String>) -> Result<Frames, RenderError> {
        std::fs::create_dir_all(folder).map_err(ImageError::write(folder))?;
        Ok(Frames { folder: folder.into(), name: name.into(), written: 0 })
    }

    pub fn add(&mut self, image: &Image) -> Result<PathBuf, RenderError> {
        let path = self.folder.join(format!("{}-{:05}.png", self.name, self.written + 1));
        image.write_png(&path)?;
        self.written += 1;
        Ok(path)
    }
}
