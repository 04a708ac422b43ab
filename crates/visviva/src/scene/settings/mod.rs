//! What a user writes, one noun a file. All quantities in SI units.

mod adaptive;
mod angle;
mod array;
mod body;
mod camera;
mod change;
mod contact;
mod curve_key;
mod deformation;
mod energy;
mod everyday;
mod filling;
mod joint;
mod material;
mod number;
mod obstacle;
mod obstacle_shape;
mod pin;
mod placement;
mod provenance;
mod region;
mod run;
mod scene;
mod shape;
mod solver;
mod turn;
mod velocity;

pub use crate::model::bodies::BodyKind;
pub use adaptive::{Adaptive, AdaptiveSteps, StepBounds};
pub(super) use angle::Angle;
pub use array::{Array, CopyTurn, Spacing};
pub use body::Body;
pub use camera::Camera;
pub use change::{Change, ChangeEntry, Grab, TimedChange};
pub use contact::{Contact, PairCoefficient};
pub use curve_key::CurveKey;
pub use deformation::{Deformation, DeformationKind};
pub use energy::{By, Energy, Ground, NamedGround, Takes, TargetKind};
pub use everyday::{EVERYDAY, EverydayMaterial, STIFF, Sheet};
pub use filling::{DEFAULT_CELLS, Detail, Filling};
pub use joint::{Joint, JointAxis, JointMotion, JointOf, JointPoint, Motor};
pub(super) use material::{DEFAULT_DENSITY, ORTHOGONALITY};
pub use material::{Material, MaterialChoice};
pub use number::Number;
pub use obstacle::Obstacle;
pub use obstacle_shape::{
    BoxSize, CapsuleShape, CylinderSize, ObstacleShape, OpenBoxShape, PlaneShape, SphereShape, StairsShape,
};
pub use pin::{Pin, PinOf};
pub use placement::{Axis, Rotate, Scale, Up};
pub use provenance::{BranchPoint, Provenance};
pub use region::{BoxRegion, Edge, Plane, Region, Sphere};
pub use run::Run;
pub use scene::Scene;
pub use shape::{
    BallLattice, BallShape, BoxShape, ChainNetShape, CylinderShape, DiscShape, EllipsoidShape, IcosphereShape,
    MeshFile, RectangleShape, Shape, TorusShape, TubeShape,
};
pub use solver::{LinearKind, Solver};
pub use turn::Turn;
pub use velocity::{DrumMode, Ramp, StartVelocity};
