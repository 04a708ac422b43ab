//! `visviva export`: a run's frames in the formats of other programs.

use super::study::progress;
use crate::args::positive;
use crate::condition;
use crate::failure::Usage;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::path::{Path, PathBuf};
use visviva::model::bodies::Model;
use visviva::run::export::{FORMATS, Format};
use visviva::run::{FrameInfo, OutputError, RunFolder, ShownFrame, evenly};

#[derive(Debug, clap::Args)]
pub struct ExportArgs {
    /// The folder of a run
    #[arg(value_name = "DIR")]
    pub run: PathBuf,
    /// Formats, several with commas between them
    #[arg(
        long, alias = "format", value_name = "FORMAT", value_delimiter = ',',
        default_value = FORMATS[0].name, value_parser = format_named()
    )]
    pub to: Vec<&'static Format>,
    /// Where the files go; by default into a folder of the format's name in the run's. usd, gltf and npz also take a file's name
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// Frames a second, at exact times whatever the step; by default those of the run
    #[arg(long, value_name = "RATE", value_parser = positive, conflicts_with = "no_interpolation")]
    pub fps: Option<f64>,
    /// Only every N-th frame
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(1..))]
    pub every: u64,
    /// The frames as they were computed, though their times be uneven: none is interpolated
    #[arg(long)]
    pub no_interpolation: bool,
}

fn format_named() -> impl TypedValueParser<Value = &'static Format> {
    let values = FORMATS.iter().map(|f| PossibleValue::new(f.name).aliases(f.aliases.iter().copied()).help(f.what));
    PossibleValuesParser::from(values.collect::<Vec<_>>()).try_map(|name| {
        let named = FORMATS.iter().find(|format| format.name == name || format.aliases.contains(&name.as_str()));
        named.ok_or_else(|| format!("`{name}` is no format"))
    })
}

impl ExportArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        self.export(|path| println!("{}", path.display()))
    }

    /// Writes all formats, and says of each file that it is there.
    pub fn export(&self, mut written: impl FnMut(&Path)) -> anyhow::Result<()> {
        if let Some(out) = self.out.as_ref().filter(|out| self.to.len() > 1 && out.extension().is_some()) {
            let out = out.display();
            return Err(Usage(format!("--out {out} names one file; several formats need a folder")).into());
        }
        let run = RunFolder::open(&self.run)?;
        condition::warn(&run.condition());
        let (frames, rate) = self.frames(&run)?;
        // A run whose files are gone is still exported, without what needs its materials.
        let model =
            self.to.iter().any(|format| format.uses_materials).then(|| run.built().map(|(_, built)| built.model));
        if let Some(Err(error)) = &model {
            eprintln!("warning: no energy density: {error}");
        }
        let model = model.and_then(Result::ok);
        for format in &self.to {
            for path in self.write(&run, format, &frames, rate, model.as_deref())? {
                written(&path);
                tell_unwieldy(format, &path);
            }
        }
        condition::tell_interpolated(&frames);
        Ok(())
    }

    fn write(
        &self,
        run: &RunFolder,
        format: &Format,
        frames: &[ShownFrame],
        rate: f64,
        model: Option<&Model>,
    ) -> Result<Vec<PathBuf>, OutputError> {
        let out = self.out.clone().unwrap_or_else(|| self.run.join(format.folder));
        let bar = progress(frames.len() as u64);
        let made = run.export((format.exporter)(&out).as_mut(), frames, rate, model, || bar.inc(1));
        bar.finish_and_clear();
        made
    }

    /// At even times, where it is known which and the frames' own allow it; and how many a second.
    fn frames(&self, run: &RunFolder) -> anyhow::Result<(Vec<ShownFrame>, f64)> {
        let written = run.frames()?;
        let rate = self.fps.or_else(|| run.scene().ok().map(|scene| scene.run.frame_rate));
        let even = rate.filter(|_| !self.no_interpolation).and_then(|rate| evenly(&written, rate));
        if let (Some(fps), None, false) = (self.fps, &even, written.is_empty()) {
            anyhow::bail!(
                "--fps {fps}: the frames' times in frames/times.csv do not grow, or lie too far apart for so many; leave --fps out"
            );
        }
        let frames = even.unwrap_or_else(|| written.iter().map(ShownFrame::written).collect());
        let frames = frames.into_iter().filter(|frame| frame.index.is_multiple_of(self.every)).collect();
        Ok((frames, rate.unwrap_or_else(|| mean_rate(&written))))
    }
}

/// Where nothing says how many frames a second there should be `[1/s]`.
fn mean_rate(frames: &[FrameInfo]) -> f64 {
    let span = frames.last().zip(frames.first()).map_or(0.0, |(last, first)| last.t - first.t);
    let rate = (frames.len() as f64 - 1.0) / span;
    if rate.is_finite() && rate > 0.0 { rate } else { 30.0 }
}

fn tell_unwieldy(format: &Format, path: &Path) {
    let length = path.metadata().map_or(0, |file| file.len());
    if let Some((_, advice)) = format.unwieldy.filter(|(most, _)| length > *most) {
        eprintln!("note: {} has {:.0} MB: {advice}", path.display(), length as f64 / 1e6);
    }
}
