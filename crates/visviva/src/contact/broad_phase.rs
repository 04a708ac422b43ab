//! Candidates for contact: vertices against triangles and edges against edges that may come near each other on their ways.
//!
//! The lists come sorted, so that they depend on the positions alone: not on threads, nor on the trees' history.

use super::bvh::{ANY, Aabb, Bvh};
use super::distance::Point;
use super::surface::Surface;
use super::swept_gap::least_gap;
use rayon::prelude::*;

/// Index pairs in ascending order, each once.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Candidates {
    /// [vertex, triangle]
    pub vertex_triangle: Vec<[u32; 2]>,
    /// [edge, edge], the smaller first
    pub edge_edge: Vec<[u32; 2]>,
}

/// Trees and buffers, kept from call to call.
#[derive(Debug, Default)]
pub struct BroadPhase {
    vertices: Bvh,
    edges: Bvh,
    triangles: Bvh,
    /// Of whole bodies
    bodies: Bvh,
    boxes: Vec<Aabb>,
    /// For each body, the boxes of others that its own meets; `None` where all of it takes part
    meeting: Vec<Option<Vec<Aabb>>>,
    found: Vec<Vec<[u32; 2]>>,
}

/// Leaves in one task: enough to outweigh its start, few enough to balance.
const TASK: usize = 64;

impl BroadPhase {
    /// Everything that may come within `radius` `[m]` while the vertices go straight from x0 to x1; nothing nearer is left out.
    pub fn swept(&mut self, surface: &Surface, x0: &[Point], x1: &[Point], radius: f64, out: &mut Candidates) {
        if !self.fit(surface, x0, x1, radius) {
            out.vertex_triangle.clear();
            out.edge_edge.clear();
            return;
        }
        let ways = Ways { x0, x1, radius };
        let (triangles, edges) = (&self.triangles, &self.edges);
        collect(self.vertices.leaf_count(), &mut self.found, &mut out.vertex_triangle, |leaf, found| {
            triangles.query(&self.vertices, leaf, |vertex, triangle| {
                let near = || ways.meet(surface.vertex_triangle([vertex, triangle]), 1);
                if surface.pairs_vertex_triangle(vertex, triangle) && near() {
                    found.push([vertex, triangle]);
                }
            });
        });
        collect(edges.leaf_count(), &mut self.found, &mut out.edge_edge, |leaf, found| {
            edges.query_self(leaf, |a, b| {
                if surface.pairs_edge_edge(a, b) && ways.meet(surface.edge_edge([a, b]), 2) {
                    found.push([a.min(b), a.max(b)]);
                }
            });
        });
    }

    /// Everything within `radius` `[m]` of each other at x.
    pub fn near(&mut self, surface: &Surface, x: &[Point], radius: f64, out: &mut Candidates) {
        self.swept(surface, x, x, radius, out);
    }

    /// How many candidates there are within `radius` `[m]` of each other at x, counted to `most` and a few beyond: asked before a
    /// list of them is made.
    pub fn count_near(&mut self, surface: &Surface, x: &[Point], radius: f64, most: usize) -> usize {
        let mut count = 0;
        if !self.fit(surface, x, x, radius) {
            return count;
        }
        let ways = Ways { x0: x, x1: x, radius };
        for leaf in 0..self.vertices.leaf_count() {
            if count > most {
                return count;
            }
            self.triangles.query(&self.vertices, leaf, |vertex, triangle| {
                let near = || ways.meet(surface.vertex_triangle([vertex, triangle]), 1);
                count += usize::from(surface.pairs_vertex_triangle(vertex, triangle) && near());
            });
        }
        for leaf in 0..self.edges.leaf_count() {
            if count > most {
                return count;
            }
            self.edges.query_self(leaf, |a, b| {
                count += usize::from(surface.pairs_edge_edge(a, b) && ways.meet(surface.edge_edge([a, b]), 2));
            });
        }
        count
    }

    /// Fits the trees to the ways from x0 to x1; false where no two bodies come near each other.
    fn fit(&mut self, surface: &Surface, x0: &[Point], x1: &[Point], radius: f64) -> bool {
        let margin = 0.5 * radius;
        self.find_meetings(surface, x0, x1, margin);
        if self.meeting.iter().flatten().all(Vec::is_empty) && !self.meeting.contains(&None) {
            return false;
        }
        let meeting = &self.meeting;
        set_boxes(&mut self.boxes, surface.vertex_count(), |v| {
            let around = Aabb::around([x0[v], x1[v]].into_iter(), margin);
            if_meeting(around, &meeting[surface.body_of(v as u32) as usize])
        });
        self.vertices.refresh(&self.boxes, |v| group(surface, v));
        self.fit_triangles(surface, x0, x1, margin);
        self.fit_edges(surface, x0, x1, margin);
        true
    }

