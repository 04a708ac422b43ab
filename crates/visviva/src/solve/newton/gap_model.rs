//! Newton's direction where barriers bend more than all else: they are kept as they are, along gaps that are linear in the step.
//!
//! ```text
//! M(d) = (g − Σ e′(s) q)·d + ½ d·A d + Σ e(s + q·d),    e = κ w m b,    ∇M(0) = g
//! ```
//!
//! M is convex, so its minimum lies downhill. Newton's own model of a barrier is a parabola, good for a small part of the gap: near
//! the reach it knows nothing of the wall behind. Each of its steps would be cut by the first pair that it runs into. Here only
//! the turning of gaps is left to the outer iteration, which has to look for collisions; finding M's minimum takes none.

use crate::laws::barrier;
use crate::math::vector;
use crate::solve::assembly::contact_stencil::ContactStencil;
use crate::solve::linear::{
    BlockMatrix, BlockPattern, LinearError, LinearReport, LinearSolver, PINNED, StencilSlots, Touching,
};
use nalgebra::Vector3;
use rayon::prelude::*;
use std::collections::HashMap;

/// A gap s + q·d and its barrier.
#[derive(Debug, Clone)]
pub struct LinearGap {
    rows: Vec<u32>,
    /// q, three numbers a row; zero where that is pinned
    q: Vec<f64>,
    /// s `[m]`, thickness taken off
    gap: f64,
    /// κ w m `[N/m]`
    stiffness: f64,
}

impl LinearGap {
    pub fn new(stencil: &ContactStencil, weights: &[f64; 4], normal: &Vector3<f64>, gap: f64, stiffness: f64) -> Self {
        let parts = weights.map(|c| c * normal);
        let part = |(slot, &row): (usize, &u32)| {
            let q = if row == PINNED { Vector3::zeros() } else { stencil.transposed(slot, &parts) };
            <[f64; 3]>::from(q)
        };
        let q = stencil.rows().iter().enumerate().flat_map(part).collect();
        Self { rows: stencil.rows().to_vec(), q, gap, stiffness }
    }

    /// Rows that move, each with its part of q
    fn parts(&self) -> impl Iterator<Item = (usize, &[f64])> {
        let parts = self.rows.iter().zip(self.q.chunks_exact(3));
        parts.filter(|&(&row, _)| row != PINNED).map(|(&row, q)| (row as usize, q))
    }

    /// q·d
    fn along(&self, d: &[f64]) -> f64 {
        self.parts().map(|(row, q)| q[0] * d[3 * row] + q[1] * d[3 * row + 1] + q[2] * d[3 * row + 2]).sum()
    }

    /// out ← out + scale q
    fn add(&self, scale: f64, out: &mut [f64]) {
        self.parts().for_each(|(row, q)| (0..3).for_each(|c| out[3 * row + c] += scale * q[c]));
    }

    /// Upper blocks of scale q qᵀ
    fn add_outer(&self, scale: f64, blocks: &mut [[f64; 9]]) {
        let mut next = blocks.iter_mut();
        for (r, q) in self.q.chunks_exact(3).enumerate() {
            for (p, block) in self.q[3 * r..].chunks_exact(3).zip(&mut next) {
                for c in 0..3 {
                    let factor = scale * p[c];
                    (0..3).for_each(|i| block[3 * c + i] += factor * q[i]);
                }
            }
        }
    }
}

/// Gaps of the same rows: their blocks are summed before they go into the matrix, for two stiff bodies touch at dozens of pairs.
struct Coupling {
    gaps: Vec<u32>,
    slots: StencilSlots,
}

fn couplings(gaps: &[LinearGap], pattern: &BlockPattern) -> Result<Vec<Coupling>, LinearError> {
    let mut known = HashMap::new();
    let mut couplings: Vec<Coupling> = Vec::new();
    for (k, gap) in gaps.iter().enumerate() {
        let at = *known.entry(gap.rows.as_slice()).or_insert(couplings.len());
        if at == couplings.len() {
            couplings.push(Coupling { gaps: Vec::new(), slots: StencilSlots::new(pattern, &gap.rows)? });
        }
        couplings[at].gaps.push(k as u32);
    }
    Ok(couplings)
}

/// Halvings of an inner step at most; beyond, only rounding is left.
const HALVINGS: usize = 40;
/// Of each gap, what an inner step leaves
const KEEP: f64 = 0.1;
/// Inner steps end where no gap changes by more than this part of itself, and M falls by no more than this part of its fall.
const ENOUGH: f64 = 0.02;

/// Gaps, or couplings, that are worth a task.
const TASK: usize = 512;

/// A point and what M needs there.
struct Place {
    d: Vec<f64>,
    /// A d
    a_d: Vec<f64>,
    /// q·d of each gap
    along: Vec<f64>,
}

