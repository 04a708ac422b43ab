//! `visviva bench`: the paper's scenes timed beside the paper's own figures (Xeon w5-2445 and RTX A1000), and growth with size.

mod growth;

use crate::failure::{OrUsage, Usage};
use crate::gallery;
use crate::runner::{self, RunOptions};
use crate::table::Table;
use anyhow::Context;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use visviva::scene::SceneSource;
use visviva::session::{Ending, Phases, Summary};

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct BenchArgs {
    /// Gallery scenes; by default those that need neither a file nor hours
    scenes: Vec<String>,
    #[arg(long, default_value = "a-search")]
    integrator: String,
    /// Simulate only so long [s]; the paper's figures are then scaled
    #[arg(long)]
    duration: Option<String>,
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

/// What the paper measured of A-search.
struct Paper {
    scene: &'static str,
    seconds: f64,
    newton: u64,
    /// Simulated [s]
    time: f64,
    /// Not of the paper: implicit Euler of STARK (Fernández-Fernández et al. 2024) on a like scene [ms a step]
    stark: Option<f64>,
}

const fn paper(scene: &'static str, seconds: f64, newton: u64, time: f64, stark: Option<f64>) -> Paper {
    Paper { scene, seconds, newton, time, stark }
}

const PAPER: &[Paper] = &[
    paper("rotating-cube-soft", 27.6, 902, 10.0, Some(29.0)),
    paper("rotating-cube-stiff", 43.8, 1500, 10.0, None),
    paper("twisted-bar", 113.5, 947, 10.0, None),
    paper("suspended-armadillo", 1458.7, 1870, 10.0, None),
    paper("bouncing-ball-soft", 75.0, 2681, 10.0, None),
    paper("bouncing-ball-medium", 68.3, 1683, 10.0, Some(39.7)),
    paper("bouncing-ball-stiff", 94.2, 2391, 10.0, None),
    paper("bouncing-ball-affine", 224.9, 8902, 10.0, None),
    paper("dice-roll", 326.6, 4659, 6.0, Some(317.0)),
    paper("vibrating-membrane", 286.5, 954, 3.0, None),
    paper("chain-net", 6612.0, 21683, 3.0, None),
    paper("armadillo-trampoline", 7570.9, 13145, 3.0, None),
];

/// Only on demand: they need a file, or hours.
const LEFT_OUT: [&str; 3] = ["suspended-armadillo", "armadillo-trampoline", "chain-net"];

impl BenchArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        if let Some(Other::Growth(growth)) = &self.other {
            return growth.run();
        }
        self.common.start_threads()?;
        let known: Vec<&Paper> =
            PAPER.iter().filter(|p| gallery::SCENES.iter().any(|scene| scene.name == p.scene)).collect();
        let names = || known.iter().map(|p| p.scene).collect::<Vec<_>>().join(", ");
        let find = |name: &String| {
            let unknown = || Usage(format!("no figures for `{name}`; there are for {}", names()));
            known.iter().copied().find(|p| p.scene == name).ok_or_else(unknown)
        };
        let mut chosen: Vec<&Paper> = self.scenes.iter().map(find).collect::<Result<_, _>>()?;
        if chosen.is_empty() {
            chosen = known.iter().copied().filter(|p| !LEFT_OUT.contains(&p.scene)).collect();
        }
        let stark = self.integrator == "implicit-euler";
        let columns = ["scene", "nodes", "seconds", "paper", "Newton", "paper", "ms/step", "paper"];
        let mut table =
            Table::new(columns.into_iter().chain(stark.then_some("STARK")).chain(PHASES).chain(["MiB", ""]));
        let mut rows = Vec::new();
        for paper in chosen {
            let source = gallery::find(paper.scene).or_usage()?;
            let mut assignments = vec![format!("run.integrator={}", self.integrator)];
            assignments.extend(self.duration.iter().map(|d| format!("run.duration={d}")));
            let s = self.common.measure(&source, assignments)?;
            let share = s.time / paper.time;
            let step_ms = |seconds: f64| 1e3 * seconds / s.tally.steps.max(1) as f64;
            let newton = paper.newton as f64 * share;
            let or_blank = |value: Option<f64>, digits: usize| value.map_or(String::new(), |v| format!("{v:.digits$}"));
            let mut cells = vec![
                paper.scene.to_owned(),
                s.nodes.to_string(),
                format!("{:.2}", s.tally.step_wall_s),
                format!("{:.2}", paper.seconds * share),
                s.tally.newton_iterations.to_string(),
                format!("{newton:.0}"),
                format!("{:.1}", step_ms(s.tally.step_wall_s)),
                format!("{:.1}", step_ms(paper.seconds * share)),
            ];
            cells.extend(stark.then(|| or_blank(paper.stark, 1)));
            cells.extend(phases(&s.phases_s).map(|seconds| format!("{seconds:.2}")));
            cells.push(or_blank(s.peak_memory_mib, 0));
            cells.push(remarks(&s));
            table.row(cells);
            rows.push(serde_json::json!({ "scene": paper.scene, "paper_seconds": paper.seconds * share,
                "paper_newton_iterations": newton, "stark_ms_a_step": paper.stark, "summary": s }));
        }
        if self.common.json {
            println!("{}", serde_json::to_string_pretty(&rows)?);
        } else {
            let threads = rayon::current_num_threads();
            println!("{} on {threads} threads; the paper's figures are of A-search. {PARTS}\n", self.integrator);
            print!("{table}");
        }
        Ok(())
    }
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
    fn measure(&self, source: &SceneSource, mut assignments: Vec<String>) -> anyhow::Result<Summary> {
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
        runner::run(source, scene, built, &options)
    }
}
