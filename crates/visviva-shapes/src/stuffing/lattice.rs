//! The background tets: body-centred cubic between leaves of one size, cones over the faces where sizes meet.

use super::octree::Octree;
use super::spot::{Frame, Spot};
use nalgebra::Vector3;
use std::collections::HashMap;

/// Vertices of the background with their distances, and the tets between them that have a vertex inside.
#[derive(Debug)]
pub struct Lattice {
    pub spots: Vec<Spot>,
    /// `[m]`
    pub positions: Vec<Vector3<f64>>,
    /// `[m]`, −∞ for what is far inside, 0 on the surface
    pub distances: Vec<f64>,
    pub tets: Vec<[u32; 4]>,
}

impl Lattice {
    pub fn new(frame: &Frame, tree: &Octree) -> Self {
        let leaves = tree.sorted();
        let mut spots: Vec<Spot> = leaves.iter().flat_map(|&leaf| leaf.corners().chain([leaf])).collect();
        spots.sort_unstable();
        spots.dedup();
        let index: HashMap<Spot, u32> = spots.iter().enumerate().map(|(i, &spot)| (spot, i as u32)).collect();
        let distance = |spot: &Spot| tree.distances.get(spot).copied().unwrap_or(f64::NEG_INFINITY);
        let distances: Vec<f64> = spots.iter().map(distance).collect();
        let positions = spots.iter().map(|&spot| frame.position(spot)).collect();
        let mut lattice = Self { spots, positions, distances, tets: Vec::new() };
        for &leaf in &leaves {
            for face in Face::all_of(leaf) {
                lattice.fill(tree, &index, &face);
            }
        }
        lattice
    }

    /// Tets between a leaf's centre and one of its faces, up to the neighbour's centre where that is of the same size.
    fn fill(&mut self, tree: &Octree, index: &HashMap<Spot, u32>, face: &Face) {
        let across = face.leaf.plus(face.offset(2, 0, 0));
        let sides = (0..4).map(|k| [face.corner(k), face.corner(k + 1)]);
        if tree.contains(across) {
            // The neighbour on the positive side makes the tets of both.
            if face.side > 0 {
                for [a, b] in sides.flat_map(|side| halves(index, side)) {
                    self.add(index, [face.leaf, across, a, b]);
                }
            }
            return;
        }
        let larger = across.ancestor(across.level() + 1);
        if tree.contains(larger) {
            // Cut along the diagonal that ends in the middle of the larger face.
            let ends_there = |k: &i32| {
                let corner = face.corner(*k);
                (0..3).all(|axis| axis == face.axis || corner.0[axis] == larger.0[axis])
            };
            let first = (0..4).find(ends_there).unwrap_or(0);
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| face.corner(first + k));
            self.cone(index, face, [a, b, c]);
            self.cone(index, face, [a, c, d]);
            return;
        }
        let middle = face.leaf.plus(face.offset(1, 0, 0));
        if index.contains_key(&middle) {
            for [a, b] in sides.flat_map(|side| halves(index, side)) {
                self.cone(index, face, [middle, a, b]);
            }
        }
    }

    fn cone(&mut self, index: &HashMap<Spot, u32>, face: &Face, [a, b, c]: [Spot; 3]) {
        let around = if face.side > 0 { [a, b, c] } else { [a, c, b] };
        self.add(index, [face.leaf, around[0], around[1], around[2]]);
    }

    fn add(&mut self, index: &HashMap<Spot, u32>, corners: [Spot; 4]) {
        let tet = corners.map(|spot| index[&spot]);
        if tet.iter().any(|&v| self.distances[v as usize] < 0.0) {
            self.tets.push(tet);
        }
    }
}

/// One of the six faces of a leaf.
struct Face {
    leaf: Spot,
    axis: usize,
    side: i32,
}

impl Face {
    fn all_of(leaf: Spot) -> impl Iterator<Item = Self> {
        (0..6).map(move |n| Self { leaf, axis: n / 2, side: if n % 2 == 0 { -1 } else { 1 } })
    }

    /// From the centre of the leaf: out of the face and along its two directions, in half edges.
    fn offset(&self, out: i32, u: i32, v: i32) -> [i32; 3] {
        let half = self.leaf.half();
        let mut offset = [0; 3];
        offset[self.axis] = out * self.side * half;
        offset[(self.axis + 1) % 3] = u * half;
        offset[(self.axis + 2) % 3] = v * half;
        offset
    }

    /// Counter-clockwise seen from the positive side of the axis.
    fn corner(&self, k: i32) -> Spot {
        let (u, v) = [(-1, -1), (1, -1), (1, 1), (-1, 1)][k as usize % 4];
        self.leaf.plus(self.offset(1, u, v))
    }
}

/// An edge, in two parts where a smaller leaf has a corner in its middle.
fn halves(index: &HashMap<Spot, u32>, [a, b]: [Spot; 2]) -> Vec<[Spot; 2]> {
    let middle = Spot(std::array::from_fn(|k| (a.0[k] + b.0[k]) / 2));
    // Corners of a cell are two half cells apart: what lies between is no vertex.
    let is_vertex = a.apart(b) > 4 && index.contains_key(&middle);
    if is_vertex { vec![[a, middle], [middle, b]] } else { vec![[a, b]] }
}
