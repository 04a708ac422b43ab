//! Blocks of touching and of lossy pairs in the matrix.

use super::contact_stencil::ContactStencil;
use crate::contact::distance::Hessian;
use crate::contact::{ContactLosses, VertexMotion};
use crate::solve::contact::{Surfaces, Touch};
use crate::solve::linear::{BlockMatrix, LinearError};
use nalgebra::{Matrix2, Matrix3};

/// matrix ← matrix + ∇²B, projected, with `bends` for the b″ of the pairs
pub fn add_barriers(
    surfaces: &Surfaces,
    touch: &Touch,
    bends: &[f64],
    rows: &[u32],
    hessians: &mut Vec<Hessian>,
    matrix: &mut BlockMatrix,
) -> Result<(), LinearError> {
    touch.set.hessians(&touch.vertices, &surfaces.barrier, bends, hessians);
    let mut blocks = Vec::new();
    for (pair, hessian) in touch.set.pairs().iter().zip(hessians) {
        let stencil = ContactStencil::new(pair.stencil(), &surfaces.vertices, rows);
        stencil.blocks(|a, b| hessian.fixed_view::<3, 3>(3 * a, 3 * b).into_owned(), &mut blocks);
        matrix.add_stencil(stencil.rows(), &blocks)?;
    }
    Ok(())
}

/// matrix ← matrix + ∇²P_n of friction and contact, with `bends` for the ∇²f₀ of the pairs
pub fn add_losses(
    surfaces: &Surfaces,
    losses: &ContactLosses,
    motion: VertexMotion<'_>,
    bends: &[Matrix2<f64>],
    rows: &[u32],
    hessians: &mut Vec<Matrix3<f64>>,
    matrix: &mut BlockMatrix,
) -> Result<(), LinearError> {
    losses.hessians(motion, bends, hessians);
    let mut blocks = Vec::new();
    for (pair, hessian) in losses.pairs.iter().zip(hessians.iter()) {
        let stencil = ContactStencil::new(pair.stencil(), &surfaces.vertices, rows);
        stencil.blocks(|a, b| pair.weights[a] * pair.weights[b] * hessian, &mut blocks);
        matrix.add_stencil(stencil.rows(), &blocks)?;
    }
    Ok(())
}
