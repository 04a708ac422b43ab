//! What a user writes: a scene in TOML, checked, and built into bodies and a start state. All quantities in SI units.

mod build;
mod check;
mod contact;
mod contact_build;
mod deform;
mod load;
mod number;
mod obstacle;
mod select;
mod start_contact;

pub use build::{BuildError, Built};
pub use contact::{ContactTable, FrictionPair, ObstacleSettings, PlaneShape, StairsShape};
pub use load::{LoadError, SceneSource, suggestion};
pub use number::Number;
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
    pub run: RunSettings,
    #[serde(default)]
    pub energy: EnergySettings,
    #[serde(default)]
    pub solver: SolverChoice,
    /// Materials that bodies name
    #[serde(default, rename = "material", skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<Material>,
    #[serde(default, rename = "body")]
    pub bodies: Vec<BodySettings>,
    #[serde(default)]
    pub contact: ContactTable,
    /// Surfaces that stand still or move by themselves
    #[serde(default, rename = "obstacle", skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<ObstacleSettings>,
    /// Coefficients of friction by pair
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub friction: Vec<FrictionPair>,
    /// Nodes that are held or moved
    #[serde(default, rename = "pin", skip_serializing_if = "Vec::is_empty")]
    pub pins: Vec<PinSettings>,
    /// Nodes that are held where deformations put them until the bodies rest, and let go at the start
    #[serde(default, rename = "release", skip_serializing_if = "Vec::is_empty")]
    pub releases: Vec<PinSettings>,
    /// Where pictures are taken from
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub camera: Option<Camera>,
    /// Written into the run folder; ignored when read
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
}

fn default_gravity() -> [f64; 3] {
    [0.0, 0.0, -9.8]
}

/// How the scene is run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
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
}

fn default_integrator() -> String {
    "a-search".to_owned()
}

fn default_frame_rate() -> f64 {
    30.0
}

/// The energy wanted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EnergySettings {
    pub target: TargetKind,
    /// E-folding time of `decay` [s]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tau: Option<f64>,
    /// What `decay` and `schedule` decay towards: joules, or "equilibrium" for the energy of the bodies at rest
    pub ground: Ground,
    /// `schedule`: [time [s], τ [s]] pairs, each holding from its time on
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub schedule: Vec<(f64, f64)>,
    /// `curve`: [time [s], fraction of the start energy]; `curve-joules`: [time [s], energy [J]]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<(f64, f64)>,
    /// The target starts at this times the start energy
    pub start_scale: f64,
}

