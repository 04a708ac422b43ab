//! Where a surface goes through itself, decided exactly; a tree of boxes finds who is near.

use crate::exact::{is_flat, segment_meets_triangle, triangles_meet};
use crate::{PolygonMesh, Triangulation};
use nalgebra::Vector3;

/// Two faces that meet in more than the vertices they share.
#[derive(Debug, Clone, PartialEq)]
pub struct Crossing {
    /// Lower first
    pub polygons: [u32; 2],
    /// A point that they have in common, to rounding `[m]`
    pub at: Vector3<f64>,
}

/// The search ends with as many pairs of triangles …
const MOST_FOUND: usize = 1000;
/// … or after as much work, in comparisons of boxes: fans of many triangles around one vertex are all near each other.
const MOST_WORK: usize = 20_000_000;
/// What surfaces need that are well shaped is a third of this, for each triangle.
const WORK_PER_TRIANGLE: usize = 1000;
/// An exact comparison, in comparisons of boxes
const EXACT: usize = 20;

/// The crossings in ascending order, and whether these are all. Faces without area are not looked at.
pub(super) fn crossings(mesh: &PolygonMesh, cut: &Triangulation) -> (Vec<Crossing>, bool) {
    let corners = |t: u32| cut.triangles[t as usize].map(|vertex| mesh.positions[vertex as usize]);
    let has_area = |&t: &u32| {
        let [a, b, c] = corners(t);
        !is_flat(&a, &b, &c)
    };
    let judged: Vec<u32> = (0..cut.triangles.len() as u32).filter(has_area).collect();
    let mut search = Search { work: MOST_WORK + WORK_PER_TRIANGLE * judged.len(), found: Vec::new(), mesh, cut };
    let tree = Tree::new(judged, corners);
    let is_whole = tree.nodes.is_empty() || search.within(&tree, 0);
    search.found.sort_by_key(|crossing| crossing.polygons);
    search.found.dedup_by_key(|crossing| crossing.polygons);
    (search.found, is_whole)
}

struct Search<'a> {
    /// That is left
    work: usize,
    found: Vec<Crossing>,
    mesh: &'a PolygonMesh,
    cut: &'a Triangulation,
}

impl Search<'_> {
    /// Compares all triangles of a node with each other; false where the search is given up.
    fn within(&mut self, tree: &Tree, node: usize) -> bool {
        match tree.nodes[node].children {
            Some([a, b]) => self.within(tree, a) && self.within(tree, b) && self.between(tree, a, b),
            None => {
                let own = tree.triangles(node);
                (0..own.len()).all(|k| own[..k].iter().all(|&other| self.compare(other, own[k])))
            }
        }
    }

    fn between(&mut self, tree: &Tree, a: usize, b: usize) -> bool {
        let (first, second) = (&tree.nodes[a], &tree.nodes[b]);
        if !first.overlaps(second) {
            return true;
        }
        match (first.children, second.children) {
            (Some([p, q]), _) if second.children.is_none() || first.count >= second.count => {
                self.between(tree, p, b) && self.between(tree, q, b)
            }
            (_, Some([p, q])) => self.between(tree, a, p) && self.between(tree, a, q),
            _ => tree.triangles(a).iter().all(|&t| tree.triangles(b).iter().all(|&other| self.compare(t, other))),
        }
    }

    fn compare(&mut self, a: u32, b: u32) -> bool {
        let mut polygons = [a, b].map(|t| self.cut.polygon_of[t as usize]);
        let pair = [a, b].map(|t| self.cut.triangles[t as usize]);
        let corners = pair.map(|triangle| triangle.map(|vertex| self.mesh.positions[vertex as usize]));
        let bounds = corners.map(|[a, b, c]| (a.inf(&b).inf(&c), a.sup(&b).sup(&c)));
        let [(low, high), (other_low, other_high)] = &bounds;
        let is_near = (0..3).all(|k| low[k] <= other_high[k] && other_low[k] <= high[k]);
        // Triangles of one polygon were cut so that they do not cross.
        let is_asked = is_near && polygons[0] != polygons[1];
        if is_asked && triangles_meet(pair[0], pair[1], &self.mesh.positions) {
            polygons.sort_unstable();
            self.found.push(Crossing { polygons, at: common_point(&corners) });
        }
        self.work = self.work.saturating_sub(if is_asked { EXACT } else { 1 });
        self.work > 0 && self.found.len() < MOST_FOUND
    }
}

