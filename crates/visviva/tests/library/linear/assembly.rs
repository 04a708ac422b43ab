//! Patterns and scatter maps against a dense reference.

use super::tet_box::{TetBox, contacts};
use std::sync::Arc;
use visviva::solve::linear::{
    BlockMatrix, BlockPattern, GrowingPattern, LinearError, PINNED, Scatter, StencilSlots, scalar_blocks,
};

type Dense = Vec<Vec<f64>>;

fn add_dense(dense: &mut Dense, nodes: &[u32], blocks: &[[f64; 9]]) {
    let mut next = blocks.iter();
    for a in 0..nodes.len() {
        for b in a..nodes.len() {
            let h = next.next().unwrap();
            if nodes[a] == PINNED || nodes[b] == PINNED {
                continue;
            }
            for k in 0..9 {
                let (r, c) = (3 * nodes[a] as usize + k % 3, 3 * nodes[b] as usize + k / 3);
                dense[r][c] += h[k];
                if a != b {
                    dense[c][r] += h[k];
                }
            }
        }
    }
}

fn assert_equals_dense(matrix: &BlockMatrix, dense: &Dense) {
    let scale = dense.iter().flatten().fold(0.0f64, |m, v| m.max(v.abs()));
    for i in 0..matrix.node_count() {
        for j in 0..matrix.node_count() {
            let block = matrix.block(i as u32, j as u32).copied().unwrap_or([0.0; 9]);
            for k in 0..9 {
                let wanted = dense[3 * i + k % 3][3 * j + k / 3];
                assert!((block[k] - wanted).abs() <= 1e-14 * scale, "block ({i}, {j}): {} and {wanted}", block[k]);
            }
        }
    }
}

#[test]
fn assembly_equals_the_dense_sum_over_tets_with_pins() {
    let tets = TetBox::new([4, 3, 5], 0.2);
    let blocks = tets.blocks(1e5);
    let mut dense = vec![vec![0.0; 3 * tets.node_count]; 3 * tets.node_count];
    tets.tets.iter().zip(blocks.chunks(10)).for_each(|(tet, blocks)| add_dense(&mut dense, tet, blocks));
    (0..3 * tets.node_count).for_each(|k| dense[k][k] += tets.mass_over_h2[k / 3]);
    let matrix = tets.matrix(1e5);
    assert_equals_dense(&matrix, &dense);
    for i in 0..tets.node_count as u32 {
        assert!(tets.pattern.row(i as usize).is_sorted() && tets.pattern.slot(i, i).is_some());
        for &j in tets.pattern.row(i as usize) {
            let (upper, lower) = (matrix.block(i, j).unwrap(), matrix.block(j, i).unwrap());
            assert!((0..9).all(|k| upper[k] == lower[3 * (k % 3) + k / 3]), "blocks ({i}, {j}) differ");
        }
    }
}

#[test]
fn gradients_gather_to_free_nodes_only() {
    let tets = TetBox::new([3, 3, 3], 0.3);
    let entries: Vec<[f64; 3]> = (0..4 * tets.tets.len()).map(|k| [k as f64, -1.0, 0.5 * k as f64]).collect();
    let mut gathered = vec![1.0; 3 * tets.node_count];
    tets.scatter.add_gradient(&entries, &mut gathered).unwrap();
    let mut wanted = vec![1.0; 3 * tets.node_count];
    for (k, &node) in tets.tets.iter().flatten().enumerate().filter(|&(_, &node)| node != PINNED) {
        (0..3).for_each(|c| wanted[3 * node as usize + c] += entries[k][c]);
    }
    assert_eq!(gathered, wanted);
}

#[test]
fn contact_grows_the_pattern_and_keeps_the_elastic_map() {
    let tets = TetBox::new([3, 4, 3], 0.1);
    let mut dense = vec![vec![0.0; 3 * tets.node_count]; 3 * tets.node_count];
    let blocks = tets.blocks(1e5);
    tets.tets.iter().zip(blocks.chunks(10)).for_each(|(tet, blocks)| add_dense(&mut dense, tet, blocks));
    let touching = contacts(tets.node_count, 12, 1e4, 1);
    let mut growing = GrowingPattern::new(tets.pattern.clone());
    let union = growing.update(touching.iter().map(|(nodes, _)| nodes.as_slice())).unwrap().clone();
    assert!(union.block_count() > tets.pattern.block_count());
    let mut matrix = BlockMatrix::zeros(tets.pattern.clone());
    matrix.reset(&union);
    tets.scatter.add_blocks(&blocks, &mut matrix).unwrap();
    for (nodes, blocks) in &touching {
        matrix.add_stencil(nodes, blocks).unwrap();
        add_dense(&mut dense, nodes, blocks);
    }
    assert_equals_dense(&matrix, &dense);
    // The same pairs in another order, or fewer of them, leave the pattern in place.
    let same = growing.update(touching.iter().rev().map(|(nodes, _)| nodes.as_slice())).unwrap();
    assert!(Arc::ptr_eq(&union, same));
    let fewer = growing.update(touching[..9].iter().map(|(nodes, _)| nodes.as_slice())).unwrap();
    assert!(Arc::ptr_eq(&union, fewer));
    let restored = GrowingPattern::restored(tets.pattern.clone(), growing.extra().to_vec()).unwrap();
    assert_eq!(restored.pattern().fingerprint(), union.fingerprint());
}

