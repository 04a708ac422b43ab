//! Where the surface cuts the edges of the lattice, and the warping of vertices that a cut comes too near to.

use super::error::StuffingError;
use super::lattice::Lattice;
use super::octants::finite_distance;
use crate::Field;
use nalgebra::Vector3;
use rayon::prelude::*;

/// A vertex with a cut nearer than this fraction of the edge moves onto it. With these two, of the long edges (one cell)
/// and the short ones (half its diagonal), Labelle and Shewchuk (2007) prove dihedral angles between 10.7° and 164.8°.
const WARP_LONG: f64 = 0.24999;
const WARP_SHORT: f64 = 0.41189;

/// The surface is met when the distance is below this fraction of the edge.
const MET: f64 = 1e-7;
/// Evaluations of the field per cut; a jump of a broken field is bracketed as closely as that.
const MOST_STEPS: usize = 24;

/// Cuts by the edge, inner and outer vertices mixed, the smaller first.
#[derive(Debug)]
pub struct Cuts {
    edges: Vec<[u32; 2]>,
    /// Of the way from the first vertex to the second
    fractions: Vec<f64>,
}

impl Cuts {
    pub fn find(field: &dyn Field, lattice: &Lattice) -> Result<Self, StuffingError> {
        let d = &lattice.distances;
        let mut edges: Vec<[u32; 2]> = Vec::new();
        for tet in lattice.tets.iter().filter(|tet| tet.iter().any(|&v| d[v as usize] > 0.0)) {
            for (i, j) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
                let edge = [tet[i].min(tet[j]), tet[i].max(tet[j])];
                let ends = edge.map(|v| d[v as usize]);
                if ends[0] * ends[1] < 0.0 && ends.iter().all(|end| end.is_finite()) {
                    edges.push(edge);
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let fractions = edges.par_iter().map(|edge| {
            let ends = edge.map(|v| (lattice.positions[v as usize], d[v as usize]));
            root(field, ends)
        });
        let fractions = fractions.collect::<Result<Vec<f64>, StuffingError>>()?;
        Ok(Self { edges, fractions })
    }

    /// Number of the cut between two vertices.
    pub fn between(&self, a: u32, b: u32) -> Option<usize> {
        self.edges.binary_search(&[a.min(b), a.max(b)]).ok()
    }

    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// `[m]`
    pub fn position(&self, lattice: &Lattice, cut: usize) -> Vector3<f64> {
        let [a, b] = self.edges[cut].map(|v| lattice.positions[v as usize]);
        a + (b - a) * self.fractions[cut]
    }

    /// Moves the vertices that cuts come too near to; what is moved lies on the surface, and the other cuts of its edges
    /// are void. Inner vertices go first: an outer one then moves only towards one that stays, which keeps angles wide.
    pub fn warp(&self, lattice: &mut Lattice) {
        let mut of_vertex: Vec<(u32, u32)> = Vec::with_capacity(2 * self.len());
        for (cut, edge) in self.edges.iter().enumerate() {
            of_vertex.extend(edge.map(|vertex| (vertex, cut as u32)));
        }
        of_vertex.sort_unstable();
        let places: Vec<Vector3<f64>> = (0..self.len()).map(|cut| self.position(lattice, cut)).collect();
        for outer in [false, true] {
            for cuts in of_vertex.chunk_by(|a, b| a.0 == b.0) {
                let vertex = cuts[0].0;
                if (lattice.distances[vertex as usize] > 0.0) != outer {
                    continue;
                }
                let violating = cuts.iter().filter_map(|&(_, cut)| self.violation(lattice, vertex, cut as usize));
                if let Some((_, cut)) = violating.min_by(|a, b| a.0.total_cmp(&b.0)) {
                    lattice.positions[vertex as usize] = places[cut];
                    lattice.distances[vertex as usize] = 0.0;
                }
            }
        }
    }

    /// The cut with its distance in half cells, where it stands and comes too near.
    fn violation(&self, lattice: &Lattice, vertex: u32, cut: usize) -> Option<(f64, usize)> {
        let edge = self.edges[cut];
        if edge.iter().any(|&v| lattice.distances[v as usize] == 0.0) {
            return None;
        }
        let fraction = if edge[0] == vertex { self.fractions[cut] } else { 1.0 - self.fractions[cut] };
        let square = lattice.spots[edge[0] as usize].apart(lattice.spots[edge[1] as usize]);
        let limit = if square == 4 { WARP_LONG } else { WARP_SHORT };
        (fraction < limit).then_some((fraction * f64::from(square).sqrt(), cut))
    }
}

/// Fraction of an edge where the distance vanishes: false position with the Illinois halving, which brackets throughout.
fn root(field: &dyn Field, [(a, at_a), (b, at_b)]: [(Vector3<f64>, f64); 2]) -> Result<f64, StuffingError> {
    let met = MET * (b - a).norm();
    let (mut low, mut high) = ((0.0, at_a), (1.0, at_b));
    let mut kept_low = None;
    let mut middle = 0.5;
    for _ in 0..MOST_STEPS {
        middle = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
        let there = finite_distance(field, &(a + (b - a) * middle))?;
        if there.abs() <= met {
            break;
        }
        if (there < 0.0) == (low.1 < 0.0) {
            low = (middle, there);
            if kept_low == Some(false) {
                high.1 /= 2.0;
            }
            kept_low = Some(false);
        } else {
            high = (middle, there);
            if kept_low == Some(true) {
                low.1 /= 2.0;
            }
            kept_low = Some(true);
        }
    }
    Ok(middle)
}
