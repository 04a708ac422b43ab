//! Shapes with formulas, where they are put, and how they are joined. No distance here grows faster than a metre per metre.

mod combined;
mod cuboid;
mod cylinder;
mod ellipsoid;
mod placed;
mod round_cone;
mod smooth;
mod sphere;
mod tight_bounds;
mod torus;

#[cfg(test)]
mod tests;

pub use combined::Combined;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use placed::Placed;
pub use round_cone::RoundCone;
pub use smooth::{smooth_max, smooth_min};
pub use sphere::Sphere;
pub(crate) use tight_bounds::tight_bounds;
pub use torus::Torus;
