//! How to stand so that a whole motion is seen.
use super::Camera;
use super::camera::{Lens, axes};
use crate::render::RenderError;
use nalgebra::Vector3;

/// The room left around a fitted scene, as part of the image.
const MARGIN: f64 = 0.08;

/// Collects the points of a motion, frame after frame, without keeping them.
///
/// A point (r, u, f) in the camera's axes is inside when |r − e_r| ≤ τ (f − e_f); only the extremes of r ± τ f and
/// u ± τ f matter, and they give the nearest eye in closed form.
#[derive(Debug, Clone)]
pub struct Fit {
    axes: [Vector3<f64>; 3],
    /// Tangents of the half angles, sideways and upwards.
    tangents: [f64; 2],
    /// Largest of r − τf, −r − τf, and the same upwards.
    sides: [[f64; 2]; 2],
    /// Lowest and highest along each axis.
    extent: [(f64, f64); 3],
}

impl Fit {
    pub fn new(direction: Vector3<f64>, up: Vector3<f64>, aspect: f64, field_of_view: f64) -> Result<Fit, RenderError> {
        let axes = axes(direction, up)?;
        if !(aspect.is_finite() && aspect > 0.0 && (1e-3..3.0).contains(&field_of_view)) {
            return Err(RenderError::Camera("no such aspect or angle"));
        }
        let tangent = (field_of_view / 2.0).tan();
        let empty = (f64::INFINITY, f64::NEG_INFINITY);
        let sides = [[f64::NEG_INFINITY; 2]; 2];
        Ok(Fit { axes, tangents: [tangent * aspect, tangent], sides, extent: [empty; 3] })
    }

    /// Points that are not finite are passed over.
    pub fn include<'a>(&mut self, points: impl IntoIterator<Item = &'a Vector3<f64>>) {
        for p in points.into_iter().filter(|p| p.iter().all(|x| x.is_finite())) {
            let place = self.axes.map(|axis| axis.dot(p));
            for k in 0..2 {
                let slope = self.tangents[k] * (1.0 - MARGIN) * place[2];
                self.sides[k][0] = self.sides[k][0].max(place[k] - slope);
                self.sides[k][1] = self.sides[k][1].max(-place[k] - slope);
            }
            for k in 0..3 {
                self.extent[k] = (self.extent[k].0.min(place[k]), self.extent[k].1.max(place[k]));
            }
        }
    }

    pub fn perspective(&self) -> Result<Camera, RenderError> {
        let [right, up, forward] = self.axes;
        let (low, high) = self.seen()?;
        let back = |k: usize| -(self.sides[k][0] + self.sides[k][1]) / (2.0 * self.tangents[k] * (1.0 - MARGIN));
        // A single point leaves the distance open.
        let e_f = back(0).min(back(1)).min(low[2] - 1e-3 * (high - low).norm().max(1e-3));
        let side = |k: usize| (self.sides[k][0] - self.sides[k][1]) / 2.0;
        let eye = right * side(0) + up * side(1) + forward * e_f;
        let target = eye + forward * ((low[2] + high[2]) / 2.0 - e_f);
        Ok(Camera::perspective(eye, target, up, 2.0 * self.tangents[1].atan()))
    }

    pub fn orthographic(&self) -> Result<Camera, RenderError> {
        let (low, high) = self.seen()?;
        let aspect = self.tangents[0] / self.tangents[1];
        let size = high - low;
        let height = (size.x / aspect).max(size.y).max(1e-9) / (1.0 - MARGIN);
        let [right, up, forward] = self.axes;
        let middle = (low + high) / 2.0;
        let target = right * middle.x + up * middle.y + forward * middle.z;
        let eye = target - forward * (size.norm() + height);
        Ok(Camera { eye, target, up, lens: Lens::Orthographic { height } })
    }

    fn seen(&self) -> Result<(Vector3<f64>, Vector3<f64>), RenderError> {
        let low = Vector3::from(self.extent.map(|e| e.0));
        let high = Vector3::from(self.extent.map(|e| e.1));
        if low.x <= high.x { Ok((low, high)) } else { Err(RenderError::Camera("there is no point to look at")) }
    }
}
