//! An active pair of primitives, reduced to the vertices its closest points lie on.
//!
//! Point–triangle and edge–edge pairs that are nearest at the same corner or edge have the same distance; they become one pair
//! with their number as weight, as in IPC: the energy is that of the full sum, the work is not.

use super::distance::{Closest, Corners, Gap, Point};

/// What a pair has become. Edge–edge pairs near parallel keep all four vertices, since their mollifier needs them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    PointPoint,
    PointEdge,
    PointTriangle,
    EdgeEdge,
    /// Edge–edge of the class given, times the mollifier
    ParallelEdges(Corners),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    pub kind: Kind,
    /// Surface vertices, first primitive first; only `stencil` counts, the rest repeats the first
    pub vertices: [u32; 4],
    /// w: how many primitive pairs are this one, each as much as it counts
    pub weight: f64,
    /// ε of the mollifier `[m⁴]`, for parallel edges
    pub threshold: f64,
    /// ξ `[m]` of its two bodies
    pub thickness: f64,
}

impl Pair {
    pub fn from_point_triangle(vertices: [u32; 4], closest: &Closest) -> Self {
        Self::reduced(vertices, 0b0001, closest.corners)
    }

    /// `parallel` carries ε where the mollifier is below 1.
    pub fn from_edge_edge(vertices: [u32; 4], closest: &Closest, parallel: Option<f64>) -> Self {
        match parallel {
            Some(threshold) => {
                Self { kind: Kind::ParallelEdges(closest.corners), vertices, weight: 1.0, threshold, thickness: 0.0 }
            }
            None => Self::reduced(vertices, 0b0011, closest.corners),
        }
    }

    fn reduced(vertices: [u32; 4], first_side: u8, corners: Corners) -> Self {
        let mut kept = [vertices[0]; 4];
        let mut count = 0;
        let (a, b) = (corners.0 & first_side, corners.0 & !first_side);
        // A point comes before the edge it is paired with.
        let sides = if a.count_ones() > b.count_ones() { [b, a] } else { [a, b] };
        for side in sides {
            for i in (0..4).filter(|i| side >> i & 1 == 1) {
                kept[count] = vertices[i];
                count += 1;
            }
        }
        // One order for one pair, wherever it came from.
        let kind = match (count, sides[0].count_ones()) {
            (2, _) => {
                kept[..2].sort_unstable();
                Kind::PointPoint
            }
            (3, _) => {
                kept[1..3].sort_unstable();
                Kind::PointEdge
            }
            (_, 1) => Kind::PointTriangle,
            _ => Kind::EdgeEdge,
        };
        let first = kept[0];
        kept[count..].fill(first);
        Self { kind, vertices: kept, weight: 1.0, threshold: 0.0, thickness: 0.0 }
    }

    /// The vertices the pair's energy depends on.
    pub fn stencil(&self) -> &[u32] {
        &self.vertices[..self.kind.vertex_count()]
    }

    pub fn points(&self, x: &[Point]) -> [Point; 4] {
        self.vertices.map(|v| x[v as usize])
    }

    pub fn gap(&self, points: &[Point; 4]) -> Gap {
        let (first_side, corners) = self.kind.features();
        Gap::new(points, first_side, corners)
    }

    /// What makes two pairs the same.
    pub fn key(&self) -> (Kind, [u32; 4]) {
        (self.kind, self.vertices)
    }
}

impl Kind {
    pub fn vertex_count(self) -> usize {
        match self {
            Kind::PointPoint => 2,
            Kind::PointEdge => 3,
            _ => 4,
        }
    }

    /// How many vertices the first primitive has; they come first.
    pub fn first_count(self) -> usize {
        if matches!(self, Kind::EdgeEdge | Kind::ParallelEdges(_)) { 2 } else { 1 }
    }

    /// The first primitive's points, and all points that take part.
    fn features(self) -> (u8, Corners) {
        match self {
            Kind::PointPoint => (0b0001, Corners(0b0011)),
            Kind::PointEdge => (0b0001, Corners(0b0111)),
            Kind::PointTriangle => (0b0001, Corners(0b1111)),
            Kind::EdgeEdge => (0b0011, Corners(0b1111)),
            Kind::ParallelEdges(corners) => (0b0011, corners),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::distance::{edge_edge, point_triangle};

    #[test]
    fn a_point_near_an_edge_is_the_same_pair_whether_a_triangle_or_an_edge_brought_it() {
        let x = [
            Point::new(0.5, -0.1, 0.0),
            Point::new(0.0, 0.0, 0.0),
            Point::new(1.0, 0.0, 0.0),
            Point::new(0.5, 1.0, 0.0),
            Point::new(0.5, -1.0, 0.5),
        ];
        let of = |vertices: [u32; 4]| vertices.map(|v| x[v as usize]);
        let triangle = [0, 2, 3, 1];
        let from_triangle = Pair::from_point_triangle(triangle, &point_triangle::closest(&of(triangle)));
        let edges = [2, 1, 4, 0];
        let from_edges = Pair::from_edge_edge(edges, &edge_edge::closest(&of(edges)), None);
        assert_eq!(from_triangle, from_edges);
        assert_eq!((from_triangle.kind, from_triangle.stencil()), (Kind::PointEdge, &[0, 1, 2][..]));
        assert!((from_triangle.gap(&from_triangle.points(&x)).distance - 0.1).abs() < 1e-15);
    }

    #[test]
    fn near_parallel_edges_keep_all_their_vertices() {
        let x = [Point::zeros(), Point::x(), Point::new(2.0, 0.1, 0.0), Point::new(3.0, 0.1, 0.0)];
        let closest = edge_edge::closest(&x);
        let pair = Pair::from_edge_edge([0, 1, 2, 3], &closest, Some(1e-3));
        assert_eq!((pair.kind, pair.stencil().len()), (Kind::ParallelEdges(closest.corners), 4));
        let gap = pair.gap(&x);
        assert_eq!(gap.weights, [0.0, 1.0, -1.0, 0.0]);
        assert!((gap.distance - closest.between.norm()).abs() < 1e-15);
    }
}
