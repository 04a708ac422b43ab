//! How much of a drum's mode there is in the motion of a flat shell.
//!
//! ```text
//! a = Σ m_i φ_i (z_i − z̄_i) / Σ m_i φ_i²,     φ = J_m(j_mn r/R) cos mϕ / max |J_m|
//! ```
//!
//! m_i is the mass of a node, z̄ its rest height; centre and radius R are those of the shell at the start.

use super::{MeasureError, MeasuredRun};
use crate::model::bodies::{BodyKind, Model, node_of};
use crate::run::Frame;
use crate::scene::{DrumMode, DrumShape};
use nalgebra::Vector3;
use std::fmt;

/// Nodal diameters and nodal circles, the rim included: `2,1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModeNumbers {
    pub diameters: u32,
    pub circles: u32,
}

/// As measures name it: `2-1`.
impl fmt::Display for ModeNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.diameters, self.circles)
    }
}

pub fn mode_numbers(text: &str) -> Result<ModeNumbers, String> {
    let parts: Vec<_> = text.split([',', '-']).map(|part| part.trim().parse::<u32>()).collect();
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
    /// `[s]`
    pub t: f64,
    /// a, where the mode is highest `[m]`
    pub amplitude: f64,
    /// Kinetic energy of the shell, and of it in the mode, whichever way the mode is turned `[J]`
    pub kinetic: f64,
    pub in_mode: f64,
    /// Σ m u² of the heights above rest, and of it in the mode `[kg m²]`
    pub displaced: f64,
    pub displaced_in_mode: f64,
}

impl MeasuredRun {
    /// Of every frame, for the first shell.
    pub fn drum(&self, mode: ModeNumbers) -> Result<Vec<Moment>, MeasureError> {
        let built = self.built()?;
        let weights = Weights::new(&built.model, &built.start.x, mode).map_err(|problem| {
            let run = self.folder.path().display().to_string();
            MeasureError::Drum { run, problem }
        })?;
        let frames = self.folder.all_frames()?.into_iter();
        frames.map(|info| Ok(weights.moment(info.t, &self.folder.read_frame(info.index)?))).collect()
    }
}

/// A node of the shell.
struct Weight {
    node: usize,
    /// `[kg]`
    mass: f64,
    /// The mode as it was asked for, and turned by a quarter of its period
    shape: [f64; 2],
    /// Rest height `[m]`
    rest: f64,
}

struct Weights {
    nodes: Vec<Weight>,
    /// Σ m φ² of both
    norms: [f64; 2],
}

