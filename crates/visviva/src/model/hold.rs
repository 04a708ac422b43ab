//! How pins and joints to the world hold a body: not at all, so that it turns about one point or about one axis, or fast.

use super::bodies::Model;
use super::joints::{Holder, JointKind, ModelJoint};
use nalgebra::{Unit, Vector3};

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hold {
    Free,
    /// It turns about this point `[m]`
    Point(Vector3<f64>),
    /// It turns about an axis through this point `[m]`
    Axis(Vector3<f64>, Unit<Vector3<f64>>),
    /// By more, or by what moves
    Fast,
}

/// Of the distance of two pins: what a third may be off their line.
const STRAIGHT: f64 = 1e-9;

impl Hold {
    /// What stands still `[m]`, where something turns about it.
    pub fn point(self) -> Option<Vector3<f64>> {
        match self {
            Hold::Point(point) | Hold::Axis(point, _) => Some(point),
            Hold::Free | Hold::Fast => None,
        }
    }

    /// By points that stand still.
    fn by(points: &[Vector3<f64>]) -> Self {
        let Some(&first) = points.first() else { return Hold::Free };
        let farthest = points.iter().max_by(|a, b| (*a - first).norm().total_cmp(&(*b - first).norm()));
        let Some(axis) = farthest.and_then(|last| Unit::try_new(last - first, 0.0)) else { return Hold::Point(first) };
        let length = points.iter().map(|p| (p - first).norm()).fold(0.0, f64::max);
        let off = |p: &Vector3<f64>| (p - first).cross(&axis).norm();
        if points.iter().all(|p| off(p) <= STRAIGHT * length) { Hold::Axis(first, axis) } else { Hold::Fast }
    }
}

impl Hold {
    /// What a joint leaves of a body's motion in space.
    fn by_joint(joint: &ModelJoint) -> Self {
        match (joint.holder, joint.kind) {
            (Holder::Body(_), _) => Hold::Free,
            (Holder::World, JointKind::Ball) => Hold::Point(joint.at),
            (Holder::World, JointKind::Hinge(axis)) if joint.dial().is_none() && joint.drive.is_none() => {
                Hold::Axis(joint.at, axis)
            }
            _ => Hold::Fast,
        }
    }

    /// By both.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (hold, Hold::Free) | (Hold::Free, hold) => hold,
            _ => Hold::Fast,
        }
    }
}

impl Model {
    /// How each body is held by its pins, and by its joints to what is no body.
    pub fn holds(&self) -> Vec<Hold> {
        let of_body = |nodes: &std::ops::Range<usize>| {
            let [from, to] = [nodes.start, nodes.end].map(|end| self.pins.partition_point(|pin| pin.node < end));
            let pins = &self.pins[from..to];
            let moves = pins.iter().any(|pin| !self.motions[pin.motion].is_fixed());
            if moves || (!pins.is_empty() && pins.len() == nodes.len()) {
                return Hold::Fast;
            }
            Hold::by(&pins.iter().map(|pin| pin.start).collect::<Vec<_>>())
        };
        let mut holds: Vec<Hold> = self.bodies.iter().map(|body| of_body(&body.nodes)).collect();
        self.joints.iter().for_each(|joint| holds[joint.body] = holds[joint.body].and(Hold::by_joint(joint)));
        holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_in_a_row_leave_an_axis_and_one_pin_leaves_a_point() {
        let along = |t: f64| Vector3::new(1.0, 2.0, 3.0) + t * Vector3::new(0.1, -0.2, 0.4);
        assert_eq!(Hold::by(&[]), Hold::Free);
        assert_eq!(Hold::by(&[along(1.0)]), Hold::Point(along(1.0)));
        assert_eq!(Hold::by(&[along(1.0), along(1.0)]), Hold::Point(along(1.0)));
        assert!(matches!(Hold::by(&[along(0.5), along(-1.0), along(7.0)]), Hold::Axis(..)));
        assert_eq!(Hold::by(&[along(0.5), along(-1.0), Vector3::zeros()]), Hold::Fast);
    }
}
