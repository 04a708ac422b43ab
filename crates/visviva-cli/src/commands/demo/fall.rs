//! What the statistics of a dropped ball tell: its height z = z₀ E_g/E_g(0), the top of each bounce, the energy above rest.

use visviva::run::Stats;

/// Turns smaller than this part of the drop are no bounces.
pub const LEAST_BOUNCE: f64 = 0.005;

#[derive(Debug)]
pub struct Fall {
    /// Way to the ground at the start [m]
    pub drop: f64,
    /// Time [s] and height of the centre above where it is when the ball lies on the ground [m]
    pub heights: Vec<(f64, f64)>,
    /// Time [s] and total energy less that of the ball lying on the ground [J]
    pub energies: Vec<(f64, f64)>,
}

impl Fall {
    /// `centre`: height of the ball's centre at the start [m], the ground being at zero.
    pub fn new(stats: &Stats, centre: f64, radius: f64) -> Option<Self> {
        let gravity = stats.curve("gravity");
        let start = gravity.first()?.1;
        let at_rest = start * radius / centre;
        Some(Self {
            drop: centre - radius,
            heights: gravity.into_iter().map(|(t, e)| (t, centre * e / start - radius)).collect(),
            energies: stats.curve("total").into_iter().map(|(t, e)| (t, e - at_rest)).collect(),
        })
    }

    /// Tops of the bounces that were completed, as parts of the drop.
    pub fn tops(&self) -> Vec<f64> {
        let least = LEAST_BOUNCE * self.drop;
        let mut tops = Vec::new();
        let (mut turn, mut rising) = (f64::INFINITY, false);
        for &(_, z) in &self.heights {
            if (z > turn) == rising {
                turn = z;
            } else if (z - turn).abs() > least {
                if rising && turn > least {
                    tops.push(turn / self.drop);
                }
                (turn, rising) = (z, !rising);
            }
        }
        tops
    }

    /// Part of the start's energy that is there at the end.
    pub fn energy_left(&self) -> f64 {
        match (self.energies.first(), self.energies.last()) {
            (Some((_, start)), Some((_, end))) => end / start,
            _ => f64::NAN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fall(heights: &[f64]) -> Fall {
        Fall { drop: 2.0, heights: heights.iter().map(|&z| (0.0, z)).collect(), energies: Vec::new() }
    }

    #[test]
    fn only_completed_bounces_count_and_the_drop_is_none() {
        assert_eq!(fall(&[2.0, 1.0, -0.1, 0.7, 1.0, 0.5, 0.0, 0.5, 0.8, 0.8, 0.1, 0.3]).tops(), [0.5, 0.4]);
        assert!(fall(&[2.0, 1.0, -0.1, 1.0, 1.5]).tops().is_empty());
    }

    #[test]
    fn a_ball_that_trembles_on_the_ground_does_not_bounce() {
        assert!(fall(&[2.0, 0.0, -0.02, 0.005, -0.02, 0.009, -0.01, 0.0]).tops().is_empty());
    }

    #[test]
    fn heights_and_energies_are_counted_from_a_ball_on_the_ground() {
        let row = |t, gravity, total| visviva::run::StatsRow { t, gravity: Some(gravity), total, ..Default::default() };
        // 10 N of weight, a centre at 1.05 m, a radius of 5 cm.
        let stats = Stats { rows: vec![row(0.0, 10.5, 10.5), row(1.0, 0.5, 5.5)] };
        let fall = Fall::new(&stats, 1.05, 0.05).unwrap();
        assert!((fall.drop - 1.0).abs() < 1e-15 && (fall.heights[0].1 - 1.0).abs() < 1e-15);
        assert!(fall.heights[1].1.abs() < 1e-15);
        assert!((fall.energy_left() - 0.5).abs() < 1e-15);
    }
}
