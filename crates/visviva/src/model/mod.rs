//! Bookkeeping: the state, the mass, what moves by itself, and the energies a small world is made of.

pub mod affine_shape;
pub mod attachment;
pub mod bodies;
pub mod contact_settings;
pub mod easing;
pub mod elements;
pub mod energies;
pub mod hold;
pub mod input;
pub mod joints;
pub mod linkage;
pub mod mass;
pub mod motion;
pub mod parts;
pub mod path;
pub mod potential;
pub mod rigid_motion;
pub mod state;
pub mod volume;

pub use affine_shape::AffineShape;
pub use attachment::Attachment;
pub use contact_settings::{Coefficients, ContactSettings, ContactWeights};
pub use easing::Easing;
pub use energies::Energies;
pub use hold::Hold;
pub use input::{BodyInput, Damping, DampingLaw, Matter, ModelInput, ObstacleInput, PinInput, PinnedNode};
pub use joints::{Holder, JointInput, JointKind, ModelJoint, MotorInput};
pub use mass::Mass;
pub use parts::{Exchange, Part};
pub use path::Path;
pub use potential::{Cause, Dissipation, Potential, RelativeChange};
pub use rigid_motion::{MotionEnergy, RigidMotion, Weighed};
pub use state::State;
