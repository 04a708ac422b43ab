//! Makes the boundary a manifold: parts that touch in a node or an edge get nodes of their own and move apart a little.

use super::angles::margin;
use super::star::{Pinch, Stars, pinch};
use crate::Solid;
use nalgebra::Vector3;
use std::collections::BTreeSet;

/// How far a part draws back from where it touched another, in cells: contact needs a gap to begin with.
const GAP: f64 = 0.05;
/// Halvings of the gap where the angles would leave their bounds.
const HALVINGS: i32 = 8;

/// Resolves what touches at the suspected nodes; only vertices that warped can be such.
pub fn resolve(solid: &mut Solid, suspects: &[u32], cell: f64) {
    let mut suspects: BTreeSet<u32> = suspects.iter().copied().collect();
    let mut parted: BTreeSet<u32> = BTreeSet::new();
    loop {
        let stars = Stars::of(solid, &suspects);
        let found: Vec<(u32, Pinch)> = stars.iter().filter_map(|(node, star)| Some((node, pinch(&star)?))).collect();
        // Parting first: what then still touches itself is less.
        let apart = found.iter().filter_map(|(node, pinch)| match pinch {
            Pinch::Apart(groups) => Some((*node, groups)),
            Pinch::Touching(_) => None,
        });
        let mut changed = false;
        for (node, groups) in apart {
            changed = true;
            parted.insert(node);
            for group in &groups[1..] {
                let copy = solid.positions.len() as u32;
                solid.positions.push(solid.positions[node as usize]);
                parted.insert(copy);
                suspects.insert(copy);
                for &tet in group {
                    solid.tets[tet as usize].iter_mut().filter(|v| **v == node).for_each(|v| *v = copy);
                }
            }
        }
        if !changed {
            let touching = found.iter().flat_map(|(_, pinch)| match pinch {
                Pinch::Touching(tets) => tets.as_slice(),
                Pinch::Apart(_) => &[],
            });
            let gone: BTreeSet<u32> = touching.copied().collect();
            if gone.is_empty() {
                break;
            }
            suspects.extend(gone.iter().flat_map(|&tet| solid.tets[tet as usize]));
            let mut number = 0;
            solid.tets.retain(|_| {
                number += 1;
                !gone.contains(&(number - 1))
            });
        }
    }
    draw_back(solid, &parted, cell);
    solid.drop_unused();
}

/// Moves parted nodes into their own tets.
fn draw_back(solid: &mut Solid, parted: &BTreeSet<u32>, cell: f64) {
    let stars = Stars::of(solid, parted);
    for (node, star) in stars.iter() {
        let here = solid.positions[node as usize];
        let middle = |rest: &[u32; 3]| rest.iter().map(|&v| solid.positions[v as usize]).sum::<Vector3<f64>>() / 3.0;
        let inwards: Vector3<f64> = star.iter().map(|(_, rest)| middle(rest) - here).sum();
        let Some(inwards) = inwards.try_normalize(1e-6 * cell) else { continue };
        for halving in 0..=HALVINGS {
            solid.positions[node as usize] = here + inwards * (GAP * cell * 0.5f64.powi(halving));
            if margin(solid, &star) > 0.0 {
                break;
            }
            solid.positions[node as usize] = here;
        }
    }
}
