//! What of a motion a rigid body would do: some nodes' momenta and inertia about their mass centre, or about a point that is held.

use super::bodies::node_of;
use super::hold::Hold;
use super::mass::Mass;
use nalgebra::{Matrix3, Vector3};
use serde::{Deserialize, Serialize};

/// Positions or velocities, and the mass times them.
#[derive(Debug, Clone, Copy)]
pub struct Weighed<'a> {
    pub plain: &'a [f64],
    pub times_mass: &'a [f64],
}

/// Taken together as if they were rigid. Pinned nodes do not count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidMotion {
    /// `[kg]`
    pub mass: f64,
    /// What all else is about `[m]`
    pub centre: Vector3<f64>,
    /// Of the mass centre `[m/s]`
    pub velocity: Vector3<f64>,
    /// `[kg m²]`
    pub inertia: Matrix3<f64>,
    /// `[kg m²/s]`
    pub angular_momentum: Vector3<f64>,
}

/// Where kinetic energy is `[J]`: parts that add up to the whole.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct MotionEnergy {
    /// Of the mass centre
    pub translation: f64,
    pub rotation: f64,
    /// What no rigid motion explains
    pub vibration: f64,
}

impl std::ops::AddAssign for MotionEnergy {
    fn add_assign(&mut self, other: Self) {
        self.translation += other.translation;
        self.rotation += other.rotation;
        self.vibration += other.vibration;
    }
}

impl RigidMotion {
    /// About the mass centre, or about a point that is given. `masses` are those of the nodes `[kg]`.
    pub fn of(
        nodes: impl Iterator<Item = usize> + Clone,
        masses: &[f64],
        x: Weighed<'_>,
        v: Weighed<'_>,
        about: Option<Vector3<f64>>,
    ) -> Self {
        let mass: f64 = nodes.clone().map(|node| masses[node]).sum();
        let moment = || nodes.clone().map(|node| masses[node] * node_of(x.plain, node)).sum::<Vector3<f64>>();
        let centre = about.unwrap_or_else(|| moment() / mass);
        let (mut momentum, mut angular_momentum) = (Vector3::zeros(), Vector3::zeros());
        let mut spread = Matrix3::zeros();
        for node in nodes {
            let (arm, p) = (node_of(x.plain, node) - centre, node_of(v.times_mass, node));
            momentum += p;
            angular_momentum += arm.cross(&p);
            spread += (node_of(x.times_mass, node) - masses[node] * centre) * arm.transpose();
        }
        let inertia = Matrix3::from_diagonal_element(spread.trace()) - 0.5 * (spread + spread.transpose());
        Self { mass, centre, velocity: momentum / mass, inertia, angular_momentum }
    }

    /// I⁻¹ times an angular momentum `[rad/s]`; nothing about an axis that has no inertia.
    pub fn turn_of(&self, angular_momentum: Vector3<f64>) -> Vector3<f64> {
        /// Of the largest moment of inertia: a straight wire cannot be turned about itself.
        const THIN: f64 = 1e-12;
        if let Some(inverse) = self.inertia.try_inverse().filter(|inverse| {
            let size = self.inertia.norm() * inverse.norm();
            size.is_finite() && size < 1.0 / THIN
        }) {
            return inverse * angular_momentum;
        }
        let eigen = self.inertia.symmetric_eigen();
        let least = THIN * eigen.eigenvalues.amax();
        let about = |axis: usize| {
            let (moment, axis) = (eigen.eigenvalues[axis], eigen.eigenvectors.column(axis));
            if moment > least { axis * (axis.dot(&angular_momentum) / moment) } else { Vector3::zeros() }
        };
        (0..3).map(about).sum()
    }

