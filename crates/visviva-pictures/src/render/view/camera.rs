//! The camera: where it stands and what it sees.
use super::Fit;
use crate::render::RenderError;
use nalgebra::Vector3;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// `[m]`
    pub eye: Vector3<f64>,
    pub target: Vector3<f64>,
    pub up: Vector3<f64>,
    pub lens: Lens,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lens {
    /// Vertical angle `[rad]`.
    Perspective { field_of_view: f64 },
    /// Height seen `[m]`.
    Orthographic { height: f64 },
}

impl Camera {
    pub fn perspective(eye: Vector3<f64>, target: Vector3<f64>, up: Vector3<f64>, field_of_view: f64) -> Self {
        Camera { eye, target, up, lens: Lens::Perspective { field_of_view } }
    }

    /// Looks along `direction` at all the points, as near as they allow, 32° high; `aspect` is width over height.
    pub fn fit<'a>(
        points: impl IntoIterator<Item = &'a Vector3<f64>>,
        direction: Vector3<f64>,
        up: Vector3<f64>,
        aspect: f64,
    ) -> Result<Camera, RenderError> {
        let mut fit = Fit::new(direction, up, aspect, 32f64.to_radians())?;
        fit.include(points);
        fit.perspective()
    }
}

/// Right, up and forward.
pub(super) fn axes(direction: Vector3<f64>, up: Vector3<f64>) -> Result<[Vector3<f64>; 3], RenderError> {
    let wrong = RenderError::Camera("its direction and its up make no frame");
    let Some(forward) = direction.try_normalize(1e-12).filter(|d| d.iter().all(|x| x.is_finite())) else {
        return Err(wrong);
    };
    let Some(right) = up.try_normalize(1e-12).and_then(|up| forward.cross(&up).try_normalize(1e-9)) else {
        return Err(wrong);
    };
    Ok([right, right.cross(&forward), forward])
}
