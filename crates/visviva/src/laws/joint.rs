//! What a joint asks of two frames of four points each, as equations c = 0 that a stiff spring holds: W = ½ k Σ c².
//!
//! ```text
//! meet    c = x(a) − y(b₀) − s₁ y(b₁) − s₂ y(b₂)     three of them: a point of each frame; s is where a motor's dial stands
//! keep    c = (x(a) − y(b))·y(n)                     one of them: a point keeps to a plane of the other frame, of normal y(n)
//! ```
//!
//! x(a) = Σ aᵢ xᵢ is a point of a frame where the weights sum to one, and a direction where they sum to zero. Turning both frames
//! together changes no c, so that two bodies keep their momenta. The first kind is linear in the frames, and its Hessian exact; of
//! the second the part c ∇²c is left out, which vanishes where the joint is met.

use nalgebra::{Matrix3, Vector3};

/// Four points of the first frame, four of the second, and the dial.
pub const NODES: usize = 9;
/// Where the dial stands among them; it moves by itself, and no matrix has a row for it.
pub const DIAL: usize = 8;
/// Blocks of a Hessian of both frames: the upper triangle of 8×8.
pub const BLOCKS: usize = 36;

/// The points that a joint looks at.
pub type Points = [Vector3<f64>; NODES];

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tie {
    Meet { first: [f64; 4], second: [[f64; 4]; 3] },
    Keep { first: [f64; 4], second: [f64; 4], normal: [f64; 4] },
}

/// One equation c = 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Equation {
    /// c `[m]`
    pub value: f64,
    /// ∂c/∂x of each point
    pub slopes: Points,
}

impl Tie {
    /// A point of each frame, by its weights, that are one.
    pub fn meet(first: [f64; 4], second: [f64; 4]) -> Self {
        Self::Meet { first, second: [second, [0.0; 4], [0.0; 4]] }
    }

    pub fn equations(&self, x: &Points) -> impl Iterator<Item = Equation> {
        let (count, equation): (usize, [Equation; 3]) = match self {
            Self::Meet { first, second } => (3, meeting(first, second, x)),
            Self::Keep { first, second, normal } => (1, [keeping(first, second, normal, x); 3]),
        };
        equation.into_iter().take(count)
    }

    /// ½ Σ c² `[m²]`
    pub fn energy(&self, x: &Points) -> f64 {
        self.equations(x).map(|equation| 0.5 * equation.value * equation.value).sum()
    }

    /// gradient ← gradient + k Σ c ∇c `[N]`
    pub fn add_gradient(&self, stiffness: f64, x: &Points, gradient: &mut Points) {
        for Equation { value, slopes } in self.equations(x) {
            gradient.iter_mut().zip(&slopes).for_each(|(gradient, slope)| *gradient += stiffness * value * slope);
        }
    }

    /// blocks ← blocks + k Σ ∇c ∇cᵀ of both frames `[N/m]`
    pub fn add_hessian(&self, stiffness: f64, x: &Points, blocks: &mut [Matrix3<f64>; BLOCKS]) {
        for Equation { slopes, .. } in self.equations(x) {
            let mut next = blocks.iter_mut();
            for (a, slope) in slopes[..DIAL].iter().enumerate() {
                for (other, block) in slopes[a..DIAL].iter().zip(next.by_ref()) {
                    *block += stiffness * slope * other.transpose();
                }
            }
        }
    }
}

/// A point or direction of a frame; from its first point on, so that a translation costs no digits.
fn spanned(weights: &[f64; 4], frame: &[Vector3<f64>]) -> Vector3<f64> {
    (1..4).fold(Vector3::zeros(), |sum, i| sum + weights[i] * (frame[i] - frame[0]))
}

