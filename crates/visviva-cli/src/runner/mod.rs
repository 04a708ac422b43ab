//! Runs a scene into a run folder: steps, statistics, frames, checkpoints, progress.

mod progress;
mod recorder;
mod summary;

pub use summary::{Ending, Phases, Summary};

use crate::failure::OrUsage;
use crate::run_scene::built_of;
use anyhow::Context;
use progress::Progress;
use recorder::Recorder;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use visviva::integrate::StepError;
use visviva::run::RunFolder;
use visviva::run::checkpoint::{self, RunCheckpoint};
use visviva::scene::{Built, Ground, ObstacleShape, Provenance, Scene, SceneSource, Shape};
use visviva::simulation::Simulation;
use visviva::solve::{BodiesWorld, SolveError, World, WorldMemory};

/// How a run is carried out; nothing here changes its results.
#[derive(Debug, Clone)]
pub struct RunOptions {
    pub folder: PathBuf,
    pub overwrite: bool,
    pub quiet: bool,
    /// Set from outside to end after the current step
    pub stop: Arc<AtomicBool>,
}

/// Wall-clock time between checkpoints.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(20);

/// Starts a scene.
pub fn run(source: &SceneSource, mut scene: Scene, mut built: Built, options: &RunOptions) -> anyhow::Result<Summary> {
    let mut world = BodiesWorld::new(built.model.clone(), built.solver)?;
    if let Some(found) = built.find_ground(&mut world).or_usage()? {
        scene.energy.ground = Ground::Joules(found);
    }
    let of_bodies = scene.bodies.iter_mut().filter_map(|body| match &mut body.shape {
        Shape::File(file) => Some(&mut file.path),
        _ => None,
    });
    let of_obstacles = scene.obstacles.iter_mut().filter_map(|obstacle| match &mut obstacle.shape {
        ObstacleShape::File(path) => Some(path),
        _ => None,
    });
    for file in of_bodies.chain(of_obstacles) {
        *file = std::path::absolute(source.folder.join(&*file))?.display().to_string();
    }
    scene.provenance = Some(Provenance {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        threads: rayon::current_num_threads(),
        scene: source.name.clone(),
    });
    let resolved = toml::to_string_pretty(&scene).context("the scene cannot be written down")?;
    // First what may be refused, so that no folder is left behind.
    let mut simulation =
        Simulation::new(&mut world, built.start.clone(), built.integrator.build(), &built.plan, built.h)?;
    let folder = RunFolder::create(&options.folder, options.overwrite, &resolved, &recorder::run_mesh(&scene, &built))?;
    let recorder = Recorder::start(folder, &scene, &built, &mut simulation)?;
    carry_on(simulation, recorder, &scene, &built, options, Instant::now())
}

/// Goes on with a run that was cut short or interrupted; nothing where it is complete.
pub fn resume(folder: &Path, options: &RunOptions) -> anyhow::Result<Option<Summary>> {
    let run_folder = RunFolder::open(folder)?;
    let (scene, built) = built_of(&run_folder)?;
    let saved: RunCheckpoint<WorldMemory> = checkpoint::read(&run_folder.checkpoint_path())?;
    let expected = built.start.x.len();
    anyhow::ensure!(
        saved.simulation.state.x.len() == expected,
        "the checkpoint has {} coordinates, the scene {expected}: its mesh files have changed",
        saved.simulation.state.x.len()
    );
    let mut world = BodiesWorld::new(built.model.clone(), built.solver)?;
    world.restore(saved.solver)?;
    let steps = saved.simulation.clock.steps;
    let told = run_folder.summary()?.is_some_and(|summary| summary["ending"]["kind"] == "completed");
    if told && steps >= total_steps(&scene, &built) {
        return Ok(None);
    }
    let simulation = Simulation::resume(&mut world, saved.simulation, built.integrator.build(), &built.plan);
    let recorder = Recorder::resume(run_folder, &scene, &built, steps)?;
    carry_on(simulation, recorder, &scene, &built, options, Instant::now()).map(Some)
}

fn total_steps(scene: &Scene, built: &Built) -> u64 {
    (scene.run.duration.value / built.h).round().max(1.0) as u64
}

fn carry_on(
    mut simulation: Simulation<'_, BodiesWorld>,
    mut recorder: Recorder,
    scene: &Scene,
    built: &Built,
    options: &RunOptions,
    started: Instant,
) -> anyhow::Result<Summary> {
    let total_steps = total_steps(scene, built);
    let mut progress = Progress::new(total_steps, simulation.clock().steps, options.quiet);
    let mut last_checkpoint = Instant::now();
    let mut ending = Ending::Completed;
    recorder.checkpoint(&simulation)?;
    while simulation.clock().steps < total_steps {
        if options.stop.load(Ordering::Relaxed) {
            ending = Ending::Interrupted;
            break;
        }
        recorder.begin(&simulation);
        let clock = Instant::now();
        let report = match simulation.step() {
            Ok(report) => report,
            Err(error) => {
                ending = Ending::Failed(format!("{error}{}", advice(&error)));
                break;
            }
        };
        recorder.record(&mut simulation, &report, clock.elapsed())?;
        progress.step(&simulation.state, &report, recorder.frame_count());
        if last_checkpoint.elapsed() > CHECKPOINT_INTERVAL {
            recorder.checkpoint(&simulation)?;
            last_checkpoint = Instant::now();
        }
    }
    progress.finish();
    recorder.checkpoint(&simulation)?;
    let summary = recorder.summarise(scene, built, &simulation, ending, started.elapsed(), simulation.world.times());
    recorder.folder().write_summary(&serde_json::to_value(&summary)?)?;
    Ok(summary)
}

/// A way that is blocked says itself what to do; other failures have to do with the step.
fn advice(error: &StepError) -> &'static str {
    match error {
        StepError::Solve(SolveError::Blocked { .. }) => "",
        _ => ". Take a shorter step (--h) or another integrator",
    }
}

/// The names of a world's terms are those of the statistics.
pub fn term(world: &dyn World, energies: &[f64], name: &str) -> Option<f64> {
    world.terms().iter().position(|term| *term == name).and_then(|i| energies.get(i).copied())
}
