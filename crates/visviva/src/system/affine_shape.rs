//! A stiff body of twelve coordinates: four nodes that span a frame, a mass that couples them, and a surface that hangs on them.
//!
//! ```text
//! x(X) = Σ w_i(X) x_i,   w_k = (X_k − c_k)/L for k = 1, 2, 3,  w_0 = 1 − w_1 − w_2 − w_3,     M_ij = ∫ ρ w_i w_j dV
//! W = κ V ‖AAᵀ − I‖²,   A the deformation gradient of the frame
//! ```
//!
//! (Lan et al. 2022, affine body dynamics). The nodes are points, not the columns of A, so that pins, velocities and
//! tolerances mean the same for them as for any node; L is the radius of gyration, which puts them near the surface.
//! ‖AAᵀ − I‖² = ‖AᵀA − I‖²: the energy is that of one St. Venant–Kirchhoff element with μ = 4κ and λ = 0.

use crate::laws::solid::Solid;
use crate::laws::stencil::SolidTet;
use crate::laws::tetrahedron::TetShape;
use crate::mesh::{SolidMoments, TriMesh};
use nalgebra::{Matrix4, Vector3};

#[derive(Debug, Clone)]
pub struct AffineShape {
    /// Rest positions of the four nodes: the centre of mass and one point along each axis [m]
    pub frame: [Vector3<f64>; 4],
    /// [kg]
    pub mass: Matrix4<f64>,
    /// Of each vertex of the surface
    pub weights: Vec<[f64; 4]>,
    pub triangles: Vec<[u32; 3]>,
    pub law: SolidTet,
}

impl AffineShape {
    /// The inside of a closed surface whose moments are given, of a density [kg/m³] and a stiffness κ [Pa].
    pub fn new(surface: TriMesh, moments: &SolidMoments, density: f64, stiffness: f64) -> Self {
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
        let solid = Solid::StVenantKirchhoff { mu: 4.0 * stiffness, lambda: 0.0 };
        let shape = TetShape::spread(length, moments.volume);
        Self {
            frame,
            mass,
            weights: surface.positions.iter().map(weights).collect(),
            triangles: surface.triangles,
            law: SolidTet { shape, solid, keeps_orientation: true },
        }
    }
}
