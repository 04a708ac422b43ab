//! Distances between points, edges and triangles: d = min_β |r|, r = Σ cᵢ(β) xᵢ.
//!
//! Each primitive pair finds which corners its closest points lie on; `Gap` then gives all derivatives by one formula.

pub mod edge_edge;
pub mod gap;
pub mod mollifier;
pub mod point_edge;
pub mod point_point;
pub mod point_triangle;

pub use gap::Gap;

/// A position, or any other 3-vector
pub type Point = nalgebra::Vector3<f64>;
/// By the coordinates of a stencil of four points
pub type Gradient = nalgebra::SVector<f64, 12>;
pub type Hessian = nalgebra::SMatrix<f64, 12, 12>;

/// Which points of a stencil the closest points lie on: bit i stands for point i. This is the pair's class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Corners(pub u8);

/// The closest points of a pair: their class, and the vector between them from the second primitive to the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closest {
    pub corners: Corners,
    /// `[m]`
    pub between: Point,
}

impl Closest {
    /// d² `[m²]`
    pub fn squared(&self) -> f64 {
        self.between.norm_squared()
    }

    /// The nearer of the two; the first where they tie.
    fn or_nearer(self, other: Self) -> Self {
        if other.squared() < self.squared() { other } else { self }
    }
}

/// Directions count as parallel where sin² of their angle is below this: rounding then decides their cross product.
const PARALLEL: f64 = 1e-16;

#[cfg(test)]
pub(crate) mod checks {
    use super::*;
    use crate::contact::sampling::numeric_gradient;

    /// d² of one class and its derivatives against finite differences.
    pub fn squared_derivatives_hold(points: &[Point; 4], first_side: u8, corners: Corners) {
        let at = |x: &[Point; 4]| Gap::new(x, first_side, corners);
        let gap = at(points);
        let gradient = gap.squared_gradient();
        let measured = numeric_gradient(points, 1e-5, |x| at(x).squared());
        assert!((gradient - measured).norm() < 1e-8 * gradient.norm().max(1e-3), "{corners:?}: {gradient} {measured}");
        let hessian = gap.squared_hessian();
        assert_eq!(hessian, hessian.transpose());
        for column in 0..12 {
            let measured = numeric_gradient(points, 1e-5, |x| at(x).squared_gradient()[column]);
            let error = (hessian.column(column) - measured).norm();
            assert!(
                error < 1e-7 * hessian.norm(),
                "{corners:?}, column {column}: off by {error} of {}",
                hessian.norm()
            );
        }
    }
}
