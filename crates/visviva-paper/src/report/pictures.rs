//! Runs beside each other in one picture, small enough to stand in the page.

use crate::cache::Kind;
use crate::judge::Judge;
use crate::plan::Job;
use crate::{CachedRun, Experiment, PaperError, PictureSettings};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use visviva::run::OutputError;
use visviva_pictures::Image;
use visviva_pictures::render::{Renderer, Sheet};
use visviva_pictures::run::{ColourBy, Look, RunPictureError, RunPictures};

/// Width and height of one run `[px]`.
const CELL: (usize, usize) = (300, 180);
const COLUMNS: usize = 3;
/// A page holds two dozen of them `[bytes]`.
const LARGEST: usize = 32 * 1024;
/// Bodies, their shades and their shadows; more are not told apart.
const COLOURS: u16 = 64;

/// One picture, or none where there is nothing to show. What was drawn once is kept beside the runs.
pub fn of(judge: &Judge<'_>, experiment: &Experiment, jobs: &[&Job]) -> Result<Vec<String>, PaperError> {
    let Some(settings) = &experiment.picture else { return Ok(Vec::new()) };
    let cache = judge.values.cache;
    let is_shown = |job: &&&Job| settings.runs.is_empty() || settings.runs.contains(&job.settings.name);
    let ready = |job: &&Job| judge.values.ready(job).ok().map(|run| (job.settings.name.clone(), run));
    let runs: Vec<(String, CachedRun)> = jobs.iter().filter(is_shown).filter_map(ready).collect();
    if runs.is_empty() {
        return Ok(Vec::new());
    }
    let name = |(label, run): &(String, CachedRun)| format!("{label} {:016x}", cache.identity_of(run));
    let names: Vec<String> = runs.iter().map(name).collect();
    let PictureSettings { moments, magnify, .. } = settings;
    let key = format!("{} {moments} {magnify} {CELL:?} {COLOURS} {LARGEST}", names.join(", "));
    if let Some(kept) = cache.kept::<String>(Kind::Pictures, &key) {
        return Ok(vec![kept]);
    }
    let mut lacking = 0;
    let mut renderer = Renderer::new();
    let mut sheet = Sheet::new(runs.len(), COLUMNS.min(runs.len()), CELL).map_err(|e| drawing(experiment, e))?;
    for (label, run) in &runs {
        let look = Look {
            size: CELL,
            magnify: settings.magnify,
            captions: false,
            colour_by: if settings.magnify > 1.0 { ColourBy::Displacement } else { ColourBy::Body },
            ..Look::default()
        };
        let drawn = RunPictures::open(&cache.folder_of(run), look)
            .and_then(|pictures| pictures.superimposed(settings.moments, &mut renderer));
        match drawn {
            Ok(image) => sheet.place(&image, label).map_err(|e| drawing(experiment, e))?,
            // Frames were let go on another machine: the others are shown.
            Err(
                RunPictureError::NoFrames { .. }
                | RunPictureError::MissingFrames { .. }
                | RunPictureError::Folder(OutputError::MissingPart { .. }),
            ) => lacking += 1,
            Err(error) => return Err(drawing(experiment, error)),
        }
    }
    if lacking == runs.len() {
        return Ok(Vec::new());
    }
    let picture = png(&small(sheet.image())?);
    cache.keep(Kind::Pictures, &key, &picture)?;
    Ok(vec![picture])
}

fn drawing(experiment: &Experiment, error: impl std::fmt::Display) -> PaperError {
    PaperError::Experiment { name: experiment.name.clone(), problem: format!("its picture cannot be made: {error}") }
}

/// An image for a page.
pub fn png(bytes: &[u8]) -> String {
    format!("<img alt=\"\" src=\"data:image/png;base64,{}\">", STANDARD.encode(bytes))
}

/// As large as fits the limit.
pub fn small(image: &Image) -> Result<Vec<u8>, PaperError> {
    let mut scale = 1.0;
    loop {
        let (w, h) = ((image.width as f64 * scale) as usize, (image.height as f64 * scale) as usize);
        let png = image.resized(w.max(1), h.max(1))?.to_small_png(COLOURS)?;
        if png.len() <= LARGEST || w < 200 {
            return Ok(png);
        }
        scale *= 0.9;
    }
}
