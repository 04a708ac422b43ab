//! Contact of all surfaces as the solver needs it: the surfaces themselves, what is near, what touches at a position, how far a
//! step may go.

mod changes;
mod forces;
pub(super) mod held_surfaces;
mod nearby;
mod steps;
mod surfaces;
mod touch;

pub use forces::ContactForce;
pub use surfaces::surface_of;
pub use touch::{ContactState, Touch};

pub(super) use changes::{Bending, ContactStep, Sliding};
pub(super) use forces::pair_forces;
pub(super) use nearby::Nearby;
pub(super) use surfaces::Surfaces;
