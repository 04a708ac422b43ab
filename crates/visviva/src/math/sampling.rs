//! Reproducible random numbers and matrices for tests and benchmarks, which include this file where they stand outside the crate.

use nalgebra::{Matrix3, UnitQuaternion, Vector3, Vector4};

/// The next 64 bits (SplitMix64: Steele, Lea, Flood 2014).
pub(crate) fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

pub(crate) struct Sampler(u64);

impl Sampler {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Uniform in [−1, 1).
    pub fn signed(&mut self) -> f64 {
        (splitmix64(&mut self.0) >> 11) as f64 * 2f64.powi(-52) - 1.0
    }

    pub fn vector(&mut self) -> Vector3<f64> {
        Vector3::from_fn(|_, _| self.signed())
    }

    pub fn matrix(&mut self) -> Matrix3<f64> {
        Matrix3::from_fn(|_, _| self.signed())
    }

    pub fn rotation(&mut self) -> Matrix3<f64> {
        let q = Vector4::from_fn(|_, _| self.signed());
        UnitQuaternion::from_quaternion(q.into()).to_rotation_matrix().into_inner()
    }

    /// A matrix with the given singular values between two random rotations.
    pub fn with_stretches(&mut self, sigma: [f64; 3]) -> Matrix3<f64> {
        let (u, v) = (self.rotation(), self.rotation());
        u * Matrix3::from_diagonal(&sigma.into()) * v.transpose()
    }
}
