//! The tets around a node, and whether the boundary there is a single fan of triangles.

use crate::Solid;
use std::collections::{BTreeMap, BTreeSet};

/// The tets that have a node, by their numbers and their three other nodes.
pub type Star = Vec<(u32, [u32; 3])>;

/// What keeps a node's surroundings from being one piece with one fan of boundary triangles.
#[derive(Debug, PartialEq)]
pub enum Pinch {
    /// Groups of tets that meet in the node alone or along edges of it, the first ones first
    Apart(Vec<Vec<u32>>),
    /// Tets without which one piece no longer touches itself
    Touching(Vec<u32>),
}

pub fn pinch(star: &[(u32, [u32; 3])]) -> Option<Pinch> {
    let all: Vec<usize> = (0..star.len()).collect();
    let groups = connected(star, &all, |_| true);
    if groups.len() > 1 {
        let numbers = groups.into_iter().map(|group| group.into_iter().map(|k| star[k].0).collect());
        return Some(Pinch::Apart(numbers.collect()));
    }
    let rim: Vec<[u32; 2]> =
        sides(star, &all).into_iter().filter(|(_, tets)| tets.len() == 1).map(|(s, _)| s).collect();
    let mut onward: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &[a, b] in &rim {
        onward.entry(a).or_default().push(b);
        onward.entry(b).or_default().push(a);
    }
    // Around an edge that several fans of tets share, all but the largest go.
    if let Some((&other, _)) = onward.iter().find(|(_, ends)| ends.len() > 2) {
        let around: Vec<usize> = all.into_iter().filter(|&k| star[k].1.contains(&other)).collect();
        let mut fans = connected(star, &around, |side| side.contains(&other));
        fans.sort_by_key(|fan| std::cmp::Reverse(fan.len()));
        return Some(Pinch::Touching(fans.iter().skip(1).flatten().map(|&k| star[k].0).collect()));
    }
    // Several rims: the outside touches itself through the node, so the node goes.
    let (&start, _) = onward.iter().next()?;
    let (mut length, mut before, mut at) = (1, start, onward[&start][0]);
    while at != start {
        let next = onward[&at].iter().copied().find(|&next| next != before).unwrap_or(start);
        (before, at) = (at, next);
        length += 1;
    }
    (length < rim.len()).then(|| Pinch::Touching(star.iter().map(|&(tet, _)| tet).collect()))
}

/// Faces at the node by the two other nodes they have, each with its one or two tets.
fn sides(star: &[(u32, [u32; 3])], among: &[usize]) -> BTreeMap<[u32; 2], Vec<usize>> {
    let mut sides: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
    for &k in among {
        let [a, b, c] = star[k].1;
        for (p, q) in [(a, b), (b, c), (c, a)] {
            sides.entry([p.min(q), p.max(q)]).or_default().push(k);
        }
    }
    sides
}

/// Groups of tets joined by faces at the node, of those faces that count.
fn connected(star: &[(u32, [u32; 3])], among: &[usize], counts: impl Fn(&[u32; 2]) -> bool) -> Vec<Vec<usize>> {
    let mut group: Vec<usize> = (0..star.len()).collect();
    for (_, tets) in sides(star, among).into_iter().filter(|(side, tets)| tets.len() == 2 && counts(side)) {
        let (from, to) = (group[tets[0]].max(group[tets[1]]), group[tets[0]].min(group[tets[1]]));
        group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    among.iter().for_each(|&k| groups.entry(group[k]).or_default().push(k));
    groups.into_values().collect()
}

/// The tets around some nodes.
#[derive(Debug)]
pub struct Stars {
    /// By node; a tet with its three other nodes
    entries: Vec<(u32, (u32, [u32; 3]))>,
}

impl Stars {
    pub fn of(solid: &Solid, nodes: &BTreeSet<u32>) -> Self {
        let mut wanted = vec![false; solid.positions.len()];
        nodes.iter().for_each(|&node| wanted[node as usize] = true);
        let mut entries = Vec::new();
        for (tet, &[a, b, c, d]) in solid.tets.iter().enumerate() {
            for (node, rest) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
                if wanted[node as usize] {
                    entries.push((node, (tet as u32, rest)));
                }
            }
        }
        entries.sort_unstable();
        Self { entries }
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, Star)> {
        let stars = self.entries.chunk_by(|a, b| a.0 == b.0);
        stars.map(|star| (star[0].0, star.iter().map(|&(_, tet)| tet).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tets_that_share_a_face_are_one_piece() {
        assert_eq!(pinch(&[(0, [1, 2, 3]), (1, [2, 3, 4])]), None);
    }

    #[test]
    fn tets_that_share_an_edge_only_are_apart() {
        let found = pinch(&[(7, [1, 2, 3]), (9, [3, 4, 5])]);
        assert_eq!(found, Some(Pinch::Apart(vec![vec![7], vec![9]])));
    }

    #[test]
    fn a_piece_that_touches_itself_along_an_edge_loses_the_smaller_fan() {
        // Five tets in a row around the node, the last back at the edge to 1 that the first has.
        let star = [(0, [1, 2, 3]), (1, [2, 3, 4]), (2, [3, 4, 5]), (3, [4, 5, 6]), (4, [5, 6, 1]), (5, [1, 2, 7])];
        assert_eq!(pinch(&star), Some(Pinch::Touching(vec![4])));
    }

    #[test]
    fn a_node_where_the_outside_touches_itself_goes() {
        // A closed ring of tets around the node, with one rim above and one below.
        let ring = |k: u32| (k, [10 + k, 10 + (k + 1) % 6, 20 + k]);
        let rest = |k: u32| (6 + k, [20 + k, 20 + (k + 1) % 6, 10 + (k + 1) % 6]);
        let star: Vec<(u32, [u32; 3])> = (0..6).map(ring).chain((0..6).map(rest)).collect();
        assert_eq!(pinch(&star), Some(Pinch::Touching((0..12).collect())));
    }

    #[test]
    fn a_node_inside_is_no_pinch() {
        assert_eq!(pinch(&[(0, [1, 2, 3]), (1, [1, 2, 4]), (2, [1, 3, 4]), (3, [2, 3, 4])]), None);
    }
}
