//! Signed distance fields: how far a point is from a surface, negative inside.

mod analytic;
mod triangle;
mod triangle_field;
mod winding;

pub(crate) use analytic::tight_bounds;
pub use analytic::{Combined, Cuboid, Cylinder, Ellipsoid, Placed, RoundCone, Sphere, Torus, smooth_max, smooth_min};
pub(crate) use triangle::nearest_point;
pub use triangle_field::{Nearest, TriangleField};

use nalgebra::Vector3;

/// A closed shape, given by its distance.
pub trait Field: Sync {
    /// Distance to the surface `[m]`, negative inside. Blends may fall short of it far from their surface, never exceed it by much
    fn distance(&self, point: &Vector3<f64>) -> f64;

    /// Lowest and highest corners of a box that holds the shape `[m]`
    fn bounds(&self) -> [Vector3<f64>; 2];
}
