//! What frames tell: turns, noise, and of each body its way, its spin, its bounces and where its energy is.

use super::MeasuredRun;
use super::bounces::apexes;
use crate::model::bodies::{BodyKind, Model, node_of};
use crate::model::{MotionEnergy, RigidMotion, Weighed};
use crate::run::{Frame, OutputError};
use nalgebra::{Matrix4, Matrix4x3, Vector3, Vector4};
use std::ops::Range;

/// A body, or all of one name, in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Passage {
    /// `[kg]`
    pub mass: f64,
    /// Of the mass centre `[m]`
    pub place: Vector3<f64>,
    /// `[m/s]`
    pub velocity: Vector3<f64>,
    /// Of the rigid motion that fits best `[rad/s]`; of several bodies the mean
    pub spin: f64,
    /// Where the kinetic energy is `[J]`
    pub motion: MotionEnergy,
    /// Gravity's energy, from the height zero `[J]`
    pub height: f64,
}

impl Passage {
    fn of(model: &Model, nodes: Range<usize>, frame: &Flat) -> Self {
        let masses = &model.node_mass;
        let [x, v] = [(&frame.x, &frame.mass_x), (&frame.v, &frame.mass_v)]
            .map(|(plain, times_mass)| Weighed { plain, times_mass });
        let rigid = RigidMotion::of(nodes.clone(), &frame.free_masses, x, v, None);
        let kinetic: f64 = nodes.clone().map(|i| 0.5 * node_of(&frame.mass_v, i).dot(&node_of(&frame.v, i))).sum();
        let mass: f64 = nodes.clone().map(|i| masses[i]).sum();
        let mean = |of: &[f64]| nodes.clone().map(|i| node_of(of, i) * masses[i]).sum::<Vector3<f64>>() / mass;
        let place = mean(&frame.x);
        Self {
            mass,
            place,
            velocity: mean(&frame.v),
            // What is held by all its nodes does not turn.
            spin: if rigid.mass > 0.0 { rigid.turn_of(rigid.angular_momentum).norm() } else { 0.0 },
            motion: rigid.energy(kinetic),
            height: -mass * model.gravity.dot(&place),
        }
    }

    /// Of all of them as one.
    pub(super) fn together<'a>(passages: impl Iterator<Item = &'a Passage> + Clone) -> Self {
        let mut all = Self::default();
        for one in passages.clone() {
            all.mass += one.mass;
            all.place += one.mass * one.place;
            all.velocity += one.mass * one.velocity;
            all.spin += one.spin;
            all.motion += one.motion;
            all.height += one.height;
        }
        all.place /= all.mass;
        all.velocity /= all.mass;
        all.spin /= passages.count().max(1) as f64;
        all
    }
}

/// A frame as flat vectors, and the mass times them.
struct Flat {
    x: Vec<f64>,
    v: Vec<f64>,
    mass_x: Vec<f64>,
    mass_v: Vec<f64>,
    /// Zero where pinned `[kg]`
    free_masses: Vec<f64>,
}

impl Flat {
    fn of(model: &Model, frame: &Frame) -> Self {
        let times_mass = |of: &[f64]| {
            let mut product = vec![0.0; of.len()];
            model.mass.apply(of, &mut product);
            product
        };
        let (x, v) = (frame.x.as_flattened().to_vec(), frame.v.as_flattened().to_vec());
        Self { mass_x: times_mass(&x), mass_v: times_mass(&v), x, v, free_masses: model.mass.of_nodes() }
    }
}

impl MeasuredRun {
    /// How often the mass centre of everything went round.
    pub fn turns(&self) -> Result<f64, OutputError> {
        let axis: Vector3<f64> = self.angular_momentum().iter().map(|(_, l)| l).sum();
        let axis = axis.try_normalize(1e-300).unwrap_or(Vector3::z());
        let (mut turns, mut before) = (0.0, None);
        for passage in self.passages(|_| true)? {
            let across = passage.place - axis * axis.dot(&passage.place);
            if let Some(before) = before.replace(across) {
                turns += before.cross(&across).dot(&axis).atan2(before.dot(&across)) / std::f64::consts::TAU;
            }
        }
        Ok(turns)
    }

    /// Mean over frames of the kinetic energy's non-affine part, 0 to 1.
    pub fn noise(&self) -> Result<f64, OutputError> {
        let model = self.model()?;
        let mut parts = Vec::new();
        for info in self.folder.all_frames()? {
            parts.extend(non_affine_part(model, &self.folder.read_frame(info.index)?));
        }
        // A sum of nothing would be −0.
        Ok(parts.iter().fold(0.0, |sum, part| sum + part) / parts.len().max(1) as f64)
    }

