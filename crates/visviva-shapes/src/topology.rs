//! How a surface hangs together: its pieces and its handles.

use crate::lowest_of_parts;
use std::collections::HashMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Topology {
    /// Pieces that have no vertex in common
    pub shells: usize,
    /// Handles of all pieces together: 0 for a ball, 1 for a ring; unknown of a surface with open or overused edges
    pub handles: Option<i64>,
}

impl Topology {
    pub fn of(triangles: &[[u32; 3]]) -> Self {
        let vertices = triangles.iter().flatten().max().map_or(0, |&last| last as usize + 1);
        let mut used = vec![false; vertices];
        let mut edges: HashMap<[u32; 2], u32> = HashMap::new();
        for &[a, b, c] in triangles {
            for [p, q] in [[a, b], [b, c], [c, a]] {
                used[p as usize] = true;
                *edges.entry([p.min(q), p.max(q)]).or_default() += 1;
            }
        }
        let lowest = lowest_of_parts(vertices, triangles);
        let shells = (0..vertices).filter(|&v| used[v] && lowest[v] == v).count();
        let corners = used.iter().filter(|used| **used).count() as i64;
        let euler = corners - edges.len() as i64 + triangles.len() as i64;
        let closed = edges.values().all(|&count| count == 2);
        Self { shells, handles: closed.then_some(shells as i64 - euler / 2) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_and_handles_are_counted() {
        let tet = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        assert_eq!(Topology::of(&tet), Topology { shells: 1, handles: Some(0) });
        assert_eq!(Topology::of(&tet[1..]), Topology { shells: 1, handles: None });
        let two: Vec<[u32; 3]> = tet.into_iter().chain(tet.map(|t| t.map(|v| v + 4))).collect();
        assert_eq!(Topology::of(&two), Topology { shells: 2, handles: Some(0) });
        // A ring of 4 × 4 quadrilaterals, each two triangles.
        let at = |i: u32, j: u32| 4 * (i % 4) + j % 4;
        let cut = |n: u32| {
            let (i, j) = (n / 4, n % 4);
            [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
        };
        let ring: Vec<[u32; 3]> = (0..16).flat_map(cut).collect();
        assert_eq!(Topology::of(&ring), Topology { shells: 1, handles: Some(1) });
    }
}
