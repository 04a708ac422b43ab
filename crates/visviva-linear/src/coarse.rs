//! A coarse correction for conjugate gradients: neighbouring nodes move as one, and the small system of these groups is solved exactly.
//!
//! ```text
//! M⁻¹ = D⁻¹ + P (PᵀAP)⁻¹ Pᵀ
//! ```
//!
//! D is the block diagonal, P gives each node the motion of its group. Long waves, which D⁻¹ carries by one node an iteration, cross the
//! body in one.

use super::block_matrix::BlockMatrix;
use super::cholesky::Cholesky;
use super::chunks::{Shared, for_each_chunk};
use super::error::LinearError;
use super::pattern::BlockPattern;
use std::sync::Arc;

const NONE: u32 = u32::MAX;

/// Groups, and nodes, that one task takes.
const GROUPS: usize = 64;
const NODES: usize = 2048;

#[derive(Debug, Default)]
pub(super) struct Coarse {
    /// Of the pattern that the groups were made for
    fingerprint: Option<u64>,
    group: Vec<u32>,
    /// The nodes of each group, one after the other
    member_start: Vec<u32>,
    members: Vec<u32>,
    /// The coarse slot of each block
    slots: Vec<u32>,
    matrix: Option<BlockMatrix>,
    cholesky: Cholesky,
    is_ready: bool,
    /// Of the last residual in each group, and what that moves it by
    sums: Vec<f64>,
    motion: Vec<f64>,
}

impl Coarse {
    /// Takes on a matrix. Where the coarse one has no factor nothing is corrected.
    pub(super) fn prepare(&mut self, fine: &BlockMatrix) {
        self.is_ready = false;
        let pattern = fine.pattern();
        if self.fingerprint != Some(pattern.fingerprint()) {
            self.fingerprint = self.make_groups(pattern).is_ok().then(|| pattern.fingerprint());
        }
        let (Some(coarse), Some(_)) = (&mut self.matrix, self.fingerprint) else { return };
        let rows = Arc::clone(coarse.pattern());
        let values = Shared::new(&mut coarse.values);
        for_each_chunk(rows.node_count(), GROUPS, |groups| {
            for group in groups {
                let range = rows.row_range(group);
                // SAFETY: rows do not overlap.
                let row = unsafe { values.slice(9 * range.start..9 * range.end) };
                row.fill(0.0);
                let members = self.member_start[group] as usize..self.member_start[group + 1] as usize;
                for slot in self.members[members].iter().flat_map(|&node| pattern.row_range(node as usize)) {
                    let to = &mut row[9 * (self.slots[slot] as usize - range.start)..][..9];
                    to.iter_mut().zip(fine.at(slot)).for_each(|(to, value)| *to += value);
                }
            }
        });
        self.is_ready = self.cholesky.factor(coarse).is_ok();
    }

    /// Corrects nothing until the next matrix.
    pub(super) fn leave_out(&mut self) {
        self.is_ready = false;
    }

    /// z ← z + P (PᵀAP)⁻¹ Pᵀ r; returns what that adds to rᵀz.
    pub(super) fn add(&mut self, r: &[f64], z: &mut [f64]) -> f64 {
        if !self.is_ready {
            return 0.0;
        }
        let Self { group, member_start, members, sums, motion, .. } = self;
        let shared = Shared::new(sums);
        for_each_chunk(member_start.len() - 1, GROUPS, |groups| {
            for k in groups {
                // SAFETY: groups do not overlap.
                let sum = unsafe { shared.slice(3 * k..3 * k + 3) };
                sum.fill(0.0);
                for &node in &members[member_start[k] as usize..member_start[k + 1] as usize] {
                    (0..3).for_each(|c| sum[c] += r[3 * node as usize + c]);
                }
            }
        });
        motion.clone_from(sums);
        if self.cholesky.solve(motion).is_err() {
            return 0.0;
        }
        let shared = Shared::new(z);
        for_each_chunk(group.len(), NODES, |nodes| {
            // SAFETY: chunks do not overlap.
            let z = unsafe { shared.slice(3 * nodes.start..3 * nodes.end) };
            for (z, &group) in z.chunks_exact_mut(3).zip(&group[nodes]) {
                (0..3).for_each(|c| z[c] += motion[3 * group as usize + c]);
            }
        });
        sums.iter().zip(&*motion).map(|(sum, motion)| sum * motion).sum()
    }

    fn make_groups(&mut self, pattern: &BlockPattern) -> Result<(), LinearError> {
        let group = groups(pattern);
        let count = group.iter().max().map_or(0, |&last| last as usize + 1);
        let mut start = vec![0u32; count + 1];
        group.iter().for_each(|&group| start[group as usize + 1] += 1);
        (0..count).for_each(|k| start[k + 1] += start[k]);
        let mut next = start.clone();
        self.members.resize(group.len(), 0);
        for (node, &group) in group.iter().enumerate() {
            self.members[next[group as usize] as usize] = node as u32;
            next[group as usize] += 1;
        }
        let of_block = |i: usize| pattern.row(i).iter().map(move |&j| [i, j as usize]);
        let pairs: Vec<[u32; 2]> =
            (0..group.len()).flat_map(of_block).map(|pair| pair.map(|node| group[node])).collect();
        let coarse = BlockPattern::from_stencils(count, pairs.iter().map(|pair| &pair[..]))?;
        self.slots.clear();
        self.slots.extend(pairs.iter().filter_map(|&[a, b]| coarse.slot(a, b)).map(|slot| slot as u32));
        self.matrix = Some(BlockMatrix::zeros(Arc::new(coarse)));
        // An ordering kept from an earlier pattern would make the bits depend on what came before.
        self.cholesky = Cholesky::new();
        self.sums.resize(3 * count, 0.0);
        (self.group, self.member_start) = (group, start);
        Ok(())
    }
}

