//! Incremental potential contact (Li et al. 2020): near pairs of surface primitives, their barrier energy
//! B = κ Σ w b(d − ξ), their lagged friction, and how far a step may go before anything touches.
//!
//! The way through: surface → broad phase (candidates) → contact set (active pairs) → barrier and friction; candidates → CCD.

pub mod area_weights;
pub mod barrier_pair;
pub mod broad_phase;
pub mod bvh;
pub mod ccd;
pub mod contact_set;
pub mod containment;
pub mod distance;
pub mod flat_patches;
pub mod intersection;
pub mod losses;
pub mod meetings;
pub mod pair;
pub mod surface;
mod swept_gap;
pub mod triangle_crossings;
mod turning_planes;
pub mod wire_crossings;

#[cfg(test)]
pub(crate) mod sampling;

pub use barrier_pair::Barrier;
pub use broad_phase::{BroadPhase, Candidates};
pub use contact_set::ContactSet;
pub use distance::Point;
pub use losses::{ContactLosses, LossyPair, Roughness, VertexMotion};
pub use pair::{Kind, Pair};
pub use surface::Surface;
