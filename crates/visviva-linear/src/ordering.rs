//! The order of elimination: nested dissection of the node graph, minimum degree where that is tiny or refused.

use super::pattern::BlockPattern;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;
use metis_sys::{METIS_NOPTIONS, METIS_NodeND, METIS_SetDefaultOptions, idx_t};
use std::sync::Mutex;

/// Below this many nodes minimum degree is as good and ten times faster.
const DISSECTION_FROM: usize = 500;

/// METIS draws from the C library's `rand`, one sequence for the whole process: orderings take turns.
static METIS: Mutex<()> = Mutex::new(());

/// `order[k]` is the node eliminated in place k; a function of the pattern alone.
pub(super) fn order(pattern: &BlockPattern) -> Vec<u32> {
    let dissected = if pattern.node_count() < DISSECTION_FROM { None } else { dissect(pattern) };
    dissected.or_else(|| minimum_degree(pattern)).unwrap_or_else(|| (0..pattern.node_count() as u32).collect())
}

/// The same elimination with every subtree of the elimination tree in one piece: 764 supernodes instead of 1734 at 4851
/// nodes, and what the tree of fronts relies on.
pub(super) fn postordered(pattern: &BlockPattern, order: &[u32]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let n = order.len();
    let mut place = vec![0u32; n];
    for (k, &node) in order.iter().enumerate() {
        place[node as usize] = k as u32;
    }
    // Liu's algorithm: a column's parent is the first later one its subtree touches; `top` shortens the climb.
    let (mut parent, mut top) = (vec![NONE; n], vec![NONE; n]);
    for (k, &node) in order.iter().enumerate() {
        for &other in pattern.row(node as usize) {
            let mut at = place[other as usize] as usize;
            while at < k {
                let above = std::mem::replace(&mut top[at], k as u32);
                if above == NONE {
                    parent[at] = k as u32;
                    break;
                }
                at = above as usize;
            }
        }
    }
    // Ranks from the root down: the last child comes last, before its parent.
    let (mut first_child, mut sibling) = (vec![NONE; n], vec![NONE; n]);
    let mut pending = Vec::new();
    for k in 0..n {
        if parent[k] == NONE {
            pending.push(k as u32);
        } else {
            let parent = parent[k] as usize;
            sibling[k] = std::mem::replace(&mut first_child[parent], k as u32);
        }
    }
    let mut result = Vec::with_capacity(n);
    while let Some(k) = pending.pop() {
        result.push(order[k as usize]);
        let from = pending.len();
        let mut child = first_child[k as usize];
        while child != NONE {
            pending.push(child);
            child = sibling[child as usize];
        }
        pending[from..].reverse();
    }
    result.reverse();
    result
}

/// `None` where METIS refuses or returns something that is no permutation.
fn dissect(pattern: &BlockPattern) -> Option<Vec<u32>> {
    let node_count = pattern.node_count();
    let mut start = Vec::with_capacity(node_count + 1);
    let mut neighbours = Vec::with_capacity(pattern.block_count());
    start.push(0);
    for i in 0..node_count {
        neighbours.extend(pattern.row(i).iter().filter(|&&j| j as usize != i).map(|&j| j as idx_t));
        start.push(idx_t::try_from(neighbours.len()).ok()?);
    }
    if neighbours.is_empty() {
        return None;
    }
    let mut options = [0 as idx_t; METIS_NOPTIONS as usize];
    let (mut order, mut place) = (vec![0 as idx_t; node_count], vec![0 as idx_t; node_count]);
    let turn = METIS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    // SAFETY: the graph is symmetric, without loops, and all buffers have the sizes METIS documents.
    let status = unsafe {
        METIS_SetDefaultOptions(options.as_mut_ptr());
        options[metis_sys::moptions_et_METIS_OPTION_SEED as usize] = 1;
        METIS_NodeND(
            &mut idx_t::try_from(node_count).ok()?,
            start.as_mut_ptr(),
            neighbours.as_mut_ptr(),
            std::ptr::null_mut(),
            options.as_mut_ptr(),
            order.as_mut_ptr(),
            place.as_mut_ptr(),
        )
    };
    drop(turn);
    let order: Vec<u32> = order.into_iter().map(|node| node as u32).collect();
    (status == metis_sys::rstatus_et_METIS_OK && is_permutation(&order, node_count)).then_some(order)
}

fn minimum_degree(pattern: &BlockPattern) -> Option<Vec<u32>> {
    let (n, entries) = (pattern.node_count(), pattern.block_count());
    let graph = SymbolicSparseColMatRef::new_checked(n, n, &pattern.row_start, None, &pattern.cols);
    let (mut order, mut place) = (vec![0u32; n], vec![0u32; n]);
    let mut memory = MemBuffer::try_new(amd::order_scratch::<u32>(n, entries)).ok()?;
    amd::order(&mut order, &mut place, graph, amd::Control::default(), MemStack::new(&mut memory)).ok()?;
    is_permutation(&order, n).then_some(order)
}

/// Whether every node below `node_count` occurs once.
pub(super) fn is_permutation(order: &[u32], node_count: usize) -> bool {
    let mut seen = vec![false; node_count];
    order.len() == node_count
        && order.iter().all(|&node| (node as usize) < node_count && !std::mem::replace(&mut seen[node as usize], true))
}