/// Where a side of one goes through the other; of two in one plane a corner or the middle of a side.
fn common_point([first, second]: &[[Vector3<f64>; 3]; 2]) -> Vector3<f64> {
    for (one, other) in [(first, second), (second, first)] {
        let normal = (other[1] - other[0]).cross(&(other[2] - other[0]));
        for k in 0..3 {
            let (a, b) = (one[k], one[(k + 1) % 3]);
            let (above, below) = (normal.dot(&(a - other[0])), normal.dot(&(b - other[0])));
            if above != below && segment_meets_triangle(&[a, b], other) {
                let share = (above / (above - below)).clamp(0.0, 1.0);
                return a + (b - a) * share;
            }
        }
    }
    (first.iter().sum::<Vector3<f64>>() + second.iter().sum::<Vector3<f64>>()) / 6.0
}

/// Triangles a leaf holds
const LEAF: usize = 4;

/// Halves of triangles, cut across the longest side of the box around their centres.
struct Tree {
    order: Vec<u32>,
    nodes: Vec<Node>,
}

struct Node {
    low: Vector3<f64>,
    high: Vector3<f64>,
    first: usize,
    count: usize,
    children: Option<[usize; 2]>,
}

impl Node {
    fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }
}

impl Tree {
    fn new(order: Vec<u32>, corners: impl Fn(u32) -> [Vector3<f64>; 3]) -> Self {
        let count = order.len();
        let mut tree = Self { order, nodes: Vec::new() };
        // Thirds, so that the sum of large numbers does not overflow.
        let centre = |t: u32| corners(t).iter().map(|x| x / 3.0).sum::<Vector3<f64>>();
        let last = tree.order.last().map_or(0, |&t| t + 1);
        let centres: Vec<Vector3<f64>> = (0..last).map(centre).collect();
        if count > 0 {
            tree.build(0, count, &corners, &centres);
        }
        tree
    }

    fn triangles(&self, node: usize) -> &[u32] {
        let Node { first, count, .. } = self.nodes[node];
        &self.order[first..first + count]
    }

    fn build(
        &mut self,
        first: usize,
        count: usize,
        corners: &impl Fn(u32) -> [Vector3<f64>; 3],
        centres: &[Vector3<f64>],
    ) -> usize {
        let number = self.nodes.len();
        let (low, high) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
        self.nodes.push(Node { low, high, first, count, children: None });
        let own = &mut self.order[first..first + count];
        if count <= LEAF {
            let points = own.iter().flat_map(|&t| corners(t));
            let (low, high) = points.fold((low, high), |(low, high), x| (low.inf(&x), high.sup(&x)));
            (self.nodes[number].low, self.nodes[number].high) = (low, high);
            return number;
        }
        let centre = |t: u32| &centres[t as usize];
        let (least, most) = own.iter().fold((low, high), |(low, high), &t| (low.inf(centre(t)), high.sup(centre(t))));
        let axis = (most - least).imax();
        let half = count / 2;
        own.select_nth_unstable_by(half, |&a, &b| centre(a)[axis].total_cmp(&centre(b)[axis]).then(a.cmp(&b)));
        let children = [(first, half), (first + half, count - half)]
            .map(|(first, count)| self.build(first, count, corners, centres));
        let boxes = children.map(|child| [self.nodes[child].low, self.nodes[child].high]);
        let node = &mut self.nodes[number];
        node.low = boxes[0][0].inf(&boxes[1][0]);
        node.high = boxes[0][1].sup(&boxes[1][1]);
        node.children = Some(children);
        number
    }
}
