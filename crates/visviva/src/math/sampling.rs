//! Random matrices for tests.

use super::splitmix;
use nalgebra::{Matrix3, UnitQuaternion, Vector3, Vector4};

pub(crate) struct Sampler(u64);

impl Sampler {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Uniform in [−1, 1).
    pub fn signed(&mut self) -> f64 {
        splitmix::signed(&mut self.0)
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
