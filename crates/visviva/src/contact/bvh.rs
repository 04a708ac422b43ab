//! A tree of boxes over primitives in Morton order: built by one sort, refitted while that pays (Lauterbach et al. 2009).
//!
//! The tree is implicit: node i has the children 2i and 2i + 1, leaves hold eight primitives in a row.

use super::distance::Point;
use rayon::prelude::*;

/// An axis-aligned box in single precision, rounded outwards: half the memory, never too small.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    low: [f32; 4],
    high: [f32; 4],
}

impl Aabb {
    pub const EMPTY: Self = Self { low: [f32::INFINITY; 4], high: [f32::NEG_INFINITY; 4] };

    /// Around points, with a margin `[m]` on all sides.
    pub fn around(points: impl Iterator<Item = Point>, margin: f64) -> Self {
        let (mut low, mut high) = (Point::repeat(f64::INFINITY), Point::repeat(f64::NEG_INFINITY));
        for p in points {
            low = low.inf(&p);
            high = high.sup(&p);
        }
        let mut around = Self { low: [0.0; 4], high: [0.0; 4] };
        for k in 0..3 {
            around.low[k] = ((low[k] - margin) as f32).next_down();
            around.high[k] = ((high[k] + margin) as f32).next_up();
        }
        around
    }

    /// With a margin `[m]` on all sides.
    pub fn wider(&self, margin: f64) -> Self {
        let mut wider = *self;
        for k in 0..3 {
            wider.low[k] = ((f64::from(self.low[k]) - margin) as f32).next_down();
            wider.high[k] = ((f64::from(self.high[k]) + margin) as f32).next_up();
        }
        wider
    }

    pub fn overlaps(&self, other: &Self) -> bool {
        // All four lanes without a branch: one vector comparison each way.
        let mut apart = false;
        for k in 0..4 {
            apart |= (self.low[k] > other.high[k]) | (other.low[k] > self.high[k]);
        }
        !apart
    }

    pub fn union(&self, other: &Self) -> Self {
        Self {
            low: std::array::from_fn(|k| self.low[k].min(other.low[k])),
            high: std::array::from_fn(|k| self.high[k].max(other.high[k])),
        }
    }

    /// The sum of the sides: what the chance to be visited grows with; finite for flat boxes too.
    fn girth(&self) -> f64 {
        (0..3).map(|k| (self.high[k] as f64 - self.low[k] as f64).max(0.0)).sum()
    }
}

/// Of 2, 4 and 8 the fastest, by a tenth each.
const LEAF: usize = 8;
/// A refitted tree whose boxes have grown by this factor relative to its primitives is sorted anew.
const WORN: f64 = 1.3;

#[derive(Debug, Default)]
pub struct Bvh {
    /// Primitive at each place of the Morton order
    order: Vec<u32>,
    /// Boxes of primitives in that order
    boxes: Vec<Aabb>,
    /// nodes[1] is the root; the leaves are the last half
    nodes: Vec<Aabb>,
    keys: Vec<(u64, u32)>,
    wear_when_built: f64,
}

impl Bvh {
    /// A tree over cells of N vertices at x, and which cells they are: those with a vertex that is not finite are left out.
    pub fn over_finite<const N: usize>(cells: &[[u32; N]], x: &[Point]) -> (Vec<u32>, Self) {
        let corners = |cell: u32| cells[cell as usize].map(|v| x[v as usize]);
        let finite = |cell: &u32| corners(*cell).iter().flatten().all(|c| c.is_finite());
        let kept: Vec<u32> = (0..cells.len() as u32).into_par_iter().filter(finite).collect();
        let boxes: Vec<Aabb> = kept.par_iter().map(|&cell| Aabb::around(corners(cell).into_iter(), 0.0)).collect();
        let mut tree = Self::default();
        tree.refresh(&boxes);
        (kept, tree)
    }

    pub fn len(&self) -> usize {
        self.order.len()
    }

    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Rows of eight primitives: what one query asks for
    pub fn leaf_count(&self) -> usize {
        self.len().div_ceil(LEAF)
    }

    /// Takes new boxes for the same or other primitives.
    pub fn refresh(&mut self, boxes: &[Aabb]) {
        if self.len() != boxes.len() || self.fit(boxes) > WORN * self.wear_when_built {
            self.sort(boxes);
            self.wear_when_built = self.fit(boxes);
        }
    }

    fn sort(&mut self, boxes: &[Aabb]) {
        let whole = boxes.iter().fold(Aabb::EMPTY, |whole, b| whole.union(b));
        let scale: [f64; 3] = std::array::from_fn(|k| {
            let width = whole.high[k] as f64 - whole.low[k] as f64;
            if width > 0.0 && width.is_finite() { ((1 << 21) - 1) as f64 / width } else { 0.0 }
        });
        let key = |b: &Aabb| {
            (0..3).fold(0, |key, k| {
                let centre = 0.5 * (b.low[k] as f64 + b.high[k] as f64) - whole.low[k] as f64;
                key | spread((centre * scale[k]) as u64) << k
            })
        };
        self.keys.clear();
        self.keys.par_extend(boxes.par_iter().enumerate().map(|(i, b)| (key(b), i as u32)));
        self.keys.par_sort_unstable();
        self.order.clear();
        self.order.extend(self.keys.iter().map(|&(_, primitive)| primitive));
    }