    /// Of each body, frame by frame; frames are read once for all measures.
    pub(super) fn tracks(&self) -> Result<&[Vec<Passage>], OutputError> {
        if let Some(tracks) = self.tracks.get() {
            return Ok(tracks);
        }
        let model = self.model()?;
        let mut tracks = vec![Vec::new(); model.bodies.len()];
        for info in self.folder.all_frames()? {
            let frame = Flat::of(model, &self.folder.read_frame(info.index)?);
            for (track, body) in tracks.iter_mut().zip(&model.bodies) {
                track.push(Passage::of(model, body.nodes.clone(), &frame));
            }
        }
        Ok(self.tracks.get_or_init(|| tracks))
    }

    /// Frame by frame, of the bodies whose names are wanted, each for itself.
    pub(super) fn tracks_of(&self, wanted: impl Fn(&str) -> bool) -> Result<Vec<&[Passage]>, OutputError> {
        let bodies = self.model()?.bodies.iter().zip(self.tracks()?);
        Ok(bodies.filter(|(body, _)| wanted(&body.name)).map(|(_, track)| &track[..]).collect())
    }

    /// Frame by frame, of the bodies whose names are wanted, as one.
    pub(super) fn passages(&self, wanted: impl Fn(&str) -> bool) -> Result<Vec<Passage>, OutputError> {
        let tracks = self.tracks_of(wanted)?;
        let frames = tracks.first().map_or(0, |track| track.len());
        Ok((0..frames).map(|k| Passage::together(tracks.iter().map(|track| &track[k]))).collect())
    }

    /// Of each wanted body: how high it rose after every landing, as parts of its first fall.
    pub fn rebounds(&self, wanted: impl Fn(&str) -> bool) -> Result<Vec<Vec<f64>>, OutputError> {
        let up = -self.model()?.gravity.try_normalize(1e-300).unwrap_or(-Vector3::z());
        let times: Vec<f64> = self.folder.all_frames()?.iter().map(|info| info.t).collect();
        let heights = |track: &[Passage]| track.iter().map(|p| up.dot(&p.place)).collect::<Vec<f64>>();
        Ok(self.tracks_of(wanted)?.into_iter().map(|track| apexes(&times, &heights(track))).collect())
    }

    /// Of the wanted bodies' mass centre over time, against gravity: times `[s]` and heights `[m]`.
    pub fn heights(&self, wanted: impl Fn(&str) -> bool) -> Result<Vec<(f64, f64)>, OutputError> {
        let up = -self.model()?.gravity.try_normalize(1e-300).unwrap_or(-Vector3::z());
        let times = self.folder.all_frames()?.into_iter().map(|info| info.t);
        Ok(times.zip(self.passages(wanted)?).map(|(t, passage)| (t, up.dot(&passage.place))).collect())
    }

    /// How often the wanted bodies turn about themselves, a mean over them: ∫ |ω| dt / 2π.
    pub fn turns_of(&self, wanted: impl Fn(&str) -> bool) -> Result<f64, OutputError> {
        let times: Vec<f64> = self.folder.all_frames()?.iter().map(|info| info.t).collect();
        let passages = self.passages(wanted)?;
        let mean = |k: usize| 0.5 * (passages[k - 1].spin + passages[k].spin);
        let turned: f64 = (1..passages.len().min(times.len())).map(|k| mean(k) * (times[k] - times[k - 1])).sum();
        Ok(turned / std::f64::consts::TAU)
    }

    pub(super) fn has_body(&self, wanted: impl Fn(&str) -> bool) -> Result<bool, OutputError> {
        Ok(self.model()?.bodies.iter().any(|body| wanted(&body.name)))
    }
}

/// 1 − (kinetic energy of the best affine fit)/(kinetic energy), over all bodies; nothing at rest.
fn non_affine_part(model: &Model, frame: &Frame) -> Option<f64> {
    let (mut whole, mut left) = (0.0, 0.0);
    // What moves affinely by its nature has no such part.
    for body in model.bodies.iter().filter(|body| body.kind != BodyKind::Affine) {
        let (mut normal, mut rhs) = (Matrix4::zeros(), Matrix4x3::zeros());
        for i in body.nodes.clone() {
            let (m, v) = (model.node_mass[i], Vector3::from(frame.v[i]));
            let row = Vector4::new(1.0, frame.x[i][0], frame.x[i][1], frame.x[i][2]);
            normal += m * row * row.transpose();
            rhs += m * row * v.transpose();
        }
        let fit = normal.lu().solve(&rhs)?;
        for i in body.nodes.clone() {
            let (m, v) = (model.node_mass[i], Vector3::from(frame.v[i]));
            let row = Vector4::new(1.0, frame.x[i][0], frame.x[i][1], frame.x[i][2]);
            whole += m * v.norm_squared();
            left += m * (v - fit.transpose() * row).norm_squared();
        }
    }
    (whole > 1e-20).then_some(left / whole)
}
