//! `visviva measure DIR…`: what a run did, in numbers that can be compared.

mod bodies;

use crate::condition;
use crate::results::{csv_line, optional};
use crate::table::Table;
use nalgebra::Vector3;
use serde::Serialize;
use std::path::{Path, PathBuf};
use visviva::readable::length;
use visviva::run::drum::{self, ModeNumbers};
use visviva::run::{AlphaCounts, Measure, MeasuredRun, running_mean};

#[derive(Debug, clap::Args)]
#[command(after_help = "turns: how often the mass centre went round the axis of the mean angular momentum
noise: the part of the kinetic energy that no affine motion explains, a mean over frames
off target: root mean square of (total − target)/start energy
L off: distance of the angular momentum from the reference's, as a fraction of it
away: distance of the nodes from the reference's, root mean square by mass, a mean over frames
drum: greatest amplitude of the mode over the first and the last fifth of the time
--also: COLUMN.OVER of stats.csv (total.last, min_distance.min); BODY.OF.OVER of a body (ball.z.max), of: x, y, z, speed,
  spin, translation, rotation, vibration, height, tip, sway, over: first, last, min, max, mean, sum; BODY.turns, BODY.bounces,
  BODY.rebound.1, BODY.bend-1.mean, BODY.twist-1.mean; drum.2-1.last (or first, share, wrinkles); linear_per_newton, alpha_clipped, alpha_powerless, faults.
  BODY may be *: all of them. docs/sweeps.md explains each")]