    /// The same where the nodes are held so that they turn about their centre.
    pub fn held_turn_of(&self, hold: Hold, angular_momentum: Vector3<f64>) -> Vector3<f64> {
        match hold {
            Hold::Free | Hold::Point(_) => self.turn_of(angular_momentum),
            Hold::Axis(_, axis) => {
                let moment = axis.dot(&(self.inertia * axis.into_inner()));
                if moment > 0.0 { axis.into_inner() * (axis.dot(&angular_momentum) / moment) } else { Vector3::zeros() }
            }
            Hold::Fast => Vector3::zeros(),
        }
    }

    /// `kinetic` is the whole of these nodes' `[J]`; they turn about their mass centre.
    pub fn energy(&self, kinetic: f64) -> MotionEnergy {
        if self.mass == 0.0 {
            return MotionEnergy::default();
        }
        let translation = 0.5 * self.mass * self.velocity.norm_squared();
        let rotation = 0.5 * self.angular_momentum.dot(&self.turn_of(self.angular_momentum));
        MotionEnergy { translation, rotation, vibration: (kinetic - translation - rotation).max(0.0) }
    }
}

impl Mass {
    /// Of each node, those of a block by its rows; zero where pinned outside of a block `[kg]`.
    pub fn of_nodes(&self) -> Vec<f64> {
        let ones = vec![1.0; self.coordinate_count()];
        let mut all = vec![0.0; self.coordinate_count()];
        self.weigh(&ones, &mut all);
        all.into_iter().step_by(self.dimension()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turning_brick_is_told_from_a_ringing_one() {
        let corners = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| bit as f64 - 0.5));
        let x: Vec<f64> = corners.flat_map(|[a, b, c]| [a + 3.0, 2.0 * b, 3.0 * c]).collect();
        let mass = Mass::lumped(3, (0..8).map(|i| 1.0 + 0.1 * f64::from(i)).collect()).unwrap();
        let apply = |x: &[f64]| {
            let mut out = vec![0.0; x.len()];
            mass.apply(x, &mut out);
            out
        };
        let (spin, flight) = (Vector3::new(0.3, -2.0, 1.0), Vector3::new(5.0, 0.0, -1.0));
        let rigid: Vec<f64> = (0..8)
            .flat_map(|node| {
                let v = flight + spin.cross(&node_of(&x, node));
                [v.x, v.y, v.z]
            })
            .collect();
        let motion = |v: &[f64]| {
            let (mx, mv) = (apply(&x), apply(v));
            let [x, v] = [(&x[..], &mx[..]), (v, &mv[..])].map(|(plain, times_mass)| Weighed { plain, times_mass });
            RigidMotion::of(0..8, &mass.of_nodes(), x, v, None)
        };
        let turning = motion(&rigid);
        assert!((turning.turn_of(turning.angular_momentum) - spin).norm() < 1e-14);
        let energy = turning.energy(mass.kinetic_energy(&rigid));
        assert!(energy.vibration < 1e-13 * energy.rotation, "{energy:?}");
        // Breathing about the centre neither moves nor turns it.
        let breath: Vec<f64> = (0..24).map(|i| x[i] - turning.centre[i % 3]).collect();
        let both: Vec<f64> = rigid.iter().zip(&breath).map(|(a, b)| a + b).collect();
        let found = motion(&both).energy(mass.kinetic_energy(&both));
        assert!((found.vibration - mass.kinetic_energy(&breath)).abs() < 1e-12, "{found:?}");
        assert!(
            (found.rotation - energy.rotation).abs() < 1e-12 && (found.translation - energy.translation).abs() < 1e-12
        );
    }

    #[test]
    fn a_straight_wire_does_not_turn_about_itself() {
        let x = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
        let v = [0.0, -1.0, 0.0, 0.0, 1.0, 0.0];
        let [x, v] = [&x[..], &v[..]].map(|plain| Weighed { plain, times_mass: plain });
        let wire = RigidMotion::of(0..2, &[1.0, 1.0], x, v, None);
        assert_eq!(wire.turn_of(Vector3::new(7.0, 0.0, 1.0)), Vector3::new(0.0, 0.0, 2.0));
    }
}
