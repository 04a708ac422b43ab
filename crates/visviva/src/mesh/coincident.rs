//! Nodes that lie at one point: parts that look joined there are not.

use nalgebra::Vector3;

/// Each two neighbours among the nodes at one point, lower first, ascending.
pub fn coincident(positions: &[Vector3<f64>]) -> Vec<[usize; 2]> {
    // Adding zero makes −0 and 0 one.
    let key = |i: usize| positions[i].map(|c| (c + 0.0).to_bits()).into();
    let mut order: Vec<([u64; 3], usize)> = (0..positions.len()).map(|i| (key(i), i)).collect();
    order.sort_unstable();
    let mut pairs: Vec<[usize; 2]> =
        order.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| [pair[0].1, pair[1].1]).collect();
    pairs.sort_unstable();
    pairs
}
