//! The largest step along which a tetrahedron keeps its orientation.
//!
//! ```text
//! d(t) = det(D + t ΔD) = d₀ + d₁t + d₂t² + d₃t³,    D, ΔD the edges of x and of the step
//! ```
//!
//! The smallest positive root bounds the step. After Smith and Schaefer: Bijective parameterization with free
//! boundaries, ACM TOG 2015; the root is bracketed between the cubic's turning points instead of taken from
//! Cardano's formula, which loses it where the cubic is nearly a quadratic, a line, or tangent to zero.

use nalgebra::{Matrix3, Vector3};

use super::tetrahedron::edges;
use crate::math::cofactor::{columns, determinant};

/// The part of the way to the first flat moment that a step may go.
pub const SAFETY: f64 = 0.9;
const REACH: f64 = 1.0 / SAFETY;

/// The largest t ≤ 1 such that the tetrahedron stays positive on [0, t]: 1 where it never is flat up to t = 1/0.9, and
/// otherwise 0.9 of the first moment at which it is, or comes so near that rounding could not tell.
/// 0 for a tetrahedron that is flat or inverted to begin with, or a step that is not finite.
pub fn largest_step(x: &[Vector3<f64>; 4], dx: &[Vector3<f64>; 4]) -> f64 {
    if stays_upright(x, dx) { 1.0 } else { careful_step(x, dx) }
}

/// Whether the whole step flattens nothing, by bounds that are cheap and generous to rounding: most elements need no more.
#[inline]
pub(super) fn stays_upright(x: &[Vector3<f64>; 4], dx: &[Vector3<f64>; 4]) -> bool {
    let (start, step) = (edges(x), edges(dx));
    let largest = |v: &[Vector3<f64>; 4]| v.iter().fold(0.0f64, |most, v| most.max(v.amax()));
    // No edge is longer on the way: √3 times its largest coordinate.
    let size = 1.75 * (start.amax() + REACH * step.amax());
    let doubt = (1e-14 * size + 1e-14 * (largest(x) + largest(dx))) * size * size;
    let c = Cubic::coefficients(determinant(&start), &start, &step);
    // Far from under- and overflow, and no NaN, which comparisons of the coefficients would overlook.
    let is_plain = doubt > 1e-280 && (c[0] + c[1] + c[2] + c[3]).is_finite();
    is_plain && c[0] - doubt > -REACH * (c[1].min(0.0) + REACH * (c[2].min(0.0) + REACH * c[3].min(0.0)))
}

pub(super) fn careful_step(x: &[Vector3<f64>; 4], dx: &[Vector3<f64>; 4]) -> f64 {
    let (start, step) = (edges(x), edges(dx));
    // A common scale leaves t as it is, and keeps the triple products from over- and underflowing.
    let scale = start.amax().max(step.amax());
    let (start, step) = (start / scale, step / scale);
    let d0 = determinant(&start);
    let upright = d0 > 0.0;
    if !upright || step.iter().any(|value| !value.is_finite()) {
        return 0.0;
    }
    let cubic = Cubic::of_volume(d0, &start, &step);
    let mut t = match cubic.first_root() {
        Some(root) => (SAFETY * root).min(1.0),
        None => 1.0,
    };
    // What counts is the sign at the position that is really taken, of the original numbers.
    while t > 0.0 {
        let moved: [_; 4] = std::array::from_fn(|node| x[node] + dx[node] * t);
        if determinant(&(edges(&moved) / scale)) > 0.0 {
            break;
        }
        // A step this small leaves the position as it was; then nothing but zero is safe.
        t = if t > 1e-18 { 0.5 * t } else { 0.0 };
    }
    t
}

/// c₀ + c₁t + c₂t² + c₃t³ with c₀ > 0, lowered by what rounding may have raised it on [0, REACH].
struct Cubic([f64; 4]);

impl Cubic {
    #[inline]
    fn coefficients(d0: f64, start: &Matrix3<f64>, step: &Matrix3<f64>) -> [f64; 4] {
        let ([a, b, c], [p, q, r]) = (columns(start), columns(step));
        let (bc, qr) = (b.cross(&c), q.cross(&r));
        let mixed = b.cross(&r) + q.cross(&c);
        [d0, p.dot(&bc) + a.dot(&mixed), p.dot(&mixed) + a.dot(&qr), p.dot(&qr)]
    }

    #[inline]
    fn of_volume(d0: f64, start: &Matrix3<f64>, step: &Matrix3<f64>) -> Self {
        let ([a, b, c], [p, q, r]) = (columns(start), columns(step));
        let coefficients = Self::coefficients(d0, start, step);
        let size = |edge: &Vector3<f64>, change: &Vector3<f64>| edge.norm() + REACH * change.norm();
        let doubt = 4e-15 * size(&a, &p) * size(&b, &q) * size(&c, &r);
        // A sliver within the doubt may still move: it is then the final look at the sign that protects it.
        Self([d0 - doubt.min(0.5 * d0), coefficients[1], coefficients[2], coefficients[3]])
    }

    #[inline]
    fn at(&self, t: f64) -> f64 {
        let c = &self.0;
        c[0] + t * (c[1] + t * (c[2] + t * c[3]))
    }

    /// A point below the smallest root in (0, REACH] and within a millionth of it.
    #[inline]
    fn first_root(&self) -> Option<f64> {
        let [c0, c1, c2, c3] = self.0;
        // Most steps of most elements are too short to flatten anything.
        if c0 > -REACH * (c1.min(0.0) + REACH * (c2.min(0.0) + REACH * c3.min(0.0))) {
            return None;
        }
        // Monotone between turning points: the first piece that ends at or below zero holds the first root.
        let mut low = 0.0;
        for high in self.turning_points().into_iter().chain([REACH]) {
            if high > low && high <= REACH {
                let upright = self.at(high) > 0.0;
                if !upright {
                    return Some(self.bisect(low, high));
                }
                low = high;
            }
        }
        None
    }

    /// The roots of the derivative in increasing order; those that do not exist are NaN or infinite.
    fn turning_points(&self) -> [f64; 2] {
        // Scaled, so that the discriminant of a needle's coefficients does not underflow.
        let largest = self.0[1].abs().max(self.0[2].abs()).max(self.0[3].abs());
        let [c, b, a] = [self.0[1] / largest, self.0[2] / largest, self.0[3] / largest];
        // 3a t² + 2b t + c by the formula that never subtracts like numbers.
        let q = -(b + (b * b - 3.0 * a * c).sqrt().copysign(b));
        let (s, t) = (q / (3.0 * a), c / q);
        // A vanishing leading coefficient leaves s infinite or NaN, and t the root of the line.
        if s <= t { [s, t] } else { [t, s] }
    }

    /// Halves a bracket whose low end is positive and whose high end is not; returns the low end.
    fn bisect(&self, mut low: f64, mut high: f64) -> f64 {
        while high - low > 1e-6 * high {
            let middle = 0.5 * (low + high);
            // Reached only by roots that underflow.
            if middle <= low || middle >= high {
                break;
            }
            if self.at(middle) > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }
}
