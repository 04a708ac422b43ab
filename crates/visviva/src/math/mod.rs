//! Small dense algebra: 3×3 decompositions that neither fail nor lose digits near collapse, band matrices, flat vectors.

pub mod band;
pub mod bessel;
pub mod cofactor;
pub mod gmres;
pub mod invariants;
pub mod polar;
pub(crate) mod splitmix;
pub mod svd;
pub mod svd_3x2;
pub mod svd_of_four;
pub mod symmetric_eigen;
pub mod symmetric_eigen_2x2;
pub mod vector;

#[cfg(test)]
pub(crate) mod sampling;
