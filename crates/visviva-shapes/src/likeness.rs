//! How near a solid comes to the surface it was made from, and what of that it has lost.

use crate::field::{Field, TriangleField};
use crate::stuffing::{CELLS_ACROSS, length, two_digits_below};
use crate::{Solid, Topology};
use nalgebra::Vector3;
use rayon::prelude::*;
use std::fmt;

/// How a solid compares with the surface it was made from.
#[derive(Debug, Clone, PartialEq)]
pub struct Likeness {
    /// Volume of the solid over that which the surface encloses
    pub volume_ratio: f64,
    /// How far the solid's boundary goes from the surface `[m]`
    pub solid_to_surface: f64,
    /// How far the surface goes from the solid's boundary `[m]`
    pub surface_to_solid: f64,
    pub surface: Topology,
    pub solid: Topology,
    pub losses: Option<Losses>,
}

/// Parts of a surface that are too thin for the cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Losses {
    /// Pieces of the surface and of the solid's boundary
    pub shells: [usize; 2],
    /// Where something is missing and how thick it is `[m]`; unknown where the solid only hangs together otherwise
    pub thinnest: Option<(Vector3<f64>, f64)>,
    /// Cells with which it would be there `[m]`
    pub suggested_cell: f64,
}

/// Missing places whose thickness is measured, evenly taken from all.
const MOST_MEASURED: usize = 512;
/// Cells this much smaller are the most that is suggested at once.
const MOST_REFINED: f64 = 8.0;

impl Likeness {
    /// Compares with the solid made of it by cells of the given edge `[m]`. Distances are sampled at corners, middles of
    /// edges and centres of the triangles of either surface.
    pub fn of(solid: &Solid, surface: &TriangleField, cell: f64) -> Self {
        let boundary = solid.boundary_field();
        let topologies = [surface, &boundary].map(|side| Topology::of(side.triangles()));
        Self {
            volume_ratio: boundary.volume() / surface.volume().abs(),
            solid_to_surface: farthest(&boundary, surface),
            surface_to_solid: farthest(surface, &boundary),
            surface: topologies[0],
            solid: topologies[1],
            losses: losses(&boundary, surface, topologies, cell),
        }
    }

    /// The Hausdorff distance of the two surfaces `[m]`.
    pub fn hausdorff(&self) -> f64 {
        self.solid_to_surface.max(self.surface_to_solid)
    }
}

impl Losses {
    /// The same for a body that is so many times as large.
    pub fn magnified(self, factor: f64) -> Self {
        let thinnest = self.thinnest.map(|(at, thickness)| (at * factor, thickness * factor));
        Self { thinnest, suggested_cell: self.suggested_cell * factor, ..self }
    }

    /// What of a surface is not in the solid made of it by cells of the given edge `[m]`.
    pub fn of(solid: &Solid, surface: &TriangleField, cell: f64) -> Option<Self> {
        let boundary = solid.boundary_field();
        losses(&boundary, surface, [surface, &boundary].map(|side| Topology::of(side.triangles())), cell)
    }
}

/// What lies a cell and more outside the solid is lost. Parts that overlap are joined, which is no loss.
fn losses(boundary: &TriangleField, surface: &TriangleField, [of, got]: [Topology; 2], cell: f64) -> Option<Losses> {
    let triangles = (0..surface.triangles().len() as u32).into_par_iter();
    let missing: Vec<u32> = triangles.filter(|&t| boundary.distance(&middle(&surface.corners(t))) > cell).collect();
    let measured = missing.iter().step_by(missing.len() / MOST_MEASURED + 1);
    let thinnest = measured
        .map(|&t| (middle(&surface.corners(t)), thickness(surface, &surface.corners(t), cell)))
        .min_by(|a, b| a.1.total_cmp(&b.1));
    let in_pieces = got.shells > of.shells;
    let holed = got.shells == of.shells && of.handles.is_some_and(|handles| got.handles != Some(handles));
    if thinnest.is_none() && !in_pieces && !holed {
        return None;
    }
    let needed = thinnest.map_or(cell / 2.0, |(_, thickness)| (thickness / CELLS_ACROSS).min(cell / 2.0));
    let suggested_cell = two_digits_below(needed.max(cell / MOST_REFINED));
    Some(Losses { shells: [of.shells, got.shells], thinnest, suggested_cell })
}

/// How far it is through the shape behind a triangle `[m]`, in steps as long as nothing is nearer.
fn thickness(surface: &TriangleField, corners: &[Vector3<f64>; 3], cell: f64) -> f64 {
    let [a, b, c] = corners;
    let outwards = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default();
    let least_step = cell / 100.0;
    let mut through = least_step;
    while through < 4.0 * cell {
        let distance = surface.distance(&(middle(corners) - outwards * through));
        if distance >= 0.0 {
            break;
        }
        through += distance.abs().max(least_step);
    }
    through
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

fn middle([a, b, c]: &[Vector3<f64>; 3]) -> Vector3<f64> {
    (a + b + c) / 3.0
}

fn samples(corners: &[Vector3<f64>; 3]) -> [Vector3<f64>; 7] {
    let [a, b, c] = corners;
    [*a, *b, *c, (a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0, middle(corners)]
}

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [of, got] = self.shells;
        match &self.thinnest {
            Some((at, thickness)) => write!(
                f,
                "parts of the surface are too thin for the cells and are missing, near ({:.4}, {:.4}, {:.4}), {} m thick",
                at.x,
                at.y,
                at.z,
                length(*thickness)
            )?,
            None => {
                write!(f, "the solid does not hang together as the surface does: some part is too thin for the cells")?
            }
        }
        if of != got {
            write!(f, " ({of} pieces became {got})")?;
        }
        write!(f, "; try cells of {} m", length(self.suggested_cell))
    }
}
