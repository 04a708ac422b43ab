//! The shape of a drum's mode, as a velocity: v_z = speed · J_m(j_mn r/R) cos mφ / max |J_m|.

use crate::math::bessel;
use crate::scene::DrumMode;
use nalgebra::Vector3;

/// About the origin, in the plane z = 0.
#[derive(Debug, Clone)]
pub struct DrumShape {
    m: u32,
    zero_over_radius: f64,
    radius: f64,
    /// speed / max |J_m|
    factor: f64,
}

impl DrumShape {
    /// Refuses a radius or numbers that no drum has.
    pub fn new(settings: &DrumMode) -> Result<Self, String> {
        let DrumMode { radius, nodal_diameters: m, nodal_circles: n, speed } = *settings;
        if !(radius > 0.0 && radius.is_finite()) {
            return Err(format!("velocity.drum.radius = {radius} m: it must be positive and finite"));
        }
        if !(1..=20).contains(&n) || m > 20 {
            return Err(format!(
                "velocity.drum: {m} nodal diameters and {n} circles: 0 to 20 and 1 to 20 are possible"
            ));
        }
        let zero = bessel::zero(m, n);
        let highest = (0..=1000).map(|k| bessel::j(m, zero * f64::from(k) / 1000.0).abs()).fold(0.0, f64::max);
        Ok(Self { m, zero_over_radius: zero / radius, radius, factor: speed / highest })
    }

    /// The velocity there `[m/s]`
    pub fn at(&self, x: &Vector3<f64>) -> Vector3<f64> {
        let r = x.x.hypot(x.y);
        if r >= self.radius {
            return Vector3::zeros();
        }
        let angle = f64::from(self.m) * x.y.atan2(x.x);
        Vector3::new(0.0, 0.0, self.factor * bessel::j(self.m, self.zero_over_radius * r) * angle.cos())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mode_21_has_its_nodes_and_its_greatest_speed() {
        let mode = DrumShape::new(&DrumMode { radius: 0.2, nodal_diameters: 2, nodal_circles: 1, speed: 1.5 }).unwrap();
        let at = |r: f64, angle: f64| mode.at(&Vector3::new(r * angle.cos(), r * angle.sin(), 0.0)).z;
        assert!(at(0.2, 0.0) == 0.0 && at(0.199_999, 0.0).abs() < 1e-4 && at(0.0, 0.0).abs() < 1e-12);
        assert!(at(0.1, std::f64::consts::FRAC_PI_4).abs() < 1e-12);
        let highest = (0..2000).map(|k| at(1e-4 * f64::from(k), 0.0)).fold(0.0, f64::max);
        assert!((highest - 1.5).abs() < 1e-5, "{highest}");
        assert!((at(0.1, std::f64::consts::FRAC_PI_2) + at(0.1, 0.0)).abs() < 1e-12);
    }
}
