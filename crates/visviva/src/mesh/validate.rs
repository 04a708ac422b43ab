//! The checks a mesh passes before anything computes with it.

use super::boundary::{FACES, sorted_faces};
use super::{FirstFew, Loaded, Mesh, MeshError, TetMesh, TriMesh, Warning};
use nalgebra::Vector3;
use std::cmp::Ordering;

/// A tet counts as flat when |6V| ≤ this × the product of its three edges at node 0, a triangle likewise: rounding alone
/// makes such measures.
const FLAT: f64 = 1e-14;

impl TetMesh {
    /// Checks everything a simulation relies on. Tets that list their nodes left-handed are put right, which the warnings say.
    ///
    /// Isolated nodes are an error, because they have no mass: [`TetMesh::remove_isolated`] drops them where the caller
    /// can stand the renumbering. (Loading a file does so and warns: Gmsh writes the centres of arcs as nodes.)
    pub fn validate(&mut self) -> Result<Vec<Warning>, MeshError> {
        check_elements("tet", "tets", self.positions.len(), &self.tets)?;
        check_finite(&self.positions)?;
        let warnings = self.check_orientation()?;
        self.check_overlap()?;
        check_isolated("tet", self.positions.len(), self.tets.as_flattened())?;
        Ok(warnings)
    }

    /// Without the nodes that no tet uses, and right-handed throughout; whatever else is wrong is refused.
    pub fn checked(mut self) -> Result<Loaded<Self>, MeshError> {
        check_elements("tet", "tets", self.positions.len(), &self.tets)?;
        let mut warnings = removal(self.remove_isolated());
        warnings.extend(self.validate()?);
        Ok(Loaded { mesh: self, warnings })
    }

    /// Drops the nodes that no tet uses and renumbers; gives their former indices.
    pub fn remove_isolated(&mut self) -> Vec<usize> {
        remove_isolated(&mut self.positions, self.tets.as_flattened_mut())
    }

    /// Swaps the last two nodes of every tet, which mirrors its orientation.
    pub(super) fn flip(&mut self) {
        self.tets.iter_mut().for_each(|tet| tet.swap(2, 3));
    }

    fn check_orientation(&mut self) -> Result<Vec<Warning>, MeshError> {
        let total = self.tets.len();
        let is_flat = |&t: &usize| {
            let [a, b, c, d] = self.corners(t);
            no_extent(6.0 * self.tet_volume(t).abs(), (b - a).norm() * (c - a).norm() * (d - a).norm())
        };
        let which = FirstFew::of((0..total).filter(is_flat));
        if which.count > 0 {
            return Err(MeshError::Degenerate { kind: "tet", which, total });
        }
        let left: Vec<usize> = (0..total).filter(|&t| self.tet_volume(t) < 0.0).collect();
        let which = FirstFew::of(left.iter().copied());
        left.iter().for_each(|&t| self.tets[t].swap(2, 3));
        match left.len() {
            0 => Ok(Vec::new()),
            flipped if flipped == total => Ok(vec![Warning::Flipped { tets: total }]),
            // Tets that only list their nodes the other way round fit their neighbours once they are put right; a fold overlaps.
            _ if self.check_overlap().is_ok() => Ok(vec![Warning::Reordered { which, total }]),
            _ => Err(MeshError::Inverted { which, total }),
        }
    }

    /// Two positive tets on a face see it from opposite sides; two from the same side overlap.
    fn check_overlap(&self) -> Result<(), MeshError> {
        let side = |key: &[u32; 3], t: u32, f: u8| {
            let [a, b, c] = FACES[f as usize].map(|k| self.tets[t as usize][k]);
            [[a, b, c], [b, c, a], [c, a, b]].contains(key)
        };
        for run in sorted_faces(&self.tets).chunk_by(|a, b| a.0 == b.0) {
            for (i, a) in run.iter().enumerate() {
                // Of any three on one face two share a side, so this stops at the third at the latest.
                if let Some(b) = run[..i].iter().find(|b| side(&b.0, b.1, b.2) == side(&a.0, a.1, a.2)) {
                    return Err(MeshError::Overlap { face: a.0, tets: [b.1 as usize, a.1 as usize] });
                }
            }
        }
        Ok(())
    }
}

impl TriMesh {
    /// Checks indices, coordinates, areas and isolated nodes. Orientation and closedness are the caller's to judge.
    pub fn validate(&self) -> Result<(), MeshError> {
        check_elements("triangle", "triangles", self.positions.len(), &self.triangles)?;
        check_finite(&self.positions)?;
        let is_flat = |&t: &usize| {
            let [a, b, c] = self.triangles[t].map(|i| self.positions[i as usize]);
            no_extent((b - a).cross(&(c - a)).norm(), (b - a).norm() * (c - a).norm())
        };
        let total = self.triangles.len();
        let which = FirstFew::of((0..total).filter(is_flat));
        if which.count > 0 {
            return Err(MeshError::Degenerate { kind: "triangle", which, total });
        }
        check_isolated("triangle", self.positions.len(), self.triangles.as_flattened())
    }

