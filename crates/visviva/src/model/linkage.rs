//! How joined bodies can move at a position: the rates of all joints and pins as linear equations J u = r of the bodies' twists u.
//!
//! ```text
//! u* = argmin ½‖u − u₀‖²_M,  J u* = r      K = J L⁻ᵀ,  M = L Lᵀ:  Lᵀu* = Lᵀu₀ − K⁺(J u₀ − r)
//! ```
//!
//! The pseudo-inverse bears what a loop of joints asks twice; its rank says how many ways to move are left.

use super::bodies::{Model, node_of};
use nalgebra::{DMatrix, DVector, Matrix3, Matrix6, SMatrix, SymmetricEigen, Vector3, Vector6};

/// Singular values below this part of the largest count as zero.
const NOTHING: f64 = 1e-7;
/// Of a body's inertia, added to it: a body that turns about an axis has none along it.
const LEAST_INERTIA: f64 = 1e-9;

/// Bodies that joints join to each other, and their equations.
#[derive(Debug)]
pub struct Linkage {
    pub bodies: Vec<usize>,
    /// K
    scaled: DMatrix<f64>,
    /// r
    rates: DVector<f64>,
    /// L⁻ᵀ of each body
    inertia: Vec<Matrix6<f64>>,
}

/// How a linkage moves, or cannot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mobility {
    /// Ways to move that are left
    pub freedoms: usize,
    /// The largest rate that motors ask for, and the largest that joints do not allow `[m/s]`
    pub asked: f64,
    pub refused: f64,
}

impl Model {
    /// Bodies by the joints between them: one list for each linkage, in the order of their first body. Those that joints join to the
    /// world alone, or that are pinned in part, are linkages of their own.
    pub fn linkages(&self) -> Vec<Vec<usize>> {
        let mut group: Vec<usize> = (0..self.bodies.len()).collect();
        for [a, b] in self.joined_bodies() {
            let (keep, drop) = (group[a].min(group[b]), group[a].max(group[b]));
            group.iter_mut().filter(|of| **of == drop).for_each(|of| *of = keep);
        }
        let is_held = |body: usize| {
            let pinned = self.bodies[body].nodes.clone().filter(|&node| self.mass.is_pinned(node)).count();
            self.blocks_of(body).is_some() && pinned > 0 && pinned < 4
        };
        let members = |first: usize| (first..group.len()).filter(|&body| group[body] == first).collect::<Vec<_>>();
        let all = (0..group.len()).filter(|&first| group[first] == first).map(members);
        all.filter(|bodies| bodies.iter().any(|&body| self.is_jointed(body) || is_held(body))).collect()
    }

    /// The mass of an affine body
    fn blocks_of(&self, body: usize) -> Option<&super::mass::Block> {
        let first = self.bodies[body].nodes.start;
        let blocks = self.mass.blocks();
        blocks.binary_search_by_key(&first, |block| block.first_node).ok().map(|index| &blocks[index])
    }

    /// The linkage of these bodies at a position; `rate` says how fast nodes are that move by themselves `[m/s]`.
    pub fn linkage(&self, bodies: Vec<usize>, x: &[f64], rate: impl Fn(usize) -> Vector3<f64>) -> Linkage {
        let inertia: Vec<Matrix6<f64>> = bodies.iter().map(|&body| self.inverse_inertia(body, x)).collect();
        let (mut rows, mut rates) = (Vec::new(), Vec::new());
        let mut add = |slopes: &[(usize, Vector3<f64>)]| {
            let mut row = vec![0.0; 6 * bodies.len()];
            let mut wanted = 0.0;
            for &(node, slope) in slopes {
                let place = self.body_of_node(node).and_then(|body| bodies.iter().position(|&other| other == body));
                match place {
                    Some(place) => {
                        let part = twist_of(self, bodies[place], node, x).transpose() * slope;
                        (0..6).for_each(|c| row[6 * place + c] += part[c]);
                    }
                    None => wanted -= slope.dot(&rate(node)),
                }
            }
            for (place, inertia) in inertia.iter().enumerate() {
                let part = inertia.transpose() * Vector6::from_column_slice(&row[6 * place..6 * place + 6]);
                row[6 * place..6 * place + 6].copy_from_slice(part.as_slice());
            }
            rows.push(row);
            rates.push(wanted);
        };
        for joint in self.joints.iter().filter(|joint| bodies.contains(&joint.body)) {
            let nodes: Vec<usize> = joint.nodes().iter().map(|&node| node as usize).chain(joint.dial()).collect();
            let points = joint.points(x);
            for equation in joint.ties.iter().flat_map(|tie| tie.equations(&points)) {
                add(&nodes.iter().copied().zip(equation.slopes).collect::<Vec<_>>());
            }
        }
        let own = bodies.iter().flat_map(|&body| self.bodies[body].nodes.clone());
        for node in own.filter(|&node| self.mass.is_pinned(node)) {
            for c in 0..3 {
                add(&[(node, Vector3::ith(c, 1.0))]);
            }
        }
        let scaled = DMatrix::from_fn(rows.len(), 6 * bodies.len(), |r, c| rows[r][c]);
        Linkage { bodies, scaled, rates: DVector::from_vec(rates), inertia }
    }

