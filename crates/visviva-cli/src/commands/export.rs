//! `visviva export`: a run's frames in the formats of other programs.

use super::study::progress;
use anyhow::Context;
use clap::builder::{PossibleValue, PossibleValuesParser};
use std::path::PathBuf;
use visviva::run::RunFolder;
use visviva::run::export::FORMATS;

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
}

fn formats() -> PossibleValuesParser {
    FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.what)).collect::<Vec<_>>().into()
}

impl ExportArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let run = RunFolder::open(&self.run)?;
        let missing = run.missing_frames()?;
        if !missing.is_empty() {
            let first: Vec<String> = missing.iter().take(5).map(|i| i.to_string()).collect();
            let more = if missing.len() > 5 { ", …" } else { "" };
            eprintln!("warning: frames {}{more} are missing and left out", first.join(", "));
        }
        let format = FORMATS.iter().find(|format| format.name == self.format).context("no such format")?;
        // A run whose files are gone is still exported, without what needs its materials.
        let model = format.uses_materials.then(|| run.built().map(|(_, built)| built.model));
        if let Some(Err(error)) = &model {
            eprintln!("warning: no energy density: {error}");
        }
        let model = model.and_then(Result::ok);
        let out = self.out.clone().unwrap_or_else(|| self.run.join(format.folder));
        let bar = progress(run.frames()?.len() as u64 / self.every);
        let made = run.export((format.exporter)(&out).as_mut(), self.every, model.as_deref(), || bar.inc(1));
        bar.finish_and_clear();
        for path in made? {
            println!("{}", path.display());
        }
        Ok(())
    }
}
