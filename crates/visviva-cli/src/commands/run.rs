//! `visviva run SCENE`.

use super::view::{ViewFlags, serve_until, tell_address};
use crate::failure::Interrupted;
use crate::runner::{self, RunOptions, stop_on_signals};
use crate::scene_args::SceneArgs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use visviva::scene::{Built, Scene, SceneSource};
use visviva::session::{Ending, Summary};
use visviva_viewer::Viewer;

/// So many checkpoints are kept over a run that is steered, for branches to begin from.
const KEPT: f64 = 20.0;

#[derive(Debug, clap::Args)]
pub struct RunArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// The run folder; by default runs/SCENE-INTEGRATOR and what was changed, such as
    /// runs/bouncing-ball-soft-a-search,h=1-240
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace an older run in that folder
    #[arg(long)]
    overwrite: bool,
    /// Keep a checkpoint every so many simulated seconds, for `visviva resume --from` to branch from
    #[arg(long, value_name = "SECONDS")]
    keep_checkpoints: Option<String>,
    #[command(flatten)]
    view: ViewFlags,
    /// Begin paused: the page lets it go
    #[arg(long, requires = "view")]
    paused: bool,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Debug, clap::Args)]
pub(super) struct CommonArgs {
    /// Threads to use; the results do not depend on it
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Show no progress and no summary; steps that did not converge are told
    #[arg(long, short)]
    quiet: bool,
}

impl CommonArgs {
    /// Before any other work: the first to run in parallel decides.
    pub fn use_threads(&self) -> anyhow::Result<()> {
        if let Some(threads) = self.threads {
            rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build_global()?;
        }
        Ok(())
    }

    pub fn options(&self, folder: PathBuf, overwrite: bool) -> anyhow::Result<RunOptions> {
        Ok(RunOptions { folder, overwrite, quiet: self.quiet, stop: stop_on_signals()? })
    }
}

impl RunArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        self.common.use_threads()?;
        let mut asked = self.scene.clone();
        asked.set.extend(self.keep_checkpoints.iter().map(|every| format!("run.keep_checkpoints={every}")));
        let (source, mut scene, built) = asked.load()?;
        for warning in &built.warnings {
            eprintln!("warning: {warning}");
        }
        let folder = self.out.clone().unwrap_or_else(|| Path::new("runs").join(self.scene.run_name(&built.integrator)));
        let options = self.common.options(folder, self.overwrite)?;
        if let Some(viewer) = self.view.start(&options.stop)? {
            scene.run.keep_checkpoints.get_or_insert(scene.run.duration.value / KEPT);
            return show(viewer, self.paused, &source, scene, built, &options);
        }
        let summary = runner::run(&source, scene, built, &options)?;
        conclude(&summary, &options)
    }
}

/// Live in a browser; when it is over, the page stays until Ctrl-C.
fn show(
    viewer: Viewer,
    paused: bool,
    source: &SceneSource,
    scene: Scene,
    built: Built,
    options: &RunOptions,
) -> anyhow::Result<()> {
    let mut session = runner::begin(source, scene, built, options)?;
    runner::watch(&mut session, options)?;
    let pilot = viewer.steer(session, &options.folder, options.stop.clone(), paused)?;
    tell_address(&viewer);
    let summary = pilot.fly()?;
    runner::say_what_did_not_converge(&summary);
    let concluded = conclude(&summary, options);
    if options.stop.load(Ordering::Relaxed) {
        viewer.finish();
        return concluded;
    }
    if let Err(error) = &concluded {
        runner::say(&format!("{error:#}; the page shows what was done"));
    }
    serve_until(&options.stop, viewer);
    concluded
}

pub(super) fn conclude(summary: &Summary, options: &RunOptions) -> anyhow::Result<()> {
    let folder = options.folder.display();
    if !options.quiet {
        println!("{}", runner::in_words(summary));
        println!("the run is in {folder}");
    }
    match &summary.ending {
        Ending::Completed => Ok(()),
        Ending::Interrupted => Err(Interrupted(format!("interrupted; go on with `visviva resume {folder}`")).into()),
        Ending::Failed(reason) => {
            let t = summary.time;
            anyhow::bail!("the run stopped after t = {t:.4} s: {reason}; what was done until then is in {folder}")
        }
    }
}
