//! `visviva export`: a run's frames in the formats of other programs.

use super::study::progress;
use crate::condition;
use anyhow::Context;
use clap::builder::{PossibleValue, PossibleValuesParser};
use std::path::PathBuf;
use visviva::run::export::FORMATS;
use visviva::run::{RunFolder, ShownFrame, evenly};

#[derive(Debug, clap::Args)]
pub struct ExportArgs {
    /// The folder of a run
    #[arg(value_name = "DIR")]
    run: PathBuf,
    #[arg(long, default_value = FORMATS[0].name, value_parser = formats())]
    format: String,
    /// Where the files go; by default into vtk/ or obj/ in the run's folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Only every N-th frame
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// The frames as they were computed, though their times be uneven: none is interpolated
    #[arg(long)]
    no_interpolation: bool,
}

fn formats() -> PossibleValuesParser {
    FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.what)).collect::<Vec<_>>().into()
}

impl ExportArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let run = RunFolder::open(&self.run)?;
        condition::warn(&run.condition());
        let frames = self.frames(&run)?;
        let format = FORMATS.iter().find(|format| format.name == self.format).context("no such format")?;
        // A run whose files are gone is still exported, without what needs its materials.
        let model = format.uses_materials.then(|| run.built().map(|(_, built)| built.model));
        if let Some(Err(error)) = &model {
            eprintln!("warning: no energy density: {error}");
        }
        let model = model.and_then(Result::ok);
        let out = self.out.clone().unwrap_or_else(|| self.run.join(format.folder));
        let bar = progress(frames.len() as u64);
        let made = run.export((format.exporter)(&out).as_mut(), &frames, model.as_deref(), || bar.inc(1));
        bar.finish_and_clear();
        for path in made? {
            println!("{}", path.display());
        }
        condition::tell_interpolated(&frames);
        Ok(())
    }

    /// At even times, where the scene tells which and the frames' own allow it.
    fn frames(&self, run: &RunFolder) -> anyhow::Result<Vec<ShownFrame>> {
        let written = run.frames()?;
        let rate = run.scene().ok().filter(|_| !self.no_interpolation).map(|scene| scene.run.frame_rate);
        let even = rate.and_then(|rate| evenly(&written, rate));
        let frames = even.unwrap_or_else(|| written.iter().map(ShownFrame::written).collect());
        Ok(frames.into_iter().filter(|frame| frame.index.is_multiple_of(self.every)).collect())
    }
}