#[test]
fn departed_pairs_leave_when_they_outnumber_the_living() {
    let tets = TetBox::new([6, 6, 6], 0.0);
    let mut growing = GrowingPattern::new(tets.pattern.clone());
    let many = contacts(tets.node_count, 300, 1.0, 2);
    let full = growing.update(many.iter().map(|(nodes, _)| nodes.as_slice())).unwrap().block_count();
    let few = growing.update(many[..5].iter().map(|(nodes, _)| nodes.as_slice())).unwrap().block_count();
    assert!(few < full && few <= tets.pattern.block_count() + 10);
}

#[test]
fn stencils_of_all_sizes_and_repeated_nodes_assemble_alike_by_map_and_by_hand() {
    let stencils: [&[u32]; 5] = [&[0], &[2, 0, 1], &[3, 3], &[4, PINNED, 1, 4], &[PINNED; 4]];
    let pattern = Arc::new(BlockPattern::from_stencils(5, stencils).unwrap());
    let scatter = Scatter::new(&pattern, stencils).unwrap();
    let blocks: Vec<[f64; 9]> =
        (0..scatter.block_count()).map(|b| std::array::from_fn(|k| (b * 9 + k) as f64)).collect();
    let mut mapped = BlockMatrix::zeros(pattern.clone());
    scatter.add_blocks(&blocks, &mut mapped).unwrap();
    let mut by_hand = BlockMatrix::zeros(pattern);
    let mut dense = vec![vec![0.0; 15]; 15];
    let mut rest = blocks.as_slice();
    for stencil in stencils {
        let (own, others) = rest.split_at(stencil.len() * (stencil.len() + 1) / 2);
        by_hand.add_stencil(stencil, own).unwrap();
        add_dense(&mut dense, stencil, own);
        rest = others;
    }
    assert_equals_dense(&mapped, &dense);
    assert_equals_dense(&by_hand, &dense);
}

#[test]
fn a_coupled_mass_enters_as_scaled_identities() {
    let mut blocks = [[9.0; 9]; 3];
    scalar_blocks(&[2.0, -1.0, 3.0], &mut blocks);
    let pattern = Arc::new(BlockPattern::from_stencils(2, [[0u32, 1].as_slice()]).unwrap());
    let mut matrix = BlockMatrix::zeros(pattern);
    matrix.add_stencil(&[0, 1], &blocks).unwrap();
    assert_eq!(matrix.block(1, 0).unwrap(), &[-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0]);
    assert_eq!(matrix.block(1, 1).unwrap()[4], 3.0);
}

#[test]
fn wrong_nodes_lengths_and_patterns_are_errors() {
    let pair: &[u32] = &[0, 1];
    let pattern = Arc::new(BlockPattern::from_stencils(3, [pair]).unwrap());
    let other = Arc::new(BlockPattern::from_stencils(3, [[1u32, 2].as_slice()]).unwrap());
    let too_high = LinearError::NoSuchNode { node: 7, node_count: 3 };
    assert_eq!(BlockPattern::from_stencils(3, [[0u32, 7].as_slice()]), Err(too_high.clone()));
    assert_eq!(pattern.extended(&[[0, 7]]), Err(too_high));
    let scatter = Scatter::new(&pattern, [pair]).unwrap();
    assert!(Scatter::new(&other, [pair]).is_err());
    let mut matrix = BlockMatrix::zeros(other);
    assert_eq!(scatter.add_blocks(&[[0.0; 9]; 3], &mut matrix), Err(LinearError::ForeignPattern));
    assert!(matches!(scatter.add_blocks(&[[0.0; 9]; 2], &mut matrix), Err(LinearError::Length { .. })));
    assert_eq!(matrix.add_stencil(pair, &[[0.0; 9]; 3]), Err(LinearError::MissingBlock { row: 0, col: 1 }));
    assert!(matrix.add_diagonal(&[1.0]).is_err());
}

#[test]
fn known_slots_take_blocks_as_the_stencil_does() {
    // A node twice, and one that is pinned.
    let nodes = [4, 1, PINNED, 4, 2];
    let block = |k: usize| std::array::from_fn(|i| (1.0 + (9 * k + i) as f64).sin());
    let blocks: Vec<[f64; 9]> = (0..15).map(block).collect();
    let pattern = Arc::new(BlockPattern::from_stencils(6, [&nodes[..], &[0, 1, 3, 5]]).unwrap());
    let (mut one, mut other) = (BlockMatrix::zeros(Arc::clone(&pattern)), BlockMatrix::zeros(Arc::clone(&pattern)));
    one.add_stencil(&nodes, &blocks).unwrap();
    let slots = StencilSlots::new(&pattern, &nodes).unwrap();
    assert_eq!(slots.block_count(), blocks.len());
    other.add_to_slots(&slots, &blocks).unwrap();
    for (i, j) in (0..6).flat_map(|i| (0..6).map(move |j| (i, j))) {
        assert_eq!(one.block(i, j), other.block(i, j));
    }
    assert!(one.block(4, 1).unwrap().iter().all(|&value| value != 0.0));
    assert_eq!(StencilSlots::new(&pattern, &[0, 4]), Err(LinearError::MissingBlock { row: 0, col: 4 }));
    assert!(other.add_to_slots(&slots, &blocks[1..]).is_err());
    let foreign = Arc::new(BlockPattern::from_stencils(6, [&nodes[..]]).unwrap());
    assert_eq!(BlockMatrix::zeros(foreign).add_to_slots(&slots, &blocks), Err(LinearError::ForeignPattern));
}
