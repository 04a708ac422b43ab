//! Where a surface touches itself in an edge or a vertex alone: it has no inside and outside there.

use visviva_shapes::lowest_of_parts;

/// Edges of more than two triangles, lower node first, and vertices elsewhere whose triangles do not hang together; ascending.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pinches {
    pub edges: Vec<[u32; 2]>,
    pub vertices: Vec<u32>,
}

impl Pinches {
    /// Of triangles that use nodes below `node_count`.
    pub fn of(triangles: &[[u32; 3]], node_count: usize) -> Self {
        let nodes = triangles.as_flattened();
        // A side: its edge, and the corners of the triangle at its lower and its higher end.
        let mut sides: Vec<([u32; 2], [u32; 2])> = Vec::with_capacity(nodes.len());
        for corner in (0..nodes.len() as u32).step_by(3) {
            for [a, b] in [[corner, corner + 1], [corner + 1, corner + 2], [corner + 2, corner]] {
                let (from, to) = (nodes[a as usize], nodes[b as usize]);
                sides.push(if from < to { ([from, to], [a, b]) } else { ([to, from], [b, a]) });
            }
        }
        sides.sort_unstable();
        let (mut edges, mut joined) = (Vec::new(), Vec::new());
        for run in sides.chunk_by(|a, b| a.0 == b.0) {
            if run.len() > 2 {
                edges.push(run[0].0);
            }
            joined.extend(run.windows(2).flat_map(|two| [[two[0].1[0], two[1].1[0]], [two[0].1[1], two[1].1[1]]]));
        }
        let lowest = lowest_of_parts(nodes.len(), &joined);
        let mut fans = vec![0u32; node_count];
        (0..nodes.len())
            .filter(|&corner| lowest[corner] == corner)
            .for_each(|corner| fans[nodes[corner] as usize] += 1);
        Self { edges, vertices: (0..node_count as u32).filter(|&v| fans[v as usize] > 1).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cones_that_share_a_tip_and_sheets_that_share_an_edge_are_pinched_there_and_nowhere_else() {
        let strip = [[0, 1, 2], [2, 1, 3], [2, 3, 4]];
        assert_eq!(Pinches::of(&strip, 5), Pinches::default());
        let bow_tie = [[0, 1, 2], [2, 3, 4]];
        assert_eq!(Pinches::of(&bow_tie, 5), Pinches { edges: vec![], vertices: vec![2] });
        let book = [[0, 1, 2], [1, 0, 3], [0, 1, 4]];
        assert_eq!(Pinches::of(&book, 5), Pinches { edges: vec![[0, 1]], vertices: vec![] });
    }
}
