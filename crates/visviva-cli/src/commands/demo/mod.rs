//! `visviva demo`: one ball, three integrators, and what becomes of its bounce.

mod fall;
mod pictures;

use super::view::{ViewFlags, serve_until};
use crate::args::positive;
use crate::failure::{Interrupted, OrUsage, Usage};
use crate::gallery;
use crate::runner::{self, RunOptions, stop_on_signals};
use anyhow::Context;
use fall::{Fall, LEAST_BOUNCE};
use std::path::{Path, PathBuf};
use visviva::run::{RunFolder, Stats};
use visviva::scene::{Scene, SceneSource, Shape};
use visviva::session::Ending;
use visviva_pictures::colour::Colour;

#[derive(Debug, clap::Args)]
pub struct DemoArgs {
    /// Where runs, chart and picture go
    #[arg(long, value_name = "DIR", default_value = "demo")]
    out: PathBuf,
    /// Replace an older demo in that folder
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    view: ViewFlags,
    /// Simulated time [s]
    #[arg(long, hide = true, default_value = "5", value_parser = positive)]
    duration: f64,
    /// Layers of elements from the ball's centre to its surface
    #[arg(long, hide = true, default_value = "4")]
    shells: u16,
}

const SCENE: &str = "bouncing-ball-medium";
const INTEGRATORS: [&str; 3] = ["implicit-euler", "bdf2", "a-search"];
const CHART: &str = "bounces";
const STRIPS: &str = "balls.png";
const TARGET: Colour = Colour(0x22, 0x22, 0x22);

impl DemoArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let out = self.out.display();
        self.make_room()?;
        let stop = stop_on_signals()?;
        let mut falls = Vec::new();
        for (k, integrator) in INTEGRATORS.into_iter().enumerate() {
            eprintln!("run {} of {}: {integrator}", k + 1, INTEGRATORS.len());
            let options = RunOptions {
                folder: self.folder(integrator),
                overwrite: self.overwrite,
                quiet: false,
                stop: stop.clone(),
            };
            falls.push((integrator, self.fall(integrator, &options)?));
        }
        let (radius, drop) = (self.ball()?.1, falls[0].1.drop);
        let folders = INTEGRATORS.map(|integrator| (integrator, self.folder(integrator)));
        let runs: Vec<(&str, &Path)> = folders.iter().map(|(name, folder)| (*name, folder.as_path())).collect();
        let strips = pictures::strips(&runs, radius, drop, self.duration)?;
        pictures::write(&self.out, &pictures::chart(&falls, self.duration), &strips)?;
        for (name, fall) in &falls {
            println!("{}", told(name, fall, self.duration));
        }
        println!(
            "Same ball, same step: what A-search's bounces lack in height is motion within the ball; what the others' lack is gone."
        );
        println!("\nLook at {out}/{CHART}.png and {out}/{STRIPS}; `visviva render {out}/a-search` makes a film.");
        if let Some(viewer) = self.view.start(&stop)? {
            folders.iter().try_for_each(|(_, folder)| viewer.show(folder))?;
            serve_until(&stop, viewer);
        }
        Ok(())
    }

    /// Refuses what is not ours to replace before anything is run.
    fn make_room(&self) -> anyhow::Result<()> {
        let out = self.out.display();
        if self.out.exists() && !self.out.is_dir() {
            return Err(Usage(format!("{out} is a file: choose a folder with --out")).into());
        }
        if is_taken(&self.out) && !self.overwrite {
            let message =
                format!("{out} is not empty: choose another folder with --out, or replace the demo with --overwrite");
            return Err(Usage(message).into());
        }
        let folders = INTEGRATORS.map(|integrator| self.folder(integrator));
        if let Some(foreign) = folders.iter().find(|folder| is_taken(folder) && RunFolder::open(folder).is_err()) {
            let foreign = foreign.display();
            return Err(Usage(format!("{foreign} is not empty and no run: choose another folder with --out")).into());
        }
        // Pictures of older runs would tell of runs that are no longer there.
        for name in [&format!("{CHART}.svg"), &format!("{CHART}.png"), STRIPS] {
            match std::fs::remove_file(self.out.join(name)) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                done => done.with_context(|| format!("cannot replace {name} in {out}"))?,
            }
        }
        Ok(())
    }

    fn folder(&self, integrator: &str) -> PathBuf {
        self.out.join(integrator)
    }

    fn scene(&self, integrator: &str) -> anyhow::Result<(SceneSource, Scene)> {
        let source = gallery::find(SCENE).or_usage()?;
        let scene = source
            .parse(&[
                format!("run.integrator={integrator}"),
                format!("run.duration={}", self.duration),
                format!("body.0.ball={{ radius = 0.05, shells = {} }}", self.shells),
            ])
            .or_usage()?;
        Ok((source, scene))
    }

    /// Height of the centre at the start and radius [m].
    fn ball(&self) -> anyhow::Result<(f64, f64)> {
        let (_, scene) = self.scene(INTEGRATORS[0])?;
        let body = scene.bodies.first().context("the scene has no body")?;
        let Shape::Ball(shape) = &body.shape else { anyhow::bail!("the scene's body is no ball") };
        Ok((body.translate.map_or(0.0, |t| t[2]), shape.radius))
    }

    fn fall(&self, integrator: &str, options: &RunOptions) -> anyhow::Result<Fall> {
        let (source, scene) = self.scene(integrator)?;
        let built = scene.build().or_usage()?;
        let summary = runner::run(&source, scene, built, options)?;
        match summary.ending {
            Ending::Completed => {}
            Ending::Interrupted => {
                return Err(Interrupted("interrupted; start again with --overwrite".to_owned()).into());
            }
            Ending::Failed(reason) => anyhow::bail!("{integrator} stopped after t = {:.4} s: {reason}", summary.time),
        }
        let stats = Stats::read(&RunFolder::open(&options.folder)?.stats_path())?;
        let (centre, radius) = self.ball()?;
        Fall::new(&stats, centre, radius).context("the run has no statistics")
    }
}

fn is_taken(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
}

/// A line on one run, in its own figures.
fn told(name: &str, fall: &Fall, duration: f64) -> String {
    let tops = fall.tops();
    let percent = |part: f64| format!("{:.0} %", 100.0 * part);
    let bounces = match &tops[..] {
        [] => format!("never again rises above {} % of its drop", 100.0 * LEAST_BOUNCE),
        [only] => format!("bounces once, to {} of its drop", percent(*only)),
        [first, .., last] => {
            format!(
                "bounces {} times, first to {} of its drop, last to {}",
                tops.len(),
                percent(*first),
                percent(*last)
            )
        }
    };
    format!("{name:<15} {bounces}; after {duration} s {} of the energy is left.", percent(fall.energy_left()))
}
