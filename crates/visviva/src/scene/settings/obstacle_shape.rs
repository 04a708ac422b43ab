//! What an obstacle looks like before it is placed.

use crate::mesh::WiredSurface;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A shape made from a few numbers, read from a file, or given in memory. All but planes and stairs are closed.
#[derive(Debug, Clone, PartialEq)]
pub enum ObstacleShape {
    Plane(PlaneShape),
    /// Centred on the origin
    Box(BoxSize),
    Stairs(StairsShape),
    Sphere(SphereShape),
    Capsule(CapsuleShape),
    Cylinder(CylinderSize),
    /// A container without a lid
    OpenBox(OpenBoxShape),
    /// A surface mesh, relative to the scene's folder
    File(String),
    /// A surface given in memory
    Mesh(WiredSurface),
}

/// A flat floor or wall: one triangle about a square of this size, so that there is no inner edge to trip over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PlaneShape {
    /// `[m]`
    pub point: [f64; 3],
    /// At right angles to the plane, of any length; bodies lie on its side
    pub normal: [f64; 3],
    /// Side of the square about the point `[m]`
    pub size: f64,
}

impl Default for PlaneShape {
    fn default() -> Self {
        Self { point: [0.0; 3], normal: [0.0, 0.0, 1.0], size: 10.0 }
    }
}

/// The extent of a box.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoxSize {
    /// `[m]`
    pub size: [f64; 3],
}

/// Stairs that lead down along x from the origin, the first tread at z = 0, centred on y = 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StairsShape {
    /// How many
    pub steps: usize,
    /// Along y `[m]`
    pub width: f64,
    /// Of a tread `[m]`
    pub depth: f64,
    /// Of a riser `[m]`
    pub height: f64,
}

/// A sphere about the origin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SphereShape {
    /// `[m]`
    pub radius: f64,
    /// How round: each quarters the triangles of an icosahedron. 4 leave flat spots 0.1 % of the radius deep
    #[serde(default = "default_subdivisions")]
    pub subdivisions: usize,
}

/// A capsule along z, centred on the origin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CapsuleShape {
    /// `[m]`
    pub radius: f64,
    /// From tip to tip `[m]`
    pub length: f64,
    /// How round: edges around it. 64 leave flat spots 0.1 % of the radius deep
    #[serde(default = "default_segments")]
    pub segments: usize,
}

/// A cylinder along z with flat ends, centred on the origin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CylinderSize {
    /// `[m]`
    pub radius: f64,
    /// `[m]`
    pub height: f64,
    /// How round: edges around it. 64 leave flat spots 0.1 % of the radius deep
    #[serde(default = "default_segments")]
    pub segments: usize,
}

/// A container without a lid, its bottom at z = 0, centred on x = y = 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenBoxShape {
    /// Of the inside `[m]`
    pub size: [f64; 3],
    /// Of walls and bottom `[m]`; a twentieth of the shortest side where it is not given
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thickness: Option<f64>,
}

fn default_subdivisions() -> usize {
    4
}

fn default_segments() -> usize {
    64
}

impl SphereShape {
    /// As round as is usual `[m]`.
    pub fn new(radius: f64) -> Self {
        Self { radius, subdivisions: default_subdivisions() }
    }
}

impl CapsuleShape {
    /// As round as is usual `[m]`.
    pub fn new(radius: f64, length: f64) -> Self {
        Self { radius, length, segments: default_segments() }
    }
}

impl CylinderSize {
    /// As round as is usual `[m]`.
    pub fn new(radius: f64, height: f64) -> Self {
        Self { radius, height, segments: default_segments() }
    }
}

impl OpenBoxShape {
    /// Of walls and bottom `[m]`
    pub fn wall(&self) -> f64 {
        self.thickness.unwrap_or_else(|| 0.05 * self.size.iter().copied().fold(f64::INFINITY, f64::min))
    }
}

impl ObstacleShape {
    /// The keys of a scene file that give one; a surface in memory has none.
    pub const KEYS: [&'static str; 8] = ["plane", "box", "stairs", "sphere", "capsule", "cylinder", "open_box", "file"];

    /// The key of a scene file that gives it.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Plane(_) => "plane",
            Self::Box(_) => "box",
            Self::Stairs(_) => "stairs",
            Self::Sphere(_) => "sphere",
            Self::Capsule(_) => "capsule",
            Self::Cylinder(_) => "cylinder",
            Self::OpenBox(_) => "open_box",
            Self::File(_) => "file",
            Self::Mesh(_) => "mesh",
        }
    }
}

impl From<PlaneShape> for ObstacleShape {
    fn from(plane: PlaneShape) -> Self {
        Self::Plane(plane)
    }
}

impl From<SphereShape> for ObstacleShape {
    fn from(sphere: SphereShape) -> Self {
        Self::Sphere(sphere)
    }
}

impl From<CapsuleShape> for ObstacleShape {
    fn from(capsule: CapsuleShape) -> Self {
        Self::Capsule(capsule)
    }
}

impl From<CylinderSize> for ObstacleShape {
    fn from(cylinder: CylinderSize) -> Self {
        Self::Cylinder(cylinder)
    }
}

impl From<OpenBoxShape> for ObstacleShape {
    fn from(container: OpenBoxShape) -> Self {
        Self::OpenBox(container)
    }
}
