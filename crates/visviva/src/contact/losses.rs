//! What rubbing and parting surfaces lose: normal forces and planes of the active pairs frozen at the start of a step.
//!
//! ```text
//! friction    R(v) = Σ μ λ f₀(|u|)   [W],    u = Tᵀ Σ cᵢ vᵢ,    λ = κ w m |b′(d − ξ)|,    T the plane normal to n
//! hysteresis  Q(x) = Σ Q(s)          [J],    s = n·Σ cᵢ xᵢ − ξ
//! ```
//!
//! Friction is lagged Coulomb friction (Li et al. 2020, section 5), hysteresis that of [`crate::laws::hysteresis`]. The weights c sum to
//! zero, so action equals reaction.

use super::barrier_pair::{self, Barrier};
use super::contact_set::ContactSet;
use super::distance::Point;
use super::pair::{Kind, Pair};
use super::surface::Surface;
use crate::laws::coulomb;
use crate::laws::hysteresis::{self, Hysteresis};
use nalgebra::{Matrix2, Matrix3, Matrix3x2, Vector2};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// What is frozen of one pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LossyPair {
    kind: Kind,
    vertices: [u32; 4],
    /// c
    pub weights: [f64; 4],
    /// n
    pub normal: Point,
    /// T: two orthonormal columns
    pub tangents: Matrix3x2<f64>,
    /// μλ `[N]`: the largest friction force
    pub limit: f64,
    pub hysteresis: Hysteresis,
    /// ξ `[m]`
    thickness: f64,
}

/// How two surfaces come together or part, from all pairs between them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct NormalMotion {
    /// Σ λ `[N]`
    force: f64,
    /// Σ λ ṡ `[W]`
    net: f64,
    /// Σ λ |ṡ| `[W]`
    gross: f64,
    /// Σ λ |u| `[W]`
    slip: f64,
}

impl NormalMotion {
    fn add(&mut self, force: f64, opening: f64, slip: f64) {
        self.force += force;
        self.net += force * opening;
        self.gross += force * opening.abs();
        self.slip += force * slip;
    }

    /// 0 where they only roll, 1 where they only come or part, slide, or rest within ε_v
    fn net_part(&self, epsilon: f64) -> f64 {
        let rest = epsilon * self.force + self.slip;
        if self.force > 0.0 { (self.net.abs() + rest) / (self.gross + rest) } else { 1.0 }
    }
}

/// Where the vertices are and how they move; a stage's velocity comes of a way over its length `[s]`.
#[derive(Debug, Clone, Copy)]
pub struct VertexMotion<'a> {
    pub x: &'a [Point],
    pub v: &'a [Point],
    pub length: f64,
}

/// How two surfaces touch: coefficients of a pair of bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Roughness {
    /// μ
    pub friction: f64,
    /// e
    pub restitution: f64,
}

#[derive(Debug, Clone, Default)]
pub struct ContactLosses {
    pub pairs: Vec<LossyPair>,
    /// ε_v `[m/s]`: below this speed friction and hysteresis fade
    pub epsilon: f64,
}

impl ContactLosses {
    /// Freezes the pairs of a contact set at the position of its last update; `between` tells how two bodies touch.
    pub fn freeze(
        &mut self,
        set: &ContactSet,
        surface: &Surface,
        x: &[Point],
        barrier: &Barrier,
        between: impl Fn(u32, u32) -> Roughness,
    ) {
        let freeze = |pair: &Pair| {
            let stencil = pair.stencil();
            let [a, b] = surface.sides_of(stencil);
            let rough = between(a, b);
            let loses = rough.friction > 0.0 || rough.restitution < 1.0;
            loses.then(|| LossyPair::new(pair, &pair.points(x), barrier, rough))
        };
        self.pairs.clear();
        self.pairs.extend(set.pairs().iter().filter_map(freeze));
    }

