//! Lagged Coulomb friction of the active pairs: normal forces and tangents frozen at the start of a step (Li et al. 2020, section 5).
//!
//! R(v) = Σ μ λ f₀(|u|) `[W]`, u = Tᵀ Σ cᵢ vᵢ the sliding velocity, λ = κ w m |b′(d − ξ)|, T the plane normal to n;
//! the force on vertex i is −cᵢ μ λ f₀′ T u/|u|. The weights c sum to zero, so action equals reaction.

use super::barrier_pair::{self, Barrier};
use super::contact_set::ContactSet;
use super::distance::Point;
use super::pair::{Kind, Pair};
use super::surface::Surface;
use crate::laws::coulomb;
use nalgebra::{Matrix3, Matrix3x2, Vector2};
use rayon::prelude::*;

/// What is frozen of one pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionPair {
    kind: Kind,
    vertices: [u32; 4],
    /// c
    pub weights: [f64; 4],
    /// T: two orthonormal columns
    pub tangents: Matrix3x2<f64>,
    /// μλ `[N]`: the largest friction force
    pub limit: f64,
}

#[derive(Debug, Clone, Default)]
pub struct Friction {
    pub pairs: Vec<FrictionPair>,
    /// ε_v `[m/s]`: below this sliding speed friction fades
    pub epsilon: f64,
}

impl Friction {
    /// Freezes the pairs of a contact set at the position of its last update; `coefficient` gives μ for two bodies.
    pub fn freeze(
        &mut self,
        set: &ContactSet,
        surface: &Surface,
        x: &[Point],
        barrier: &Barrier,
        coefficient: impl Fn(u32, u32) -> f64,
    ) {
        let freeze = |pair: &Pair| {
            let stencil = pair.stencil();
            let mu = coefficient(surface.body_of(stencil[0]), surface.body_of(stencil[stencil.len() - 1]));
            if mu > 0.0 { Some(FrictionPair::new(pair, &pair.points(x), barrier, mu)) } else { None }
        };
        self.pairs.clear();
        self.pairs.extend(set.pairs().iter().filter_map(freeze));
    }

    /// R(v) `[W]`
    pub fn value(&self, v: &[Point]) -> f64 {
        self.pairs.iter().map(|pair| pair.limit * coulomb::value(pair.sliding(v).norm(), self.epsilon)).sum()
    }

    /// g ← g + weight ∇R(v) `[N]`; the friction force is minus ∇R.
    pub fn add_gradient(&self, v: &[Point], weight: f64, g: &mut [Point]) {
        for pair in &self.pairs {
            let force = weight * pair.gradient(v, self.epsilon);
            for (&c, &vertex) in pair.weights.iter().zip(pair.stencil()) {
                g[vertex as usize] += c * force;
            }
        }
    }

    /// ∇²R of every pair, in order, as S: the block of vertices i and j of its stencil is cᵢ cⱼ S `[N s/m]`, S ≥ 0.
    pub fn hessians(&self, v: &[Point], out: &mut Vec<Matrix3<f64>>) {
        out.clear();
        out.par_extend(self.pairs.par_iter().with_min_len(256).map(|pair| pair.hessian(v, self.epsilon)));
    }
}

impl FrictionPair {
    fn new(pair: &Pair, points: &[Point; 4], barrier: &Barrier, mu: f64) -> Self {
        let gap = pair.gap(points);
        let normal_force = -pair.weight * barrier_pair::fading(pair, points) * barrier.of(pair).slope(gap.distance);
        let n = gap.normal;
        // From the axis least along n: never a short cross product.
        let first = n.cross(&Point::ith(n.iamin(), 1.0)).normalize();
        Self {
            kind: pair.kind,
            vertices: pair.vertices,
            weights: gap.weights,
            tangents: Matrix3x2::from_columns(&[first, n.cross(&first)]),
            limit: mu * normal_force,
        }
    }

    pub fn stencil(&self) -> &[u32] {
        &self.vertices[..self.kind.vertex_count()]
    }

    /// That of the pair it was frozen from
    pub fn key(&self) -> (Kind, [u32; 4]) {
        (self.kind, self.vertices)
    }

    /// u `[m/s]`
    pub fn sliding(&self, v: &[Point]) -> Vector2<f64> {
        let relative: Point = self.weights.iter().zip(self.stencil()).map(|(&c, &i)| c * v[i as usize]).sum();
        self.tangents.transpose() * relative
    }

    /// ∇R by the relative velocity Σ cᵢ vᵢ `[N]`: vertex i gets cᵢ times this.
    pub fn gradient(&self, v: &[Point], epsilon: f64) -> Point {
        let u = self.sliding(v);
        self.tangents * (self.limit * slope_over_speed(u.norm(), epsilon) * u)
    }

    /// S = μλ T [f₀′/|u| (I − û ûᵀ) + f₀″ û ûᵀ] Tᵀ
    pub fn hessian(&self, v: &[Point], epsilon: f64) -> Matrix3<f64> {
        let u = self.sliding(v);
        let speed = u.norm();
        let across = slope_over_speed(speed, epsilon);
        let mut hessian = across * self.tangents * self.tangents.transpose();
        if speed > 0.0 {
            let along = self.tangents * (u / speed);
            hessian += (coulomb::curvature(speed, epsilon) - across) * along * along.transpose();
        }
        self.limit * hessian
    }
}

