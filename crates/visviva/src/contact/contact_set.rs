//! The active pairs at a position: those nearer than ξ + d̂, reduced and merged, with their barrier energies.
//!
//! B = κ Σ w m b(d − ξ) over all point–patch and edge–edge candidates, a patch being a triangle or the convex polygon that several
//! coplanar ones form, whose inner edges do not count; every term goes to zero smoothly at the reach and every
//! distance is continuous across its classes, so B is, too.

use super::barrier_pair::{self, Barrier};
use super::broad_phase::Candidates;
use super::distance::{Closest, Hessian, Point, edge_edge, mollifier, point_triangle};
use super::pair::Pair;
use super::surface::Surface;
use crate::laws::barrier as law;
use rayon::prelude::*;

#[derive(Debug, Default)]
pub struct ContactSet {
    pairs: Vec<Pair>,
    /// (distance `[m]`, energy `[J]`) of each pair
    measures: Vec<(f64, f64)>,
    found: Vec<Vec<Pair>>,
}

impl Clone for ContactSet {
    fn clone(&self) -> Self {
        Self { pairs: self.pairs.clone(), measures: self.measures.clone(), found: Vec::new() }
    }

    fn clone_from(&mut self, other: &Self) {
        self.pairs.clone_from(&other.pairs);
        self.measures.clone_from(&other.measures);
    }
}

/// Candidates in one task
const TASK: usize = 1024;

impl ContactSet {
    /// Finds the active pairs at x; candidates must hold all pairs within the barrier's activation distance and ξ of their bodies.
    pub fn update(&mut self, surface: &Surface, candidates: &Candidates, x: &[Point], barrier: &Barrier) {
        let limit = |thickness: f64| (barrier.activation() + thickness).powi(2);
        let of = |vertices: [u32; 4]| vertices.map(|v| x[v as usize]);
        let vertex_triangle = |&pair_of: &[u32; 2]| {
            let vertices = surface.vertex_triangle(pair_of);
            let thickness = surface.thickness(vertices[0], vertices[1]);
            let points = of(vertices);
            if are_apart::<1>(&points, barrier.activation() + thickness) {
                return None;
            }
            let closest = point_triangle::closest(&points);
            let weight = surface.weight(&vertices[..1], &vertices[1..]);
            let pair = || Pair { thickness, weight, ..Pair::from_point_triangle(vertices, &closest) };
            (closest.squared() < limit(thickness) && is_nearest_of_patch(surface, x, pair_of, &closest)).then(pair)
        };
        let edge_edge = |&[e, f]: &[u32; 2]| {
            if surface.is_inner(e) || surface.is_inner(f) {
                return None;
            }
            let (vertices, rest) = (surface.edge_edge([e, f]), surface.edge_rest_squared());
            let points = of(vertices);
            let thickness = surface.thickness(vertices[0], vertices[2]);
            if are_apart::<2>(&points, barrier.activation() + thickness) {
                return None;
            }
            let closest = edge_edge::closest(&points);
            (closest.squared() < limit(thickness)).then(|| {
                let threshold = mollifier::threshold(rest[e as usize], rest[f as usize]);
                let parallel = mollifier::cross_squared(&points) < threshold;
                let weight = surface.weight(&vertices[..2], &vertices[2..]);
                Pair { thickness, weight, ..Pair::from_edge_edge(vertices, &closest, parallel.then_some(threshold)) }
            })
        };
        self.pairs.clear();
        gather(&candidates.vertex_triangle, &mut self.found, &mut self.pairs, vertex_triangle);
        gather(&candidates.edge_edge, &mut self.found, &mut self.pairs, edge_edge);
        self.pairs.par_sort_unstable_by_key(Pair::key);
        self.pairs.dedup_by(|later, kept| {
            let same = later.key() == kept.key();
            kept.weight += if same { later.weight } else { 0.0 };
            same
        });
        self.measures.clear();
        self.measures.par_extend(self.pairs.par_iter().with_min_len(256).map(|pair| {
            let points = pair.points(x);
            (pair.gap(&points).distance, barrier_pair::energy(barrier, pair, &points))
        }));
    }

    /// In a fixed order, each once
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// B at the position of the last update `[J]`
    pub fn energy(&self) -> f64 {
        // One after the other: the sum must not depend on threads.
        self.measures.iter().map(|&(_, energy)| energy).sum()
    }

    /// The smallest distance of any active pair `[m]`; +∞ without one
    pub fn min_distance(&self) -> f64 {
        self.measures.iter().fold(f64::INFINITY, |least, &(distance, _)| least.min(distance))
    }

