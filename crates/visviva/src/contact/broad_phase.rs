//! Candidates for contact: vertices against triangles and edges against edges that may come near each other on their ways.
//!
//! The lists come sorted, so that they depend on the positions alone: not on threads, nor on the trees' history.

use super::bvh::{Aabb, Bvh};
use super::distance::Point;
use super::surface::Surface;
use super::swept_gap::are_parted;
use rayon::prelude::*;

/// Index pairs in ascending order, each once.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Candidates {
    /// [vertex, triangle]
    pub vertex_triangle: Vec<[u32; 2]>,
    /// [edge, edge], the smaller first
    pub edge_edge: Vec<[u32; 2]>,
}

/// Trees and buffers, kept from call to call. Each body has trees of its own: its primitives stay together however bodies mix, and
/// whom it does not meet it is never compared with.
#[derive(Debug, Default)]
pub struct BroadPhase {
    bodies: Vec<BodyTrees>,
    /// Of vertices on their ways
    vertex_boxes: Vec<Aabb>,
    /// Of whole bodies
    whole: Bvh,
    whole_boxes: Vec<Aabb>,
    /// Bodies whose boxes meet and that may touch; one alone that may touch itself
    meeting: Vec<[u32; 2]>,
    tasks: Vec<Task>,
    found: Vec<Vec<[u32; 2]>>,
}

/// Of one body, by its own numbers
#[derive(Debug, Default)]
struct BodyTrees {
    vertices: Bvh,
    edges: Bvh,
    triangles: Bvh,
    boxes: Vec<Aabb>,
}

/// Leaves of one body's tree that ask a tree of another, or of the same.
#[derive(Debug, Clone, Copy)]
struct Task {
    asking: u32,
    asked: u32,
    /// Whether it is the second kind of primitive that asks the first
    turned: bool,
    first_leaf: usize,
    leaf_count: usize,
}

/// Leaves in one task: enough to outweigh its start, few enough to balance.
const TASK: usize = 64;

impl BroadPhase {
    /// Everything that may come within `radius` `[m]` while the vertices go straight from x0 to x1; nothing nearer is left out.
    pub fn swept(&mut self, surface: &Surface, x0: &[Point], x1: &[Point], radius: f64, out: &mut Candidates) {
        self.fit(surface, x0, x1, 0.5 * radius);
        let ways = Ways { x0, x1, radius };
        self.plan_vertex_triangle();
        let bodies = &self.bodies;
        collect(&self.tasks, &mut self.found, &mut out.vertex_triangle, |task, leaf, found| {
            visit_vertex_triangle(surface, bodies, &ways, task, leaf, |pair| found.push(pair));
        });
        self.plan_edge_edge();
        let bodies = &self.bodies;
        collect(&self.tasks, &mut self.found, &mut out.edge_edge, |task, leaf, found| {
            visit_edge_edge(surface, bodies, &ways, task, leaf, |pair| found.push(pair));
        });
    }

    /// Everything within `radius` `[m]` of each other at x.
    pub fn near(&mut self, surface: &Surface, x: &[Point], radius: f64, out: &mut Candidates) {
        self.swept(surface, x, x, radius, out);
    }

    /// How many candidates there are within `radius` `[m]` of each other at x, counted to `most` and a few beyond: asked before a
    /// list of them is made.
    pub fn count_near(&mut self, surface: &Surface, x: &[Point], radius: f64, most: usize) -> usize {
        self.fit(surface, x, x, 0.5 * radius);
        let ways = Ways { x0: x, x1: x, radius };
        let mut count = 0;
        self.plan_vertex_triangle();
        for (task, leaf) in self.tasks.iter().flat_map(Task::leaves) {
            if count > most {
                return count;
            }
            visit_vertex_triangle(surface, &self.bodies, &ways, task, leaf, |_| count += 1);
        }
        self.plan_edge_edge();
        for (task, leaf) in self.tasks.iter().flat_map(Task::leaves) {
            if count > most {
                return count;
            }
            visit_edge_edge(surface, &self.bodies, &ways, task, leaf, |_| count += 1);
        }
        count
    }

    /// [edge, triangle] whose boxes overlap at x, without common vertices.
    pub fn edges_at_triangles(&mut self, surface: &Surface, x: &[Point], out: &mut Vec<[u32; 2]>) {
        self.fit(surface, x, x, 0.0);
        self.plan(|trees| &trees.edges, |trees| &trees.triangles);
        let bodies = &self.bodies;
        collect(&self.tasks, &mut self.found, out, |task, leaf, found| {
            task.ask(
                bodies,
                |trees| &trees.edges,
                |trees| &trees.triangles,
                leaf,
                |of, edge, other, triangle| {
                    let (edge, triangle) = (surface.edges_of(of)[edge], surface.triangles_of(other)[triangle]);
                    if surface.pairs_edge_triangle(edge, triangle) {
                        found.push([edge, triangle]);
                    }
                },
            );
        });
    }

