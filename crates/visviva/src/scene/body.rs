//! What a user says of a body: its shape and place, its start velocity and start deformation.

use super::MaterialChoice;
use crate::model::bodies::BodyKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A body: one shape, placed, made of a material, with a start velocity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Body {
    pub name: String,
    #[serde(default, skip_serializing_if = "is_default")]
    pub kind: BodyKind,
    pub material: MaterialChoice,
    /// A box of cells, six tets each, centred on the origin
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub cuboid: Option<BoxShape>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ball: Option<BallShape>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ellipsoid: Option<EllipsoidShape>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cylinder: Option<CylinderShape>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torus: Option<TorusShape>,
    /// A ball's surface of near-equal triangles
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icosphere: Option<IcosphereShape>,
    /// A flat disc in the plane z = 0
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disc: Option<DiscShape>,
    /// A flat rectangle in the plane z = 0
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rectangle: Option<RectangleShape>,
    /// An open tube about the z axis
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tube: Option<TubeShape>,
    /// Interlocking rings in the plane z = 0, each a body of its own, named `name.node-0-0` and so on
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain_net: Option<ChainNetShape>,
    /// A mesh, relative to the scene file. Of tets: Gmsh .msh (2.2, 4.1), legacy .vtk, .vtu; of triangles: .obj, .stl
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Where the file is missing, the shape given beside it stands in for it
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub file_optional: bool,
    /// What to do when the file is missing, shown with the message
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_hint: Option<String>,
    /// The whole mass [kg] of an affine body, instead of its material's density
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<f64>,
    /// Thickness that contact gives the surface [m]: it stands out by half of it on both sides, whatever `material.thickness` is
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact_thickness: Option<f64>,
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

fn is_default(kind: &BodyKind) -> bool {
    *kind == BodyKind::default()
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

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EllipsoidShape {
    /// Half axes [m]
    pub radii: [f64; 3],
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

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IcosphereShape {
    /// [m]
    pub radius: f64,
    /// Each quarters the triangles of an icosahedron: 3 give 642 vertices
    pub subdivisions: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiscShape {
    /// [m]
    pub radius: f64,
    /// Rings of triangles; ring k has 6k nodes
    pub rings: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RectangleShape {
    /// Along x and y [m]
    pub size: [f64; 2],
    /// Two triangles each
    pub cells: [usize; 2],
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TubeShape {
    /// [m]
    pub radius: f64,
    /// [m]
    pub length: f64,
    /// Around and along it, two triangles each
    pub cells: [usize; 2],
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChainNetShape {
    /// Rings lying flat, along x and y; upright ones join each two neighbours
    pub rings: [usize; 2],
    /// From a ring's axis to the centre of its wire [m]
    pub major_radius: f64,
    /// Of the wire [m]
    pub minor_radius: f64,
    /// Triangles: around the ring and around the wire
    pub segments: [usize; 2],
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

/// v = linear + angular × (x − about) + ramp + drum
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
    /// A mode of a drum in the plane z = 0
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drum: Option<DrumMode>,
}

/// v_z = speed · J_m(j_mn r/R) cos mφ, scaled so that its greatest value is `speed`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DrumMode {
    /// R [m]
    pub radius: f64,
    /// m
    pub nodal_diameters: u32,
    /// n, the rim included
    pub nodal_circles: u32,
    /// [m/s]
    pub speed: f64,
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
