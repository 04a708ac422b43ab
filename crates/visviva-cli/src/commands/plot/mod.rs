//! `visviva plot`: curves of one run or of several together, as SVG and PNG.

mod by;
mod figures;
mod run;

use crate::condition;
use crate::failure::Usage;
use anyhow::bail;
use run::Run;
use std::path::{Path, PathBuf};
use visviva::run::drum::{self, ModeNumbers};
use visviva::run::{MeasuredRun, RunFolder};
use visviva_pictures::chart::Figure;

#[derive(Debug, clap::Args)]
pub struct PlotArgs {
    /// Folders of runs
    #[arg(value_name = "DIR", required = true)]
    runs: Vec<PathBuf>,
    /// A folder (one that is there, or a name that ends in /) or the beginning of the files' names; by default plots/ in the
    /// run's folder or, for several runs, here
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Which figures; by default all that the runs have values for
    #[arg(long, value_enum, value_delimiter = ',')]
    what: Vec<What>,
    /// The amplitude of a drum's mode in the first shell: nodal diameters and circles, such as 2,1. Other figures only where
    /// --what names them
    #[arg(long, value_name = "M,N", value_parser = drum::mode_numbers)]
    drum: Option<ModeNumbers>,
    /// Colour the runs by a key of their scenes, such as run.h or body.ball.material.youngs_modulus: a scale of colours in place
    /// of a legend, for any number of runs
    #[arg(long, value_name = "KEY", conflicts_with_all = ["labels", "drum"])]
    by: Option<String>,
    /// Names of the runs in the legends; by default integrator and time step
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    labels: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum What {
    /// Total energy against its target
    Energy,
    /// Kinetic, elastic, gravitational and barrier energy
    Terms,
    AngularMomentum,
    /// The α of each step
    Alpha,
    /// Newton iterations, a step and in sum
    Newton,
    /// Height of the mass centre of all bodies; reads every frame, and is drawn only where it is asked for
    Height,
}

impl What {
    const ALL: [What; 5] = [What::Energy, What::Terms, What::AngularMomentum, What::Alpha, What::Newton];

    fn name(self) -> &'static str {
        match self {
            What::Energy => "energy",
            What::Terms => "terms",
            What::AngularMomentum => "angular-momentum",
            What::Alpha => "alpha",
            What::Newton => "newton",
            What::Height => "height",
        }
    }
}

/// A figure by its name, of one run or of several together; none where no run has values for it.
pub fn figure(what: &str, folders: &[PathBuf], labels: &[String]) -> anyhow::Result<Option<Figure>> {
    let known = || What::ALL.into_iter().chain([What::Height]);
    let Some(what) = known().find(|known| known.name() == what) else {
        let names: Vec<&str> = known().map(What::name).collect();
        return Err(Usage(format!("`{what}` is no figure; there are: {}", names.join(", "))).into());
    };
    let runs = labelled(folders, labels)?;
    if what == What::Height { of_height(&runs, folders).map(Some) } else { Ok(figures::draw(what, &runs)) }
}

/// Distances of runs from a reference, over time.
pub fn distance_figure(folders: &[PathBuf], labels: &[String], reference: &Path) -> anyhow::Result<Figure> {
    let (runs, reference) = (labelled(folders, labels)?, MeasuredRun::open(reference)?);
    let distances = folders.iter().map(|dir| Ok(MeasuredRun::open(dir)?.distance_to(&reference)?));
    Ok(figures::distance(&runs, distances.collect::<anyhow::Result<Vec<_>>>()?))
}

fn labelled(folders: &[PathBuf], labels: &[String]) -> anyhow::Result<Vec<Run>> {
    let mut runs = folders.iter().map(|path| Run::read(path)).collect::<anyhow::Result<Vec<_>>>()?;
    run::tell_apart(&mut runs);
    runs.iter_mut().zip(labels).for_each(|(run, label)| run.label.clone_from(label));
    Ok(runs)
}

fn of_height(runs: &[Run], folders: &[PathBuf]) -> anyhow::Result<Figure> {
    let heights = folders.iter().map(|dir| Ok(MeasuredRun::open(dir)?.heights(|_| true)?));
    Ok(figures::height(runs, heights.collect::<anyhow::Result<Vec<_>>>()?))
}

/// The energies of several runs in one figure.
pub fn energy_figure(folders: &[PathBuf]) -> anyhow::Result<Option<Figure>> {
    figure(What::Energy.name(), folders, &[])
}

/// The amplitudes of a drum's mode in several runs.
pub fn drum_figure(folders: &[PathBuf], labels: &[String], mode: ModeNumbers) -> anyhow::Result<Figure> {
    of_drum(&labelled(folders, labels)?, folders, mode)
}

fn of_drum(runs: &[Run], folders: &[PathBuf], mode: ModeNumbers) -> anyhow::Result<Figure> {
    folders.iter().for_each(|dir| condition::warn(&RunFolder::at(dir).condition()));
    let moments =
        folders.iter().map(|dir| Ok(MeasuredRun::open(dir)?.drum(mode)?)).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(figures::drum(runs, &moments, mode))
}

impl PlotArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        if !self.labels.is_empty() && self.labels.len() != self.runs.len() {
            let (names, runs) = (self.labels.len(), self.runs.len());
            return Err(Usage(format!("--labels gives {names} names for {runs} runs; give one each")).into());
        }
        let mut runs = self.runs.iter().map(|path| Run::read(path)).collect::<anyhow::Result<Vec<_>>>()?;
        run::tell_apart(&mut runs);
        runs.iter_mut().zip(&self.labels).for_each(|(run, label)| run.label.clone_from(label));
        let colours = self.by.as_deref().map(|key| by::colour(&mut runs, key)).transpose()?.flatten();
        let mut figures = Vec::new();
        if let Some(mode) = self.drum {
            figures.push(("drum", of_drum(&runs, &self.runs, mode)?));
        }
        let all = self.what.is_empty() && self.drum.is_none();
        for what in What::ALL.into_iter().filter(|what| all || self.what.contains(what)) {
            match figures::draw(what, &runs) {
                Some(figure) => figures.push((what.name(), figure)),
                // Asked for by name, its absence is worth an error.
                None if self.what.contains(&what) => bail!("none of the runs has values for {}", what.name()),
                None => {}
            }
        }
        if self.what.contains(&What::Height) {
            figures.push((What::Height.name(), of_height(&runs, &self.runs)?));
        }
        let (folder, stem) = self.place();
        let single = figures.len() == 1;
        for (name, mut figure) in figures {
            figure.colours.clone_from(&colours);
            let file = match &stem {
                None => name.to_owned(),
                Some(stem) if single => stem.clone(),
                Some(stem) => format!("{stem}-{name}"),
            };
            for path in figure.write(&folder, &file)? {
                println!("{}", path.display());
            }
        }
        Ok(())
    }

    /// The folder, and the beginning of the names where one was given.
    fn place(&self) -> (PathBuf, Option<String>) {
        let Some(out) = &self.out else {
            let one = if let [run] = &self.runs[..] { run.as_path() } else { Path::new("") };
            return (one.join("plots"), None);
        };
        let is_folder = out.is_dir() || out.as_os_str().to_string_lossy().ends_with(std::path::is_separator);
        match out.file_name() {
            Some(name) if !is_folder => {
                let name = name.to_string_lossy();
                let stem = name.strip_suffix(".svg").or(name.strip_suffix(".png")).unwrap_or(&name);
                let folder = out.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
                (folder.to_owned(), Some(stem.to_owned()))
            }
            _ => (out.clone(), None),
        }
    }
}