impl Weights {
    fn new(model: &Model, start: &[f64], mode: ModeNumbers) -> Result<Self, String> {
        let shell = model.bodies.iter().find(|body| body.kind == BodyKind::Shell);
        let shell = shell.ok_or("a drum's modes are those of a shell, and there is none")?;
        let nodes = || shell.nodes.clone();
        let mass: f64 = nodes().map(|i| model.node_mass[i]).sum();
        let centre = nodes().map(|i| node_of(start, i) * (model.node_mass[i] / mass)).sum::<Vector3<f64>>();
        let place = |i: usize| node_of(start, i) - centre;
        let radius = nodes().map(|i| place(i).xy().norm()).fold(0.0, f64::max);
        let heights = nodes().map(|i| model.rest[i].z);
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), z| (low.min(z), high.max(z)));
        if high - low > 1e-6 * radius {
            return Err(format!(
                "shell `{}` is not flat: at rest z goes from {low} to {high} m; a drum lies in a plane of one height",
                shell.name
            ));
        }
        let ModeNumbers { diameters, circles } = mode;
        let shape =
            DrumShape::new(&DrumMode { radius, nodal_diameters: diameters, nodal_circles: circles, speed: 1.0 })?;
        let quarter = std::f64::consts::FRAC_PI_2 / f64::from(diameters.max(1));
        let (sin, cos) = quarter.sin_cos();
        let turned = |p: Vector3<f64>| Vector3::new(cos * p.x + sin * p.y, cos * p.y - sin * p.x, p.z);
        let weight = |i: usize| Weight {
            node: i,
            mass: model.node_mass[i],
            shape: [shape.at(&place(i)).z, if diameters > 0 { shape.at(&turned(place(i))).z } else { 0.0 }],
            rest: model.rest[i].z,
        };
        let nodes: Vec<Weight> = nodes().map(weight).collect();
        let norm = |k: usize| nodes.iter().map(|node| node.mass * node.shape[k].powi(2)).sum::<f64>();
        // Rounding leaves a trace of the mode where every node lies on one of its nodes.
        if norm(0) <= 1e-12 * mass {
            return Err(format!(
                "shell `{}` is too coarse for this mode: every node lies where it does not move",
                shell.name
            ));
        }
        let norms = [norm(0), norm(1)];
        Ok(Self { nodes, norms })
    }

    fn moment(&self, t: f64, frame: &Frame) -> Moment {
        let over = |k: usize, value: &dyn Fn(&Weight) -> f64| {
            let sum = self.nodes.iter().map(|node| node.mass * node.shape[k] * value(node)).sum::<f64>();
            if self.norms[k] > 0.0 { sum / self.norms[k] } else { 0.0 }
        };
        let height = |node: &Weight| frame.x[node.node][2] - node.rest;
        let speeds = [0, 1].map(|k| over(k, &|node| frame.v[node.node][2]));
        let amplitudes = [0, 1].map(|k| over(k, &height));
        let in_mode = |of: [f64; 2]| (0..2).map(|k| self.norms[k] * of[k].powi(2)).sum::<f64>();
        let square = |node: &Weight| node.mass * Vector3::from(frame.v[node.node]).norm_squared();
        Moment {
            t,
            amplitude: amplitudes[0],
            kinetic: 0.5 * self.nodes.iter().map(square).sum::<f64>(),
            in_mode: 0.5 * in_mode(speeds),
            displaced: self.nodes.iter().map(|node| node.mass * height(node).powi(2)).sum(),
            displaced_in_mode: in_mode(amplitudes),
        }
    }
}

/// Greatest |a| over the first and over the last fifth of the time `[m]`.
pub fn first_and_last(moments: &[Moment]) -> [f64; 2] {
    let (Some(first), Some(last)) = (moments.first(), moments.last()) else { return [0.0; 2] };
    let fifth = 0.2 * (last.t - first.t);
    let highest = |within: &dyn Fn(f64) -> bool| {
        moments.iter().filter(|m| within(m.t)).map(|m| m.amplitude.abs()).fold(0.0, f64::max)
    };
    [highest(&|t| t <= first.t + fifth), highest(&|t| t >= last.t - fifth)]
}

/// Part of the kinetic energy that the mode has over the last fifth of the time, 0 to 1.
pub fn share(moments: &[Moment]) -> f64 {
    over_last_fifth(moments, |m| m.in_mode, |m| m.kinetic)
}

/// Part of what is displaced, squared and by mass, that the mode has not over the last fifth of the time, 0 to 1: what one sees beside it.
pub fn wrinkles(moments: &[Moment]) -> f64 {
    1.0 - over_last_fifth(moments, |m| m.displaced_in_mode, |m| m.displaced)
}

fn over_last_fifth(moments: &[Moment], part: fn(&Moment) -> f64, whole: fn(&Moment) -> f64) -> f64 {
    let (Some(first), Some(last)) = (moments.first(), moments.last()) else { return 0.0 };
    let from = last.t - 0.2 * (last.t - first.t);
    let sum = |of: fn(&Moment) -> f64| moments.iter().filter(|m| m.t >= from).map(of).sum::<f64>();
    let whole = sum(whole);
    if whole > 0.0 { sum(part) / whole } else { 0.0 }
}
