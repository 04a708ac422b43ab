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

/// Times the distance that surfaces keep from each other: where triangles are lower, neighbours are watched all the time (a step of
/// a fine membrane then takes 2.6 times as long, of a coarser one 1.2 times), and below once it they would push each other apart.
const ROOM: f64 = 2.0;

fn has_room(surface: &TriMesh, distance: f64) -> bool {
    surface.least_height() > ROOM * distance
}
