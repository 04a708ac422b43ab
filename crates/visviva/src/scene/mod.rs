//! What a user writes: a scene in TOML, checked, and built into bodies and a start state. All quantities in SI units.

mod body;
mod body_build;
mod build;
mod camera;
mod change;
mod check;
mod contact;
mod contact_build;
mod deform;
mod drum;
mod energy;
mod load;
mod material;
mod number;
mod obstacle;
mod pin;
mod pin_build;
mod select;
mod solver;
mod start_contact;

pub use crate::model::bodies::BodyKind;
pub use body::*;
pub use body_build::BodyMesh;
pub use build::{BuildError, Built};
pub use camera::Camera;
pub use change::{Change, ChangeEntry, TimedChange};
pub use contact::{Contact, FrictionPair, Obstacle, PlaneShape, StairsShape};
pub use drum::DrumShape;
pub use energy::{Energy, Ground, NamedGround, TargetKind};
pub use load::{LoadError, SceneSource, suggestion};
pub use material::{Material, MaterialChoice};
pub use number::Number;
pub use pin::{BoxRegion, Edge, Pin, Plane, Sphere, Turn};
pub use solver::{LinearKind, Solver};
pub use start_contact::{ContactPlace, PlaceKind, StartContact};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A scene file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// One line, shown in lists
    pub title: String,
    /// What the scene shows and what to expect
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Acceleration of gravity [m/s²]
    #[serde(default = "default_gravity")]
    pub gravity: [f64; 3],
    pub run: Run,
    #[serde(default)]
    pub energy: Energy,
    #[serde(default)]
    pub solver: Solver,
    /// Materials that bodies name
    #[serde(default, rename = "material", skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<Material>,
    #[serde(default, rename = "body")]
    pub bodies: Vec<Body>,
    #[serde(default)]
    pub contact: Contact,
    /// Surfaces that stand still or move by themselves
    #[serde(default, rename = "obstacle", skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<Obstacle>,
    /// Coefficients of friction by pair
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub friction: Vec<FrictionPair>,
    /// Nodes that are held or moved
    #[serde(default, rename = "pin", skip_serializing_if = "Vec::is_empty")]
    pub pins: Vec<Pin>,
    /// Nodes that are held where deformations put them until the bodies rest, and let go at the start
    #[serde(default, rename = "release", skip_serializing_if = "Vec::is_empty")]
    pub releases: Vec<Pin>,
    /// What changes under way, in the order of steps
    #[serde(default, rename = "change", skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangeEntry>,
    /// Where pictures are taken from
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub camera: Option<Camera>,
    /// Written into the run folder; ignored when read
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
    /// What relative file names are relative to
    #[serde(skip)]
    pub folder: std::path::PathBuf,
}

fn default_gravity() -> [f64; 3] {
    [0.0, 0.0, -9.8]
}

/// How the scene is run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Name and parameters, such as `a-search` or `a-search:max=1.2`; `visviva integrators` lists them
    #[serde(default = "default_integrator")]
    pub integrator: String,
    /// Time step [s]: a number, or a fraction such as "1/120"
    pub h: Number,
    /// Simulated time [s]
    pub duration: Number,
    /// Frames written per simulated second
    #[serde(default = "default_frame_rate")]
    pub frame_rate: f64,
    /// Whether contact points and forces are written with every frame
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub contacts: bool,
}

impl Run {
    /// How many steps the duration takes.
    pub fn step_count(&self) -> u64 {
        (self.duration.value / self.h.value).round().max(1.0) as u64
    }
}

fn default_integrator() -> String {
    "a-search".to_owned()
}

fn default_frame_rate() -> f64 {
    30.0
}

/// How a run folder came to be.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Provenance {
    pub version: String,
    pub threads: usize,
    /// The scene's path or gallery name
    pub scene: String,
}

/// The JSON schema of scene files, for editors.
pub fn json_schema() -> String {
    let schema = schemars::schema_for!(Scene);
    serde_json::to_string_pretty(&schema).expect("a schema is plain JSON")
}