    /// L⁻ᵀ of a body's 6×6 inertia
    fn inverse_inertia(&self, body: usize, x: &[f64]) -> Matrix6<f64> {
        let Some(block) = self.blocks_of(body) else { return Matrix6::identity() };
        let twists: [_; 4] = std::array::from_fn(|i| twist_of(self, body, block.first_node + i, x));
        let mut inertia = Matrix6::zeros();
        for i in 0..4 {
            for j in 0..4 {
                inertia += block.matrix[(i, j)] * twists[i].transpose() * twists[j];
            }
        }
        let least = LEAST_INERTIA * inertia.trace().max(f64::MIN_POSITIVE);
        let lower = (inertia + least * Matrix6::identity()).cholesky();
        lower.and_then(|lower| lower.l().transpose().try_inverse()).unwrap_or_else(Matrix6::identity)
    }
}

/// The velocity of a node as a matrix times the twist of its body: (velocity of its first node, angular velocity).
fn twist_of(model: &Model, body: usize, node: usize, x: &[f64]) -> SMatrix<f64, 3, 6> {
    let arm = node_of(x, node) - node_of(x, model.bodies[body].nodes.start);
    let mut twist = SMatrix::<f64, 3, 6>::zeros();
    twist.fixed_view_mut::<3, 3>(0, 0).copy_from(&Matrix3::identity());
    twist.fixed_view_mut::<3, 3>(0, 3).copy_from(&-arm.cross_matrix());
    twist
}

impl Linkage {
    /// Brings the bodies' velocities to where joints and pins allow them, changing as little as an impulse at the joints would.
    pub fn fit(&self, model: &Model, x: &[f64], v: &mut [f64]) -> Mobility {
        let mut scaled = DVector::zeros(6 * self.bodies.len());
        for (place, &body) in self.bodies.iter().enumerate() {
            let part = self.inertia[place].try_inverse().unwrap_or_default() * twist(model, body, x, v);
            scaled.rows_mut(6 * place, 6).copy_from(&part);
        }
        let wrong = &self.scaled * &scaled - &self.rates;
        let SymmetricEigen { eigenvectors, eigenvalues } = SymmetricEigen::new(&self.scaled * self.scaled.transpose());
        let least = NOTHING * NOTHING * eigenvalues.amax();
        let turned = eigenvectors.transpose() * &wrong;
        let kept = |i: usize| eigenvalues[i] > least;
        let impulse = DVector::from_fn(turned.len(), |i, _| if kept(i) { turned[i] / eigenvalues[i] } else { 0.0 });
        scaled -= self.scaled.transpose() * (&eigenvectors * impulse);
        let left = &self.scaled * &scaled - &self.rates;
        for (place, &body) in self.bodies.iter().enumerate() {
            let twist = self.inertia[place] * scaled.fixed_rows::<6>(6 * place);
            for node in model.bodies[body].nodes.clone() {
                let velocity = twist_of(model, body, node, x) * twist;
                v[3 * node..3 * node + 3].copy_from_slice(velocity.as_slice());
            }
        }
        let rank = (0..eigenvalues.len()).filter(|&i| kept(i)).count();
        let largest = |rates: &DVector<f64>| rates.iter().fold(0.0, |most: f64, rate| most.max(rate.abs()));
        Mobility { freedoms: scaled.len() - rank, asked: largest(&self.rates), refused: largest(&left) }
    }
}

/// Of a body that moves rigidly.
fn twist(model: &Model, body: usize, x: &[f64], v: &[f64]) -> Vector6<f64> {
    let first = model.bodies[body].nodes.start;
    let (origin, velocity) = (node_of(x, first), node_of(v, first));
    let spoke = |i: usize| (node_of(x, first + i) - origin, node_of(v, first + i) - velocity);
    let turn = (1..4).map(spoke).map(|(e, v)| 0.5 * e.cross(&v) / e.norm_squared()).sum::<Vector3<f64>>();
    Vector6::new(velocity.x, velocity.y, velocity.z, turn.x, turn.y, turn.z)
}