    /// Without the nodes that no triangle uses; whatever else is wrong is refused.
    pub fn checked(mut self) -> Result<Loaded<Self>, MeshError> {
        check_elements("triangle", "triangles", self.positions.len(), &self.triangles)?;
        let warnings = removal(self.remove_isolated());
        self.validate()?;
        Ok(Loaded { mesh: self, warnings })
    }

    /// Drops the nodes that no triangle uses and renumbers; gives their former indices.
    pub fn remove_isolated(&mut self) -> Vec<usize> {
        remove_isolated(&mut self.positions, self.triangles.as_flattened_mut())
    }
}

impl Mesh {
    /// As [`TetMesh::checked`] or [`TriMesh::checked`].
    pub fn checked(self) -> Result<Loaded<Self>, MeshError> {
        match self {
            Mesh::Tets(mesh) => Ok(mesh.checked()?.map(Mesh::Tets)),
            Mesh::Surface(mesh) => Ok(mesh.checked()?.map(Mesh::Surface)),
        }
    }
}

/// What is told of nodes that were dropped.
pub(super) fn removal(nodes: Vec<usize>) -> Vec<Warning> {
    let which = FirstFew::of(nodes);
    if which.count > 0 { vec![Warning::IsolatedRemoved { which }] } else { Vec::new() }
}

/// Not greater, instead of at most, so that an overflow to NaN counts too.
fn no_extent(measure: f64, edges: f64) -> bool {
    measure.partial_cmp(&(FLAT * edges)) != Some(Ordering::Greater)
}

pub(super) fn check_elements<const N: usize>(
    kind: &'static str,
    what: &'static str,
    node_count: usize,
    elements: &[[u32; N]],
) -> Result<(), MeshError> {
    if node_count == 0 {
        return Err(MeshError::Empty { what: "nodes" });
    }
    if elements.is_empty() {
        return Err(MeshError::Empty { what });
    }
    for (what, count) in [("nodes", node_count), (what, elements.len())] {
        if count >= u32::MAX as usize {
            return Err(MeshError::TooMany { what, count: count as u128, limit: u32::MAX as u128 - 1 });
        }
    }
    for (element, nodes) in elements.iter().enumerate() {
        if let Some(&node) = nodes.iter().find(|&&i| i as usize >= node_count) {
            return Err(MeshError::IndexOutOfRange { kind, element, node, node_count });
        }
        if (1..N).any(|k| nodes[..k].contains(&nodes[k])) {
            return Err(MeshError::RepeatedNode { kind, element, nodes: nodes.to_vec() });
        }
    }
    Ok(())
}

pub(crate) fn check_finite(positions: &[Vector3<f64>]) -> Result<(), MeshError> {
    match positions.iter().position(|x| !x.iter().all(|c| c.is_finite())) {
        Some(node) => Err(MeshError::NotFinite { node, position: positions[node].into() }),
        None => Ok(()),
    }
}

fn check_isolated(kind: &'static str, node_count: usize, indices: &[u32]) -> Result<(), MeshError> {
    let used = used_nodes(node_count, indices);
    let which = FirstFew::of((0..node_count).filter(|&i| !used[i]));
    if which.count > 0 { Err(MeshError::Isolated { kind, which }) } else { Ok(()) }
}

fn used_nodes(node_count: usize, indices: &[u32]) -> Vec<bool> {
    let mut used = vec![false; node_count];
    for &i in indices {
        // An index out of range uses nothing; validation names it.
        if let Some(u) = used.get_mut(i as usize) {
            *u = true;
        }
    }
    used
}

pub(super) fn remove_isolated(positions: &mut Vec<Vector3<f64>>, indices: &mut [u32]) -> Vec<usize> {
    let used = used_nodes(positions.len(), indices);
    let mut fresh = vec![0u32; positions.len()];
    let mut kept = 0;
    for i in 0..positions.len() {
        fresh[i] = kept as u32;
        if used[i] {
            positions.swap(kept, i);
            kept += 1;
        }
    }
    // What was out of range stays so: u32::MAX is never a node.
    indices.iter_mut().for_each(|i| *i = fresh.get(*i as usize).copied().unwrap_or(u32::MAX));
    positions.truncate(kept);
    (0..used.len()).filter(|&i| !used[i]).collect()
}
