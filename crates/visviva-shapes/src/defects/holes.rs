//! Holes and their rims: edges of one face alone, chained.

use super::edges::{Side, by_edge};
use nalgebra::Vector3;
use std::collections::BTreeMap;

/// Where a surface is open.
#[derive(Debug, Clone, PartialEq)]
pub struct Hole {
    /// Around it, each once
    pub vertices: Vec<u32>,
    /// Edges of the rim
    pub edges: usize,
    /// Of the rim `[m]`
    pub length: f64,
    /// A point of the rim `[m]`
    pub at: Vector3<f64>,
}

/// The holes in the order of their lowest vertices. Rims that touch in a vertex are told apart as they come.
pub(super) fn holes(sides: &[Side], positions: &[Vector3<f64>]) -> Vec<Hole> {
    let mut open: Vec<[u32; 2]> = by_edge(sides).filter(|run| run.len() == 1).map(|run| run[0].edge).collect();
    open.sort_unstable();
    let mut at_vertex: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (k, edge) in open.iter().enumerate() {
        edge.iter().for_each(|&vertex| at_vertex.entry(vertex).or_default().push(k));
    }
    let mut is_used = vec![false; open.len()];
    let mut holes = Vec::new();
    for first in 0..open.len() {
        if is_used[first] {
            continue;
        }
        let start = open[first][0];
        let (mut vertices, mut length, mut here) = (vec![start], 0.0, start);
        let mut edges = 0;
        // Each visit takes what is left from the end, so that a vertex of many rims costs no more than its edges.
        while let Some(k) = at_vertex.get_mut(&here).and_then(|left| {
            while left.last().is_some_and(|&k| is_used[k]) {
                left.pop();
            }
            left.pop()
        }) {
            is_used[k] = true;
            let next = open[k][0] ^ open[k][1] ^ here;
            length += (positions[next as usize] - positions[here as usize]).norm();
            edges += 1;
            here = next;
            if here == start {
                break;
            }
            vertices.push(here);
        }
        holes.push(Hole { vertices, edges, length, at: positions[start as usize] });
    }
    holes
}