    /// Where two surfaces roll on each other, pairs close in front and open behind, and the surfaces neither come nor part: a pair
    /// loses by the part of its motion that is theirs.
    pub fn follow(&mut self, surface: &Surface, velocity: impl Fn(u32) -> Point) {
        let mut motions: BTreeMap<[u32; 2], NormalMotion> = BTreeMap::new();
        for pair in self.pairs.iter().filter(|pair| pair.hysteresis.share > 0.0) {
            let relative: Point = pair.weights.iter().zip(pair.stencil()).map(|(&c, &i)| c * velocity(i)).sum();
            let (opening, slip) = (pair.normal.dot(&relative), (pair.tangents.transpose() * relative).norm());
            motions.entry(pair.sides(surface)).or_default().add(pair.hysteresis.force, opening, slip);
        }
        for pair in self.pairs.iter_mut().filter(|pair| pair.hysteresis.share > 0.0) {
            pair.hysteresis.share *= motions[&pair.sides(surface)].net_part(self.epsilon);
        }
    }

    /// L R(v) + Q(x) `[J]`
    pub fn value(&self, motion: VertexMotion<'_>) -> f64 {
        self.pairs.iter().map(|pair| pair.value(motion, self.epsilon)).sum()
    }

    /// ∇R(v) + ∇Q(x) of every pair by its relative motion `[N]`, in order; vertex i gets cᵢ times it, the force is minus that.
    pub fn gradients(&self, motion: VertexMotion<'_>) -> impl Iterator<Item = (&LossyPair, Point)> {
        let epsilon = self.epsilon;
        self.pairs.iter().map(move |pair| (pair, pair.friction(motion.v, epsilon) + pair.push(motion, epsilon)))
    }

    /// ∇²R(v)/L + ∇²Q(x) of every pair, in order, as S: the block of vertices i and j of its stencil is cᵢ cⱼ S `[N/m]`, S ≥ 0.
    /// `bends` is what is taken for ∇²f₀ of each.
    pub fn hessians(&self, motion: VertexMotion<'_>, bends: &[Matrix2<f64>], out: &mut Vec<Matrix3<f64>>) {
        debug_assert_eq!(bends.len(), self.pairs.len());
        let pairs = self.pairs.par_iter().zip(bends).with_min_len(256);
        out.clear();
        out.par_extend(pairs.map(|(pair, bend)| pair.hessian(motion, bend, self.epsilon)));
    }
}

impl LossyPair {
    fn new(pair: &Pair, points: &[Point; 4], barrier: &Barrier, rough: Roughness) -> Self {
        let gap = pair.gap(points);
        let (barrier, scale) = (barrier.of(pair), pair.weight * barrier_pair::fading(pair, points));
        let share = hysteresis::share(rough.restitution);
        let held = Hysteresis::new(share, scale * barrier.stiffness, barrier.reach, gap.distance - barrier.thickness);
        let n = gap.normal;
        // From the axis least along n: never a short cross product.
        let first = n.cross(&Point::ith(n.iamin(), 1.0)).normalize();
        Self {
            kind: pair.kind,
            vertices: pair.vertices,
            weights: gap.weights,
            normal: n,
            tangents: Matrix3x2::from_columns(&[first, n.cross(&first)]),
            limit: rough.friction * held.force,
            hysteresis: held,
            thickness: barrier.thickness,
        }
    }

    pub fn stencil(&self) -> &[u32] {
        &self.vertices[..self.kind.vertex_count()]
    }

    fn sides(&self, surface: &Surface) -> [u32; 2] {
        let mut sides = surface.sides_of(self.stencil());
        sides.sort_unstable();
        sides
    }

    /// That of the pair it was frozen from
    pub fn key(&self) -> (Kind, [u32; 4]) {
        (self.kind, self.vertices)
    }

    /// Σ cᵢ yᵢ of a field of the vertices
    pub fn relative(&self, field: &[Point]) -> Point {
        self.weights.iter().zip(self.stencil()).map(|(&c, &i)| c * field[i as usize]).sum()
    }

    /// u `[m/s]`
    pub fn sliding(&self, v: &[Point]) -> Vector2<f64> {
        self.tangents.transpose() * self.relative(v)
    }

