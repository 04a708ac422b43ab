//! How well shaped a mesh is: dihedral angles, edge lengths, heights, volume, extent.

use super::boundary::FACES;
use super::{TetMesh, TriMesh};
use nalgebra::Vector3;

/// The figures a user reads before blaming the solver.
#[derive(Debug, Clone, PartialEq)]
pub struct Quality {
    /// Total volume `[m³]`.
    pub volume: f64,
    /// Lower and upper corner of the bounding box `[m]`.
    pub bounds: [Vector3<f64>; 2],
    /// Smallest dihedral angle `[degrees]` and its tet; a regular tet has 70.5°.
    pub min_dihedral: (f64, usize),
    /// Largest dihedral angle `[degrees]` and its tet.
    pub max_dihedral: (f64, usize),
    /// Shortest edge `[m]` and its nodes.
    pub shortest_edge: (f64, [u32; 2]),
    /// Longest edge `[m]` and its nodes.
    pub longest_edge: (f64, [u32; 2]),
}

impl TetMesh {
    /// Measures a validated mesh; of an empty one the extremes are ±∞.
    pub fn quality(&self) -> Quality {
        let mut q = Quality {
            volume: self.volume(),
            bounds: bounds(&self.positions),
            min_dihedral: (f64::INFINITY, 0),
            max_dihedral: (f64::NEG_INFINITY, 0),
            shortest_edge: (f64::INFINITY, [0; 2]),
            longest_edge: (f64::NEG_INFINITY, [0; 2]),
        };
        for (t, tet) in self.tets.iter().enumerate() {
            for angle in dihedral_angles(&self.corners(t)) {
                if angle < q.min_dihedral.0 {
                    q.min_dihedral = (angle, t);
                }
                if angle > q.max_dihedral.0 {
                    q.max_dihedral = (angle, t);
                }
            }
            for (i, j) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
                let edge = [tet[i].min(tet[j]), tet[i].max(tet[j])];
                let length = (self.positions[edge[0] as usize] - self.positions[edge[1] as usize]).norm();
                if length < q.shortest_edge.0 {
                    q.shortest_edge = (length, edge);
                }
                if length > q.longest_edge.0 {
                    q.longest_edge = (length, edge);
                }
            }
        }
        q
    }
}

impl TriMesh {
    /// The least distance of a corner from the line of its opposite side `[m]`; +∞ without triangles.
    pub fn least_height(&self) -> f64 {
        (0..self.triangles.len()).map(|t| height_and_side(&self.corners(t))[0]).fold(f64::INFINITY, f64::min)
    }

    /// The triangle that is lowest for its longest side, with that height and side `[m]`.
    pub fn flattest(&self) -> Option<(usize, [f64; 2])> {
        let all = (0..self.triangles.len()).map(|t| (t, height_and_side(&self.corners(t))));
        all.min_by(|(_, a), (_, b)| (a[0] / a[1]).total_cmp(&(b[0] / b[1])))
    }
}

/// The longest side of a triangle and the height over it `[m]`, the height first.
fn height_and_side(&[a, b, c]: &[Vector3<f64>; 3]) -> [f64; 2] {
    let side = (b - a).norm().max((c - b).norm()).max((a - c).norm());
    [(b - a).cross(&(c - a)).norm() / side, side]
}

/// Lower and upper corner of the box around some points; (+∞, −∞) around none.
pub(super) fn bounds(positions: &[Vector3<f64>]) -> [Vector3<f64>; 2] {
    let none = [Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY)];
    positions.iter().fold(none, |[low, high], x| [low.inf(x), high.sup(x)])
}

/// The six dihedral angles `[degrees]`: π less the angle between the outward normals of the two faces, by atan2 so that
/// slivers near 0° and 180° keep their digits.
pub(super) fn dihedral_angles(x: &[Vector3<f64>; 4]) -> [f64; 6] {
    let normal = FACES.map(|[a, b, c]| (x[b] - x[a]).cross(&(x[c] - x[a])));
    [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].map(|(f, g)| {
        let (n, m) = (&normal[f], &normal[g]);
        n.cross(m).norm().atan2(-n.dot(m)).to_degrees()
    })
}
