//! How well shaped a solid is.

use crate::Solid;
use crate::solid::{FACES, volume};
use nalgebra::Vector3;

/// What a solid is by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Quality {
    pub nodes: usize,
    pub tets: usize,
    pub boundary_triangles: usize,
    /// `[m³]`
    pub volume: f64,
    /// The least and the greatest angle between two faces of a tet, over all tets `[degrees]`
    pub worst_dihedral: [f64; 2],
    /// Means over the tets of their least and of their greatest such angle `[degrees]`
    pub mean_dihedral: [f64; 2],
    /// Tets with no volume or a negative one
    pub inverted: usize,
}

impl Quality {
    pub fn of(solid: &Solid) -> Self {
        let count = solid.tets.len().max(1) as f64;
        let (mut worst, mut sum, mut inverted) = ([f64::INFINITY, 0.0], [0.0; 2], 0);
        for &tet in &solid.tets {
            let corners = solid.corners(tet);
            let [least, most] = dihedral_range(&corners);
            worst = [worst[0].min(least), f64::max(worst[1], most)];
            sum = [sum[0] + least, sum[1] + most];
            inverted += usize::from(volume(&corners) <= 0.0);
        }
        Self {
            nodes: solid.positions.len(),
            tets: solid.tets.len(),
            boundary_triangles: solid.boundary().len(),
            volume: solid.volume(),
            worst_dihedral: worst,
            mean_dihedral: sum.map(|total| total / count),
            inverted,
        }
    }
}

/// The least and the greatest of the six dihedral angles `[degrees]`.
pub fn dihedral_range(corners: &[Vector3<f64>; 4]) -> [f64; 2] {
    let normals = FACES.map(|face| {
        let [a, b, c] = face.map(|k| corners[k]);
        (b - a).cross(&(c - a)).normalize()
    });
    let pairs = (0..4).flat_map(|i| (i + 1..4).map(move |j| (i, j)));
    let cosines = pairs.map(|(i, j)| -normals[i].dot(&normals[j]));
    let [least, most] = cosines.fold([1.0f64, -1.0f64], |[least, most], cosine| [least.min(cosine), most.max(cosine)]);
    [most, least].map(|cosine| cosine.clamp(-1.0, 1.0).acos().to_degrees())
}