impl Place {
    fn new(d: Vec<f64>, a: &BlockMatrix, gaps: &[LinearGap]) -> Self {
        let mut a_d = vec![0.0; d.len()];
        a.multiply(&d, &mut a_d);
        Self { along: gaps.par_iter().with_min_len(TASK).map(|gap| gap.along(&d)).collect(), d, a_d }
    }

    fn go(&mut self, t: f64, step: &Place) {
        vector::add_scaled(&mut self.d, t, &step.d);
        vector::add_scaled(&mut self.a_d, t, &step.a_d);
        vector::add_scaled(&mut self.along, t, &step.along);
    }
}

struct Model<'a> {
    gaps: &'a [LinearGap],
    couplings: Vec<Coupling>,
    reach: f64,
    a: BlockMatrix,
    /// g − Σ e′(s) q
    linear_part: Vec<f64>,
}

impl Model<'_> {
    /// M at a place and t of a step from it, and the magnitude that its rounding error is proportional to
    fn value(&self, at: &Place, t: f64, step: &Place) -> (f64, f64) {
        let terms = [
            vector::dot(&self.linear_part, &at.d),
            0.5 * vector::dot(&at.d, &at.a_d),
            t * vector::dot(&self.linear_part, &step.d),
            t * vector::dot(&at.a_d, &step.d),
            0.5 * t * t * vector::dot(&step.d, &step.a_d),
        ];
        let gaps = self.gaps.iter().zip(at.along.iter().zip(&step.along));
        let barriers: f64 = gaps
            .map(|(gap, (along, step))| gap.stiffness * barrier::value(gap.gap + along + t * step, self.reach))
            .sum();
        (terms.iter().sum::<f64>() + barriers, terms.iter().map(|term| term.abs()).sum::<f64>() + barriers)
    }

    /// −∇M, and ∇²M in the matrix
    fn derivatives(&self, at: &Place, matrix: &mut BlockMatrix) -> Result<Vec<f64>, LinearError> {
        matrix.copy_from(&self.a);
        let mut force: Vec<f64> = self.linear_part.iter().zip(&at.a_d).map(|(g, a_d)| -(g + a_d)).collect();
        for (gap, along) in self.gaps.iter().zip(&at.along) {
            gap.add(-gap.stiffness * barrier::slope(gap.gap + along, self.reach), &mut force);
        }
        let blocks = |coupling: &Coupling| {
            let mut blocks = Vec::new();
            for &k in &coupling.gaps {
                let (gap, along) = (&self.gaps[k as usize], at.along[k as usize]);
                let curvature = gap.stiffness * barrier::curvature(gap.gap + along, self.reach);
                if curvature > 0.0 {
                    blocks.resize(coupling.slots.block_count(), [0.0; 9]);
                    gap.add_outer(curvature, &mut blocks);
                }
            }
            blocks
        };
        for some in self.couplings.chunks(TASK) {
            let blocks: Vec<_> = some.par_iter().with_min_len(TASK / 16).map(blocks).collect();
            for (coupling, blocks) in some.iter().zip(&blocks).filter(|(_, blocks)| !blocks.is_empty()) {
                matrix.add_to_slots(&coupling.slots, blocks)?;
            }
        }
        Ok(force)
    }

    /// The largest part of a step, at most 1, that leaves something of all gaps; and the largest relative change of an active gap
    /// by the whole step.
    fn bounds(&self, at: &Place, step: &Place) -> (f64, f64) {
        let (mut t, mut change) = (1.0f64, 0.0f64);
        for (gap, (along, step)) in self.gaps.iter().zip(at.along.iter().zip(&step.along)) {
            let s = gap.gap + along;
            if s.min(s + step) < self.reach {
                change = change.max(step.abs() / s);
            }
            if *step < 0.0 {
                t = t.min((1.0 - KEEP) * s / -step);
            }
        }
        (t, change)
    }
}

/// Who solves the inner systems, and the relative residuals at which conjugate gradients may stop.
#[derive(Debug)]
pub struct System<'a> {
    pub linear: &'a mut LinearSolver,
    pub touching: Touching<'a>,
    pub far_tolerance: f64,
    /// Of steps to places nearer than `short`: what is left of the residual there would be lost momentum
    pub tolerance: f64,
    /// `[m]`
    pub short: f64,
}

impl System<'_> {
    /// `step` ← A⁻¹ f, for a step from d.
    fn solve(&mut self, a: &BlockMatrix, f: &[f64], d: &[f64], step: &mut [f64]) -> Result<LinearReport, LinearError> {
        let Self { linear, touching, far_tolerance, tolerance, short } = self;
        let report = linear.solve_touching(a, *touching, f, step, *far_tolerance)?;
        let is_short = || {
            let both = d.chunks_exact(3).zip(step.chunks_exact(3));
            let lengths = both.map(|(d, s)| (0..3).map(|c| (d[c] + s[c]) * (d[c] + s[c])).sum::<f64>());
            lengths.fold(0.0, f64::max) < *short * *short
        };
        if !report.direct && tolerance < far_tolerance && is_short() {
            return linear.go_on(a, f, step, *tolerance);
        }
        Ok(report)
    }
}