    /// Finds which bodies meet on the ways from x0 to x1 and fits their trees.
    fn fit(&mut self, surface: &Surface, x0: &[Point], x1: &[Point], margin: f64) {
        set_boxes(&mut self.vertex_boxes, surface.vertex_count(), |v| Aabb::around([x0[v], x1[v]].into_iter(), margin));
        let vertex_boxes = &self.vertex_boxes;
        let count = surface.body_count();
        let whole = |body: usize| {
            let vertices = surface.vertices_of(body as u32).iter();
            vertices.fold(Aabb::EMPTY, |whole, &v| whole.union(&vertex_boxes[v as usize]))
        };
        self.whole_boxes.clear();
        self.whole_boxes.par_extend((0..count).into_par_iter().map(whole));
        self.find_meetings(surface);
        let vertex_boxes = &self.vertex_boxes;
        self.bodies.resize_with(count, BodyTrees::default);
        let mut meets = vec![false; count];
        self.meeting.as_flattened().iter().for_each(|&body| meets[body as usize] = true);
        let meeting = self.bodies.par_iter_mut().enumerate().filter(|(body, _)| meets[*body]);
        meeting.for_each(|(body, trees)| trees.fit(surface, body as u32, vertex_boxes));
    }

    fn find_meetings(&mut self, surface: &Surface) {
        let Self { whole, whole_boxes, meeting, .. } = self;
        let alone = |body: &u32| surface.may_touch(*body, *body) && !surface.is_fixed(*body);
        meeting.clear();
        meeting.extend((0..surface.body_count() as u32).filter(alone).map(|body| [body, body]));
        whole.refresh(whole_boxes);
        for leaf in 0..whole.leaf_count() {
            whole.query_self(leaf, |a, b| {
                if surface.may_touch(a, b) && !(surface.is_fixed(a) && surface.is_fixed(b)) {
                    meeting.push([a, b]);
                }
            });
        }
    }

    fn plan_vertex_triangle(&mut self) {
        self.plan(|trees| &trees.vertices, |trees| &trees.triangles);
    }

    /// Who asks whom for two kinds of primitives.
    fn plan(&mut self, first: impl Fn(&BodyTrees) -> &Bvh, second: impl Fn(&BodyTrees) -> &Bvh) {
        self.tasks.clear();
        for &[a, b] in &self.meeting {
            let sides = [[a, b], [b, a]];
            for &[one, other] in if a == b { &sides[..1] } else { &sides } {
                let (own, others) =
                    (first(&self.bodies[one as usize]).leaf_count(), second(&self.bodies[other as usize]).leaf_count());
                match is_better_asking(own, others) {
                    true => Task::push(&mut self.tasks, one, other, false, own),
                    false => Task::push(&mut self.tasks, other, one, true, others),
                }
            }
        }
    }

    fn plan_edge_edge(&mut self) {
        self.tasks.clear();
        for &[a, b] in &self.meeting {
            let count = |body: u32| self.bodies[body as usize].edges.leaf_count();
            let [asking, asked] = if is_better_asking(count(a), count(b)) { [a, b] } else { [b, a] };
            Task::push(&mut self.tasks, asking, asked, false, count(asking));
        }
    }
}

/// Of two trees the smaller asks the larger, unless all of that would be one task beside a tree of many: a ramp of two triangles under a
/// large sheet.
fn is_better_asking(leaf_count: usize, others: usize) -> bool {
    let (small, large) = (leaf_count.min(others), leaf_count.max(others));
    let is_lopsided = small <= TASK && large > 16 * TASK;
    (leaf_count <= others) != is_lopsided
}

impl BodyTrees {
    fn fit(&mut self, surface: &Surface, body: u32, vertex_boxes: &[Aabb]) {
        let Self { vertices, edges, triangles, boxes } = self;
        let own = surface.vertices_of(body);
        set_boxes(boxes, own.len(), |i| vertex_boxes[own[i] as usize]);
        vertices.refresh(boxes);
        let own = surface.edges_of(body);
        set_boxes(boxes, own.len(), |i| united(vertex_boxes, &surface.edges()[own[i] as usize]));
        edges.refresh(boxes);
        let own = surface.triangles_of(body);
        set_boxes(boxes, own.len(), |i| united(vertex_boxes, &surface.triangles()[own[i] as usize]));
        triangles.refresh(boxes);
    }
}

