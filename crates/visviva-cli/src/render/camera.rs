//! The camera: where it stands, what it sees, and how to stand so that a whole motion is seen.
use super::RenderError;
use nalgebra::Vector3;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// [m]
    pub eye: Vector3<f64>,
    pub target: Vector3<f64>,
    pub up: Vector3<f64>,
    pub lens: Lens,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lens {
    /// Vertical angle [rad].
    Perspective { field_of_view: f64 },
    /// Height seen [m].
    Orthographic { height: f64 },
}

/// The room left around a fitted scene, as part of the image.
const MARGIN: f64 = 0.08;

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

/// Right, up and forward.
fn axes(direction: Vector3<f64>, up: Vector3<f64>) -> Result<[Vector3<f64>; 3], RenderError> {
    let wrong = RenderError::Camera("its direction and its up make no frame");
    let Some(forward) = direction.try_normalize(1e-12).filter(|d| d.iter().all(|x| x.is_finite())) else {
        return Err(wrong);
    };
    let Some(right) = up.try_normalize(1e-12).and_then(|up| forward.cross(&up).try_normalize(1e-9)) else {
        return Err(wrong);
    };
    Ok([right, right.cross(&forward), forward])
}

/// The camera on a screen of pixels; y points down there.
///
/// Nearness q grows towards the eye and is affine on the screen for any plane: 1/z, or −z without perspective.
#[derive(Debug, Clone)]
pub(super) struct View {
    pub eye: Vector3<f64>,
    /// Positions handed to the shading are counted from here, where single precision serves.
    pub origin: Vector3<f64>,
    axes: [Vector3<f64>; 3],
    pub perspective: bool,
    /// Pixels to a unit tangent, or to a metre.
    scale: f64,
    centre: (f64, f64),
    pub near: f64,
    /// Half the height seen at the target [m].
    pub half_height: f64,
    single: [Vector3<f32>; 4],
}

impl View {
    /// `corner` and `size` say which part of the image belongs to the subject [px].
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

    /// Right, up and forward of the eye [m].
    pub fn to_view(&self, p: &Vector3<f64>) -> Vector3<f64> {
        let d = p - self.eye;
        Vector3::new(self.axes[0].dot(&d), self.axes[1].dot(&d), self.axes[2].dot(&d))
    }

    /// x, y [px] and nearness of a place before the eye.
    pub fn to_screen(&self, v: &Vector3<f64>) -> [f64; 3] {
        let (s, q) = if self.perspective { (self.scale / v.z, 1.0 / v.z) } else { (self.scale, -v.z) };
        [self.centre.0 + s * v.x, self.centre.1 - s * v.y, q]
    }

    /// What a pixel covers at a depth before the eye [m].
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