fn meeting(first: &[f64; 4], second: &[[f64; 4]; 3], x: &Points) -> [Equation; 3] {
    let (mine, other, dial) = (&x[..4], &x[4..DIAL], x[DIAL]);
    let along = [spanned(&second[1], other), spanned(&second[2], other)];
    let gap = mine[0] - other[0] + spanned(first, mine) - spanned(&second[0], other);
    let gap = gap - dial.x * along[0] - dial.y * along[1];
    std::array::from_fn(|c| {
        let unit = Vector3::ith(c, 1.0);
        let slopes = std::array::from_fn(|i| match i {
            0..4 => first[i] * unit,
            4..DIAL => -(second[0][i - 4] + dial.x * second[1][i - 4] + dial.y * second[2][i - 4]) * unit,
            _ => -Vector3::new(along[0][c], along[1][c], 0.0),
        });
        Equation { value: gap[c], slopes }
    })
}

fn keeping(first: &[f64; 4], second: &[f64; 4], normal: &[f64; 4], x: &Points) -> Equation {
    let (mine, other) = (&x[..4], &x[4..DIAL]);
    let (gap, across) = (mine[0] - other[0] + spanned(first, mine) - spanned(second, other), spanned(normal, other));
    let slopes = std::array::from_fn(|i| match i {
        0..4 => first[i] * across,
        4..DIAL => normal[i - 4] * gap - second[i - 4] * across,
        _ => Vector3::zeros(),
    });
    Equation { value: gap.dot(&across), slopes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation3;

    fn ties() -> [Tie; 3] {
        let (first, second) = ([0.3, 0.1, 0.8, -0.2], [1.4, -0.3, 0.2, -0.3]);
        let (along, across) = ([-0.9, 0.5, 0.2, 0.2], [0.1, -0.4, 0.2, 0.1]);
        [
            Tie::meet(first, second),
            Tie::Meet { first, second: [second, along, across] },
            Tie::Keep { first, second, normal: along },
        ]
    }

    fn points() -> Points {
        std::array::from_fn(|i| Vector3::from_fn(|c, _| (1.3 * i as f64 + 2.1 * c as f64 + 0.4).sin()))
    }

    #[test]
    fn slopes_match_finite_differences_on_both_frames_and_the_dial() {
        for tie in ties() {
            let x = points();
            for (k, equation) in tie.equations(&x).enumerate() {
                for (node, c) in (0..3 * NODES).map(|i| (i / 3, i % 3)) {
                    let at = |step: f64| {
                        let mut x = x;
                        x[node][c] += step;
                        tie.equations(&x).nth(k).unwrap().value
                    };
                    let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
                    // The equations are bilinear: central differences are exact but for rounding.
                    assert!((slope - equation.slopes[node][c]).abs() < 1e-10, "{tie:?} {k} {node} {c}");
                }
            }
        }
    }

    #[test]
    fn the_hessian_is_that_of_the_energy_where_the_joint_is_met_and_always_of_linear_ties() {
        for tie in ties() {
            let mut x = points();
            if matches!(tie, Tie::Keep { .. }) {
                let Equation { value, slopes } = tie.equations(&x).next().unwrap();
                let whole: f64 = slopes[..4].iter().map(Vector3::norm_squared).sum();
                (0..4).for_each(|i| x[i] -= value / whole * slopes[i]);
            }
            let mut blocks = [Matrix3::zeros(); BLOCKS];
            tie.add_hessian(2.0, &x, &mut blocks);
            let mut next = blocks.iter();
            for a in 0..DIAL {
                for b in a..DIAL {
                    let block = next.next().unwrap();
                    for c in 0..3 {
                        let gradient = |step: f64| {
                            let mut x = x;
                            x[b][c] += step;
                            let mut gradient = [Vector3::zeros(); NODES];
                            tie.add_gradient(2.0, &x, &mut gradient);
                            gradient[a]
                        };
                        let slope = (gradient(1e-5) - gradient(-1e-5)) / 2e-5;
                        assert!((slope - block.column(c)).norm() < 1e-9, "{tie:?} {a} {b} {c}");
                    }
                }
            }
        }
    }

    #[test]
    fn moving_both_frames_together_changes_nothing() {
        let turn = Rotation3::from_euler_angles(0.4, -1.1, 2.0);
        for tie in ties() {
            let x = points();
            let mut moved = x;
            (0..DIAL).for_each(|i| moved[i] = turn * x[i] + Vector3::new(0.3, -0.7, 0.2));
            assert!((tie.energy(&x) - tie.energy(&moved)).abs() < 1e-14);
        }
    }
}
