//! Volume, centroid and second moments of the solid inside a closed surface, exact for its flat triangles.
//!
//! ```text
//! tets (o, a, b, c) with signed volume v = (a·(b×c))/6 from any o:   V = Σ v,    ∫X dV = Σ v (a+b+c)/4
//! ∫XXᵀ dV = Σ v/20 (aaᵀ + bbᵀ + ccᵀ + ssᵀ),   s = a+b+c
//! ```
//!
//! The divergence theorem, triangle by triangle (Mirtich: Fast and accurate computation of polyhedral mass properties,
//! 1996). The origin o is the bounding box's centre, then the centroid, so that a solid far away loses no digits here.

use super::{MeshError, TriMesh};
use nalgebra::{Matrix3, Vector3};

/// What the motion of an affine or rigid body needs to know of its shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolidMoments {
    /// `[m³]`
    pub volume: f64,
    /// `[m]`
    pub centroid: Vector3<f64>,
    /// ∫XXᵀ dV with X from the centroid \[m⁵\]
    pub second: Matrix3<f64>,
}

impl SolidMoments {
    /// Of a surface that [`TriMesh::validate_solid`] accepts; of others the numbers mean nothing.
    pub fn inside(surface: &TriMesh) -> Self {
        let near = surface.centre();
        let mut volume = 0.0;
        let mut first = Vector3::zeros();
        for [a, b, c] in surface.seen_from(near) {
            let v = a.dot(&b.cross(&c)) / 6.0;
            volume += v;
            first += (a + b + c) * (0.25 * v);
        }
        let centroid = near + first / volume;
        let mut second = Matrix3::zeros();
        for [a, b, c] in surface.seen_from(centroid) {
            let weight = a.dot(&b.cross(&c)) / 120.0;
            let sum = a + b + c;
            let squares = [a, b, c, sum].map(|x| x * x.transpose());
            second += (squares[0] + squares[1] + squares[2] + squares[3]) * weight;
        }
        Self { volume, centroid, second }
    }

    /// The density `[kg/m³]` that gives a whole mass `[kg]`.
    pub fn density_of_mass(&self, mass: f64) -> Result<f64, MeshError> {
        Ok(positive("a mass", mass)? / self.volume)
    }

    /// The inertia about the centroid `[kg·m²]` for a density `[kg/m³]`: ρ(tr S − S).
    pub fn inertia(&self, density: f64) -> Matrix3<f64> {
        (Matrix3::identity() * self.second.trace() - self.second) * density
    }
}

fn positive(what: &'static str, value: f64) -> Result<f64, MeshError> {
    let possible = value > 0.0 && value.is_finite();
    if possible { Ok(value) } else { Err(MeshError::Parameter { what, wanted: "positive and finite", value }) }
}

impl TriMesh {
    /// The corners of triangle `t`; panics when the mesh was never validated and an index lies outside.
    pub fn corners(&self, t: usize) -> [Vector3<f64>; 3] {
        self.triangles[t].map(|i| self.positions[i as usize])
    }

    /// The volume inside a closed surface `[m³]`; negative where it is inside out.
    pub fn enclosed_volume(&self) -> f64 {
        self.seen_from(self.centre()).map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum()
    }

    /// The lowest and highest coordinates `[m]`, where there are nodes.
    pub fn bounding_box(&self) -> Option<[Vector3<f64>; 2]> {
        let first = *self.positions.first()?;
        Some(self.positions.iter().fold([first; 2], |[low, high], x| [low.inf(x), high.sup(x)]))
    }

    pub(super) fn centre(&self) -> Vector3<f64> {
        self.bounding_box().map_or(Vector3::zeros(), |[low, high]| low + (high - low) * 0.5)
    }

    fn seen_from(&self, origin: Vector3<f64>) -> impl Iterator<Item = [Vector3<f64>; 3]> {
        (0..self.triangles.len()).map(move |t| self.corners(t).map(|x| x - origin))
    }
}
