//! What frames tell: turns, noise, and the way of each body's mass centre.

use super::MeasuredRun;
use crate::model::bodies::{BodyKind, Model};
use crate::run::{Frame, OutputError};
use nalgebra::{Matrix4, Matrix4x3, Vector3, Vector4};

/// The mass centre of a body, or of all of one name, in a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Passage {
    /// `[m]`
    pub place: Vector3<f64>,
    /// `[m/s]`
    pub velocity: Vector3<f64>,
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
        for info in self.folder.frames()? {
            parts.extend(non_affine_part(model, &self.folder.read_frame(info.index)?));
        }
        Ok(parts.iter().sum::<f64>() / parts.len().max(1) as f64)
    }

    /// Frame by frame, of the bodies whose names are wanted.
    pub(super) fn passages(&self, wanted: impl Fn(&str) -> bool) -> Result<Vec<Passage>, OutputError> {
        let model = self.model()?;
        let bodies = model.bodies.iter().filter(|body| wanted(&body.name));
        let nodes: Vec<usize> = bodies.flat_map(|body| body.nodes.clone()).collect();
        let mass: f64 = nodes.iter().map(|&i| model.node_mass[i]).sum();
        let mean = |of: &[[f64; 3]]| {
            nodes.iter().map(|&i| Vector3::from(of[i]) * model.node_mass[i]).sum::<Vector3<f64>>() / mass
        };
        let frames = self.folder.frames()?.into_iter();
        let passages = frames.map(|info| {
            let frame = self.folder.read_frame(info.index)?;
            Ok(Passage { place: mean(&frame.x), velocity: mean(&frame.v) })
        });
        passages.collect()
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
