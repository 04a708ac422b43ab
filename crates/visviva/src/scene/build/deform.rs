//! Start deformations: twist, bend and stretch along an axis, and start velocities.

use crate::scene::{Axis, Deformation, DeformationKind, StartVelocity};
use nalgebra::{Rotation3, Vector3};

fn unit(axis: Axis) -> Vector3<f64> {
    Vector3::from_fn(|i, _| f64::from(u8::from(i == axis.index())))
}

/// Applies the deformation to the points; twist and bend turn about the centre of the cross section.
pub fn deform(deformation: &Deformation, points: &mut [Vector3<f64>]) -> Result<(), String> {
    let Deformation { kind, axis, from, to, amount, towards } = *deformation;
    if !(from.is_finite() && to.is_finite() && amount.is_finite() && from != to) {
        return Err(format!(
            "{kind:?}: from {from}, to {to} and amount {amount} must be finite, and the first two differ"
        ));
    }
    let low = points.iter().fold(Vector3::repeat(f64::INFINITY), |m, p| m.inf(p));
    let high = points.iter().fold(Vector3::repeat(f64::NEG_INFINITY), |m, p| m.sup(p));
    let a = unit(axis);
    let centre = 0.5 * (low + high);
    let share = |x: &Vector3<f64>| ((x[axis.index()] - from) / (to - from)).clamp(0.0, 1.0);
    match kind {
        DeformationKind::Twist => {
            for x in points {
                let turn = Rotation3::from_scaled_axis(a * (amount * share(x)));
                *x = centre + turn * (*x - centre);
            }
        }
        DeformationKind::Stretch => {
            if amount <= 0.0 {
                return Err(format!("stretch: factor {amount} must be positive"));
            }
            for x in points {
                let beyond = (x[axis.index()] - from) * (to - from).signum();
                let length = (to - from).abs();
                let moved = amount * beyond.clamp(0.0, length) + (beyond - length).max(0.0) + beyond.min(0.0);
                *x += a * ((moved - beyond) * (to - from).signum());
            }
        }
        DeformationKind::Bend => {
            let towards = towards.filter(|t| *t != axis).ok_or("bend: give `towards`, another axis than its own")?;
            if amount == 0.0 {
                return Ok(());
            }
            let d = unit(towards);
            let sign = (to - from).signum();
            let radius = (to - from).abs() / amount;
            for x in points {
                let beyond = (x[axis.index()] - from) * sign;
                let angle = amount * share(x);
                let offset = x[towards.index()] - centre[towards.index()];
                let (sin, cos) = angle.sin_cos();
                // Past the end it goes on straight; before the start it stays.
                let straight = beyond.min(0.0) + (beyond - (to - from).abs()).max(0.0);
                let along = radius * sin + straight * cos - offset * sin;
                let across = radius * (1.0 - cos) + straight * sin + offset * cos;
                *x += a * (sign * (along - beyond)) + d * (across - offset);
            }
        }
    }
    Ok(())
}

/// The start velocity at a point.
pub fn velocity_at(velocity: &StartVelocity, x: &Vector3<f64>) -> Vector3<f64> {
    let spin = Vector3::from(velocity.angular).cross(&(x - Vector3::from(velocity.about)));
    let ramp = velocity.ramp.as_ref().map_or(Vector3::zeros(), |ramp| {
        let share = ((x[ramp.axis.index()] - ramp.from) / (ramp.to - ramp.from)).clamp(0.0, 1.0);
        Vector3::from(ramp.velocity) * share
    });
    Vector3::from(velocity.linear) + spin + ramp
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar() -> Vec<Vector3<f64>> {
        (0..=20).flat_map(|i| [-0.05, 0.05].map(|y| Vector3::new(0.05 * f64::from(i), y, 0.0))).collect()
    }

    fn deformed(kind: DeformationKind, amount: f64, towards: Option<Axis>) -> Vec<Vector3<f64>> {
        let mut points = bar();
        deform(&Deformation { kind, axis: Axis::X, from: 0.0, to: 1.0, amount, towards }, &mut points).unwrap();
        points
    }

    #[test]
    fn a_bend_keeps_the_length_of_the_centre_line_and_ends_at_its_angle() {
        let points = deformed(DeformationKind::Bend, 1.0, Some(Axis::Y));
        let centre: Vec<_> = points.chunks(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
        let length: f64 = centre.windows(2).map(|w| (w[1] - w[0]).norm()).sum();
        assert!((length - 1.0).abs() < 1e-3, "{length}");
        let section = (points[41] - points[40]).normalize();
        assert!((section - Vector3::new(-1f64.sin(), 1f64.cos(), 0.0)).norm() < 1e-12);
        assert!((points[0] - bar()[0]).norm() < 1e-15);
    }

    #[test]
    fn a_twist_turns_the_end_by_its_angle_and_a_stretch_moves_it() {
        let points = deformed(DeformationKind::Twist, 0.5, None);
        let section = (points[41] - points[40]).normalize();
        assert!((section.y - 0.5f64.cos()).abs() < 1e-12);
        let points = deformed(DeformationKind::Stretch, 1.2, None);
        assert!((points[40].x - 1.2).abs() < 1e-12 && (points[20].x - 0.6).abs() < 1e-12);
    }
}
