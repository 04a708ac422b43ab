//! The camera on a screen of pixels: where a place is seen, and which place a pixel shows.
use super::camera::{Camera, Lens, axes};
use crate::render::RenderError;
use nalgebra::Vector3;

/// y points down on the screen.
///
/// Nearness q grows towards the eye and is affine on the screen for any plane: 1/z, or −z without perspective.
#[derive(Debug, Clone)]
pub(crate) struct View {
    pub eye: Vector3<f64>,
    /// Positions handed to the shading are counted from here, where single precision serves.
    pub origin: Vector3<f64>,
    axes: [Vector3<f64>; 3],
    pub perspective: bool,
    /// Pixels to a unit tangent, or to a metre.
    scale: f64,
    centre: (f64, f64),
    pub near: f64,
    /// Half the height seen at the target `[m]`.
    pub half_height: f64,
    single: [Vector3<f32>; 4],
}

impl View {
    /// `corner` and `size` say which part of the image belongs to the subject `[px]`.
    pub fn new(camera: &Camera, corner: (f64, f64), size: (f64, f64)) -> Result<View, RenderError> {
        let axes = axes(camera.target - camera.eye, camera.up)?;
        let distance = (camera.target - camera.eye).norm();
        let (perspective, scale) = match camera.lens {
            Lens::Perspective { field_of_view: a } if (1e-3..3.0).contains(&a) => {
                (true, 0.5 * size.1 / (a / 2.0).tan())
            }
            Lens::Orthographic { height } if height.is_finite() && height > 0.0 => (false, size.1 / height),
            _ => return Err(RenderError::Camera("no such angle or height")),
        };
        if !(distance.is_finite() && camera.eye.iter().all(|x| x.is_finite())) {
            return Err(RenderError::Camera("it stands nowhere"));
        }
        let from_origin = camera.eye - camera.target;
        let single = [axes[0], axes[1], axes[2], from_origin].map(|v| v.cast::<f32>());
        let centre = (corner.0 + size.0 / 2.0, corner.1 + size.1 / 2.0);
        let near = if perspective { 1e-3 * distance } else { f64::NEG_INFINITY };
        let half_height = 0.5 * size.1 / scale * if perspective { distance } else { 1.0 };
        let (eye, origin) = (camera.eye, camera.target);
        Ok(View { eye, origin, axes, perspective, scale, centre, near, half_height, single })
    }

    /// Right, up and forward of the eye `[m]`.
    pub fn to_view(&self, p: &Vector3<f64>) -> Vector3<f64> {
        let d = p - self.eye;
        Vector3::new(self.axes[0].dot(&d), self.axes[1].dot(&d), self.axes[2].dot(&d))
    }

    /// x, y `[px]` and nearness of a place before the eye.
    pub fn to_screen(&self, v: &Vector3<f64>) -> [f64; 3] {
        let (s, q) = if self.perspective { (self.scale / v.z, 1.0 / v.z) } else { (self.scale, -v.z) };
        [self.centre.0 + s * v.x, self.centre.1 - s * v.y, q]
    }

    /// What a pixel covers at a depth before the eye `[m]`.
    pub fn pixel(&self, depth: f64) -> f64 {
        if self.perspective { depth / self.scale } else { 1.0 / self.scale }
    }

    /// Metres from the eye, along its axis.
    pub fn depth(&self, q: f32) -> f32 {
        if self.perspective { 1.0 / q } else { -q }
    }

    /// The place seen at a pixel with a nearness, from the origin.
    pub fn position(&self, x: f32, y: f32, q: f32) -> Vector3<f32> {
        let [right, up, forward, eye] = &self.single;
        let (z, s) = (self.depth(q), 1.0 / self.scale as f32);
        let s = if self.perspective { s * z } else { s };
        eye + forward * z + right * ((x - self.centre.0 as f32) * s) + up * ((self.centre.1 as f32 - y) * s)
    }

    /// The unit direction from a place towards the eye.
    pub fn towards_eye(&self, position: &Vector3<f32>) -> Vector3<f32> {
        if self.perspective { (self.single[3] - position).normalize() } else { -self.single[2] }
    }

    /// Nearness of the plane n·p = height as a form in x, y and 1; none where it is seen from below or edge on.
    pub fn plane(&self, n: &Vector3<f64>, height: f64) -> Option<[f64; 3]> {
        let above = n.dot(&self.eye) - height;
        let [along_right, along_up, along_forward] = self.axes.map(|axis| axis.dot(n));
        let (x, y) = (along_right / self.scale, -along_up / self.scale);
        let constant = -x * self.centre.0 - y * self.centre.1;
        if self.perspective {
            // z (n·D) = −above along the ray D through the pixel.
            (above > 0.0).then(|| [x, y, constant + along_forward].map(|c| -c / above))
        } else {
            // −z = (above + n·(place on the screen)) / n·forward.
            (along_forward < -1e-6).then(|| [x, y, constant + above].map(|c| c / along_forward))
        }
    }
}
