//! A stiff body of twelve coordinates: four nodes that span a frame, a mass that couples them, and a surface that hangs on them.
//!
//! ```text
//! x(X) = Σ w_i(X) x_i,   w_k = (X_k − c_k)/L for k = 1, 2, 3,  w_0 = 1 − w_1 − w_2 − w_3,     M_ij = ∫ ρ w_i w_j dV
//! W = κ V (‖AAᵀ − I‖² + b(det A)),   A the deformation gradient of the frame, or V (Ψ(A) + κ b(det A)) of another law
//! ```
//!
//! (Lan et al. 2022, affine body dynamics). The nodes are points, not the columns of A, so that pins, velocities and
//! tolerances mean the same for them as for any node; L is the radius of gyration, which puts them near the surface.
//! ‖AAᵀ − I‖² = ‖AᵀA − I‖²: the energy is that of one St. Venant–Kirchhoff element with μ = 4κ and λ = 0. It is finite at
//! det A = 0, so b, which is zero down to a quarter of the volume, keeps a body a body (`laws::volume_barrier`).

use crate::laws::solid::Solid;
use crate::laws::stencil::SolidTet;
use crate::laws::stvk::StVenantKirchhoff;
use crate::laws::tetrahedron::TetShape;
use crate::mesh::{SolidMoments, TriMesh};
use nalgebra::{Matrix4, Unit, Vector3, Vector4};

#[derive(Debug, Clone)]
pub struct AffineShape {
    /// Rest positions of the four nodes: the centre of mass and one point along each axis `[m]`
    pub frame: [Vector3<f64>; 4],
    /// `[kg]`
    pub mass: Matrix4<f64>,
    /// Of each vertex of the surface
    pub weights: Vec<[f64; 4]>,
    pub triangles: Vec<[u32; 3]>,
    pub law: SolidTet,
}

impl AffineShape {
    /// The inside of a closed surface whose moments are given, of a density `[kg/m³]`, a law and a stiffness κ `[Pa]`.
    pub fn new(surface: TriMesh, moments: &SolidMoments, density: f64, solid: Solid, stiffness: f64) -> Self {
        let (centre, second) = (moments.centroid, density * moments.second);
        let total = density * moments.volume;
        let length = (second.trace() / total).sqrt();
        let frame =
            [centre, centre + length * Vector3::x(), centre + length * Vector3::y(), centre + length * Vector3::z()];
        let weights = |p: &Vector3<f64>| {
            let w = (p - centre) / length;
            [1.0 - w.sum(), w.x, w.y, w.z]
        };
        let inner = second / (length * length);
        let mass = Matrix4::from_fn(|i, j| match (i, j) {
            (0, 0) => total + inner.sum(),
            (0, k) | (k, 0) => -inner.column(k - 1).sum(),
            _ => inner[(i - 1, j - 1)],
        });
        let shape = TetShape::spread(length, moments.volume);
        Self {
            frame,
            mass,
            weights: surface.positions.iter().map(weights).collect(),
            triangles: surface.triangles,
            law: SolidTet::upright(shape, solid, stiffness),
        }
    }

    /// The same body with its first node at a point `[m]`, and the second along an axis from there: pinned, they hold the point or
    /// the axis and leave the rest free. L is then the radius of gyration about the point.
    pub fn about(mut self, point: Vector3<f64>, axis: Unit<Vector3<f64>>) -> Self {
        let old = (self.frame[1] - self.frame[0]).norm();
        let length = old.hypot((point - self.frame[0]).norm());
        let sides = super::joints::across(&axis);
        let spokes = [*axis, sides[0], sides[1]].map(|along| point + length * along);
        let frame = [point, spokes[0], spokes[1], spokes[2]];
        // Columns: weights of the new nodes in the old frame.
        let weights = |p: &Vector3<f64>| {
            let w = (p - self.frame[0]) / old;
            Vector4::new(1.0 - w.sum(), w.x, w.y, w.z)
        };
        let change = Matrix4::from_columns(&frame.map(|p| weights(&p)));
        let inverse = change.try_inverse().unwrap_or_else(Matrix4::identity);
        self.mass = inverse * self.mass * inverse.transpose();
        self.mass = 0.5 * (self.mass + self.mass.transpose());
        for weights in &mut self.weights {
            *weights = (inverse * Vector4::from(*weights)).into();
        }
        self.law.shape = TetShape::spread(length, self.law.shape.volume());
        self.frame = frame;
        self
    }