impl Task {
    fn push(tasks: &mut Vec<Self>, asking: u32, asked: u32, turned: bool, leaf_count: usize) {
        let rows = (0..leaf_count).step_by(TASK);
        tasks.extend(rows.map(|first_leaf| {
            let leaf_count = TASK.min(leaf_count - first_leaf);
            Self { asking, asked, turned, first_leaf, leaf_count }
        }));
    }

    fn leaves(&self) -> impl Iterator<Item = (&Self, usize)> {
        (self.first_leaf..self.first_leaf + self.leaf_count).map(move |leaf| (self, leaf))
    }

    /// Visits (body, its primitive of the first kind, body, its primitive of the second kind) where boxes overlap.
    #[inline]
    fn ask<'a>(
        &self,
        bodies: &'a [BodyTrees],
        first: impl Fn(&'a BodyTrees) -> &'a Bvh,
        second: impl Fn(&'a BodyTrees) -> &'a Bvh,
        leaf: usize,
        mut visit: impl FnMut(u32, usize, u32, usize),
    ) {
        let (asking, asked) = (&bodies[self.asking as usize], &bodies[self.asked as usize]);
        match self.turned {
            false => second(asked).query(first(asking), leaf, |one, other| {
                visit(self.asking, one as usize, self.asked, other as usize);
            }),
            true => first(asked).query(second(asking), leaf, |other, one| {
                visit(self.asked, one as usize, self.asking, other as usize);
            }),
        }
    }
}

#[inline]
fn visit_vertex_triangle(
    surface: &Surface,
    bodies: &[BodyTrees],
    ways: &Ways<'_>,
    task: &Task,
    leaf: usize,
    mut visit: impl FnMut([u32; 2]),
) {
    task.ask(
        bodies,
        |trees| &trees.vertices,
        |trees| &trees.triangles,
        leaf,
        |of, vertex, other, triangle| {
            let (vertex, triangle) = (surface.vertices_of(of)[vertex], surface.triangles_of(other)[triangle]);
            let paired = match of == other {
                true => surface.pairs_vertex_triangle(vertex, triangle),
                false => surface.pairs_vertex_with_other(vertex, triangle),
            };
            if paired && ways.meet::<1>(surface.vertex_triangle([vertex, triangle])) {
                visit([vertex, triangle]);
            }
        },
    );
}

#[inline]
fn visit_edge_edge(
    surface: &Surface,
    bodies: &[BodyTrees],
    ways: &Ways<'_>,
    task: &Task,
    leaf: usize,
    mut visit: impl FnMut([u32; 2]),
) {
    let (own, others) = (surface.edges_of(task.asking), surface.edges_of(task.asked));
    let (asking, asked) = (&bodies[task.asking as usize].edges, &bodies[task.asked as usize].edges);
    let mut meet = |a: u32, b: u32| {
        if ways.meet::<2>(surface.edge_edge([a, b])) {
            visit([a.min(b), a.max(b)]);
        }
    };
    let of = |own: &[u32], edge: u32| own[edge as usize];
    if task.asking == task.asked {
        asked.query_self(leaf, |a, b| {
            let (a, b) = (of(own, a), of(own, b));
            if surface.pairs_edge_edge(a, b) {
                meet(a, b);
            }
        });
    } else {
        asked.query(asking, leaf, |a, b| {
            let (a, b) = (of(own, a), of(others, b));
            if surface.pairs_edge_with_other(a, b) {
                meet(a, b);
            }
        });
    }
}

/// Straight ways of all vertices in the same time.
struct Ways<'a> {
    x0: &'a [Point],
    x1: &'a [Point],
    radius: f64,
}

impl Ways<'_> {
    /// Whether two primitives, the first of `SPLIT` vertices, may come within the radius.
    #[inline]
    fn meet<const SPLIT: usize>(&self, stencil: [u32; 4]) -> bool {
        let x = stencil.map(|v| self.x0[v as usize]);
        let dx = stencil.map(|v| self.x1[v as usize] - self.x0[v as usize]);
        let size = |points: &[Point; 4]| points.iter().fold(0.0, |most: f64, p| most.max(p.amax()));
        // Rounding must not part what touches.
        !are_parted::<4, SPLIT>(&x, &dx, |gap| gap > self.radius && gap > self.radius + 1e-14 * (size(&x) + size(&dx)))
    }
}

/// Round the boxes of some vertices: what a box round their ways would be, rounding included.
#[inline]
fn united(boxes: &[Aabb], vertices: &[u32]) -> Aabb {
    vertices[1..].iter().fold(boxes[vertices[0] as usize], |whole, &v| whole.union(&boxes[v as usize]))
}

