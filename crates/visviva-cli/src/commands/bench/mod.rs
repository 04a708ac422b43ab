//! `visviva bench`: scenes timed beside the figures of the paper and of other programs, and growth with size.

mod growth;
mod peers;
mod profile;

use crate::failure::{OrUsage, Usage};
use crate::gallery;
use crate::runner::{self, RunOptions};
use crate::table::Table;
use anyhow::Context;
use peers::{PAPER, Paper, Peer};
use profile::{Profiler, StepProfile};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, mpsc};
use visviva::scene::SceneSource;
use visviva::session::{Ending, Phases, Summary};

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct BenchArgs {
    /// Gallery scenes or scene files; by default those of the gallery that need neither a file nor hours
    scenes: Vec<String>,
    /// For all scenes; by default a-search for those of the gallery, as in the paper, and a file's own
    #[arg(long)]
    integrator: Option<String>,
    /// Simulate only so long [s]; the paper's figures are then scaled
    #[arg(long)]
    duration: Option<String>,
    /// Print another program's time beside ours [ms a step], one for each scene in their order, such as STARK=35.4,221
    #[arg(long, value_name = "NAME=MS,…")]
    peer: Vec<Peer>,
    /// Leave tables by phase and by step in this folder, and show the slowest steps with their reasons
    #[arg(long, value_name = "DIR")]
    profile: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    other: Option<Other>,
}

#[derive(Debug, clap::Args)]
struct Common {
    /// Change any key of the scenes
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print machine-readable results
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Other {
    /// Dice falling on a plane, more and more of them: time by phase, a step and die
    Growth(growth::GrowthArgs),
}

/// Only on demand: they need a file, or hours.
const LEFT_OUT: [&str; 3] = ["suspended-armadillo", "armadillo-trampoline", "chain-net"];

/// One scene, and what others needed for it.
struct Row {
    scene: String,
    summary: Summary,
    paper: Option<&'static Paper>,
    /// By name [ms a step]
    peers: Vec<(String, f64)>,
    steps: Vec<StepProfile>,
}

impl BenchArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        if let Some(Other::Growth(growth)) = &self.other {
            return growth.run();
        }
        let scenes = self.chosen();
        if let Some(peer) = self.peer.iter().find(|peer| peer.ms.len() != scenes.len()) {
            let (name, figures, scenes) = (&peer.name, peer.ms.len(), scenes.len());
            return Err(Usage(format!(
                "--peer {name}: {figures} figures for {scenes} scenes; give one for each, in their order"
            ))
            .into());
        }
        self.common.start_threads()?;
        let mut rows: Vec<Row> = Vec::new();
        for (index, scene) in scenes.iter().enumerate() {
            rows.push(self.measure(index, scene)?);
        }
        if self.common.json {
            let rows: Vec<_> = rows.iter().map(|row| row.json(self.profile.is_some())).collect();
            println!("{}", serde_json::to_string_pretty(&rows)?);
        } else {
            print!("{}", in_words(&rows));
        }
        if let Some(folder) = &self.profile {
            self.leave_profiles(folder, &rows)?;
        }
        Ok(())
    }

    fn chosen(&self) -> Vec<String> {
        let short = || PAPER.iter().map(|paper| paper.scene).filter(|scene| !LEFT_OUT.contains(scene));
        if self.scenes.is_empty() { short().map(str::to_owned).collect() } else { self.scenes.clone() }
    }

    fn measure(&self, index: usize, scene: &str) -> anyhow::Result<Row> {
        let source = gallery::find(scene).or_usage()?;
        let of_gallery = gallery::SCENES.iter().any(|known| known.name == scene);
        let integrator = self.integrator.as_deref().or(of_gallery.then_some("a-search"));
        let keys = [("run.integrator", integrator), ("run.duration", self.duration.as_deref())];
        let assignments = keys.into_iter().filter_map(|(key, value)| Some(format!("{key}={}", value?))).collect();
        let (sender, told) = mpsc::channel();
        let profiler = self.profile.as_ref().map(|_| Profiler::new(sender));
        let summary = self.common.measure(&source, assignments, profiler)?;
        let mut peers: Vec<(String, f64)> =
            self.peer.iter().filter_map(|peer| Some((peer.name.clone(), peer.ms[index]?))).collect();
        let stark =
            peers::stark(scene, &summary.title, summary.nodes).filter(|_| summary.integrator == "implicit-euler");
        peers.extend(
            stark.filter(|_| self.peer.iter().all(|peer| peer.name != "STARK")).map(|ms| ("STARK".to_owned(), ms)),
        );
        let paper = PAPER.iter().find(|paper| paper.scene == scene);
        Ok(Row { scene: scene.to_owned(), summary, paper, peers, steps: told.try_iter().collect() })
    }

    fn leave_profiles(&self, folder: &Path, rows: &[Row]) -> anyhow::Result<()> {
        let stem = |row: &Row| Path::new(&row.scene).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (index, row) in rows.iter().enumerate() {
            // Scenes of one name in different folders.
            let before = rows[..index].iter().filter(|other| stem(other) == stem(row)).count();
            let stem = if before == 0 { stem(row) } else { format!("{}-{}", stem(row), before + 1) };
            let text = profile::in_words(&row.scene, &row.summary, &row.steps);
            profile::write(folder, &stem, &text, &row.steps)?;
            if !self.common.json {
                print!("\n{text}");
            }
        }
        eprintln!("the tables, and all steps as CSV, are in {}", folder.display());
        Ok(())
    }
}