impl Default for EnergySettings {
    fn default() -> Self {
        Self {
            target: TargetKind::Conserve,
            tau: None,
            ground: Ground::Joules(0.0),
            schedule: Vec::new(),
            curve: Vec::new(),
            start_scale: 1.0,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TargetKind {
    #[default]
    Conserve,
    Decay,
    Schedule,
    Curve,
    CurveJoules,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Ground {
    Joules(f64),
    Named(NamedGround),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NamedGround {
    Equilibrium,
}

/// How equations are solved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SolverChoice {
    /// Newton stops when its longest node displacement falls below this times h [m/s]
    pub tolerance: f64,
    /// … and no active gap changes by more than this fraction
    pub gap_tolerance: f64,
    pub max_iterations: usize,
    pub linear: LinearKind,
    /// Relative residual of conjugate gradients
    pub linear_tolerance: f64,
}

impl Default for SolverChoice {
    fn default() -> Self {
        Self {
            tolerance: 0.01,
            gap_tolerance: 1e-3,
            max_iterations: 100,
            linear: LinearKind::Auto,
            linear_tolerance: 1e-3,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LinearKind {
    #[default]
    Auto,
    Direct,
    Iterative,
}

/// What a body is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Empty where the material is written inside a body
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// neo-hookean, corotated, fixed-corotated, stvk or stable-neo-hookean
    #[serde(default = "default_law")]
    pub law: String,
    /// [Pa]
    pub youngs_modulus: f64,
    #[serde(default = "default_poisson_ratio")]
    pub poisson_ratio: f64,
    /// [kg/m³]
    #[serde(default = "default_density")]
    pub density: f64,
    /// Rayleigh damping proportional to mass [1/s]
    #[serde(default, skip_serializing_if = "is_zero")]
    pub damping_mass: f64,
    /// Rayleigh damping proportional to stiffness [s]
    #[serde(default, skip_serializing_if = "is_zero")]
    pub damping_stiffness: f64,
    /// Coefficient of friction; `contact.friction` where it is not given
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<f64>,
}

fn default_law() -> String {
    "neo-hookean".to_owned()
}

fn default_poisson_ratio() -> f64 {
    0.3
}

fn default_density() -> f64 {
    1000.0
}

fn is_zero(x: &f64) -> bool {
    *x == 0.0
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum MaterialChoice {
    /// The name of a [[material]]
    Named(String),
    Inline(Box<Material>),
}

/// A body: one shape, placed, made of a material, with a start velocity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodySettings {
    pub name: String,
    pub material: MaterialChoice,
    /// A box of cells, six tets each, centred on the origin
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub cuboid: Option<BoxShape>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ball: Option<BallShape>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cylinder: Option<CylinderShape>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torus: Option<TorusShape>,
    /// A tetrahedral mesh: Gmsh .msh (2.2, 4.1), legacy .vtk, .vtu; relative to the scene file
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What to do when the file is missing, shown with the message
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_hint: Option<String>,
    /// Factor on the shape's coordinates: one number or three
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Scale>,
    /// Turn about an axis through the origin, after scaling
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotate: Option<Rotate>,
    /// Scales the turned shape so that its extent along z is this [m]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<f64>,
    /// Shift at last [m]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translate: Option<[f64; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<StartVelocity>,
    /// Deformations of the start position, one after the other; the rest shape stays
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deform: Vec<Deformation>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoxShape {
    /// [m]
    pub size: [f64; 3],
    pub cells: [usize; 3],
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoxSize {
    /// [m]
    pub size: [f64; 3],
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BallShape {
    /// [m]
    pub radius: f64,
    /// Layers of elements from centre to surface
    pub shells: usize,
}

/// About the z axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CylinderShape {
    /// [m]
    pub radius: f64,
    /// [m]
    pub height: f64,
    /// Layers of elements from axis to surface
    pub rings: usize,
    /// Layers along the axis
    pub layers: usize,
}

/// A solid torus about the z axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TorusShape {
    /// From the axis to the centre of the tube [m]
    pub major_radius: f64,
    /// Of the tube [m]
    pub minor_radius: f64,
    /// Layers of elements across the tube
    pub rings: usize,
    /// Elements around the axis
    pub around: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Scale {
    Uniform(f64),
    ByAxis([f64; 3]),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rotate {
    pub axis: [f64; 3],
    /// [rad]
    pub angle: f64,
}

/// v = linear + angular × (x − about) + ramp
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StartVelocity {
    /// [m/s]
    pub linear: [f64; 3],
    /// [rad/s]
    pub angular: [f64; 3],
    /// A point of the axis of rotation [m]
    pub about: [f64; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ramp: Option<Ramp>,
}

/// A velocity that grows linearly along an axis, from zero at `from` to its full value at `to` and beyond.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ramp {
    pub axis: Axis,
    /// Coordinate along the axis [m]
    pub from: f64,
    /// [m]
    pub to: f64,
    /// [m/s]
    pub velocity: [f64; 3],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    pub fn index(self) -> usize {
        self as usize
    }
}

/// A deformation of the start position along an axis, growing from zero at `from` to its full value at `to`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deformation {
    pub kind: DeformationKind,
    pub axis: Axis,
    /// Coordinate along the axis [m]
    pub from: f64,
    /// [m]
    pub to: f64,
    /// Full angle of `twist` and `bend` [rad], or the factor of `stretch`
    pub amount: f64,
    /// `bend`: the axis towards which it bends
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub towards: Option<Axis>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DeformationKind {
    Twist,
    Bend,
    Stretch,
}

/// Nodes of a body that are held, or moved along keyframes. Exactly one way to choose them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PinSettings {
    pub body: String,
    /// Nodes inside a box of the start position
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub inside: Option<BoxRegion>,
    /// Nodes on a plane
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plane: Option<Plane>,
    /// Nodes on the side of a plane that its normal points to
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub halfspace: Option<Plane>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sphere: Option<Sphere>,
    /// Nodes on a segment
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<Edge>,
    /// Node indices of the body
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<usize>,
    /// How near a node must lie to a plane or an edge [m]; by default a millionth of the body's size
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Keyframes [time [s], x, y, z [m]] of a shift
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shift: Vec<[f64; 4]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnSettings>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoxRegion {
    /// [m]
    pub min: [f64; 3],
    /// [m]
    pub max: [f64; 3],
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plane {
    /// [m]
    pub point: [f64; 3],
    pub normal: [f64; 3],
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sphere {
    /// [m]
    pub centre: [f64; 3],
    /// [m]
    pub radius: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Edge {
    /// [m]
    pub from: [f64; 3],
    /// [m]
    pub to: [f64; 3],
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnSettings {
    pub axis: [f64; 3],
    /// [m]
    pub centre: [f64; 3],
    /// Keyframes [time [s], angle [rad]]
    pub angle: Vec<(f64, f64)>,
}

/// A perspective camera.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// [m]
    pub eye: [f64; 3],
    /// [m]
    pub target: [f64; 3],
    #[serde(default = "default_up")]
    pub up: [f64; 3],
    /// Vertical opening angle [rad]
    #[serde(default = "default_field_of_view")]
    pub field_of_view: f64,
}

fn default_up() -> [f64; 3] {
    [0.0, 0.0, 1.0]
}

fn default_field_of_view() -> f64 {
    0.6
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
