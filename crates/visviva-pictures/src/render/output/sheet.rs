//! A contact sheet: images in a grid with a caption under each, placed one at a time.
use crate::drawing::{Anchor, Drawing, Label, text};
use crate::image::Image;
use crate::render::overlay::text_size;
use crate::render::{RenderError, check_picture_size};

#[derive(Debug)]
pub struct Sheet {
    image: Image,
    columns: usize,
    cell: (usize, usize),
    gap: usize,
    caption: usize,
    next: usize,
}

impl Sheet {
    /// Room for `count` images of `cell` pixels each.
    pub fn new(count: usize, columns: usize, cell: (usize, usize)) -> Result<Sheet, RenderError> {
        Sheet::with_captions(count, columns, cell, (2.0 * text_size(cell.1 * 2)).ceil() as usize)
    }

    /// With captions of this height `[px]`, their letters half as high.
    pub fn with_captions(
        count: usize,
        columns: usize,
        cell: (usize, usize),
        caption: usize,
    ) -> Result<Sheet, RenderError> {
        let columns = columns.clamp(1, count.max(1));
        let gap = (cell.0 / 40).max(4);
        let rows = count.div_ceil(columns);
        let width = columns.saturating_mul(cell.0.saturating_add(gap)).saturating_add(gap);
        let height = rows.saturating_mul(cell.1.saturating_add(caption)).saturating_add(2 * gap);
        check_picture_size(cell)?;
        let image = Image::new(width, if count == 0 { 0 } else { height }, [255; 3])?;
        Ok(Sheet { image, columns, cell, gap, caption, next: 0 })
    }

    /// Puts an image, scaled to its cell, into the next place; beyond the last one it is left out.
    pub fn place(&mut self, image: &Image, caption: &str) -> Result<(), RenderError> {
        let (column, row) = (self.next % self.columns, self.next / self.columns);
        self.next += 1;
        let x = self.gap + column * (self.cell.0 + self.gap);
        let y = self.gap + row * (self.cell.1 + self.caption);
        if (image.width, image.height) == self.cell {
            self.image.put(image, (x, y));
        } else {
            self.image.put(&image.resized(self.cell.0, self.cell.1)?, (x, y));
        }
        if !caption.is_empty() {
            let (wide, tall) = (self.cell.0 as f64, self.caption as f64);
            let size = text::fitting_size(caption, 0.5 * tall, wide);
            let mut drawing = Drawing::new((wide, tall));
            drawing.text(Label::new(caption, (wide / 2.0, 0.62 * tall), size, Anchor::Middle));
            drawing.lay_over(&mut self.image, (x, y + self.cell.1), 1.0);
        }
        Ok(())
    }

    pub fn image(&self) -> &Image {
        &self.image
    }
}
