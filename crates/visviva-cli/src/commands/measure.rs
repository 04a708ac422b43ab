//! `visviva measure DIR…`: what a run did, in numbers that can be compared.
//!
//! Turns: how often the mass centre went round the axis of the mean angular momentum. Noise: the part of the kinetic energy that
//! no affine motion v = a + Bx explains, averaged over the frames of each body. Energy: how far the total lay from its target.

use crate::condition;
use crate::drum_mode::{self, ModeNumbers};
use crate::table::Table;
use nalgebra::{Matrix4, Matrix4x3, Vector3, Vector4};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use visviva::model::bodies::{BodyKind, Model};
use visviva::run::{Frame, RunFolder, Stats};
use visviva::scene::Scene;

#[derive(Debug, clap::Args)]
#[command(after_help = "turns: how often the mass centre went round the axis of the mean angular momentum
noise: the part of the kinetic energy that no affine motion explains, a mean over frames
off target: root mean square of (total − target)/start energy
L off: distance of the angular momentum from the reference's, as a fraction of it
drum: greatest amplitude of the mode over the first and the last fifth of the time")]
pub struct MeasureArgs {
    /// Run folders
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// A run to compare angular momentum with, as running means over a second
    #[arg(long, value_name = "DIR")]
    reference: Option<PathBuf>,
    /// Amplitude of a drum's mode in the first shell: nodal diameters and circles, such as 2,1
    #[arg(long, value_name = "M,N", value_parser = drum_mode::mode_numbers)]
    drum: Option<ModeNumbers>,
    /// Print machine-readable results
    #[arg(long)]
    json: bool,
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
    /// Mean over frames of the kinetic energy's non-affine part, 0 to 1
    noise: f64,
    /// Root mean square of (total − target)/start energy
    off_target: f64,
    /// Mean over time of |L̄ − L̄_ref| / mean |L̄_ref|, L̄ a running mean over 1 s
    angular_momentum_off: Option<f64>,
    /// Greatest amplitude of the drum's mode over the first and the last fifth of the time [m]
    drum: Option<[f64; 2]>,
    newton_iterations: u64,
    unconverged: u64,
    wall_s: f64,
}

struct Run {
    folder: RunFolder,
    scene: Scene,
    bodies: Arc<Model>,
    stats: Stats,
}

impl Run {
    fn open(path: &Path) -> anyhow::Result<Self> {
        let folder = RunFolder::open(path)?;
        condition::warn(&folder.condition());
        let stats = Stats::read(&folder.stats_path())?;
        let (scene, built) = folder.built()?;
        Ok(Self { scene, bodies: built.model, folder, stats })
    }

    fn angular_momentum(&self) -> Vec<(f64, Vector3<f64>)> {
        self.stats.rows.iter().map(|r| (r.t, Vector3::new(r.lx, r.ly, r.lz))).collect()
    }
}

impl MeasureArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let rows = measured(&self.dirs, self.reference.as_deref(), self.drum)?;
        if self.json {
            println!("{}", serde_json::to_string_pretty(&rows)?);
            return Ok(());
        }
        let header = [
            "run",
            "integrator",
            "h [s]",
            "t [s]",
            "turns",
            "noise",
            "off target",
            "L off",
            "drum",
            "Newton",
            "unconverged",
            "wall [s]",
        ];
        let mut table = Table::new(header);
        for r in rows {
            table.row([
                r.run,
                r.integrator,
                crate::args::step_label(r.h),
                format!("{:.2}", r.time),
                format!("{:.2}", r.turns),
                format!("{:.2} %", 100.0 * r.noise),
                format!("{:.2} %", 100.0 * r.off_target),
                r.angular_momentum_off.map_or(String::new(), |off| format!("{:.1} %", 100.0 * off)),
                r.drum.map_or(String::new(), |[a, b]| format!("{:.2}, {:.2} mm", 1e3 * a, 1e3 * b)),
                r.newton_iterations.to_string(),
                r.unconverged.to_string(),
                format!("{:.1}", r.wall_s),
            ]);
        }
        print!("{table}");
        Ok(())
    }
}

/// Of each run; angular momentum is compared with a reference run's where one is given.
pub fn measured(
    dirs: &[PathBuf],
    reference: Option<&Path>,
    drum: Option<ModeNumbers>,
) -> anyhow::Result<Vec<Measured>> {
    let reference = reference.map(Run::open).transpose()?;
    let means = reference.as_ref().map(|r| running_mean(&r.angular_momentum(), 1.0));
    dirs.iter().map(|dir| measure(dir, means.as_deref(), drum)).collect()
}