    /// s `[m]`
    fn gap(&self, x: &[Point]) -> f64 {
        self.normal.dot(&self.relative(x)) - self.thickness
    }

    fn value(&self, motion: VertexMotion<'_>, epsilon: f64) -> f64 {
        let mut value = motion.length * self.limit * coulomb::value(self.sliding(motion.v).norm(), epsilon);
        if self.hysteresis.share > 0.0 {
            value += self.hysteresis.value(self.gap(motion.x), motion.length * epsilon);
        }
        value
    }

    /// ∇R by the relative velocity `[N]`: across the gap
    pub fn friction(&self, v: &[Point], epsilon: f64) -> Point {
        let u = self.sliding(v);
        self.tangents * (self.limit * coulomb::force(u, epsilon))
    }

    /// The gradients of both by the relative motion after a step of Newton's, d, that changes the velocity by rate·d, less what it took
    /// them for `[N]`, with `bend` for ∇²f₀
    pub fn misjudged(
        &self,
        motion: VertexMotion<'_>,
        d: &[Point],
        rate: f64,
        bend: &Matrix2<f64>,
        epsilon: f64,
    ) -> Point {
        let (u, change) = (self.sliding(motion.v), rate * self.sliding(d));
        let force = |u: Vector2<f64>| coulomb::force(u, epsilon);
        let predicted = force(u) + bend * change;
        let friction = self.tangents * (self.limit * (force(u + change) - predicted));
        let (s, change, threshold) = (self.gap(motion.x), self.normal.dot(&self.relative(d)), motion.length * epsilon);
        let (push, law) = (|s: f64| self.hysteresis.slope(s, threshold), &self.hysteresis);
        let predicted = push(s) + law.curvature(s, threshold) * change;
        friction + (push(s + change) - predicted) * self.normal
    }

    /// ∇Q by the relative position `[N]`: along the gap
    pub fn push(&self, motion: VertexMotion<'_>, epsilon: f64) -> Point {
        if self.hysteresis.share == 0.0 {
            return Point::zeros();
        }
        self.hysteresis.slope(self.gap(motion.x), motion.length * epsilon) * self.normal
    }

