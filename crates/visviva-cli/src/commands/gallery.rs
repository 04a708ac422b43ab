//! `visviva gallery`: a picture and an energy plot of each gallery scene, integrators beside each other.

use super::kept_runs::{RunsArgs, by_blame};
use super::plot::{drum_figure, energy_figure};
use crate::args::colour_by;
use crate::failure::{Interrupted, OrUsage, Usage};
use crate::gallery::{self, SCENES};
use anyhow::Context;
use std::path::PathBuf;
use visviva::run::drum::ModeNumbers;
use visviva::run::whole_file;
use visviva_paper::{Experiment, Order, Plan, RunSettings, Tier};
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
    #[command(flatten)]
    runs: RunsArgs,
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

    /// The runs of a scene, made now unless they are there as they are wanted. One that fails is drawn as far as it went.
    fn runs_of(&self, name: &str) -> anyhow::Result<Vec<PathBuf>> {
        let run = |integrator: &String| RunSettings {
            name: integrator.clone(),
            integrator: integrator.clone(),
            seconds: 10.0,
            ..RunSettings::default()
        };
        let experiment = Experiment {
            name: name.to_owned(),
            scene: Some(name.to_owned()),
            set: self.set.clone(),
            runs: self.integrators.iter().map(run).collect(),
            ..Experiment::default()
        };
        let plan = Plan::new(vec![experiment], Tier::Full, &gallery::find, None).map_err(by_blame)?;
        let cache = self.runs.cache();
        eprintln!("{name}");
        // What stopped before its end is shown as far as it came.
        self.runs.carry_out(&plan, &cache, &[])?;
        if !plan.left(&cache, &[], false, Order::LongestFirst).is_empty() {
            return Err(Interrupted("what was run is kept: the same command goes on".into()).into());
        }
        Ok(plan.scenes().map(|run| cache.folder_of(run)).collect())
    }

    fn draw(&self, name: &str) -> anyhow::Result<()> {
        let runs = self.runs_of(name)?;
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
            plots.push(("drum", Some(drum_figure(&runs, &[], mode)?)));
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
