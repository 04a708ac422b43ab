//! Small dense algebra: 3×3 decompositions that neither fail nor lose digits near collapse.

pub mod cofactor;
pub mod invariants;
pub mod polar;
pub mod svd;
pub mod symmetric_eigen;

#[cfg(test)]
pub(crate) mod sampling;
