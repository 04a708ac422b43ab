//! How well shaped a solid is, and how near it comes to the surface it was made from.

use crate::Solid;
use crate::field::TriangleField;
use crate::solid::{FACES, volume};
use nalgebra::Vector3;
use rayon::prelude::*;

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

/// How a solid compares with the surface it was made from.
#[derive(Debug, Clone, PartialEq)]
pub struct Likeness {
    /// Volume of the solid over that which the surface encloses
    pub volume_ratio: f64,
    /// How far the solid's boundary goes from the surface `[m]`
    pub solid_to_surface: f64,
    /// How far the surface goes from the solid's boundary `[m]`
    pub surface_to_solid: f64,
}

impl Likeness {
    /// Distances are sampled at corners, middles of edges and centres of the triangles of either surface.
    pub fn of(solid: &Solid, surface: &TriangleField) -> Self {
        let boundary = solid.boundary_field();
        Self {
            volume_ratio: boundary.volume() / surface.volume().abs(),
            solid_to_surface: farthest(&boundary, surface),
            surface_to_solid: farthest(surface, &boundary),
        }
    }

    /// The Hausdorff distance of the two surfaces `[m]`.
    pub fn hausdorff(&self) -> f64 {
        self.solid_to_surface.max(self.surface_to_solid)
    }
}

/// How far the samples of one surface go from another `[m]`.
fn farthest(from: &TriangleField, to: &TriangleField) -> f64 {
    let triangles = 0..from.triangles().len() as u32;
    let of_triangle = |t: u32| {
        let distances = samples(&from.corners(t)).map(|point| to.nearest(&point).map_or(f64::INFINITY, |n| n.distance));
        distances.into_iter().fold(0.0, f64::max)
    };
    triangles.into_par_iter().map(of_triangle).reduce(|| 0.0, f64::max)
}

/// Corners, middles of edges, centre.
fn samples([a, b, c]: &[Vector3<f64>; 3]) -> [Vector3<f64>; 7] {
    [*a, *b, *c, (a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0, (a + b + c) / 3.0]
}
