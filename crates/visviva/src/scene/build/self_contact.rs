//! Which bodies may touch themselves: where a scene does not say, those that are likely to and have room to do so.

use crate::mesh::TriMesh;
use crate::model::{BodyInput, Matter};
use crate::scene::Scene;

impl Scene {
    /// Of each body, given the thickness that contact gives it `[m]`. A stiff one cannot reach itself.
    pub(super) fn touching_themselves(&self, bodies: &[BodyInput], thickness: &[f64]) -> Vec<bool> {
        let touches = |(body, thickness): (&BodyInput, &f64)| match (&body.matter, self.contact.self_contact) {
            (Matter::Affine(_), _) => false,
            (_, Some(given)) => given,
            (Matter::Shell { mesh, .. }, None) => has_room(mesh, self.contact.reach + thickness),
            (Matter::Solid { mesh, .. }, None) => {
                mesh.part_count() > 1 && has_room(&mesh.surface(), self.contact.reach + thickness)
            }
        };
        bodies.iter().zip(thickness).map(touches).collect()
    }
}

/// Whether a triangle and the corner beyond its edge lie farther apart at rest than surfaces keep from each other `[m]`; else
/// neighbours would push each other apart.
fn has_room(surface: &TriMesh, distance: f64) -> bool {
    surface.least_height() > distance
}
