//! What is left of the volume of bodies: V/V₀ = Σ V_e det F_e / Σ V_e over a solid's tets, det A of an affine body.

use super::bodies::Model;
use crate::math::cofactor::determinant;

impl Model {
    /// Body by body; shells have no volume.
    pub fn volume_left(&self, x: &[f64]) -> impl Iterator<Item = Option<f64>> {
        self.bodies.iter().map(move |body| {
            let mut sums = (0.0, 0.0);
            for tet in body.tets.clone() {
                let shape = &self.tets.laws[tet].shape;
                let f = shape.deformation_gradient(&self.tets.corners(tet, x));
                sums = (sums.0 + shape.volume() * determinant(&f), sums.1 + shape.volume());
            }
            (sums.1 > 0.0).then(|| sums.0 / sums.1)
        })
    }
}
