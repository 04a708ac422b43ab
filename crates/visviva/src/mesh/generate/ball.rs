//! A ball of concentric icosahedral shells: each of the icosahedron's 20 sectors is a tet, cut into n³ and blown up.
//!
//! Shell s of n holds 10s²+2 nodes at radius sR/n. A sector's lattice leaves octahedra; each is cut along the diagonal
//! that gives the widest smallest dihedral angle. With n = 7: 1415 nodes, 6860 tets, 980 faces, dihedral angles from
//! 40.6° to 115.1°.

use super::{check_at_least, check_positive, check_tet_count, orient};
use crate::mesh::quality::dihedral_angles;
use crate::mesh::{MeshError, TetMesh, signed_volume};
use nalgebra::Vector3;
use std::collections::BTreeMap;

/// A lattice point: its weights on the icosahedron's corners, corner first, ascending; the weights sum to its shell.
type Key = Vec<(usize, usize)>;

/// A ball of `radius` `[m]` with `shells` layers of tets from the centre to the surface.
pub fn ball(radius: f64, shells: usize) -> Result<TetMesh, MeshError> {
    check_positive(&[("the ball's radius", radius)])?;
    check_at_least(&[("the ball's shells", shells, 1)])?;
    check_tet_count(&[20, shells, shells, shells])?;
    let corners = icosahedron();
    let mut lattice = Lattice { corners: &corners, shells, nodes: BTreeMap::new(), mesh: TetMesh::default() };
    for sector in sectors(&corners) {
        lattice.fill(sector);
    }
    let mut mesh = lattice.mesh;
    orient(&mut mesh);
    mesh.scale(Vector3::repeat(radius))?;
    Ok(mesh)
}

/// A ball stretched to three `semi_axes` `[m]`.
pub fn ellipsoid(semi_axes: Vector3<f64>, shells: usize) -> Result<TetMesh, MeshError> {
    let names = ["the ellipsoid's semi-axis in x", "the ellipsoid's semi-axis in y", "the ellipsoid's semi-axis in z"];
    check_positive(&[(names[0], semi_axes.x), (names[1], semi_axes.y), (names[2], semi_axes.z)])?;
    let mut mesh = ball(1.0, shells)?;
    mesh.scale(semi_axes)?;
    Ok(mesh)
}

/// The twelve corners on the unit sphere: cyclic permutations of (0, ±1, ±φ).
pub(super) fn icosahedron() -> Vec<Vector3<f64>> {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    let mut corners = Vec::with_capacity(12);
    for axis in 0..3 {
        for (one, phi) in [(1.0, golden), (-1.0, golden), (1.0, -golden), (-1.0, -golden)] {
            let mut corner = Vector3::zeros();
            corner[(axis + 1) % 3] = one;
            corner[(axis + 2) % 3] = phi;
            corners.push(corner.normalize());
        }
    }
    corners
}

/// The twenty triples of mutually adjacent corners.
pub(super) fn sectors(corners: &[Vector3<f64>]) -> Vec<[usize; 3]> {
    // Neighbours have the cosine 1/√5 = 0.447, all others are at or below −0.447.
    let adjacent = |a: usize, b: usize| corners[a].dot(&corners[b]) > 0.0;
    let mut found = Vec::with_capacity(20);
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if adjacent(a, b) && adjacent(b, c) && adjacent(a, c) {
                    found.push([a, b, c]);
                }
            }
        }
    }
    found
}

struct Lattice<'a> {
    corners: &'a [Vector3<f64>],
    shells: usize,
    nodes: BTreeMap<Key, u32>,
    mesh: TetMesh,
}

impl Lattice<'_> {
    /// The node with these weights on (centre, a, b, c), made on first use: sectors share the nodes between them.
    fn node(&mut self, sector: [usize; 3], weights: [usize; 4]) -> u32 {
        let key: Key = (0..3).map(|k| (sector[k], weights[k + 1])).filter(|&(_, weight)| weight > 0).collect();
        if let Some(&node) = self.nodes.get(&key) {
            return node;
        }
        let shell = self.shells - weights[0];
        // Weighting by sin(wθ), θ between neighbouring corners, spaces the nodes evenly along the sectors' edges.
        let theta = (1.0 / 5f64.sqrt()).acos();
        let blend =
            |&(corner, weight): &(usize, usize)| self.corners[corner] * (weight as f64 / shell as f64 * theta).sin();
        let direction: Vector3<f64> = key.iter().map(blend).sum();
        let radius = shell as f64 / self.shells as f64;
        let position = if shell == 0 { Vector3::zeros() } else { direction.normalize() * radius };
        let node = self.mesh.positions.len() as u32;
        self.mesh.positions.push(position);
        self.nodes.insert(key, node);
        node
    }

    /// Cuts one sector: tets pointing as the sector does, tets pointing against it, octahedra between them.
    fn fill(&mut self, sector: [usize; 3]) {
        let n = self.shells;
        for o in (0..n).rev() {
            for a in 0..n - o {
                for b in 0..n - o - a {
                    // The base has weight n−1; what a smaller base would lack comes out of c.
                    let c = n - 1 - o - a - b;
                    let with = |units: &[usize], lack: usize| {
                        let mut weights = [o, a, b, c - lack];
                        units.iter().for_each(|&k| weights[k] += 1);
                        weights
                    };
                    let tet = [0, 1, 2, 3].map(|k| self.node(sector, with(&[k], 0)));
                    self.mesh.tets.push(tet);
                    if c >= 1 {
                        let pairs = [[0, 1], [2, 3], [0, 2], [1, 3], [0, 3], [1, 2]];
                        let octahedron = pairs.map(|pair| self.node(sector, with(&pair, 1)));
                        self.cut(octahedron);
                    }
                    if c >= 2 {
                        let triples = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];
                        let tet = triples.map(|triple| self.node(sector, with(&triple, 2)));
                        self.mesh.tets.push(tet);
                    }
                }
            }
        }
    }

    /// Four tets around one diagonal of an octahedron given as three opposite pairs.
    fn cut(&mut self, p: [u32; 6]) {
        let around = |d: usize| {
            let [u, v, w, x] = [2, 4, 3, 5].map(|k| p[(2 * d + k) % 6]);
            [[u, v], [v, w], [w, x], [x, u]].map(|[i, j]| [p[2 * d], p[2 * d + 1], i, j])
        };
        let worst = |tets: &[[u32; 4]; 4]| {
            let angles = tets.iter().flat_map(|tet| {
                let mut x = tet.map(|i| self.mesh.positions[i as usize]);
                if signed_volume(&x) < 0.0 {
                    x.swap(2, 3);
                }
                dihedral_angles(&x)
            });
            angles.fold(f64::INFINITY, f64::min)
        };
        let mut best = around(0);
        for d in 1..3 {
            let other = around(d);
            // A margin above rounding, so that ties fall the same way on every machine.
            if worst(&other) > worst(&best) + 1e-6 {
                best = other;
            }
        }
        self.mesh.tets.extend(best);
    }
}
