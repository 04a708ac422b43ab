//! A ball of hexahedral cells: a box of them wrapped in layers of more, blown up, each cell cut into five tets.
//!
//! Nodes are even or odd, as on a chessboard. One of a cell's tets stands on its even corners and cuts off the odd ones, so that
//! neighbours' faces match. 10×8×5 cells in 3 layers have the paper's counts: 1620 nodes, 7100 tets, 680 faces; dihedral angles
//! from 22.4° to 138.2°, the largest tet seven times the smallest. Every place is a formula of its own: mirrored nodes are
//! mirrored bit for bit, and where two counts are even, so are the tets.

use super::{check_at_least, check_positive, check_tet_count};
use crate::mesh::{MeshError, TetMesh, signed_volume};
use nalgebra::Vector3;
use std::collections::BTreeMap;

/// What the inner box has of a box and of a ball. With less of the box its edges fold flat, with less of the ball the layers
/// over its corners become thin.
const OF_BOX: f64 = 0.3;
const OF_BALL: f64 = 0.56;

/// A cell's tets where its corner 0 is even, then where it is odd. Bit b of a corner's number is its place along axis b.
const TETS: [[[usize; 4]; 5]; 2] = [
    [[0, 3, 6, 5], [1, 3, 0, 5], [2, 0, 3, 6], [4, 6, 5, 0], [7, 5, 6, 3]],
    [[1, 2, 4, 7], [0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2]],
];

/// A ball of `radius` `[m]`: a box of `cells` along x, y, z inside `layers` of cells.
pub fn wrapped_ball(radius: f64, cells: [usize; 3], layers: usize) -> Result<TetMesh, MeshError> {
    check_positive(&[("the ball's radius", radius)])?;
    let [x, y, z] = cells;
    check_at_least(&[("cells along x", x, 1), ("cells along y", y, 1), ("cells along z", z, 1)])?;
    check_at_least(&[("the ball's layers", layers, 1)])?;
    check_tet_count(&[5, x, y, z])?;
    let around = 2 * (x * y + y * z + z * x);
    check_tet_count(&[5, around, layers])?;

    let mut lattice = Lattice::new(cells, around, layers);
    lattice.fill_box();
    for layer in 0..layers {
        lattice.wrap(layer);
    }
    let mut mesh = lattice.mesh;
    let folds = |tet: &[u32; 4]| signed_volume(&tet.map(|node| mesh.positions[node as usize])) <= 0.0;
    if mesh.tets.iter().any(folds) {
        return Err(MeshError::FoldedBall { cells, layers });
    }
    mesh.scale(Vector3::repeat(radius))?;
    Ok(mesh)
}

/// i, j, k in the box, and how many layers lie below.
type Place = [usize; 4];

struct Lattice {
    cells: [usize; 3],
    /// The box's sides, of volume 1
    sides: Vector3<f64>,
    /// Radius of the box and of each layer around it, so that each cell has its share of the volume
    radii: Vec<f64>,
    nodes: BTreeMap<Place, u32>,
    mesh: TetMesh,
}

impl Lattice {
    fn new(cells: [usize; 3], around: usize, layers: usize) -> Self {
        let counts = Vector3::from(cells.map(|count| count as f64));
        let within = |layer: usize| counts.product() + (around * layer) as f64;
        Self {
            cells,
            sides: counts / counts.product().cbrt(),
            radii: (0..=layers).map(|layer| (within(layer) / within(layers)).cbrt()).collect(),
            nodes: BTreeMap::new(),
            mesh: TetMesh::default(),
        }
    }

    fn fill_box(&mut self) {
        let [x, y, z] = self.cells;
        for k in 0..z {
            for j in 0..y {
                for i in 0..x {
                    self.cut([0, 1, 2, 3, 4, 5, 6, 7].map(|c| [i + (c & 1), j + (c >> 1 & 1), k + (c >> 2), 0]));
                }
            }
        }
    }

    /// One cell upon each outer quad of what is there.
    fn wrap(&mut self, layer: usize) {
        for axis in 0..3 {
            for high in [false, true] {
                // Seen from outside, right and up turn left: the cell is right-handed.
                let (right, up) = ((axis + 1 + usize::from(!high)) % 3, (axis + 1 + usize::from(high)) % 3);
                for a in 0..self.cells[right] {
                    for b in 0..self.cells[up] {
                        self.cut([0, 1, 2, 3, 4, 5, 6, 7].map(|c| {
                            let mut place = [0, 0, 0, layer + (c >> 2)];
                            place[axis] = if high { self.cells[axis] } else { 0 };
                            place[right] = a + (c & 1);
                            place[up] = b + (c >> 1 & 1);
                            place
                        }));
                    }
                }
            }
        }
    }

    fn cut(&mut self, cell: [Place; 8]) {
        let odd = cell[0].iter().sum::<usize>() % 2;
        let nodes = cell.map(|place| self.node(place));
        self.mesh.tets.extend(TETS[odd].map(|tet| tet.map(|corner| nodes[corner])));
    }

    /// Made on first use: cells share their corners.
    fn node(&mut self, place: Place) -> u32 {
        if let Some(&node) = self.nodes.get(&place) {
            return node;
        }
        let node = self.mesh.positions.len() as u32;
        self.mesh.positions.push(self.position(place));
        self.nodes.insert(place, node);
        node
    }

    /// In a ball of radius 1.
    fn position(&self, [i, j, k, layer]: Place) -> Vector3<f64> {
        // From −1 to 1, bit for bit the same on both sides.
        let fraction = |index: usize, axis: usize| {
            let count = self.cells[axis] as f64;
            (2.0 * index as f64 - count) / count
        };
        let in_cube = Vector3::new(fraction(i, 0), fraction(j, 1), fraction(k, 2));
        let square = in_cube.component_mul(&in_cube);
        // Nowell's map of a cube to a ball (2005), stretched a little where there are many cells.
        let in_ball = Vector3::from_fn(|axis, _| {
            let (one, other) = (square[(axis + 1) % 3], square[(axis + 2) % 3]);
            let shrink = (1.0 - (one + other) / 2.0 + one * other / 3.0).sqrt();
            in_cube[axis] * shrink * self.sides[axis].sqrt().sqrt()
        });
        let inner = (in_cube.component_mul(&self.sides) * OF_BOX + in_ball * OF_BALL) * self.radii[0];
        if layer == 0 {
            return inner;
        }
        inner.lerp(&in_ball.normalize(), (self.radii[layer] - self.radii[0]) / (1.0 - self.radii[0]))
    }
}
