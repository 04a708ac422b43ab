//! `visviva gallery`: a picture and an energy plot of each gallery scene, integrators beside each other.

use super::plot::{drum_figure, energy_figure};
use crate::args::colour_by;
use crate::drum_mode::ModeNumbers;
use crate::failure::{OrUsage, Usage};
use crate::gallery::{self, SCENES};
use crate::runner::{self, RunOptions};
use anyhow::Context;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use visviva::run::{RunFolder, whole_file};
use visviva_pictures::Image;
use visviva_pictures::render::{Renderer, Sheet};
use visviva_pictures::run::{ColourBy, Look, RunPictures};

#[derive(Debug, clap::Args)]
pub struct GalleryArgs {
    /// Gallery scenes; by default all that need no file
    scenes: Vec<String>,
    /// Where pictures and plots go
    #[arg(long, value_name = "DIR", default_value = "docs/gallery")]
    out: PathBuf,
    /// Where the runs are kept, and taken from if they are there
    #[arg(long, value_name = "DIR", default_value = "runs/gallery")]
    runs: PathBuf,
    #[arg(long, value_delimiter = ',', default_value = "implicit-euler,bdf2,a-1,a-search")]
    integrators: Vec<String>,
    /// Moments in one picture
    #[arg(long, default_value = "20", value_parser = clap::value_parser!(u16).range(1..=400))]
    moments: u16,
    /// Colour by a field instead of by body
    #[arg(long, default_value = "body", value_parser = colour_by())]
    color_by: ColourBy,
    /// Change any key of the scenes
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
}

/// Pictures in the docs stay small.
const LARGEST_PICTURE: usize = 100 * 1024;
const CELL: (usize, usize) = (640, 360);

impl GalleryArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let names: Vec<&str> = SCENES.iter().map(|s| s.name).collect();
        if let Some(unknown) = self.scenes.iter().find(|s| !names.contains(&s.as_str())) {
            let others = gallery::others(unknown);
            return Err(Usage(format!("no gallery scene is called `{unknown}`{others}")).into());
        }
        std::fs::create_dir_all(&self.out).with_context(|| format!("cannot make the folder {}", self.out.display()))?;
        for name in names {
            let asked = self.scenes.iter().any(|s| s == name);
            if !asked && !self.scenes.is_empty() {
                continue;
            }
            let source = gallery::find(name).or_usage()?;
            let scene = source.parse(&self.set).or_usage()?;
            if !asked && scene.bodies.iter().any(|b| b.mesh_file().is_some()) {
                eprintln!("{name} needs a mesh file: name it to draw it");
                continue;
            }
            self.draw(name)?;
        }
        Ok(())
    }

    fn draw(&self, name: &str) -> anyhow::Result<()> {
        let runs = self.integrators.iter().map(|i| self.run_of(name, i)).collect::<anyhow::Result<Vec<_>>>()?;
        let mut renderer = Renderer::new();
        let columns = self.integrators.len().min(2);
        let mut sheet = Sheet::new(self.integrators.len(), columns, CELL)?;
        for (run, integrator) in runs.iter().zip(&self.integrators) {
            let look = Look { size: CELL, colour_by: self.color_by, captions: false, ..Look::default() };
            let pictures = RunPictures::open(run, look)?;
            let last = pictures.frames.last().map_or(0.0, |f| f.t);
            let image = pictures.superimposed(usize::from(self.moments), &mut renderer)?;
            sheet.place(&image, &format!("{integrator}, {last:.1} s"))?;
        }
        let path = self.out.join(format!("{name}.png"));
        let png = small_png(sheet.image())?;
        whole_file::write(&path, &png).with_context(|| format!("cannot write {}", path.display()))?;
        println!("{} ({} KiB)", path.display(), png.len() / 1024);
        let mut plots = vec![("energy", energy_figure(&runs)?)];
        let scene = gallery::find(name).or_usage()?.parse(&self.set).or_usage()?;
        let drum = scene.bodies.iter().find_map(|body| body.velocity.as_ref()?.drum.as_ref());
        if let Some(mode) = drum {
            let mode = ModeNumbers { diameters: mode.nodal_diameters, circles: mode.nodal_circles };
            plots.push(("drum", Some(drum_figure(&runs, mode)?)));
        }
        for (what, figure) in plots {
            let Some(figure) = figure else { continue };
            let svg = figure.to_svg();
            let path = self.out.join(format!("{name}-{what}.svg"));
            whole_file::write(&path, svg.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
            println!("{} ({} KiB)", path.display(), svg.len() / 1024);
        }
        Ok(())
    }

    /// The run of a scene with an integrator: made now, unless it is there and complete.
    fn run_of(&self, name: &str, integrator: &str) -> anyhow::Result<PathBuf> {
        let folder = self.runs.join(name).join(integrator.replace([':', '=', ','], "_"));
        if is_whole(&folder) {
            return Ok(folder);
        }
        let source = gallery::find(name).or_usage()?;
        let assignments: Vec<String> =
            [format!("run.integrator={integrator}")].into_iter().chain(self.set.iter().cloned()).collect();
        let scene = source.parse(&assignments).or_usage()?;
        let built = scene.build().or_usage()?;
        eprintln!("{name}, {integrator}");
        let options = RunOptions {
            folder: folder.clone(),
            overwrite: true,
            quiet: false,
            stop: Arc::new(AtomicBool::new(false)),
        };
        // A run that fails is part of the picture: it is drawn as far as it went.
        runner::run(&source, scene, built, &options)?;
        Ok(folder)
    }
}

fn is_whole(folder: &Path) -> bool {
    RunFolder::open(folder).ok().and_then(|f| f.summary().ok().flatten()).is_some()
}

/// As large as fits the limit.
fn small_png(image: &Image) -> anyhow::Result<Vec<u8>> {
    let mut scale = 1.0;
    loop {
        let (w, h) = ((image.width as f64 * scale) as usize, (image.height as f64 * scale) as usize);
        let png = image.resized(w.max(1), h.max(1))?.to_png()?;
        if png.len() <= LARGEST_PICTURE || w < 100 {
            return Ok(png);
        }
        scale *= 0.9;
    }
}
