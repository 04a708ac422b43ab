//! The leaves that tets are made over: cells at the surface, larger octants inside where that is wanted.

use super::Grading;
use super::error::StuffingError;
use super::octants::{Octants, distances};
use super::spot::{Frame, Spot};
use crate::Field;
use std::collections::{HashMap, HashSet};

#[derive(Debug)]
pub struct Octree {
    leaves: HashSet<Spot>,
    /// Distances at the corners and centres of the cells near the surface `[m]`; what has none lies inside
    pub distances: HashMap<Spot, f64>,
}

/// Distances shorter than this fraction of a cell are none: the surface goes through the point.
const ON_SURFACE: f64 = 1e-9;

impl Octree {
    pub fn new(field: &dyn Field, frame: &Frame, octants: &Octants, grading: Grading) -> Result<Self, StuffingError> {
        let mut tree = Self { leaves: octants.inside.iter().copied().collect(), distances: HashMap::new() };
        tree.surround_surface(field, frame, &octants.near)?;
        let coarsest = match grading {
            Grading::Uniform => 0,
            Grading::Graded { doublings } => doublings,
        };
        for level in (coarsest + 1..=frame.root_level).rev() {
            tree.of_level(level).into_iter().for_each(|leaf| tree.split(leaf));
        }
        tree.balance(coarsest);
        Ok(tree)
    }

    pub fn contains(&self, leaf: Spot) -> bool {
        self.leaves.contains(&leaf)
    }

    /// All leaves, in the one order that does not depend on how they came.
    pub fn sorted(&self) -> Vec<Spot> {
        let mut leaves: Vec<Spot> = self.leaves.iter().copied().collect();
        leaves.sort_unstable();
        leaves
    }

    /// Makes cells of all that touches a cell with both sides of the surface. A vertex that warps then has lattice tets
    /// of one size around it: the angles proven for the uniform lattice hold in a graded one.
    fn surround_surface(&mut self, field: &dyn Field, frame: &Frame, near: &[Spot]) -> Result<(), StuffingError> {
        let mut cells: HashSet<Spot> = near.iter().copied().collect();
        let mut fresh = near.to_vec();
        while !fresh.is_empty() {
            let spots = fresh.iter().flat_map(|&cell| cell.corners().chain([cell]));
            let mut unknown: Vec<Spot> = spots.filter(|spot| !self.distances.contains_key(spot)).collect();
            unknown.sort_unstable();
            unknown.dedup();
            let found = distances(field, frame, &unknown)?;
            let negligible = ON_SURFACE * frame.cell();
            let snapped = found.into_iter().map(|d| if d.abs() < negligible { 0.0 } else { d });
            self.distances.extend(unknown.into_iter().zip(snapped));
            let mut next = Vec::new();
            for cell in fresh {
                self.make_leaf(cell);
                let signs = || cell.corners().chain([cell]).map(|spot| self.distances[&spot]);
                if signs().any(|d| d <= 0.0) && signs().any(|d| d >= 0.0) {
                    next.extend(cell.around().filter(|&neighbour| cells.insert(neighbour)));
                }
            }
            fresh = next;
        }
        Ok(())
    }

    fn of_level(&self, level: u32) -> Vec<Spot> {
        self.leaves.iter().copied().filter(|leaf| leaf.level() == level).collect()
    }

    fn split(&mut self, leaf: Spot) {
        self.leaves.remove(&leaf);
        self.leaves.extend(leaf.children());
    }

    /// The leaf above an octant that has to be split for it to be a leaf.
    fn leaf_above(&self, octant: Spot) -> Option<Spot> {
        let levels = octant.level() + 1..super::spot::MOST_LEVELS;
        levels.map(|level| octant.ancestor(level)).find(|ancestor| self.leaves.contains(ancestor))
    }

    fn make_leaf(&mut self, octant: Spot) {
        while let Some(above) = self.leaf_above(octant) {
            self.split(above);
        }
        self.leaves.insert(octant);
    }

    /// Leaves that touch differ by at most one level: each level asks only higher ones to split, so one pass is enough.
    fn balance(&mut self, coarsest: u32) {
        for level in 0..coarsest {
            for leaf in self.of_level(level) {
                for neighbour in leaf.around() {
                    let allowed = neighbour.ancestor(level + 1);
                    while let Some(above) = self.leaf_above(allowed) {
                        self.split(above);
                    }
                }
            }
        }
    }
}