fn measure(
    dir: &Path,
    reference: Option<&[(f64, Vector3<f64>)]>,
    drum: Option<ModeNumbers>,
) -> anyhow::Result<Measured> {
    let run = Run::open(dir)?;
    let bodies = &run.bodies;
    let axis: Vector3<f64> = run.angular_momentum().iter().map(|(_, l)| l).sum();
    let axis = axis.try_normalize(1e-300).unwrap_or(Vector3::z());
    let (mut noise, mut count, mut turns) = (0.0, 0, 0.0);
    let mut before: Option<Vector3<f64>> = None;
    for info in run.folder.frames()? {
        let frame = run.folder.read_frame(info.index)?;
        let centre = mass_centre(bodies, &frame);
        let across = centre - axis * axis.dot(&centre);
        if let Some(before) = before {
            turns += before.cross(&across).dot(&axis).atan2(before.dot(&across)) / std::f64::consts::TAU;
        }
        before = Some(across);
        if let Some(part) = non_affine_part(bodies, &frame) {
            noise += part;
            count += 1;
        }
    }
    let drum = drum.map(|mode| drum_mode::amplitudes(dir, mode)).transpose()?;
    let steps = || run.stats.rows.iter().filter(|r| r.step > 0);
    let start = run.stats.rows.first().map_or(1.0, |r| r.total.abs().max(1e-300));
    let off = steps().filter_map(|r| r.target.map(|target| ((r.total - target) / start).powi(2)));
    let off: Vec<f64> = off.collect();
    Ok(Measured {
        run: dir.display().to_string(),
        integrator: run.scene.run.integrator.clone(),
        h: run.scene.run.h.value,
        time: run.stats.rows.last().map_or(0.0, |r| r.t),
        turns,
        noise: noise / f64::from(count.max(1)),
        off_target: (off.iter().sum::<f64>() / off.len().max(1) as f64).sqrt(),
        angular_momentum_off: reference.map(|r| deviation(&running_mean(&run.angular_momentum(), 1.0), r)),
        drum: drum.map(|moments| drum_mode::first_and_last(&moments)),
        newton_iterations: steps().map(|r| r.newton).sum(),
        unconverged: steps().filter(|r| !r.converged).count() as u64,
        wall_s: steps().map(|r| r.wall_s).sum(),
    })
}

fn mass_centre(bodies: &Model, frame: &Frame) -> Vector3<f64> {
    let weighted = frame.x.iter().zip(&bodies.node_mass).map(|(x, m)| Vector3::from(*x) * *m);
    weighted.sum::<Vector3<f64>>() / bodies.node_mass.iter().sum::<f64>()
}

/// 1 − (kinetic energy of the best affine fit)/(kinetic energy), over all bodies; nothing at rest.
fn non_affine_part(bodies: &Model, frame: &Frame) -> Option<f64> {
    let (mut whole, mut left) = (0.0, 0.0);
    // What moves affinely by its nature has no such part.
    for body in bodies.bodies.iter().filter(|body| body.kind != BodyKind::Affine) {
        let (mut normal, mut rhs) = (Matrix4::zeros(), Matrix4x3::zeros());
        for i in body.nodes.clone() {
            let (m, v) = (bodies.node_mass[i], Vector3::from(frame.v[i]));
            let row = Vector4::new(1.0, frame.x[i][0], frame.x[i][1], frame.x[i][2]);
            normal += m * row * row.transpose();
            rhs += m * row * v.transpose();
        }
        let fit = normal.lu().solve(&rhs)?;
        for i in body.nodes.clone() {
            let (m, v) = (bodies.node_mass[i], Vector3::from(frame.v[i]));
            let row = Vector4::new(1.0, frame.x[i][0], frame.x[i][1], frame.x[i][2]);
            whole += m * v.norm_squared();
            left += m * (v - fit.transpose() * row).norm_squared();
        }
    }
    (whole > 1e-20).then_some(left / whole)
}

/// Trapezoidal mean over a window centred on each sample; samples nearer than half a window to the ends are left out.
fn running_mean(samples: &[(f64, Vector3<f64>)], window: f64) -> Vec<(f64, Vector3<f64>)> {
    let mut integral = vec![Vector3::zeros()];
    for pair in samples.windows(2) {
        let last = *integral.last().expect("it starts with one");
        integral.push(last + 0.5 * (pair[1].0 - pair[0].0) * (pair[0].1 + pair[1].1));
    }
    let at = |t: f64| {
        let after = samples.partition_point(|s| s.0 < t).clamp(1, samples.len() - 1);
        let (t0, t1) = (samples[after - 1].0, samples[after].0);
        integral[after - 1] + (integral[after] - integral[after - 1]) * ((t - t0) / (t1 - t0))
    };
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else { return Vec::new() };
    let inside = samples.iter().filter(|s| s.0 - 0.5 * window >= first.0 && s.0 + 0.5 * window <= last.0);
    inside.map(|s| (s.0, (at(s.0 + 0.5 * window) - at(s.0 - 0.5 * window)) / window)).collect()
}

/// Mean |a − b| over the samples of a, as a fraction of the mean |b|.
fn deviation(a: &[(f64, Vector3<f64>)], b: &[(f64, Vector3<f64>)]) -> f64 {
    let nearest = |t: f64| {
        let after = b.partition_point(|s| s.0 < t).clamp(1, b.len() - 1);
        let (s0, s1) = (&b[after - 1], &b[after]);
        s0.1 + (s1.1 - s0.1) * ((t - s0.0) / (s1.0 - s0.0)).clamp(0.0, 1.0)
    };
    if a.is_empty() || b.len() < 2 {
        return f64::NAN;
    }
    let scale = b.iter().map(|s| s.1.norm()).sum::<f64>() / b.len() as f64;
    a.iter().map(|s| (s.1 - nearest(s.0)).norm()).sum::<f64>() / a.len() as f64 / scale
}
