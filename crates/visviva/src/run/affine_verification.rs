//! Whether affine bodies are still bodies: the sign of det A, exact from their four nodes (Shewchuk 1997), and what is left of
//! their volume.

use super::frames::Frame;
use super::run_mesh::{RunBody, RunMesh};
use crate::contact::intersection::orient3d;
use crate::mesh::signed_volume;
use crate::model::Attachment;
use nalgebra::Vector3;

/// An affine body in a frame.
pub(super) struct AffineState {
    pub body: u32,
    /// det A: its volume over that at rest
    pub volume: f64,
    /// Flat or turned inside out
    pub is_turned: bool,
}

impl RunMesh {
    /// Of all affine bodies; those with a node that is not finite are told by it.
    pub(super) fn affine_states(&self, frame: &Frame, vertices: &[Vector3<f64>]) -> Vec<AffineState> {
        let rest: Vec<Vector3<f64>> = self.rest.iter().map(|&x| x.into()).collect();
        let of = |(index, body): (usize, &RunBody)| {
            let Attachment::Affine { first, .. } = *self.attachments.get(body.vertices[0])? else { return None };
            let nodes = frame.x.get(first as usize..first as usize + 4)?;
            let [a, b, c, d] = std::array::from_fn(|i| Vector3::from(nodes[i]));
            let is_finite = nodes.as_flattened().iter().all(|c| c.is_finite());
            // The frame lies along the axes at rest.
            let upright = orient3d(&Vector3::zeros(), &Vector3::x(), &Vector3::y(), &Vector3::z());
            Some(AffineState {
                body: index as u32,
                volume: self.volume_inside(body, vertices) / self.volume_inside(body, &rest),
                is_turned: is_finite && orient3d(&a, &b, &c, &d) * upright <= 0,
            })
        };
        self.bodies.iter().enumerate().filter(|(_, body)| body.is_affine()).filter_map(of).collect()
    }

    fn volume_inside(&self, body: &RunBody, x: &[Vector3<f64>]) -> f64 {
        let origin = x[body.vertices[0]];
        let corners = |triangle: &[u32; 3]| triangle.map(|vertex| x[vertex as usize]);
        let triangles = self.triangles[body.triangle_range()].iter().map(corners);
        triangles.map(|[a, b, c]| signed_volume(&[origin, a, b, c])).sum()
    }
}