/// f₀′(s)/s, finite at rest
fn slope_over_speed(speed: f64, epsilon: f64) -> f64 {
    if speed > 0.0 { coulomb::slope(speed, epsilon) / speed } else { coulomb::curvature(0.0, epsilon) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::sampling::{Random, resting_bodies};

    fn frozen() -> (Friction, usize) {
        let bodies = resting_bodies(0.3);
        let mut friction = Friction { epsilon: 1e-3, ..Friction::default() };
        friction.freeze(
            &bodies.set,
            &bodies.surface,
            &bodies.x,
            &bodies.barrier,
            |a, b| if a == b { 0.0 } else { 0.4 },
        );
        assert!(friction.pairs.len() > 5);
        (friction, bodies.x.len())
    }

    fn random_velocities(random: &mut Random, count: usize, speed: f64) -> Vec<Point> {
        (0..count).map(|_| speed * random.point()).collect()
    }

    #[test]
    fn action_equals_reaction_and_friction_only_takes_energy() {
        let (friction, count) = frozen();
        let mut random = Random(41);
        for speed in [0.0, 1e-5, 1e-3, 1.0] {
            let v = random_velocities(&mut random, count, speed);
            let mut force = vec![Point::zeros(); count];
            friction.add_gradient(&v, 1.0, &mut force);
            let total: Point = force.iter().sum();
            let largest: f64 = friction.pairs.iter().map(|pair| pair.limit).sum();
            assert!(total.norm() < 1e-13 * largest);
            let power: f64 = force.iter().zip(&v).map(|(f, v)| f.dot(v)).sum();
            assert!(if speed > 0.0 { power > 0.0 } else { power == 0.0 });
            assert!(power <= friction.value(&v) * (1.0 + 1e-12) + 1e-12, "f₀′(s) s ≤ f₀(s)");
        }
    }

    #[test]
    fn a_body_that_lifts_off_or_moves_with_the_other_feels_nothing() {
        let (friction, count) = frozen();
        let mut force = vec![Point::zeros(); count];
        friction.add_gradient(&vec![Point::new(1.0, -2.0, 3.0); count], 1.0, &mut force);
        let largest: f64 = friction.pairs.iter().map(|pair| pair.limit).sum();
        // Weights sum to zero but for rounding, which the stiffness below the threshold multiplies.
        assert!(force.iter().all(|f| f.norm() < 1e-11 * largest));
    }

    #[test]
    fn derivatives_match_finite_differences_and_the_hessian_is_positive() {
        let (friction, count) = frozen();
        let mut random = Random(42);
        for speed in [2e-4, 1e-3, 0.1] {
            let v = random_velocities(&mut random, count, speed);
            let direction = random_velocities(&mut random, count, 1.0);
            let moved = |s: f64| -> Vec<Point> { v.iter().zip(&direction).map(|(v, d)| v + s * d).collect() };
            let along = |s: f64| {
                let mut g = vec![Point::zeros(); count];
                friction.add_gradient(&moved(s), 1.0, &mut g);
                g.iter().zip(&direction).map(|(g, d)| g.dot(d)).sum::<f64>()
            };
            let step = 1e-4 * speed;
            let measured = (friction.value(&moved(step)) - friction.value(&moved(-step))) / (2.0 * step);
            assert!((measured - along(0.0)).abs() < 1e-5 * along(0.0).abs().max(1e-3), "{measured} {}", along(0.0));
            let mut blocks = vec![];
            friction.hessians(&v, &mut blocks);
            let mut curvature = 0.0;
            for (pair, s) in friction.pairs.iter().zip(&blocks) {
                let d: Point = pair.weights.iter().zip(pair.stencil()).map(|(&c, &i)| c * direction[i as usize]).sum();
                assert!(s.symmetric_eigenvalues().min() > -1e-12 * s.norm());
                curvature += d.dot(&(s * d));
            }
            let measured = (along(step) - along(-step)) / (2.0 * step);
            assert!((measured - curvature).abs() < 2e-3 * curvature, "{measured} {curvature}");
        }
    }

    #[test]
    fn the_largest_force_is_the_coefficient_times_the_barrier_force() {
        let bodies = resting_bodies(0.0);
        let mut friction = Friction { epsilon: 1e-3, ..Friction::default() };
        friction.freeze(&bodies.set, &bodies.surface, &bodies.x, &bodies.barrier, |_, _| 0.5);
        let mut push = vec![Point::zeros(); bodies.x.len()];
        bodies.set.add_gradient(&bodies.x, &bodies.barrier, &mut push);
        let weight: Point =
            push.iter().enumerate().filter(|&(v, _)| bodies.surface.body_of(v as u32) == 1).map(|(_, f)| f).sum();
        let v: Vec<Point> = (0..bodies.x.len() as u32)
            .map(|v| if bodies.surface.body_of(v) == 1 { Point::x() } else { Point::zeros() })
            .collect();
        let mut force = vec![Point::zeros(); v.len()];
        friction.add_gradient(&v, 1.0, &mut force);
        let drag: Point = force.iter().zip(&v).map(|(f, v)| f * v.x).sum();
        assert!((drag.x - 0.5 * weight.z.abs()).abs() < 1e-9 * drag.x, "{drag} {weight}");
    }
}
