//! A tree of boxes over things in space, split at the median: the nearest of n in about log n steps.

use nalgebra::Vector3;

/// Things in a leaf: fewer make the tree deeper than their tests cost.
const LEAF: usize = 4;

/// An axis-aligned box `[m]`.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    pub low: Vector3<f64>,
    pub high: Vector3<f64>,
}

impl Extent {
    pub fn around<'a>(points: impl IntoIterator<Item = &'a Vector3<f64>>) -> Self {
        let empty = Self { low: Vector3::repeat(f64::INFINITY), high: Vector3::repeat(f64::NEG_INFINITY) };
        points.into_iter().fold(empty, |extent, p| Self { low: extent.low.inf(p), high: extent.high.sup(p) })
    }

    fn union(&self, other: &Self) -> Self {
        Self { low: self.low.inf(&other.low), high: self.high.sup(&other.high) }
    }

    /// Square of the distance to a point `[m²]`, 0 inside.
    pub fn distance_squared(&self, point: &Vector3<f64>) -> f64 {
        let mut sum = 0.0;
        for k in 0..3 {
            let beyond = (self.low[k] - point[k]).max(point[k] - self.high[k]).max(0.0);
            sum += beyond * beyond;
        }
        sum
    }
}

/// The left child of a node follows it; leaves have no right one.
#[derive(Debug, Clone)]
pub struct Node {
    pub extent: Extent,
    pub start: u32,
    pub end: u32,
    pub right: Option<u32>,
}

#[derive(Debug, Clone, Default)]
pub struct Bvh {
    pub nodes: Vec<Node>,
    /// Things in the order of the leaves
    pub order: Vec<u32>,
}

impl Bvh {
    pub fn new(extents: &[Extent]) -> Self {
        let mut bvh = Self { nodes: Vec::new(), order: (0..extents.len() as u32).collect() };
        if !extents.is_empty() {
            bvh.split(extents, 0, extents.len());
        }
        bvh
    }

    fn split(&mut self, extents: &[Extent], start: usize, end: usize) {
        let things = &mut self.order[start..end];
        let boxes = things.iter().map(|&i| extents[i as usize]);
        let extent = boxes.reduce(|a, b| a.union(&b)).expect("a node holds something");
        let node = self.nodes.len();
        self.nodes.push(Node { extent, start: start as u32, end: end as u32, right: None });
        if things.len() <= LEAF {
            return;
        }
        let middle = |i: u32| extents[i as usize].low + extents[i as usize].high;
        let middles = Extent::around(&things.iter().map(|&i| middle(i)).collect::<Vec<_>>());
        let axis = (middles.high - middles.low).imax();
        let half = things.len() / 2;
        // The index decides between equals, so that the tree is one and the same everywhere.
        things.select_nth_unstable_by(half, |&a, &b| middle(a)[axis].total_cmp(&middle(b)[axis]).then(a.cmp(&b)));
        self.split(extents, start, start + half);
        self.nodes[node].right = Some(self.nodes.len() as u32);
        self.split(extents, start + half, end);
    }

    pub fn things(&self, node: &Node) -> &[u32] {
        &self.order[node.start as usize..node.end as usize]
    }

    /// Visits what may be nearer to a point than the square of a distance `[m²]`, which each visit returns anew.
    pub fn approach(&self, point: &Vector3<f64>, mut best: f64, mut visit: impl FnMut(u32) -> f64) {
        let mut open = Vec::with_capacity(64);
        if let Some(root) = self.nodes.first() {
            open.push((root.extent.distance_squared(point), 0));
        }
        while let Some((distance, at)) = open.pop() {
            if distance >= best {
                continue;
            }
            let node = &self.nodes[at as usize];
            let Some(right) = node.right else {
                self.things(node).iter().for_each(|&thing| best = visit(thing));
                continue;
            };
            let ways = [at + 1, right].map(|child| (self.nodes[child as usize].extent.distance_squared(point), child));
            let nearer = usize::from(ways[1].0 < ways[0].0);
            open.extend([ways[1 - nearer], ways[nearer]]);
        }
    }
}
