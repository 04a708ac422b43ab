//! Claims about every registered solid; a new law is held to them before anyone writes a test for it.

mod affine;
mod derivatives;
mod inversion;
mod physics;
mod projection;

use nalgebra::{Matrix3, SMatrix, Vector3};

use super::solid::{SOLIDS, Solid};
use super::tetrahedron::{BLOCKS, TetShape};
use crate::math::sampling::Sampler;

pub const YOUNG: f64 = 2.0;

/// Every solid, at ordinary, nearly incompressible and, where it allows them, auxetic Poisson ratios.
pub fn solids() -> Vec<(&'static str, Solid)> {
    let mut all = Vec::new();
    for entry in SOLIDS {
        for nu in [0.3, 0.45, -0.3].into_iter().filter(|&nu| nu >= 0.0 || entry.auxetic) {
            all.push((entry.name, Solid::from_name(entry.name, YOUNG, nu).expect("a registered solid")));
        }
    }
    all
}

/// Deformation gradients of every kind that a law must survive, with a name for the message.
pub fn states(random: &mut Sampler, solid: &Solid) -> Vec<(&'static str, Matrix3<f64>)> {
    let mut states = vec![("rest", Matrix3::identity()), ("turned rest", random.rotation())];
    let mut shear = Matrix3::identity();
    shear[(0, 1)] = 1.5;
    states.push(("sheared", shear));
    for _ in 0..4 {
        states.push(("small", random.rotation() * (Matrix3::identity() + random.matrix() * 0.02)));
        states.push(("ordinary", random.with_stretches([1.6, 1.1, 0.6])));
        states.push(("compressed", random.with_stretches([0.7, 0.5, 0.3])));
        states.push(("stretched", random.with_stretches([3.0, 2.0, 1.5])));
        states.push(("nearly flat", random.with_stretches([1.2, 0.9, 1e-3])));
        states.push(("two equal", random.with_stretches([1.3, 1.3, 0.8])));
        states.push(("nearly equal", random.with_stretches([1.2, 1.2 - 1e-9, 1.2 - 2e-9])));
        if !solid.forbids_inversion() {
            states.push(("inverted", random.with_stretches([1.4, 0.8, -0.4])));
            states.push(("flat", random.with_stretches([1.4, 0.8, 0.0])));
        }
    }
    states
}

pub fn unit_tet() -> [Vector3<f64>; 4] {
    [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()]
}

pub fn random_tet(random: &mut Sampler) -> ([Vector3<f64>; 4], TetShape) {
    let rest = unit_tet().map(|corner| corner + random.vector() * 0.15);
    (rest, TetShape::from_rest(rest).expect("a positive volume"))
}

/// The tet's corners under F and a shift.
pub fn deformed(rest: &[Vector3<f64>; 4], f: &Matrix3<f64>, shift: Vector3<f64>) -> [Vector3<f64>; 4] {
    rest.map(|corner| f * corner + shift)
}

pub fn assemble(blocks: &[Matrix3<f64>; 10]) -> SMatrix<f64, 12, 12> {
    let mut full = SMatrix::<f64, 12, 12>::zeros();
    for ((a, b), block) in BLOCKS.into_iter().zip(blocks) {
        full.fixed_view_mut::<3, 3>(3 * a, 3 * b).copy_from(block);
        full.fixed_view_mut::<3, 3>(3 * b, 3 * a).copy_from(&block.transpose());
    }
    full
}
