//! Surfaces that go through themselves.

use crate::contact::triangle_crossings::crossing_triangles;
use crate::mesh::TriMesh;
use nalgebra::Vector3;

/// The first two triangles that go through each other: what is inside such a surface is not defined.
pub fn crossing(surface: &TriMesh) -> Option<String> {
    let &[a, b] = crossing_triangles(&surface.triangles, &surface.positions).first()?;
    let at = |triangle: u32| {
        let centre = surface.corners(triangle as usize).iter().sum::<Vector3<f64>>() / 3.0;
        format!("triangle {triangle} at ({:.4}, {:.4}, {:.4})", centre.x, centre.y, centre.z)
    };
    Some(format!("{} meets {}: the surface of an affine body must not cross or touch itself", at(a), at(b)))
}