    /// S = (μλ/L) T ∇²f₀ Tᵀ + Q″ n nᵀ, with `bend` for ∇²f₀
    fn hessian(&self, motion: VertexMotion<'_>, bend: &Matrix2<f64>, epsilon: f64) -> Matrix3<f64> {
        let mut hessian = self.tangents * bend * self.tangents.transpose();
        hessian *= self.limit / motion.length;
        if self.hysteresis.share > 0.0 {
            let bend = self.hysteresis.curvature(self.gap(motion.x), motion.length * epsilon);
            hessian += bend * self.normal * self.normal.transpose();
        }
        hessian
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::sampling::{Random, Resting, resting_bodies};

    const LENGTH: f64 = 0.01;

    fn frozen(bodies: &Resting, rough: Roughness) -> ContactLosses {
        let smooth = Roughness { friction: 0.0, restitution: 1.0 };
        let mut losses = ContactLosses { epsilon: 1e-3, ..ContactLosses::default() };
        let between = |a, b| if a == b { smooth } else { rough };
        losses.freeze(&bodies.set, &bodies.surface, &bodies.x, &bodies.barrier, between);
        assert!(losses.pairs.len() > 5);
        losses
    }

    const ROUGH: Roughness = Roughness { friction: 0.4, restitution: 1.0 };
    const ROUGH_AND_LOSSY: Roughness = Roughness { friction: 0.4, restitution: 0.7 };

    fn random_velocities(random: &mut Random, count: usize, speed: f64) -> Vec<Point> {
        (0..count).map(|_| speed * random.point()).collect()
    }

    /// Where bodies that rested have gone with a velocity over a stage
    fn gone(x: &[Point], v: &[Point]) -> Vec<Point> {
        x.iter().zip(v).map(|(x, v)| x + LENGTH * v).collect()
    }

    fn forces(losses: &ContactLosses, x: &[Point], v: &[Point]) -> Vec<Point> {
        let mut forces = vec![Point::zeros(); v.len()];
        for (pair, gradient) in losses.gradients(VertexMotion { x, v, length: LENGTH }) {
            for (c, &vertex) in pair.weights.iter().zip(pair.stencil()) {
                forces[vertex as usize] += *c * gradient;
            }
        }
        forces
    }

    fn largest(losses: &ContactLosses) -> f64 {
        losses.pairs.iter().map(|pair| pair.limit).sum()
    }

    #[test]
    fn action_equals_reaction_and_both_laws_only_take_energy() {
        let bodies = resting_bodies(0.3);
        let losses = frozen(&bodies, ROUGH_AND_LOSSY);
        let mut random = Random(41);
        for speed in [0.0, 1e-5, 1e-3, 0.02] {
            let v = random_velocities(&mut random, bodies.x.len(), speed);
            let force = forces(&losses, &gone(&bodies.x, &v), &v);
            let total: Point = force.iter().sum();
            assert!(total.norm() < 1e-13 * largest(&losses));
            let power: f64 = force.iter().zip(&v).map(|(f, v)| f.dot(v)).sum();
            // At rest rounding of the gaps is left, which the stiffness below the threshold multiplies.
            assert!(if speed > 0.0 { power > 0.0 } else { power.abs() < 1e-12 * largest(&losses) });
        }
    }

    #[test]
    fn surfaces_that_roll_on_each_other_lose_nothing_and_those_that_come_or_slide_lose_all_their_share() {
        let bodies = resting_bodies(0.0);
        let loses = |losses: &ContactLosses| losses.pairs.iter().map(|pair| pair.hysteresis.share).fold(0.0, f64::max);
        let all = loses(&frozen(&bodies, ROUGH_AND_LOSSY));
        let lost = |velocity: &dyn Fn(Point) -> Point| {
            let mut losses = frozen(&bodies, ROUGH_AND_LOSSY);
            let middle = middle_of_contact(&losses, &bodies);
            losses.follow(&bodies.surface, |vertex| {
                let moves = bodies.surface.body_of(vertex) == 1;
                if moves { velocity(bodies.x[vertex as usize] - middle) } else { Point::zeros() }
            });
            loses(&losses) / all
        };
        let spin = Point::new(0.0, 30.0, 0.0);
        assert!(lost(&|r| spin.cross(&r)) < 0.05, "{}", lost(&|r| spin.cross(&r)));
        assert!(lost(&|_| Point::zeros()) == 1.0);
        assert!(lost(&|_| Point::new(0.0, 0.0, -0.5)) > 0.999);
        assert!(lost(&|r| spin.cross(&r) + Point::new(50.0, 0.0, 0.0)) > 0.9);
    }

    /// Where the force of all pairs acts
    fn middle_of_contact(losses: &ContactLosses, bodies: &Resting) -> Point {
        let (mut middle, mut whole) = (Point::zeros(), 0.0);
        for pair in &losses.pairs {
            let sides = pair.weights.iter().zip(pair.stencil()).filter(|(c, _)| **c > 0.0);
            middle += pair.hysteresis.force * sides.map(|(&c, &i)| c * bodies.x[i as usize]).sum::<Point>();
            whole += pair.hysteresis.force;
        }
        middle / whole
    }

    #[test]
    fn a_body_that_moves_with_the_other_feels_nothing() {
        let bodies = resting_bodies(0.3);
        let losses = frozen(&bodies, ROUGH_AND_LOSSY);
        let v = vec![Point::new(1.0, -2.0, 3.0); bodies.x.len()];
        let force = forces(&losses, &gone(&bodies.x, &v), &v);
        // Weights sum to zero but for rounding, which the stiffness below the threshold multiplies.
        assert!(force.iter().all(|f| f.norm() < 1e-9 * largest(&losses)));
    }

    #[test]
    fn a_body_that_lifts_off_is_let_go_once_it_is_out_of_reach() {
        let bodies = resting_bodies(0.3);
        let losses = frozen(&bodies, ROUGH_AND_LOSSY);
        let up = |v: u32| if bodies.surface.body_of(v) == 1 { Point::new(0.0, 0.0, 1.0) } else { Point::zeros() };
        let v: Vec<Point> = (0..bodies.x.len() as u32).map(up).collect();
        let force = forces(&losses, &gone(&bodies.x, &v), &v);
        assert!(force.iter().all(|f| f.norm() < 1e-9 * largest(&losses)));
    }

    #[test]
    fn derivatives_match_finite_differences_and_the_hessian_is_positive() {
        let bodies = resting_bodies(0.3);
        let mut random = Random(42);
        for rough in [ROUGH, ROUGH_AND_LOSSY] {
            let losses = frozen(&bodies, rough);
            // Within the threshold, and far beyond it, where hysteresis is concave as it opens and clamped.
            for (speed, whole) in [(2e-4, true), (0.02, rough == ROUGH)] {
                let v = random_velocities(&mut random, bodies.x.len(), speed);
                let direction = random_velocities(&mut random, v.len(), 1.0);
                let moved = |s: f64| -> Vec<Point> { v.iter().zip(&direction).map(|(v, d)| v + s * d).collect() };
                let along = |s: f64| {
                    let v = moved(s);
                    let g = forces(&losses, &gone(&bodies.x, &v), &v);
                    g.iter().zip(&direction).map(|(g, d)| LENGTH * g.dot(d)).sum::<f64>()
                };
                let value = |s: f64| {
                    let v = moved(s);
                    losses.value(VertexMotion { x: &gone(&bodies.x, &v), v: &v, length: LENGTH })
                };
                let step = 1e-4 * speed;
                let measured = (value(step) - value(-step)) / (2.0 * step);
                assert!((measured - along(0.0)).abs() < 1e-5 * along(0.0).abs(), "{measured} {}", along(0.0));
                let mut blocks = vec![];
                let bends: Vec<_> =
                    losses.pairs.iter().map(|pair| coulomb::tangent(pair.sliding(&v), losses.epsilon)).collect();
                losses.hessians(VertexMotion { x: &gone(&bodies.x, &v), v: &v, length: LENGTH }, &bends, &mut blocks);
                let mut curvature = 0.0;
                for (pair, s) in losses.pairs.iter().zip(&blocks) {
                    let d = LENGTH * pair.relative(&direction);
                    assert!(s.symmetric_eigenvalues().min() > -1e-12 * s.norm());
                    curvature += d.dot(&(s * d));
                }
                let measured = (along(step) - along(-step)) / (2.0 * step);
                let agree = (measured - curvature).abs() < 2e-3 * curvature;
                assert!(if whole { agree } else { measured <= curvature * (1.0 + 1e-3) }, "{measured} {curvature}");
            }
        }
    }

    #[test]
    fn the_largest_force_is_the_coefficient_times_the_barrier_force() {
        let bodies = resting_bodies(0.0);
        let losses = frozen(&bodies, Roughness { friction: 0.5, restitution: 1.0 });
        let mut push = vec![Point::zeros(); bodies.x.len()];
        bodies.set.add_gradient(&bodies.x, &bodies.barrier, &mut push);
        let weight: Point =
            push.iter().enumerate().filter(|&(v, _)| bodies.surface.body_of(v as u32) == 1).map(|(_, f)| f).sum();
        let v: Vec<Point> = (0..bodies.x.len() as u32)
            .map(|v| if bodies.surface.body_of(v) == 1 { Point::x() } else { Point::zeros() })
            .collect();
        let force = forces(&losses, &bodies.x, &v);
        let drag: Point = force.iter().zip(&v).map(|(f, v)| f * v.x).sum();
        assert!((drag.x - 0.5 * weight.z.abs()).abs() < 1e-9 * drag.x, "{drag} {weight}");
    }
}
