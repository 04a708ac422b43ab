//! A motor of limited strength, as a dissipation function of the rate at which its joint moves.
//!
//! ```text
//! R(v) = most · f(G·v − speed),    f′(s) = s/ε within ε of zero, ±1 beyond,    G = ∂q/∂x at the start of the step
//! ```
//!
//! q is the angle or the way that the joint leaves. Below its speed by more than ε the motor pushes with all it has, near it with what
//! is needed, and beyond it holds back: under full load it is slower by ε, as motors are. Beyond ε the curvature is that of the
//! parabola that touches f there and lies above it: f itself has none, and Newton would go to and fro across the corner.

use super::joint::{DIAL, NODES, Points, Tie};
use nalgebra::Vector3;

/// ε as a part of the speed
const SLOWER: f64 = 0.02;
/// … and of a motor that hardly moves, a brake `[rad/s, m/s]`
const STILL: f64 = 1e-3;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drive {
    way: Way,
    /// `[rad/s, m/s]`
    speed: f64,
    /// `[N m, N]`
    most: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// The angle from a direction of the second frame, towards another, to one of the first
    Turn { first: [f64; 4], second: [[f64; 4]; 2] },
    /// How far a point is along a direction of the second frame
    Slide(Tie),
}

impl Drive {
    pub fn turning(first: [f64; 4], second: [[f64; 4]; 2], speed: f64, most: f64) -> Self {
        Self { way: Way::Turn { first, second }, speed, most }
    }

    pub fn sliding(first: [f64; 4], second: [f64; 4], along: [f64; 4], speed: f64, most: f64) -> Self {
        Self { way: Way::Slide(Tie::Keep { first, second, normal: along }), speed, most }
    }

    /// G
    pub fn slopes(&self, x: &Points) -> Points {
        match &self.way {
            Way::Slide(tie) => tie.equations(x).next().map_or([Vector3::zeros(); NODES], |equation| equation.slopes),
            Way::Turn { first, second } => {
                let of = |weights: &[f64; 4], frame: &[Vector3<f64>]| -> Vector3<f64> {
                    weights.iter().zip(frame).map(|(&weight, x)| weight * x).sum()
                };
                let hand = of(first, &x[..4]);
                let dial = second.map(|side| of(&side, &x[4..DIAL]));
                // q = atan2(b, a), a and b the hand's parts along both sides of the dial.
                let (a, b) = (hand.dot(&dial[0]), hand.dot(&dial[1]));
                let whole = a * a + b * b;
                std::array::from_fn(|i| match i {
                    0..4 => first[i] * (a * dial[1] - b * dial[0]) / whole,
                    4..DIAL => (a * second[1][i - 4] - b * second[0][i - 4]) * hand / whole,
                    _ => Vector3::zeros(),
                })
            }
        }
    }

    /// ε `[rad/s, m/s]`
    fn slack(&self) -> f64 {
        (SLOWER * self.speed.abs()).max(STILL)
    }

    /// R of a rate G·v `[W]`
    pub fn value(&self, rate: f64) -> f64 {
        let (slip, slack) = ((rate - self.speed).abs(), self.slack());
        self.most * if slip < slack { 0.5 * slip * slip / slack } else { slip - 0.5 * slack }
    }

    /// R′: minus the torque or force on the first body `[N m, N]`
    pub fn slope(&self, rate: f64) -> f64 {
        self.most * ((rate - self.speed) / self.slack()).clamp(-1.0, 1.0)
    }

    /// Of the parabola above R
    pub fn curvature(&self, rate: f64) -> f64 {
        self.most / (rate - self.speed).abs().max(self.slack())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::finite_difference;

    #[test]
    fn its_slopes_are_the_rates_of_the_angle_and_of_the_way() {
        let x: Points = std::array::from_fn(|i| Vector3::from_fn(|c, _| (1.3 * i as f64 + 2.1 * c as f64 + 0.4).sin()));
        let (first, second) = ([-0.9, 0.5, 0.2, 0.2], [[0.1, -0.4, 0.2, 0.1], [0.3, 0.1, -0.6, 0.2]]);
        let of = |weights: &[f64; 4], frame: &[Vector3<f64>]| -> Vector3<f64> {
            weights.iter().zip(frame).map(|(&weight, x)| weight * x).sum()
        };
        let angle = |x: &Points| {
            let hand = of(&first, &x[..4]);
            let [a, b] = second.map(|side| hand.dot(&of(&side, &x[4..DIAL])));
            b.atan2(a)
        };
        let slopes = Drive::turning(first, second, 1.0, 1.0).slopes(&x);
        for (node, c) in (0..3 * NODES).map(|i| (i / 3, i % 3)) {
            let at = |value: f64| {
                let mut x = x;
                x[node][c] = value;
                angle(&x)
            };
            finite_difference::check(at, |_| slopes[node][c], x[node][c], 1e-4);
        }
    }

    #[test]
    fn it_pushes_with_all_it_has_below_its_speed_and_holds_back_beyond() {
        let drive = Drive::turning([0.0; 4], [[0.0; 4]; 2], 3.0, 2.0);
        assert_eq!((drive.slope(0.0), drive.slope(2.9), drive.slope(3.1)), (-2.0, -2.0, 2.0));
        assert_eq!(drive.slope(3.0), 0.0);
        for rate in [2.0, 2.97, 3.02, 3.2] {
            finite_difference::check(|r| drive.value(r), |r| drive.slope(r), rate, 1e-3);
            // The parabola that touches R at a rate is nowhere below it.
            let parabola = |r: f64| {
                let step = r - rate;
                drive.value(rate) + step * (drive.slope(rate) + 0.5 * step * drive.curvature(rate))
            };
            assert!((0..600).map(|k| 0.01 * f64::from(k)).all(|r| parabola(r) > drive.value(r) - 1e-12), "{rate}");
        }
    }
}
