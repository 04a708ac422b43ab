//! Newton steps along the curve on which stiff bodies turn without stretching.
//!
//! ```text
//! ΔA A⁻¹ = W + S (skew, symmetric),    A(t) = exp(t W) (I + t S) A,    p(t) = p + t Δp
//! ```
//!
//! A straight step that turns an affine body by θ stretches it by θ²/2, at κ V θ⁴ of energy: the line search would let it turn by
//! a hundredth of a radian an iteration. Any path between two iterates serves, so the chord to the curve's point is what is checked
//! for collisions.

use crate::model::bodies::{Model, node_of};
use crate::model::mass::Block;
use nalgebra::{Matrix3, Rotation3, Vector3};

/// Turns below this `[rad]` stretch by less than rounding cares for.
pub const STRAIGHT: f64 = 1e-4;
/// Shortenings of a curve until its chord is free of collisions; then the chord itself is shortened.
const TRIES: usize = 4;

/// No body turns farther in one step `[rad]`: beyond, the direction means nothing.
const FARTHEST: f64 = 0.5;

/// The chord from x to the curve of the direction d at t, which is shortened until the chord is safe: until all of it is a step
/// that may be taken. False where nothing stiff turns.
pub fn safe_chord(
    model: &Model,
    x: &[f64],
    d: &[f64],
    t: &mut f64,
    chord: &mut Vec<f64>,
    mut largest_step: impl FnMut(&[f64]) -> f64,
) -> bool {
    let turns = turns(model, x, d, *t);
    let Some(farthest) = farthest(&turns) else { return false };
    *t = t.min(FARTHEST / farthest);
    let mut safe = 1.0;
    for _ in 0..TRIES {
        set_chord(&turns, x, d, *t, chord);
        safe = largest_step(chord);
        if safe == 1.0 {
            return true;
        }
        *t *= safe;
    }
    chord.iter_mut().for_each(|way| *way *= safe);
    true
}

/// The chord of a whole step, as long as one may be.
pub fn whole_chord(model: &Model, x: &[f64], d: &[f64]) -> Vec<f64> {
    let turns = turns(model, x, d, 1.0);
    let t = farthest(&turns).map_or(1.0, |farthest| (FARTHEST / farthest).min(1.0));
    let mut chord = Vec::with_capacity(d.len());
    set_chord(&turns, x, d, t, &mut chord);
    chord
}

/// Of those that turn noticeably on the way to t
fn turns<'a>(model: &'a Model, x: &[f64], d: &[f64], t: f64) -> Vec<Turn<'a>> {
    let pinned = |block: &Block| std::array::from_fn(|i| model.mass.is_pinned(block.first_node + i));
    let all = model.mass.blocks().iter().map(|block| (block, pinned(block)));
    let free = all.filter(|(_, pinned)| pinned.contains(&false));
    free.filter_map(|(block, pinned)| Turn::new(block, pinned, x, d))
        .filter(|turn| t * turn.axis.norm() > STRAIGHT)
        .collect()
}

fn farthest(turns: &[Turn<'_>]) -> Option<f64> {
    turns.iter().map(|turn| turn.axis.norm()).reduce(f64::max)
}

fn set_chord(turns: &[Turn<'_>], x: &[f64], d: &[f64], t: f64, chord: &mut Vec<f64>) {
    chord.clear();
    chord.extend(d.iter().map(|d| t * d));
    turns.iter().for_each(|turn| turn.chord(t, x, chord));
}

/// One body's part of a step.
struct Turn<'a> {
    block: &'a Block,
    /// Which of its nodes move by themselves
    pinned: [bool; 4],
    /// exp(t W), as a scaled axis
    axis: Vector3<f64>,
    stretch: Matrix3<f64>,
    frame: Matrix3<f64>,
}

impl<'a> Turn<'a> {
    fn new(block: &'a Block, pinned: [bool; 4], x: &[f64], d: &[f64]) -> Option<Self> {
        let spokes = |x: &[f64]| {
            let corner = |i: usize| node_of(x, block.first_node + i);
            Matrix3::from_columns(&[1, 2, 3].map(|i| corner(i) - corner(0)))
        };
        let frame = spokes(x);
        let rate = spokes(d) * frame.try_inverse()?;
        let skew = 0.5 * (rate - rate.transpose());
        let axis = Vector3::new(skew[(2, 1)], skew[(0, 2)], skew[(1, 0)]);
        axis.iter().all(|a| a.is_finite()).then_some(Self {
            block,
            pinned,
            axis,
            stretch: 0.5 * (rate + rate.transpose()),
            frame,
        })
    }

    /// Writes the nodes' ways to the curve's point at t.
    fn chord(&self, t: f64, x: &[f64], out: &mut [f64]) {
        let first = self.block.first_node;
        let spokes = Rotation3::new(t * self.axis) * (self.frame + t * self.stretch * self.frame);
        let shift = node_of(out, first);
        let origin = node_of(x, first);
        for i in (1..4).filter(|&i| !self.pinned[i]) {
            let way = origin + shift + spokes.column(i - 1) - node_of(x, first + i);
            out[3 * (first + i)..3 * (first + i) + 3].copy_from_slice(way.as_slice());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Mass;
    use nalgebra::Matrix4;

    #[test]
    fn a_turn_of_any_size_stretches_nothing_and_starts_along_its_step() {
        let mass = Mass::new(3, vec![0.0; 4], vec![(0, Matrix4::identity())], vec![]).unwrap();
        let x = [0.3, 0.1, 0.2, 0.35, 0.1, 0.2, 0.3, 0.15, 0.2, 0.3, 0.1, 0.25];
        let (spin, shift) = (Vector3::new(0.4, -0.9, 0.5), Vector3::new(0.01, 0.02, -0.03));
        let d: Vec<f64> =
            (0..4).flat_map(|i| <[f64; 3]>::from(shift + spin.cross(&(node_of(&x, i) - node_of(&x, 0))))).collect();
        let turn = Turn::new(&mass.blocks()[0], [false; 4], &x, &d).unwrap();
        let place = |t: f64| -> Vec<f64> {
            let mut chord: Vec<f64> = d.iter().map(|d| t * d).collect();
            turn.chord(t, &x, &mut chord);
            x.iter().zip(&chord).map(|(x, chord)| x + chord).collect()
        };
        let end = place(1.0);
        for i in 0..4 {
            for j in 0..i {
                let length = |x: &[f64]| (node_of(x, i) - node_of(x, j)).norm();
                assert!((length(&end) - length(&x)).abs() < 1e-15);
            }
        }
        let little = 1e-6;
        for (k, place) in place(little).iter().enumerate() {
            assert!((place - x[k] - little * d[k]).abs() < 1e-12, "second order");
        }
    }
}