fn set_boxes(boxes: &mut Vec<Aabb>, count: usize, at: impl Fn(usize) -> Aabb + Send + Sync) {
    boxes.clear();
    boxes.par_extend((0..count).into_par_iter().with_min_len(1024).map(at));
}

/// Runs the query of each leaf and sorts what they found.
fn collect(
    tasks: &[Task],
    found: &mut Vec<Vec<[u32; 2]>>,
    out: &mut Vec<[u32; 2]>,
    query: impl Fn(&Task, usize, &mut Vec<[u32; 2]>) + Sync,
) {
    if found.len() < tasks.len() {
        found.resize_with(tasks.len(), Vec::new);
    }
    let found = &mut found[..tasks.len()];
    found.par_iter_mut().zip(tasks).for_each(|(found, task)| {
        found.clear();
        task.leaves().for_each(|(task, leaf)| query(task, leaf, found));
    });
    out.clear();
    found.iter().for_each(|found| out.extend_from_slice(found));
    out.par_sort_unstable();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::distance::{edge_edge, point_triangle};
    use crate::contact::sampling::{Random, random_surface};

    fn by_comparing_all(surface: &Surface, x0: &[Point], x1: &[Point], radius: f64) -> Candidates {
        let boxed = |vertices: &[u32]| {
            Aabb::around(vertices.iter().flat_map(|&v| [x0[v as usize], x1[v as usize]]), 0.5 * radius)
        };
        let ways = Ways { x0, x1, radius };
        let mut all = Candidates::default();
        for v in 0..surface.vertex_count() as u32 {
            for (t, triangle) in surface.triangles().iter().enumerate() {
                let near =
                    boxed(&[v]).overlaps(&boxed(triangle)) && ways.meet::<1>(surface.vertex_triangle([v, t as u32]));
                if surface.pairs_vertex_triangle(v, t as u32) && near {
                    all.vertex_triangle.push([v, t as u32]);
                }
            }
        }
        for (a, first) in surface.edges().iter().enumerate() {
            for (b, second) in surface.edges().iter().enumerate().skip(a + 1) {
                let near =
                    boxed(first).overlaps(&boxed(second)) && ways.meet::<2>(surface.edge_edge([a as u32, b as u32]));
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
            let (surface, x0) = random_surface(&mut random, &[60; 5]);
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
            let (surface, x0) = random_surface(&mut random, &[60; 5]);
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

    #[test]
    fn bodies_of_any_size_find_each_other_while_some_come_and_go() {
        let mut random = Random(14);
        let (surface, start) = random_surface(&mut random, &[900, 40, 0, 3, 60]);
        let mut kept = BroadPhase::default();
        for round in 0..6 {
            let away = if round % 3 == 1 { 5.0 } else { 0.0 };
            let far = |v: usize| if surface.body_of(v as u32) == round as u32 % 5 { away } else { 0.0 };
            let x0: Vec<Point> = start.iter().enumerate().map(|(v, x)| x + Point::repeat(far(v))).collect();
            let x1: Vec<Point> = x0.iter().map(|x| x + 0.1 * random.point()).collect();
            let mut found = Candidates::default();
            kept.swept(&surface, &x0, &x1, 0.01, &mut found);
            assert_eq!(found, by_comparing_all(&surface, &x0, &x1, 0.01));
            let mut crossing = Vec::new();
            kept.edges_at_triangles(&surface, &x0, &mut crossing);
            assert_eq!(crossing, overlapping_edges_and_triangles(&surface, &x0));
        }
    }

    fn overlapping_edges_and_triangles(surface: &Surface, x: &[Point]) -> Vec<[u32; 2]> {
        let boxed = |vertices: &[u32]| Aabb::around(vertices.iter().map(|&v| x[v as usize]), 0.0);
        let mut all = Vec::new();
        for (e, edge) in surface.edges().iter().enumerate() {
            for (t, triangle) in surface.triangles().iter().enumerate() {
                if surface.pairs_edge_triangle(e as u32, t as u32) && boxed(edge).overlaps(&boxed(triangle)) {
                    all.push([e as u32, t as u32]);
                }
            }
        }
        assert!(all.len() > 100);
        all
    }

    #[test]
    fn a_few_triangles_beside_many_leave_the_asking_to_the_many() {
        assert!(is_better_asking(3, 30) && !is_better_asking(30, 3));
        assert!(!is_better_asking(3, 20 * TASK) && is_better_asking(20 * TASK, 3));
        assert!(is_better_asking(2 * TASK, 20 * TASK));
    }
}