    /// Which bodies' boxes meet: what lies outside those of the others has no candidates.
    fn find_meetings(&mut self, surface: &Surface, x0: &[Point], x1: &[Point], margin: f64) {
        let mut whole = vec![Aabb::EMPTY; surface.body_count()];
        for v in 0..surface.vertex_count() {
            let around = Aabb::around([x0[v], x1[v]].into_iter(), margin);
            let body = &mut whole[surface.body_of(v as u32) as usize];
            *body = body.union(&around);
        }
        self.bodies.refresh(&whole, |_| ANY);
        self.meeting.clear();
        let all = |body: u32| surface.may_touch(body, body);
        self.meeting.extend((0..surface.body_count() as u32).map(|body| (!all(body)).then(Vec::new)));
        for leaf in 0..self.bodies.leaf_count() {
            self.bodies.query_self(leaf, |a, b| {
                if surface.may_touch(a, b) && !(surface.is_fixed(a) && surface.is_fixed(b)) {
                    for (one, other) in [(a, b), (b, a)] {
                        if let Some(boxes) = &mut self.meeting[one as usize] {
                            boxes.push(whole[other as usize]);
                        }
                    }
                }
            });
        }
    }

    /// [edge, triangle] whose boxes overlap at x, without common vertices.
    pub fn edges_at_triangles(&mut self, surface: &Surface, x: &[Point], out: &mut Vec<[u32; 2]>) {
        self.find_meetings(surface, x, x, 0.0);
        self.fit_triangles(surface, x, x, 0.0);
        self.fit_edges(surface, x, x, 0.0);
        let triangles = &self.triangles;
        collect(self.edges.leaf_count(), &mut self.found, out, |leaf, found| {
            triangles.query(&self.edges, leaf, |edge, triangle| {
                if surface.pairs_edge_triangle(edge, triangle) {
                    found.push([edge, triangle]);
                }
            });
        });
    }

    fn fit_triangles(&mut self, surface: &Surface, x0: &[Point], x1: &[Point], margin: f64) {
        let triangles = surface.triangles();
        let meeting = &self.meeting;
        set_boxes(&mut self.boxes, triangles.len(), |t| {
            if_meeting(swept_box(&triangles[t], x0, x1, margin), &meeting[surface.body_of(triangles[t][0]) as usize])
        });
        self.triangles.refresh(&self.boxes, |t| group(surface, triangles[t as usize][0]));
    }

    fn fit_edges(&mut self, surface: &Surface, x0: &[Point], x1: &[Point], margin: f64) {
        let edges = surface.edges();
        let meeting = &self.meeting;
        set_boxes(&mut self.boxes, edges.len(), |e| {
            if_meeting(swept_box(&edges[e], x0, x1, margin), &meeting[surface.body_of(edges[e][0]) as usize])
        });
        self.edges.refresh(&self.boxes, |e| group(surface, edges[e as usize][0]));
    }
}

/// Straight ways of all vertices in the same time.
struct Ways<'a> {
    x0: &'a [Point],
    x1: &'a [Point],
    radius: f64,
}

impl Ways<'_> {
    /// Whether two primitives, the first of `split` vertices, may come within the radius.
    #[inline]
    fn meet(&self, stencil: [u32; 4], split: usize) -> bool {
        let x = stencil.map(|v| self.x0[v as usize]);
        let dx = stencil.map(|v| self.x1[v as usize] - self.x0[v as usize]);
        let size = |points: &[Point; 4]| points.iter().fold(0.0, |most: f64, p| most.max(p.amax()));
        // Rounding must not part what touches.
        least_gap(&x, &dx, split) <= self.radius + 1e-14 * (size(&x) + size(&dx))
    }
}

/// Nothing where a primitive lies outside the boxes of all others.
fn if_meeting(primitive: Aabb, others: &Option<Vec<Aabb>>) -> Aabb {
    match others {
        Some(others) if !others.iter().any(|other| other.overlaps(&primitive)) => Aabb::EMPTY,
        _ => primitive,
    }
}

/// Primitives of a body that does not touch itself are never paired.
fn group(surface: &Surface, vertex: u32) -> u32 {
    let body = surface.body_of(vertex);
    if surface.may_touch(body, body) { ANY } else { body }
}

fn swept_box(vertices: &[u32], x0: &[Point], x1: &[Point], margin: f64) -> Aabb {
    Aabb::around(vertices.iter().flat_map(|&v| [x0[v as usize], x1[v as usize]]), margin)
}

fn set_boxes(boxes: &mut Vec<Aabb>, count: usize, at: impl Fn(usize) -> Aabb + Send + Sync) {
    boxes.clear();
    boxes.par_extend((0..count).into_par_iter().with_min_len(1024).map(at));
}

