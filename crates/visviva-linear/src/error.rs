//! What can be wrong with a linear system, with the node where it went wrong.

use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Error)]
pub enum LinearError {
    #[error("the matrix is not positive definite: elimination met a pivot that is not positive at node {node}")]
    NotPositiveDefinite { node: usize },
    #[error(
        "the matrix is not positive definite: conjugate gradients met curvature {curvature:e} in iteration {iteration}"
    )]
    NegativeCurvature { iteration: usize, curvature: f64 },
    #[error("a value of the linear system is not finite, first at node {node}")]
    NotFinite { node: usize },
    #[error("the pattern has no block for nodes {row} and {col}")]
    MissingBlock { row: usize, col: usize },
    #[error("node {node} does not exist: there are {node_count}")]
    NoSuchNode { node: usize, node_count: usize },
    #[error("{what}: {found} numbers where {expected} belong")]
    Length { what: &'static str, found: usize, expected: usize },
    #[error("a scatter map made for another pattern: build it anew")]
    ForeignPattern,
    #[error("solve before factor: there is no factorisation to solve with")]
    NotFactored,
    #[error("sparse Cholesky ran out of memory or of 32-bit indices for {node_count} nodes")]
    TooLarge { node_count: usize },
}

/// Refuses a slice of the wrong length with a message that says which.
pub(super) fn expect_len(what: &'static str, found: usize, expected: usize) -> Result<(), LinearError> {
    if found == expected { Ok(()) } else { Err(LinearError::Length { what, found, expected }) }
}