    /// The law κ ‖AAᵀ − I‖², κ `[Pa]`.
    pub fn orthogonality(stiffness: f64) -> Solid {
        StVenantKirchhoff { mu: 4.0 * stiffness, lambda: 0.0 }.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::stencil::Stencil;
    use crate::mesh::generate;
    use nalgebra::{Matrix3, Rotation3};

    const STIFFNESS: f64 = 3e4;

    fn shape() -> (AffineShape, f64) {
        let surface = generate::cuboid(Vector3::new(0.1, 0.2, 0.3), [1, 2, 1]).unwrap().surface();
        let moments = SolidMoments::inside(&surface);
        let law = AffineShape::orthogonality(STIFFNESS);
        (AffineShape::new(surface, &moments, 700.0, law, STIFFNESS), moments.volume)
    }

    /// The frame moved by x → A x + shift.
    fn moved(shape: &AffineShape, a: &Matrix3<f64>) -> [Vector3<f64>; 4] {
        shape.frame.map(|x| a * x + Vector3::new(0.3, -0.2, 0.1))
    }

    fn sample(scale: f64) -> Matrix3<f64> {
        Matrix3::identity() + scale * Matrix3::from_fn(|r, c| (1.7 * r as f64 + 2.9 * c as f64 + 0.4).sin())
    }

    #[test]
    fn the_energy_is_the_orthogonality_energy_and_nothing_for_rotations() {
        let (shape, volume) = shape();
        for scale in [1e-3, 0.1, 0.4] {
            let a = sample(scale);
            let expected = STIFFNESS * volume * (a * a.transpose() - Matrix3::identity()).norm_squared();
            let energy = shape.law.energy(&moved(&shape, &a));
            // A is had from positions of the size of the body: strains carry their rounding, relative to the strain.
            assert!((energy - expected).abs() < 1e-14 / scale * expected.max(1e-9), "{energy} {expected}");
        }
        let turned = shape.law.energy(&moved(&shape, Rotation3::from_euler_angles(1.0, -2.0, 0.5).matrix()));
        // The square of a strain of rounding
        assert!(turned < 1e-28 * STIFFNESS, "{turned}");
    }

    #[test]
    fn its_force_is_minus_the_slope_of_its_energy() {
        let (shape, _) = shape();
        let x = moved(&shape, &sample(0.3));
        let gradient = shape.law.gradient(&x);
        let size = gradient.iter().map(Vector3::norm).fold(0.0, f64::max);
        let step = 1e-6;
        for (node, component) in (0..12).map(|i| (i / 3, i % 3)) {
            let at = |offset: f64| {
                let mut x = x;
                x[node][component] += offset;
                shape.law.energy(&x)
            };
            let slope = (at(step) - at(-step)) / (2.0 * step);
            // Central differences: rounding of the energy over the step dominates.
            assert!((slope - gradient[node][component]).abs() < 1e-7 * size, "{node} {component}");
        }
    }

    #[test]
    fn a_surface_at_rest_is_where_it_was_given() {
        let surface = generate::cuboid(Vector3::new(0.1, 0.2, 0.3), [1, 2, 1]).unwrap().surface();
        let (shape, _) = shape();
        for (weights, place) in shape.weights.iter().zip(&surface.positions) {
            let hung: Vector3<f64> = shape.frame.iter().zip(weights).map(|(x, w)| x * *w).sum();
            assert!((hung - place).norm() < 1e-15);
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        }
    }
}