pub struct MeasureArgs {
    /// Run folders
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// A run to compare angular momentum with, as running means over a second
    #[arg(long, value_name = "DIR")]
    reference: Option<PathBuf>,
    /// Amplitude of a drum's mode in the first shell: nodal diameters and circles, such as 2,1
    #[arg(long, value_name = "M,N", value_parser = drum::mode_numbers)]
    drum: Option<ModeNumbers>,
    /// What each body did, too: turns, bounces, and where its energy is at the end
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    bodies: bool,
    /// What became of α, too: how often it was clipped or powerless, and which values it took
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    alpha: bool,
    /// Further measures, such as total.last,ball.z.max
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    also: Vec<Measure>,
    /// Print machine-readable results
    #[arg(long)]
    json: bool,
    /// Print comma-separated values with all digits
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// What a run did.
#[derive(Debug, Serialize)]
pub struct Measured {
    run: String,
    integrator: String,
    /// [s]
    h: f64,
    /// [s]
    time: f64,
    turns: f64,
    noise: f64,
    off_target: f64,
    angular_momentum_off: Option<f64>,
    /// From the reference, a mean over frames [m]
    distance: Option<f64>,
    /// Greatest amplitude of the drum's mode over the first and the last fifth of the time [m]
    drum: Option<[f64; 2]>,
    newton_iterations: u64,
    unconverged: u64,
    linear_per_newton: f64,
    wall_s: f64,
    alpha: AlphaCounts,
    bodies: Vec<bodies::BodyMeasured>,
    #[serde(flatten, serialize_with = "by_name")]
    also: Vec<(String, Option<f64>)>,
}

fn by_name<S: serde::Serializer>(pairs: &[(String, Option<f64>)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

impl MeasureArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let rows = measured(&self.dirs, self.reference.as_deref(), self.drum, &self.also)?;
        if self.json {
            println!("{}", serde_json::to_string_pretty(&rows)?);
        } else if self.csv {
            print!("{}", self.in_csv(rows));
        } else {
            self.print(rows);
        }
        Ok(())
    }

    /// Columns are called as in JSON, with the unit where there is one.
    fn in_csv(&self, rows: Vec<Measured>) -> String {
        let header = [
            "run",
            "integrator",
            "h_s",
            "time_s",
            "turns",
            "noise",
            "off_target",
            "angular_momentum_off",
            "drum_first_m",
            "drum_last_m",
            "newton_iterations",
            "unconverged",
            "wall_s",
        ];
        let mut csv = csv_line(header.map(str::to_owned).into_iter().chain(self.also.iter().map(Measure::to_string)));
        for row in rows {
            let [first, last] = row.drum.map_or([None; 2], |[first, last]| [Some(first), Some(last)]);
            let cells = [
                row.run,
                row.integrator,
                row.h.to_string(),
                row.time.to_string(),
                row.turns.to_string(),
                row.noise.to_string(),
                row.off_target.to_string(),
                optional(row.angular_momentum_off),
                optional(first),
                optional(last),
                row.newton_iterations.to_string(),
                row.unconverged.to_string(),
                row.wall_s.to_string(),
            ];
            csv += &csv_line(cells.into_iter().chain(row.also.into_iter().map(|(_, value)| optional(value))));
        }
        csv
    }

    fn print(&self, rows: Vec<Measured>) {
        let more = [self.bodies.then(|| bodies::in_words(&rows)), self.alpha.then(|| bodies::alpha_in_words(&rows))];
        print!("{}", self.in_words(rows));
        more.into_iter().flatten().for_each(|table| print!("\n{table}"));
    }

    fn in_words(&self, rows: Vec<Measured>) -> Table {
        let header = [
            "run",
            "integrator",
            "h [s]",
            "t [s]",
            "turns",
            "noise",
            "off target",
            "L off",
            "away",
            "drum",
            "Newton",
            "unconverged",
            "wall [s]",
        ];
        let mut table =
            Table::new(header.map(str::to_owned).into_iter().chain(self.also.iter().map(Measure::to_string)));
        for row in rows {
            let cells = [
                row.run,
                row.integrator,
                crate::args::step_label(row.h),
                format!("{:.2}", row.time),
                format!("{:.2}", row.turns),
                format!("{:.2} %", 100.0 * row.noise),
                format!("{:.2} %", 100.0 * row.off_target),
                row.angular_momentum_off.map_or(String::new(), |off| format!("{:.1} %", 100.0 * off)),
                row.distance.map_or(String::new(), length),
                row.drum.map_or(String::new(), |[a, b]| format!("{:.2}, {:.2} mm", 1e3 * a, 1e3 * b)),
                row.newton_iterations.to_string(),
                row.unconverged.to_string(),
                format!("{:.1}", row.wall_s),
            ];
            let also = row.also.into_iter().map(|(_, value)| value.map_or(String::new(), |v| format!("{v:.4}")));
            table.row(cells.into_iter().chain(also));
        }
        table
    }
}

/// Of each run; angular momentum is compared with a reference run's where one is given.
pub fn measured(
    dirs: &[PathBuf],
    reference: Option<&Path>,
    drum: Option<ModeNumbers>,
    also: &[Measure],
) -> anyhow::Result<Vec<Measured>> {
    let reference = reference.map(open).transpose()?;
    let means = reference.as_ref().map(|run| running_mean(&run.angular_momentum(), 1.0));
    let reference = reference.as_ref().zip(means.as_deref());
    dirs.iter().map(|dir| measure(dir, reference, drum, also)).collect()
}

/// A run, and the running mean of its angular momentum over time.
type Reference<'a> = (&'a MeasuredRun, &'a [(f64, Vector3<f64>)]);

fn measure(
    dir: &Path,
    reference: Option<Reference<'_>>,
    drum: Option<ModeNumbers>,
    also: &[Measure],
) -> anyhow::Result<Measured> {
    let run = open(dir)?;
    let drum = drum.map(|mode| run.drum(mode)).transpose()?;
    let also = also.iter().map(|measure| Ok((measure.to_string(), measure.of(&run)?)));
    Ok(Measured {
        run: dir.display().to_string(),
        integrator: run.scene.run.integrator.clone(),
        h: run.scene.run.h.value,
        time: run.time(),
        turns: run.turns()?,
        noise: run.noise()?,
        off_target: run.off_target(),
        angular_momentum_off: reference.map(|(_, means)| run.angular_momentum_off(means)),
        distance: reference.and_then(|(reference, _)| bodies::mean_distance(&run, reference)),
        drum: drum.map(|moments| drum::first_and_last(&moments)),
        newton_iterations: run.newton_iterations(),
        unconverged: run.unconverged(),
        linear_per_newton: run.linear_per_newton(),
        wall_s: run.wall_s(),
        alpha: run.alpha_counts(),
        bodies: bodies::measured(&run)?,
        also: also.collect::<anyhow::Result<_>>()?,
    })
}

fn open(dir: &Path) -> anyhow::Result<MeasuredRun> {
    let run = MeasuredRun::open(dir)?;
    condition::warn(&run.folder.condition());
    Ok(run)
}