/// A group for every node: one whose neighbours are all free takes them, the rest joins the group that it has most neighbours in.
fn groups(pattern: &BlockPattern) -> Vec<u32> {
    let n = pattern.node_count();
    let mut group = vec![NONE; n];
    let mut count = 0;
    for i in 0..n {
        if pattern.row(i).iter().all(|&j| group[j as usize] == NONE) {
            pattern.row(i).iter().for_each(|&j| group[j as usize] = count);
            count += 1;
        }
    }
    let first = group.clone();
    let mut around = Vec::new();
    for i in (0..n).filter(|&i| first[i] == NONE) {
        around.clear();
        around.extend(pattern.row(i).iter().map(|&j| first[j as usize]).filter(|&g| g != NONE));
        around.sort_unstable();
        let most = around.chunk_by(|a, b| a == b).max_by_key(|same| (same.len(), std::cmp::Reverse(same[0])));
        group[i] = most.map_or_else(
            || {
                count += 1;
                count - 1
            },
            |same| same[0],
        );
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pcg;

    /// Bars of `length` cubes, each cut into six tets.
    fn bars(count: u32, length: u32) -> (usize, Vec<[u32; 4]>) {
        const TETS: [[u32; 4]; 6] =
            [[0, 1, 3, 7], [0, 1, 5, 7], [0, 2, 3, 7], [0, 2, 6, 7], [0, 4, 5, 7], [0, 4, 6, 7]];
        let nodes = 4 * (length + 1);
        let corner = |cube: u32, k: u32| 4 * (cube + (k >> 2)) + (k & 3);
        let of_bar =
            |bar: u32| (0..length).flat_map(move |cube| TETS.map(|tet| tet.map(|k| bar * nodes + corner(cube, k))));
        ((count * nodes) as usize, (0..count).flat_map(of_bar).collect())
    }

    /// A network of springs along the edges of tets, and a little mass.
    fn springs(nodes: usize, tets: &[[u32; 4]], mass: f64) -> BlockMatrix {
        let pattern = BlockPattern::from_stencils(nodes, tets.iter().map(|tet| &tet[..])).unwrap();
        let mut matrix = BlockMatrix::zeros(Arc::new(pattern));
        let spring = [2.0, 0.3, 0.1, 0.3, 1.5, 0.2, 0.1, 0.2, 1.0];
        let against = spring.map(|k: f64| -k);
        for tet in tets {
            for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
                matrix.add_stencil(&[tet[a], tet[b]], &[spring, against, spring]).unwrap();
            }
        }
        matrix.add_diagonal(&vec![mass; nodes]).unwrap();
        matrix
    }

    fn load(nodes: usize) -> Vec<f64> {
        (0..3 * nodes).map(|i| (0.37 * i as f64).sin() + 0.1).collect()
    }

    #[test]
    fn a_long_bar_is_crossed_in_few_iterations() {
        let (nodes, tets) = bars(1, 400);
        let matrix = springs(nodes, &tets, 1e-4);
        let (b, mut x) = (load(nodes), vec![0.0; 3 * nodes]);
        let report = Pcg::new().solve(&matrix, &b, &mut x, 1e-8, 2000).unwrap();
        // With the diagonal alone it takes 1633.
        assert!(report.converged && report.iterations < 250, "{report:?}");
        let mut cholesky = Cholesky::new();
        cholesky.factor(&matrix).unwrap();
        let mut exact = b;
        cholesky.solve(&mut exact).unwrap();
        let largest = exact.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        x.iter().zip(&exact).for_each(|(x, exact)| assert!((x - exact).abs() < 1e-5 * largest));
    }

    #[test]
    fn groups_are_neighbours_and_keep_to_their_body() {
        let (nodes, tets) = bars(3, 20);
        let matrix = springs(nodes, &tets, 1.0);
        let group = groups(matrix.pattern());
        let body = |node: usize| node / (nodes / 3);
        let count = *group.iter().max().unwrap() as usize + 1;
        assert!(count > 6 && count < nodes / 4, "{count}");
        for (node, own) in group.iter().enumerate() {
            let others: Vec<usize> = (0..nodes).filter(|&other| group[other] == *own && other != node).collect();
            assert!(others.iter().all(|&other| body(other) == body(node)));
            assert!(others.iter().any(|&other| matrix.block(node as u32, other as u32).is_some()));
        }
    }

    #[test]
    fn other_patterns_and_threads_before_leave_the_bits_alone() {
        let (nodes, tets) = bars(2, 300);
        let joined = |node: u32| [[node, node + 1, nodes as u32 / 2, nodes as u32 / 2 + 1]];
        let solve = |pcg: &mut Pcg, tets: &[[u32; 4]]| {
            let mut x = vec![0.0; 3 * nodes];
            pcg.solve(&springs(nodes, tets, 1e-2), &load(nodes), &mut x, 1e-6, 2000).unwrap();
            x
        };
        let other = [&tets[..], &joined(0)[..]].concat();
        let last = [&tets[..], &joined(700)[..]].concat();
        let in_pool = |threads: usize, work: &(dyn Fn() -> Vec<f64> + Sync)| {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
        };
        let fresh = in_pool(1, &|| solve(&mut Pcg::new(), &last));
        let after_others = in_pool(3, &|| {
            let mut pcg = Pcg::new();
            solve(&mut pcg, &tets);
            solve(&mut pcg, &other);
            solve(&mut pcg, &last)
        });
        assert_eq!(fresh, after_others);
    }
}