    /// Sets all boxes from the primitives up; returns the girth of the nodes relative to that of the primitives.
    fn fit(&mut self, boxes: &[Aabb]) -> f64 {
        let leaf_count = self.len().div_ceil(LEAF).next_power_of_two();
        self.boxes.resize(self.len(), Aabb::EMPTY);
        self.boxes.par_iter_mut().zip(&self.order).with_min_len(4096).for_each(|(to, &i)| *to = boxes[i as usize]);
        self.nodes.clear();
        self.nodes.resize(2 * leaf_count, Aabb::EMPTY);
        for (node, row) in self.nodes[leaf_count..].iter_mut().zip(self.boxes.chunks(LEAF)) {
            *node = row.iter().fold(Aabb::EMPTY, |whole, b| whole.union(b));
        }
        for i in (1..leaf_count).rev() {
            self.nodes[i] = self.nodes[2 * i].union(&self.nodes[2 * i + 1]);
        }
        let primitives: f64 = self.boxes.iter().map(Aabb::girth).sum();
        let nodes: f64 = self.nodes.iter().map(Aabb::girth).sum();
        if primitives > 0.0 { nodes / primitives } else { 0.0 }
    }

    /// Visits (primitive of the other tree's leaf, primitive of this tree) for all pairs whose boxes overlap. Neighbours descend
    /// together and part in the leaves.
    pub fn query(&self, other: &Bvh, leaf: usize, visit: impl FnMut(u32, u32)) {
        self.visit(other, leaf, false, visit);
    }

    /// The same within the tree, each pair once: the second one lies behind the first in the tree's order.
    pub fn query_self(&self, leaf: usize, visit: impl FnMut(u32, u32)) {
        self.visit(self, leaf, true, visit);
    }

    fn visit(&self, other: &Bvh, leaf: usize, within: bool, mut visit: impl FnMut(u32, u32)) {
        if self.is_empty() {
            return;
        }
        let target = &other.nodes[other.nodes.len() / 2 + leaf];
        let asking = LEAF * leaf..(LEAF * (leaf + 1)).min(other.len());
        let from = if within { asking.start } else { 0 };
        let leaf_count = self.nodes.len() / 2;
        let depth = leaf_count.ilog2();
        // A descent leaves at most one sibling a level behind.
        let mut stack = [0usize; 34];
        stack[0] = 1;
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let node = stack[top];
            let end = LEAF * (((node + 1) << (depth - node.ilog2())) - leaf_count);
            if end <= from || !self.nodes[node].overlaps(target) {
                continue;
            }
            if node < leaf_count {
                stack[top] = 2 * node + 1;
                stack[top + 1] = 2 * node;
                top += 2;
                continue;
            }
            for place in LEAF * (node - leaf_count)..end.min(self.len()) {
                if !self.boxes[place].overlaps(target) {
                    continue;
                }
                for asker in asking.clone() {
                    if (!within || asker < place) && self.boxes[place].overlaps(&other.boxes[asker]) {
                        visit(other.order[asker], self.order[place]);
                    }
                }
            }
        }
    }
}

/// Two zero bits between any two of the lowest 21.
fn spread(mut bits: u64) -> u64 {
    bits &= 0x1F_FFFF;
    for (shift, mask) in [
        (32, 0x001F_0000_0000_FFFF),
        (16, 0x001F_0000_FF00_00FF),
        (8, 0x100F_00F0_0F00_F00F),
        (4, 0x10C3_0C30_C30C_30C3),
        (2, 0x1249_2492_4924_9249),
    ] {
        bits = (bits | bits << shift) & mask;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::sampling::Random;

    fn random_boxes(random: &mut Random, count: usize, spread: f64) -> Vec<Aabb> {
        (0..count)
            .map(|_| {
                let centre = spread * random.point();
                Aabb::around([centre, centre + 0.1 * random.point()].into_iter(), 0.01)
            })
            .collect()
    }

    fn all_pairs(bvh: &Bvh, other: Option<&Bvh>) -> Vec<[u32; 2]> {
        let mut found = vec![];
        for leaf in 0..other.unwrap_or(bvh).leaf_count() {
            match other {
                Some(other) => bvh.query(other, leaf, |a, b| found.push([a, b])),
                None => bvh.query_self(leaf, |a, b| found.push([a.min(b), a.max(b)])),
            }
        }
        found.sort_unstable();
        found
    }

    #[test]
    fn queries_find_what_comparing_all_boxes_finds_after_refits_too() {
        let mut random = Random(11);
        let (mut bvh, mut asking) = (Bvh::default(), Bvh::default());
        for count in [0, 1, 3, 4, 5, 17, 200, 200, 200, 333] {
            let boxes = random_boxes(&mut random, count, 0.5);
            let askers = random_boxes(&mut random, 2 * count / 3, 0.5);
            bvh.refresh(&boxes);
            asking.refresh(&askers);
            let indices = |boxes: &[Aabb]| 0..boxes.len() as u32;
            let overlap = |a: &Aabb, b: u32| a.overlaps(&boxes[b as usize]);
            let mut expected = vec![];
            for a in indices(&askers) {
                expected.extend(indices(&boxes).filter(|&b| overlap(&askers[a as usize], b)).map(|b| [a, b]));
            }
            assert_eq!(all_pairs(&bvh, Some(&asking)), expected);
            expected.clear();
            for a in indices(&boxes) {
                expected
                    .extend((a + 1..boxes.len() as u32).filter(|&b| overlap(&boxes[a as usize], b)).map(|b| [a, b]));
            }
            assert_eq!(all_pairs(&bvh, None), expected);
        }
    }

    #[test]
    fn boxes_round_outwards_and_far_or_flat_ones_are_kept() {
        let mut bvh = Bvh::default();
        let far = Point::new(1e9 + 0.3, 0.0, -1e-30);
        let boxes = vec![Aabb::around([far].into_iter(), 0.0); 9];
        assert!((boxes[0].low[0] as f64) < far.x && (boxes[0].high[0] as f64) > far.x);
        bvh.refresh(&boxes);
        assert_eq!(all_pairs(&bvh, None).len(), 36);
    }
}