    /// The distance of each pair `[m]`
    pub fn distances(&self) -> impl Iterator<Item = f64> + '_ {
        self.measures.iter().map(|&(distance, _)| distance)
    }

    /// The energy of each pair `[J]`
    pub fn energies(&self) -> impl Iterator<Item = f64> + '_ {
        self.measures.iter().map(|&(_, energy)| energy)
    }

    /// ∇B at the position of the last update: g ← g + ∇B `[N]`, vertex by vertex
    pub fn add_gradient(&self, x: &[Point], barrier: &Barrier, g: &mut [Point]) {
        for pair in &self.pairs {
            let gradient = barrier_pair::gradient(barrier, pair, &pair.points(x));
            for (i, &v) in pair.stencil().iter().enumerate() {
                g[v as usize] += gradient.fixed_rows::<3>(3 * i);
            }
        }
    }

    /// The gap d − ξ of every pair `[m]`, at the position of the last update
    pub fn gaps(&self, barrier: &Barrier) -> impl Iterator<Item = f64> + '_ {
        let thickness = barrier.thickness;
        self.pairs.iter().zip(self.distances()).map(move |(pair, d)| d - (thickness + pair.thickness))
    }

    /// b″ of every pair, at the position of the last update
    pub fn bends(&self, barrier: &Barrier) -> Vec<f64> {
        self.gaps(barrier).map(|gap| law::curvature(gap, barrier.reach)).collect()
    }

    /// The projected Hessian of every pair `[N/m]`, in the order of `pairs`, at the position of the last update, with `bends` for
    /// b″; beyond a pair's stencil it is zero.
    pub fn hessians(&self, x: &[Point], barrier: &Barrier, bends: &[f64], out: &mut Vec<Hessian>) {
        let hessian =
            |(pair, &bend): (&Pair, &f64)| barrier_pair::projected_hessian(barrier, pair, &pair.points(x), bend);
        out.clear();
        out.par_extend(self.pairs.par_iter().zip(bends).with_min_len(64).map(hessian));
    }
}

/// A pair's force, and what a step of Newton's leaves wrong of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForceLeft {
    /// Before the step or after it, whichever is larger `[N]`
    pub force: f64,
    /// What the gradient along the gap is after the step, less what Newton took it for `[N]`
    pub wrong: f64,
    /// The same, and where less than a tenth of the gap is left, of a step that leaves so much
    pub near: f64,
}

impl ForceLeft {
    /// Of a barrier after the step dx, which took `bend` for its b″; the turning of the gap is left out.
    pub fn of_pair(pair: &Pair, x: &[Point], dx: &[Point], barrier: &Barrier, bend: f64) -> Self {
        let stiffness = barrier.stiffness * pair.weight * barrier_pair::fading(pair, &pair.points(x));
        let [s, change] = barrier_pair::gap_along(barrier, pair, x, dx);
        let force = |s: f64| if s > 0.0 { -stiffness * law::slope(s, barrier.reach) } else { 0.0 };
        let wrong = stiffness * law::misjudged_slope(s, change, bend, barrier.reach);
        let kept = change.max(-0.9 * s);
        let near = stiffness * law::misjudged_slope(s, kept, bend, barrier.reach) - stiffness * bend * (change - kept);
        Self { force: force(s).max(force(s + change)), wrong, near }
    }
}

/// Whether no other triangle of its patch is nearer to the vertex; of those that tie the first is.
fn is_nearest_of_patch(surface: &Surface, x: &[Point], [vertex, triangle]: [u32; 2], closest: &Closest) -> bool {
    let mine = closest.squared();
    surface.patch(triangle).iter().filter(|&&other| other != triangle).all(|&other| {
        let points = surface.vertex_triangle([vertex, other]).map(|v| x[v as usize]);
        let others = point_triangle::closest(&points).squared();
        mine < others || (mine == others && triangle < other)
    })
}

/// Whether boxes round the first `SPLIT` points and round the others are further apart than a distance `[m]`: the candidates of a
/// long step mostly are at its ends.
#[inline]
fn are_apart<const SPLIT: usize>(points: &[Point; 4], distance: f64) -> bool {
    let around = |points: &[Point]| points[1..].iter().fold((points[0], points[0]), |(l, h), p| (l.inf(p), h.sup(p)));
    let ((low, high), (other_low, other_high)) = (around(&points[..SPLIT]), around(&points[SPLIT..]));
    // A hair more, so that rounding leaves the decision to the distance itself.
    (other_low - high).sup(&(low - other_high)).max() > distance * (1.0 + 1e-9)
}

