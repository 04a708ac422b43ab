//! Energies as pure functions of a few points and their parameters: value, gradient and projected Hessian.

pub mod corotated;
pub mod fixed_corotated;
pub mod inversion;
pub mod neo_hookean;
pub mod solid;
pub mod spectrum;
pub mod stable_neo_hookean;
pub mod stvk;
pub mod tetrahedron;

#[cfg(test)]
mod tests;
