//! How much of a drum's mode there is in the motion of a flat shell.
//!
//! ```text
//! a = Σ m_i φ_i (z_i − z̄_i) / Σ m_i φ_i²,     φ = J_m(j_mn r/R) cos mϕ / max |J_m|
//! ```
//!
//! m_i is the mass of a node, z̄ its rest height; centre and radius R are those of the shell at the start.

use anyhow::{Context, anyhow, bail, ensure};
use std::path::Path;
use visviva::model::bodies::{BodyKind, Model, node_of};
use visviva::run::{Frame, RunFolder};
use visviva::scene::{DrumMode, DrumShape};

/// Nodal diameters and nodal circles, the rim included: `2,1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModeNumbers {
    pub diameters: u32,
    pub circles: u32,
}

pub fn mode_numbers(text: &str) -> Result<ModeNumbers, String> {
    let parts: Vec<_> = text.split(',').map(|part| part.trim().parse::<u32>()).collect();
    match parts[..] {
        [Ok(diameters @ 0..=20), Ok(circles @ 1..=20)] => Ok(ModeNumbers { diameters, circles }),
        _ => {
            Err(format!("`{text}`: write nodal diameters (0 to 20) and circles (1 to 20, the rim is one), such as 2,1"))
        }
    }
}

/// One moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// [s]
    pub t: f64,
    /// a, where the mode is highest [m]
    pub amplitude: f64,
}

/// Of every frame of a run, for its first shell.
pub fn amplitudes(dir: &Path, mode: ModeNumbers) -> anyhow::Result<Vec<Moment>> {
    let folder = RunFolder::open(dir)?;
    let (_, built) = folder.built()?;
    let weights = Weights::new(&built.model, &built.start.x, mode).with_context(|| dir.display().to_string())?;
    let moments = folder.frames()?.into_iter().map(|info| {
        let frame = folder.read_frame(info.index)?;
        let (there, wanted) = (frame.x.len(), built.model.node_count());
        ensure!(there == wanted, "{}: {there} nodes, where the scene has {wanted}", info.path.display());
        Ok(Moment { t: info.t, amplitude: weights.amplitude(&frame) })
    });
    moments.collect()
}

/// What each node of the shell counts, and its rest height [m].
struct Weights(Vec<(usize, f64, f64)>);

impl Weights {
    fn new(bodies: &Model, start: &[f64], mode: ModeNumbers) -> anyhow::Result<Self> {
        let shell = bodies.bodies.iter().find(|body| body.kind == BodyKind::Shell);
        let shell = shell.ok_or_else(|| anyhow!("a drum's modes are those of a shell, and there is none"))?;
        let nodes = || shell.nodes.clone();
        let mass: f64 = nodes().map(|i| bodies.node_mass[i]).sum();
        let centre = nodes().map(|i| node_of(start, i) * (bodies.node_mass[i] / mass)).sum::<nalgebra::Vector3<f64>>();
        let place = |i: usize| node_of(start, i) - centre;
        let radius = nodes().map(|i| place(i).xy().norm()).fold(0.0, f64::max);
        let (low, high) = nodes()
            .map(|i| bodies.rest[i].z)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), z| (low.min(z), high.max(z)));
        if high - low > 1e-6 * radius {
            bail!(
                "shell `{}` is not flat: at rest z goes from {low} to {high} m; a drum lies in a plane of one height",
                shell.name
            );
        }
        let ModeNumbers { diameters, circles } = mode;
        let mode = DrumMode { radius, nodal_diameters: diameters, nodal_circles: circles, speed: 1.0 };
        let shape = DrumShape::new(&mode).map_err(|problem| anyhow!(problem))?;
        let of_mode = |i: usize| (i, shape.at(&place(i)).z);
        let norm: f64 = nodes().map(of_mode).map(|(i, phi)| bodies.node_mass[i] * phi * phi).sum();
        // Rounding leaves a trace of the mode where every node lies on one of its nodes.
        if norm <= 1e-12 * mass {
            bail!("shell `{}` is too coarse for this mode: every node lies where it does not move", shell.name);
        }
        let weight = |(i, phi): (usize, f64)| (i, bodies.node_mass[i] * phi / norm, bodies.rest[i].z);
        Ok(Self(nodes().map(of_mode).map(weight).collect()))
    }

    fn amplitude(&self, frame: &Frame) -> f64 {
        self.0.iter().map(|&(i, weight, rest)| weight * (frame.x[i][2] - rest)).sum()
    }
}

/// Greatest |a| over the first and over the last fifth of the time [m].
pub fn first_and_last(moments: &[Moment]) -> [f64; 2] {
    let (Some(first), Some(last)) = (moments.first(), moments.last()) else { return [0.0; 2] };
    let fifth = 0.2 * (last.t - first.t);
    let highest = |within: &dyn Fn(f64) -> bool| {
        moments.iter().filter(|m| within(m.t)).map(|m| m.amplitude.abs()).fold(0.0, f64::max)
    };
    [highest(&|t| t <= first.t + fifth), highest(&|t| t >= last.t - fifth)]
}