fn gather(
    candidates: &[[u32; 2]],
    found: &mut Vec<Vec<Pair>>,
    pairs: &mut Vec<Pair>,
    active: impl Fn(&[u32; 2]) -> Option<Pair> + Sync,
) {
    let task_count = candidates.len().div_ceil(TASK);
    if found.len() < task_count {
        found.resize_with(task_count, Vec::new);
    }
    found[..task_count].par_iter_mut().zip(candidates.par_chunks(TASK)).for_each(|(found, candidates)| {
        found.clear();
        found.extend(candidates.iter().filter_map(&active));
    });
    for found in &found[..task_count] {
        pairs.extend_from_slice(found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::sampling::{Random, Resting, random_surface, resting_bodies};
    use nalgebra::Rotation3;
    use std::collections::BTreeSet;

    /// The cube on a path over the plate, turning: corners, edges and faces come nearest in turn.
    fn pose(rest: &[Point], s: f64) -> Vec<Point> {
        let turn = Rotation3::from_euler_angles(5.0 * s, 3.0 * s, 2.0 * s);
        let mut x = rest.to_vec();
        let body: Vec<Point> = rest[25..].iter().map(|p| turn * (p - Point::new(0.0, 0.0, 0.031))).collect();
        let lowest = body.iter().fold(f64::INFINITY, |z, p| z.min(p.z));
        for (x, p) in x[25..].iter_mut().zip(&body) {
            *x = p + Point::new(0.07 * s - 0.03, 0.05 * s - 0.02, 0.0011 - lowest);
        }
        x
    }

    #[test]
    fn energy_is_continuous_across_classes_and_its_gradient_is_its_slope() {
        let mut bodies = resting_bodies(0.0);
        let rest = bodies.x.clone();
        let (steps, mut kinds) = (20_000, BTreeSet::new());
        let mut last: Option<(f64, Vec<Point>, Vec<Point>)> = None;
        for i in 0..=steps {
            bodies.x = pose(&rest, i as f64 / steps as f64);
            bodies.update();
            kinds.extend(
                bodies.set.pairs().iter().map(|pair| std::mem::discriminant(&pair.kind)).map(|d| format!("{d:?}")),
            );
            let energy = bodies.set.energy();
            let mut g = vec![Point::zeros(); rest.len()];
            bodies.set.add_gradient(&bodies.x, &bodies.barrier, &mut g);
            if let Some((e0, g0, x0)) = last {
                let work = (0..rest.len()).map(|v| 0.5 * (g[v] + g0[v]).dot(&(bodies.x[v] - x0[v]))).sum::<f64>();
                // Trapezoidal rule on steps of 10 µm within a reach of 2 mm.
                assert!((energy - e0 - work).abs() < 1e-3 * energy.max(0.01), "step {i}: {} {work}", energy - e0);
            }
            last = Some((energy, g, bodies.x.clone()));
        }
        assert_eq!(kinds.len(), 5, "{kinds:?}");
    }

    #[test]
    fn merged_pairs_have_the_energy_of_the_full_sum() {
        let mut bodies = resting_bodies(0.0);
        let rest = bodies.x.clone();
        let mut merged = 0;
        for k in 0..40 {
            bodies.x = pose(&rest, k as f64 / 40.0);
            bodies.update();
            let (energy, full) = (bodies.set.energy(), energy_by_comparing_all(&bodies));
            assert!(full > 0.0 && (energy - full).abs() < 1e-12 * full, "{energy} {full}");
            merged += bodies.set.pairs().iter().filter(|pair| pair.weight > 1.0).count();
        }
        assert!(merged > 10, "{merged}");
    }

    fn energy_by_comparing_all(bodies: &Resting) -> f64 {
        let (surface, rest) = (&bodies.surface, bodies.surface.edge_rest_squared());
        let x = |v: u32| bodies.x[v as usize];
        let mut full = 0.0;
        for v in 0..bodies.x.len() as u32 {
            for (t, &[a, b, c]) in surface.triangles().iter().enumerate() {
                if surface.pairs_vertex_triangle(v, t as u32) {
                    full += bodies.barrier.value(point_triangle::closest(&[v, a, b, c].map(x)).between.norm());
                }
            }
        }
        for (e, &[a0, a1]) in surface.edges().iter().enumerate() {
            for (f, &[b0, b1]) in surface.edges().iter().enumerate().skip(e + 1) {
                if surface.pairs_edge_edge(e as u32, f as u32) {
                    let points = [a0, a1, b0, b1].map(x);
                    let threshold = mollifier::threshold(rest[e], rest[f]);
                    let fading = mollifier::value(mollifier::cross_squared(&points), threshold);
                    full += fading * bodies.barrier.value(edge_edge::closest(&points).between.norm());
                }
            }
        }
        full
    }

    #[test]
    fn forces_balance_and_thickness_shifts_the_barrier() {
        let mut bodies = resting_bodies(0.2);
        let mut g = vec![Point::zeros(); bodies.x.len()];
        bodies.set.add_gradient(&bodies.x, &bodies.barrier, &mut g);
        let total: Point = g.iter().sum();
        assert!(g[25].z < 0.0 && total.norm() < 1e-12 * g[25].norm());
        let energy = bodies.set.energy();
        bodies.barrier.thickness = 0.5e-3;
        bodies.x[25..].iter_mut().for_each(|x| x.z += 0.5e-3);
        bodies.update();
        assert!((bodies.set.energy() - energy).abs() < 1e-9 * energy);
        assert!((bodies.set.min_distance() - 1.5e-3).abs() < 1e-12);
    }

    #[test]
    fn what_a_step_leaves_of_a_force_is_what_the_barrier_bends_and_falls_with_its_square() {
        let bodies = resting_bodies(0.0);
        let left = |rise: f64| {
            let up = |v: usize| if v < 25 { Point::zeros() } else { rise * Point::z() };
            let lift: Vec<Point> = (0..bodies.x.len()).map(up).collect();
            let bend = bodies.set.bends(&bodies.barrier)[0];
            ForceLeft::of_pair(&bodies.set.pairs()[0], &bodies.x, &lift, &bodies.barrier, bend)
        };
        let (whole, half) = (left(-1e-6), left(-5e-7));
        assert!(whole.wrong < 0.0 && (whole.wrong / half.wrong - 4.0).abs() < 0.05, "{whole:?} {half:?}");
        assert!(whole.force > left(0.0).force && left(0.0).wrong == 0.0);
        // Beyond its reach a pair that Newton's parabola would still pull bears nothing.
        assert_eq!(left(1.0).force, left(0.0).force);
        assert_eq!(left(-1.0).wrong, f64::NEG_INFINITY);
    }

    #[test]
    fn the_thickness_of_two_bodies_is_that_of_their_pairs() {
        let mut uniform = resting_bodies(0.2);
        uniform.barrier.thickness = 0.5e-3;
        uniform.x[25..].iter_mut().for_each(|x| x.z += 0.5e-3);
        uniform.update();
        let mut own = resting_bodies(0.2);
        own.surface = own.surface.thickened(&[0.3e-3, 0.2e-3]);
        own.x.clone_from(&uniform.x);
        let mut candidates = Candidates::default();
        let radius = own.barrier.activation() + own.surface.largest_thickness();
        crate::contact::BroadPhase::default().near(&own.surface, &own.x, radius, &mut candidates);
        own.set.update(&own.surface, &candidates, &own.x, &own.barrier);
        let (energy, expected) = (own.set.energy(), uniform.set.energy());
        assert!(expected > 0.0 && (energy - expected).abs() < 1e-12 * expected, "{energy} {expected}");
        let gradients = [&own, &uniform].map(|bodies| {
            let mut g = vec![Point::zeros(); bodies.x.len()];
            bodies.set.add_gradient(&bodies.x, &bodies.barrier, &mut g);
            g
        });
        assert!(gradients[0].iter().zip(&gradients[1]).all(|(a, b)| (a - b).norm() < 1e-9 * expected / 1e-3));
        // Straight down by all of the distance of 1.5 mm: nine tenths of the free millimetre may be gone.
        let down: Vec<Point> =
            (0..own.x.len()).map(|v| if v < 25 { Point::zeros() } else { -1.5e-3 * Point::z() }).collect();
        let step =
            crate::contact::ccd::largest_step(&own.surface, &candidates, &own.x, &down, &Default::default()).step;
        assert!((step - 0.9 / 1.5).abs() < 1e-3, "{step}");
    }

    #[test]
    fn one_thread_and_two_give_the_same_bits() {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut random = Random(31);
                let (surface, x) = random_surface(&mut random, &[120; 4]);
                let barrier = Barrier { stiffness: 1e5, reach: 0.05, thickness: 0.0 };
                let mut candidates = Candidates::default();
                crate::contact::BroadPhase::default().near(&surface, &x, barrier.activation(), &mut candidates);
                let mut set = ContactSet::default();
                set.update(&surface, &candidates, &x, &barrier);
                let mut hessians = vec![];
                set.hessians(&x, &barrier, &set.bends(&barrier), &mut hessians);
                let dx: Vec<Point> = (0..x.len()).map(|_| random.point()).collect();
                let limit = crate::contact::ccd::largest_step(&surface, &candidates, &x, &dx, &Default::default());
                (set.pairs().to_vec(), set.energy().to_bits(), hessians, (limit.step.to_bits(), limit.sides))
            })
        };
        let (one, two) = (run(1), run(2));
        assert!(one.0.len() > 1000);
        assert!(one == two);
    }
}