/// How far minimising M came.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Arrival {
    pub at_minimum: bool,
    /// Whether all inner systems were factored
    pub directly: bool,
    pub linear_iterations: usize,
}

/// Minimises M from d on, or from 0 where that is no better, in `steps` inner steps at most: what was reached by then still leads
/// downhill. `matrix` is A, with blocks for all gaps, and is spent; `force` is −g.
pub fn minimise(
    gaps: &[LinearGap],
    reach: f64,
    steps: usize,
    matrix: &mut BlockMatrix,
    mut system: System<'_>,
    force: &[f64],
    d: &mut [f64],
) -> Result<Arrival, LinearError> {
    let mut linear_part: Vec<f64> = force.iter().map(|f| -f).collect();
    for gap in gaps {
        gap.add(-gap.stiffness * barrier::slope(gap.gap, reach), &mut linear_part);
    }
    let couplings = couplings(gaps, matrix.pattern())?;
    let model = Model { gaps, couplings, reach, a: matrix.clone(), linear_part };
    let origin = Place::new(vec![0.0; d.len()], &model.a, gaps);
    let start = model.value(&origin, 0.0, &origin).0;
    let mut at = Place::new(d.to_vec(), &model.a, gaps);
    // M has to fall from 0 on: that is what leads downhill.
    let better = model.value(&at, 0.0, &at).0 < start;
    if !(better && gaps.iter().zip(&at.along).all(|(gap, along)| gap.gap + along >= KEEP * gap.gap)) {
        at = origin;
    }
    let mut arrival = Arrival { at_minimum: false, directly: true, linear_iterations: 0 };
    for _ in 0..steps {
        let force = model.derivatives(&at, matrix)?;
        let mut step = vec![0.0; d.len()];
        let report = system.solve(matrix, &force, &at.d, &mut step)?;
        arrival.directly &= report.direct;
        arrival.linear_iterations += report.iterations;
        let fall = vector::dot(&force, &step);
        let step = Place::new(step, &model.a, gaps);
        let (mut t, change) = model.bounds(&at, &step);
        let (value, magnitude) = model.value(&at, 0.0, &at);
        // Below rounding, values decide nothing: the step is Newton's, and the last.
        if fall <= 8.0 * f64::EPSILON * magnitude {
            at.go(t, &step);
            arrival.at_minimum = t == 1.0;
            break;
        }
        let mut lower = model.value(&at, t, &step).0;
        for _ in 0..HALVINGS {
            if lower < value {
                break;
            }
            t *= 0.5;
            lower = model.value(&at, t, &step).0;
        }
        if lower.is_nan() || lower >= value {
            break;
        }
        at.go(t, &step);
        // Without a barrier on the way M is a parabola, and this its foot.
        arrival.at_minimum = t == 1.0 && (change == 0.0 || change < ENOUGH && fall <= ENOUGH * (start - lower));
        if arrival.at_minimum {
            break;
        }
    }
    d.copy_from_slice(&at.d);
    Ok(arrival)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::sampling::Random;
    use crate::model::Attachment;
    use crate::solve::linear::Choice;
    use std::sync::Arc;

    const REACH: f64 = 1e-3;

    fn exact<'a>(linear: &'a mut LinearSolver, touching: Touching<'a>) -> System<'a> {
        System { linear, touching, far_tolerance: 0.0, tolerance: 0.0, short: 0.0 }
    }

    /// Nodes on springs to their places, pushed at random, with gaps between them and walls.
    struct Springs {
        gaps: Vec<LinearGap>,
        a: BlockMatrix,
        force: Vec<f64>,
    }

    fn springs(random: &mut Random, nodes: usize, gap_count: usize) -> Springs {
        let attachments: Vec<Attachment> = (0..nodes as u32).map(Attachment::Node).collect();
        let mut rows: Vec<u32> = (0..nodes as u32).collect();
        rows[0] = PINNED;
        let all: Vec<u32> = (0..nodes as u32).collect();
        let mut a = BlockMatrix::zeros(Arc::new(BlockPattern::from_stencils(nodes, [all.as_slice()]).unwrap()));
        a.add_diagonal(&vec![2e3; nodes]).unwrap();
        let gap = |random: &mut Random| {
            let first = 1 + (random.between(0.0, 1.0) * (nodes - 2) as f64) as u32;
            let stencil =
                ContactStencil::new(&[first, if first.is_multiple_of(3) { 0 } else { first + 1 }], &attachments, &rows);
            let gap = random.between(0.2, 3.0) * REACH;
            LinearGap::new(&stencil, &[1.0, -1.0, 0.0, 0.0], &random.point().normalize(), gap, 1e7)
        };
        let gaps = (0..gap_count).map(|_| gap(random)).collect();
        let force = (0..3 * nodes).map(|k| if k < 3 { 0.0 } else { random.between(-20.0, 20.0) }).collect();
        Springs { gaps, a, force }
    }

    #[test]
    fn steps_to_places_nearby_are_solved_for_to_their_end_and_others_loosely() {
        let Springs { gaps, mut a, force } = springs(&mut Random(72), 40, 60);
        for gap in &gaps {
            let mut blocks = vec![[0.0; 9]; gap.rows.len() * (gap.rows.len() + 1) / 2];
            gap.add_outer(1e4, &mut blocks);
            a.add_stencil(&gap.rows, &blocks).unwrap();
        }
        let residual_of = |short: f64, d: &[f64]| {
            let mut linear = LinearSolver::new(Choice::Iterative);
            let touching = Touching { base: a.pattern(), nodes: &[] };
            let mut system = System { linear: &mut linear, touching, far_tolerance: 0.5, tolerance: 1e-10, short };
            let mut step = vec![0.0; force.len()];
            assert!(!system.solve(&a, &force, d, &mut step).unwrap().direct);
            let mut left = vec![0.0; step.len()];
            a.multiply(&step, &mut left);
            let wrong = left.iter().zip(&force).map(|(a, f)| (a - f) * (a - f)).sum::<f64>();
            (wrong / force.iter().map(|f| f * f).sum::<f64>()).sqrt()
        };
        let here = vec![0.0; force.len()];
        assert!(residual_of(1.0, &here) < 1e-7);
        assert!(residual_of(1e-9, &here) > 1e-3);
        // What counts is where a step leads to, not how long it is.
        assert!(residual_of(1.0, &vec![2.0; force.len()]) > 1e-3);
    }

    #[test]
    fn its_minimum_balances_all_forces_opens_all_gaps_and_lies_downhill() {
        let mut random = Random(71);
        let mut closed = 0;
        for round in 0..40 {
            let Springs { gaps, a, force } = springs(&mut random, 6, 3 * (round % 5));
            let mut d = vec![0.0; force.len()];
            let mut linear = LinearSolver::new(Choice::Direct);
            for _ in 0..6 {
                let touching = Touching { base: a.pattern(), nodes: &[] };
                let system = exact(&mut linear, touching);
                let arrival = minimise(&gaps, REACH, 20, &mut a.clone(), system, &force, &mut d).unwrap();
                assert!(arrival.at_minimum && arrival.directly, "round {round}");
            }
            let mut left = vec![0.0; d.len()];
            a.multiply(&d, &mut left);
            left.iter_mut().zip(&force).for_each(|(left, f)| *left -= f);
            for gap in &gaps {
                let s = gap.gap + gap.along(&d);
                assert!(s > 0.0);
                closed += (s < REACH) as usize;
                let push = |s: f64| gap.stiffness * barrier::slope(s, REACH);
                gap.add(push(s) - push(gap.gap), &mut left);
            }
            let (left, whole) = (vector::dot(&left, &left).sqrt(), vector::dot(&force, &force).sqrt());
            assert!(left < 1e-6 * whole, "round {round}: {left} of {whole}");
            assert!(vector::dot(&force, &d) > 0.0);
        }
        assert!(closed > 40, "{closed}");
    }

    #[test]
    fn a_wall_that_newton_would_run_into_is_met_in_one_call() {
        let mut random = Random(72);
        let Springs { a, .. } = springs(&mut random, 3, 0);
        let attachments = [0, 1, 2].map(Attachment::Node);
        let stencil = ContactStencil::new(&[1, 0], &attachments, &[PINNED, 1, 2]);
        let up = Vector3::new(0.0, 0.0, 1.0);
        let gaps = [LinearGap::new(&stencil, &[1.0, -1.0, 0.0, 0.0], &up, 2.0 * REACH, 1e7)];
        let mut force = vec![0.0; 9];
        force[5] = -20.0;
        let mut d = vec![0.0; 9];
        let mut linear = LinearSolver::new(Choice::Direct);
        let touching = Touching { base: a.pattern(), nodes: &[] };
        let system = exact(&mut linear, touching);
        assert!(minimise(&gaps, REACH, 20, &mut a.clone(), system, &force, &mut d).unwrap().at_minimum);
        // Springs alone would let it go five gaps far.
        let s = 2.0 * REACH + d[5];
        assert!(s > 0.0 && s < REACH);
        let balance = -20.0 - 2e3 * d[5] - 1e7 * barrier::slope(s, REACH);
        assert!(balance.abs() < 0.2, "{balance}");
    }
}