/// Runs the query of each leaf, in the tree's order for the sake of the cache, and sorts what they found.
fn collect(
    leaf_count: usize,
    found: &mut Vec<Vec<[u32; 2]>>,
    out: &mut Vec<[u32; 2]>,
    query: impl Fn(usize, &mut Vec<[u32; 2]>) + Sync,
) {
    let task_count = leaf_count.div_ceil(TASK);
    if found.len() < task_count {
        found.resize_with(task_count, Vec::new);
    }
    found[..task_count].par_iter_mut().enumerate().for_each(|(task, found)| {
        found.clear();
        for leaf in TASK * task..(TASK * (task + 1)).min(leaf_count) {
            query(leaf, found);
        }
    });
    out.clear();
    for found in &found[..task_count] {
        out.extend_from_slice(found);
    }
    out.par_sort_unstable();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::distance::{edge_edge, point_triangle};
    use crate::contact::sampling::{Random, random_surface};

    fn by_comparing_all(surface: &Surface, x0: &[Point], x1: &[Point], radius: f64) -> Candidates {
        let boxed = |vertices: &[u32]| swept_box(vertices, x0, x1, 0.5 * radius);
        let ways = Ways { x0, x1, radius };
        let mut all = Candidates::default();
        for v in 0..surface.vertex_count() as u32 {
            for (t, triangle) in surface.triangles().iter().enumerate() {
                let near =
                    boxed(&[v]).overlaps(&boxed(triangle)) && ways.meet(surface.vertex_triangle([v, t as u32]), 1);
                if surface.pairs_vertex_triangle(v, t as u32) && near {
                    all.vertex_triangle.push([v, t as u32]);
                }
            }
        }
        for (a, first) in surface.edges().iter().enumerate() {
            for (b, second) in surface.edges().iter().enumerate().skip(a + 1) {
                let near =
                    boxed(first).overlaps(&boxed(second)) && ways.meet(surface.edge_edge([a as u32, b as u32]), 2);
                if surface.pairs_edge_edge(a as u32, b as u32) && near {
                    all.edge_edge.push([a as u32, b as u32]);
                }
            }
        }
        all
    }

    #[test]
    fn nothing_that_comes_within_the_radius_is_left_out_however_far_all_go_together() {
        let mut random = Random(13);
        for round in 0..6 {
            let (surface, x0) = random_surface(&mut random, 5, 60);
            let together = [0.0, 1.0, 1e3][round % 3] * random.point();
            let x1: Vec<Point> = x0.iter().map(|x| x + together + 0.2 * random.point()).collect();
            let radius = 0.02;
            let mut found = Candidates::default();
            BroadPhase::default().swept(&surface, &x0, &x1, radius, &mut found);
            let at = |v: u32, t: f64| x0[v as usize] + t * (x1[v as usize] - x0[v as usize]);
            let comes_near = |vertices: [u32; 4], distance: &dyn Fn(&[Point; 4]) -> f64| {
                (0..=20).any(|k| distance(&vertices.map(|v| at(v, k as f64 / 20.0))) < radius)
            };
            let mut near = 0;
            for v in 0..surface.vertex_count() as u32 {
                for (t, &[a, b, c]) in surface.triangles().iter().enumerate() {
                    let distance = |p: &[Point; 4]| point_triangle::closest(p).squared().sqrt();
                    if surface.pairs_vertex_triangle(v, t as u32) && comes_near([v, a, b, c], &distance) {
                        assert!(found.vertex_triangle.binary_search(&[v, t as u32]).is_ok());
                        near += 1;
                    }
                }
            }
            for (e, &[a, b]) in surface.edges().iter().enumerate() {
                for (f, &[c, d]) in surface.edges().iter().enumerate().skip(e + 1) {
                    let distance = |p: &[Point; 4]| edge_edge::closest(p).squared().sqrt();
                    if surface.pairs_edge_edge(e as u32, f as u32) && comes_near([a, b, c, d], &distance) {
                        assert!(found.edge_edge.binary_search(&[e as u32, f as u32]).is_ok());
                        near += 1;
                    }
                }
            }
            let all = found.vertex_triangle.len() + found.edge_edge.len();
            assert!(near > 50 && all < 20 * near, "{near} of {all}");
        }
    }

    #[test]
    fn it_finds_what_comparing_all_finds_for_one_thread_and_for_two() {
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (one, two) = (pool(1), pool(2));
        let mut random = Random(12);
        let mut kept = BroadPhase::default();
        for round in 0..8 {
            let (surface, x0) = random_surface(&mut random, 5, 60);
            let x1: Vec<Point> = x0.iter().map(|x| x + 0.2 * random.point()).collect();
            let radius = [0.0, 0.01, 0.1][round % 3];
            let expected = by_comparing_all(&surface, &x0, &x1, radius);
            assert!(expected.edge_edge.len() > 100 && expected.vertex_triangle.len() > 100);
            let mut found = Candidates::default();
            one.install(|| kept.swept(&surface, &x0, &x1, radius, &mut found));
            assert_eq!(found, expected);
            two.install(|| BroadPhase::default().swept(&surface, &x0, &x1, radius, &mut found));
            assert_eq!(found, expected);
            kept.near(&surface, &x0, radius, &mut found);
            assert_eq!(found, by_comparing_all(&surface, &x0, &x0, radius));
            let count = found.vertex_triangle.len() + found.edge_edge.len();
            assert_eq!(kept.count_near(&surface, &x0, radius, usize::MAX), count);
            assert!(count == 0 || kept.count_near(&surface, &x0, radius, count - 1) == count);
        }
    }
}
