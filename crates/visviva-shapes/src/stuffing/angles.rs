//! Keeps dihedral angles inside their bounds where warping alone does not.
//!
//! A search over all stencils finds tets of 9.3°, from warps whose order the paper may exclude; bodies seldom have one.

use super::DIHEDRAL_BOUNDS;
use super::lattice::Lattice;
use super::star::Stars;
use crate::quality::dihedral_range;
use crate::{Field, Solid};
use nalgebra::Vector3;
use std::collections::BTreeSet;

/// Rounds of moving nodes; a second one is rare.
const ROUNDS: usize = 8;
/// Steps towards an aim that are tried.
const STEPS: [f64; 4] = [0.15, 0.3, 0.6, 1.0];
/// A node is back on the surface within this fraction of a cell.
const SETTLED: f64 = 1e-5;

/// How far inside their bounds the angles of some tets lie `[degrees]`, negative outside.
pub fn margin(solid: &Solid, tets: &[(u32, [u32; 3])]) -> f64 {
    let of_tet = |&(tet, _): &(u32, [u32; 3])| {
        let [least, most] = dihedral_range(&solid.corners(solid.tets[tet as usize]));
        (least - DIHEDRAL_BOUNDS[0]).min(DIHEDRAL_BOUNDS[1] - most)
    };
    tets.iter().map(of_tet).fold(f64::INFINITY, f64::min)
}

/// Slides nodes of the surface along it where an angle is out of bounds. Nodes are those of the lattice, then cuts.
pub fn widen(field: &dyn Field, lattice: &Lattice, solid: &mut Solid, cell: f64) {
    let is_free = |node: &u32| lattice.distances.get(*node as usize).is_none_or(|&distance| distance == 0.0);
    for _ in 0..ROUNDS {
        let out = |tet: &u32| margin(solid, &[(*tet, [0; 3])]) <= 0.0;
        let tets: Vec<u32> = (0..solid.tets.len() as u32).filter(out).collect();
        let nodes: BTreeSet<u32> = tets.iter().flat_map(|&tet| solid.tets[tet as usize]).filter(is_free).collect();
        if nodes.is_empty() {
            return;
        }
        for (node, star) in Stars::of(solid, &nodes).iter() {
            let here = solid.positions[node as usize];
            let around: BTreeSet<u32> = star.iter().flat_map(|(_, rest)| *rest).filter(is_free).collect();
            let middle =
                around.iter().map(|&v| solid.positions[v as usize]).sum::<Vector3<f64>>() / around.len() as f64;
            let inner: Vector3<f64> = star.iter().flat_map(|(_, rest)| rest.map(|v| solid.positions[v as usize])).sum();
            let aims = [middle, inner / (3 * star.len()) as f64];
            let tried = aims.iter().flat_map(|aim| STEPS.map(|step| here + (aim - here) * step));
            let places: Vec<Vector3<f64>> = tried.filter_map(|place| settle(field, place, cell)).collect();
            let mut best = (margin(solid, &star), here);
            for place in places {
                solid.positions[node as usize] = place;
                let reached = margin(solid, &star);
                if reached > best.0 {
                    best = (reached, place);
                }
            }
            solid.positions[node as usize] = best.1;
        }
    }
}

/// The way to the surface by Newton's steps; `None` where it does not arrive.
fn settle(field: &dyn Field, mut place: Vector3<f64>, cell: f64) -> Option<Vector3<f64>> {
    let step = 1e-3 * cell;
    for _ in 0..6 {
        let distance = field.distance(&place);
        if distance.abs() < SETTLED * cell {
            return Some(place);
        }
        let slope = Vector3::from_fn(|k, _| {
            let offset = Vector3::ith(k, step);
            (field.distance(&(place + offset)) - field.distance(&(place - offset))) / (2.0 * step)
        });
        if slope.norm_squared() < 0.01 {
            return None;
        }
        place -= slope * (distance / slope.norm_squared());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Below;

    impl Field for Below {
        fn distance(&self, point: &Vector3<f64>) -> f64 {
            point.z
        }
        fn bounds(&self) -> [Vector3<f64>; 2] {
            [Vector3::repeat(-1.0), Vector3::repeat(1.0)]
        }
    }

    #[test]
    fn a_flat_tet_is_widened_by_sliding_on_the_surface() {
        // Three nodes on the plane nearly in a row, one below.
        let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, 0.06, 0.0], [0.5, 0.5, -0.5]].map(Vector3::from);
        let mut solid = Solid { positions: positions.to_vec(), tets: vec![[0, 2, 1, 3]] };
        let lattice = Lattice { spots: vec![], positions: vec![], distances: vec![0.0, 0.0, 0.0, -1.0], tets: vec![] };
        let star = [(0, [0; 3])];
        assert!(margin(&solid, &star) < 0.0);
        widen(&Below, &lattice, &mut solid, 1.0);
        assert!(margin(&solid, &star) > 0.0, "{:?}", solid.positions);
        assert!(solid.positions[..3].iter().all(|p| p.z.abs() < 1e-5) && solid.positions[3] == positions[3]);
    }
}