impl Row {
    fn step_ms(&self, seconds: f64) -> f64 {
        1e3 * seconds / self.summary.tally.steps.max(1) as f64
    }

    /// Of the paper's time and iterations, where only a part of its scene is run.
    fn paper_share(&self) -> Option<(f64, f64)> {
        self.paper.map(|paper| {
            let share = self.summary.time / paper.time;
            (paper.seconds * share, paper.newton as f64 * share)
        })
    }

    fn json(&self, profiled: bool) -> serde_json::Value {
        let (seconds, newton) = self.paper_share().unzip();
        let peers: serde_json::Map<_, _> = self.peers.iter().map(|(name, ms)| (name.clone(), (*ms).into())).collect();
        let worst = profiled.then(|| profile::worst(&self.steps));
        serde_json::json!({ "scene": self.scene, "paper_seconds": seconds, "paper_newton_iterations": newton,
            "peers_ms_a_step": peers, "slowest_steps": worst, "summary": self.summary })
    }
}

/// The table; columns of the paper and of peers only where there are figures.
fn in_words(rows: &[Row]) -> String {
    let with_paper = rows.iter().any(|row| row.paper.is_some());
    let mut peers: Vec<&str> = rows.iter().flat_map(|row| &row.peers).map(|(name, _)| name.as_str()).collect();
    peers.sort_unstable();
    peers.dedup();
    let paper = || with_paper.then(|| "paper".to_owned());
    let text = |column: &str| [column.to_owned()];
    let mut header: Vec<String> = ["scene", "method", "nodes", "seconds"].map(str::to_owned).into();
    header.extend(paper().into_iter().chain(text("Newton")).chain(paper()).chain(text("ms/step")).chain(paper()));
    header.extend(peers.iter().flat_map(|peer| [(*peer).to_owned(), format!("ours/{peer}")]));
    header.extend(PHASES.map(str::to_owned).into_iter().chain(["MiB", ""].map(str::to_owned)));
    let mut table = Table::new(header);
    for row in rows {
        let s = &row.summary;
        let or_blank = |value: Option<f64>, digits: usize| value.map_or(String::new(), |v| format!("{v:.digits$}"));
        let of_paper = |value: Option<f64>, digits: usize| with_paper.then(|| or_blank(value, digits));
        let (seconds, newton) = row.paper_share().unzip();
        let ms = row.step_ms(s.tally.step_wall_s);
        let mut cells = vec![row.scene.clone(), s.integrator.clone(), s.nodes.to_string()];
        cells.push(format!("{:.2}", s.tally.step_wall_s));
        cells.extend(of_paper(seconds, 2));
        cells.push(s.tally.newton_iterations.to_string());
        cells.extend(of_paper(newton, 0));
        cells.push(format!("{ms:.1}"));
        cells.extend(of_paper(seconds.map(|seconds| row.step_ms(seconds)), 1));
        for peer in &peers {
            let figure = row.peers.iter().find(|(name, _)| name == peer).map(|(_, ms)| *ms);
            cells.extend([or_blank(figure, 1), or_blank(figure.map(|figure| ms / figure), 2)]);
        }
        cells.extend(phases(&s.phases_s).map(|seconds| format!("{seconds:.2}")));
        cells.extend([or_blank(s.peak_memory_mib, 0), remarks(s)]);
        table.row(cells);
    }
    let mut notes = vec![format!("On {} threads. {PARTS}.", rayon::current_num_threads())];
    notes.extend(with_paper.then(|| "The paper's figures are of A-search on another machine.".to_owned()));
    let others = "ms a step, measured elsewhere: only a ratio of one run on one machine counts";
    notes.extend((!peers.is_empty()).then(|| format!("{}: {others}.", peers.join(", "))));
    format!("{}\n\n{table}", notes.join(" "))
}

const PHASES: [&str; 6] = ["evaluate", "assemble", "linear", "line search", "broad phase", "CCD"];
const PARTS: &str = "Broad phase and CCD are parts of the line search";

fn phases(p: &Phases) -> [f64; 6] {
    [p.evaluate, p.assemble, p.linear, p.line_search, p.broad_phase, p.ccd]
}

fn remarks(s: &Summary) -> String {
    let failed = if let Ending::Failed(reason) = &s.ending { Some(reason.clone()) } else { None };
    let loose = (s.tally.unconverged_steps > 0).then(|| format!("{} steps unconverged", s.tally.unconverged_steps));
    failed.into_iter().chain(loose).collect::<Vec<_>>().join("; ")
}

impl Common {
    fn start_threads(&self) -> anyhow::Result<()> {
        if let Some(threads) = self.threads {
            rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build_global()?;
        }
        Ok(())
    }

    /// Runs a scene into a folder that goes away.
    fn measure(
        &self,
        source: &SceneSource,
        mut assignments: Vec<String>,
        profiler: Option<Profiler>,
    ) -> anyhow::Result<Summary> {
        assignments.extend(self.set.iter().cloned());
        let scene = source.parse(&assignments).or_usage()?;
        let built = scene.build().or_usage()?;
        let folder = tempfile::tempdir().context("no place for a run")?;
        let options = RunOptions {
            folder: folder.path().join("run"),
            overwrite: false,
            quiet: self.json,
            stop: Arc::new(AtomicBool::new(false)),
        };
        let mut session = runner::begin(source, scene, built, &options)?;
        if let Some(profiler) = profiler {
            session.observe(profiler)?;
        }
        runner::carry_on(session, &options)
    }
}
