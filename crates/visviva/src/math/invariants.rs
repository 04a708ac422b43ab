//! Invariants of the strain D = FᵀF − I, from which energies near rest come without cancellation.
//!
//! ```text
//! d₁ = tr D,   d₂ = ½(tr²D − tr D²),   d₃ = det D,     J² − 1 = d₁ + d₂ + d₃
//! ```
//!
//! Written in I_C − 3 and J, an energy of second order in the strain is a difference of numbers near 1 and carries an
//! error of machine epsilon times the modulus. Written in d₁, d₂, d₃ its error is epsilon times the strain, which is
//! what the rounding of F itself costs: an energy balance over a resting body needs those digits.

use nalgebra::Matrix3;

use super::cofactor::{columns, determinant};

/// The invariants of D = FᵀF − I, and J = det F.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StrainInvariants {
    pub d1: f64,
    pub d2: f64,
    pub d3: f64,
    pub j: f64,
}

impl StrainInvariants {
    #[inline]
    pub fn new(f: &Matrix3<f64>) -> Self {
        let [a, b, c] = columns(f);
        let (xx, yy, zz) = (a.norm_squared() - 1.0, b.norm_squared() - 1.0, c.norm_squared() - 1.0);
        let (xy, xz, yz) = (a.dot(&b), a.dot(&c), b.dot(&c));
        let (m_x, m_y, m_z) = (yy * zz - yz * yz, xx * zz - xz * xz, xx * yy - xy * xy);
        Self {
            d1: xx + yy + zz,
            d2: m_x + m_y + m_z,
            d3: xx * m_x - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz),
            j: determinant(f),
        }
    }

    /// J² − 1.
    #[inline]
    pub fn squared_volume_change(&self) -> f64 {
        self.d1 + self.d2 + self.d3
    }

    /// Whether the strain is moderate (‖F‖² within 1 of 3, J > ½): then the invariants are the accurate way to Ψ, and
    /// beyond it d₃ would cancel where J does not.
    #[inline]
    pub fn near_rest(&self) -> bool {
        self.d1.abs() < 1.0 && self.j > 0.5
    }

    /// J − 1, consistent with d₁, d₂, d₃ to second order where the strain is moderate.
    #[inline]
    pub fn volume_change(&self) -> f64 {
        if self.near_rest() { self.squared_volume_change() / (1.0 + self.j) } else { self.j - 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sampling::Sampler;

    #[test]
    fn the_two_ways_to_the_volume_agree() {
        let mut random = Sampler::new(2);
        for _ in 0..200 {
            let f = random.rotation() * (Matrix3::identity() + 0.1 * random.matrix());
            let s = StrainInvariants::new(&f);
            assert!(s.near_rest());
            assert!((s.volume_change() - (f.determinant() - 1.0)).abs() < 5e-15);
        }
    }
}
