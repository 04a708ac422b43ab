//! Surfaces that are touched and never give way.

use super::{Rotate, Scale, Turn};
use crate::mesh::{TriMesh, WiredSurface};
use crate::scene::text::ObstacleTable;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A surface without mass that stands still or moves along keyframes, whatever touches it.
///
/// ```
/// use visviva::scene::{Obstacle, PlaneShape};
///
/// let wall = Obstacle::new(PlaneShape { normal: [1.0, 0.0, 0.0], ..PlaneShape::default() }).named("wall");
/// let crate_top = Obstacle::cuboid([1.0, 1.0, 0.1]).at([0.0, 0.0, 0.5]).friction(0.4);
/// assert_eq!((wall.name.as_str(), crate_top.name.as_str()), ("wall", "box"));
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "ObstacleTable")]
#[schemars(into = "ObstacleTable")]
pub struct Obstacle {
    pub name: String,
    pub shape: ObstacleShape,
    /// Factor on the shape's coordinates
    pub scale: Option<Scale>,
    /// After scaling
    pub rotate: Option<Rotate>,
    /// Shift at last `[m]`
    pub translate: Option<[f64; 3]>,
    /// Coefficient of friction; `contact.friction` where it is not given
    pub friction: Option<f64>,
    /// Restitution of its contacts, from 0 to 1; `contact.restitution` where it is not given
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restitution: Option<f64>,
    /// Thickness that contact gives the surface `[m]`: it stands out by half of it on both sides
    pub contact_thickness: Option<f64>,
    /// Keyframes `[time [s], x, y, z [m]]` of a shift
    pub shift: Vec<[f64; 4]>,
    pub turn: Option<Turn>,
}

/// What an obstacle looks like before it is placed.
#[derive(Debug, Clone, PartialEq)]
pub enum ObstacleShape {
    Plane(PlaneShape),
    /// Centred on the origin
    Box(BoxSize),
    Stairs(StairsShape),
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

impl Obstacle {
    /// A resting obstacle of this shape, named after it.
    pub fn new(shape: impl Into<ObstacleShape>) -> Self {
        let shape = shape.into();
        Self {
            name: shape.key().to_owned(),
            shape,
            scale: None,
            rotate: None,
            translate: None,
            friction: None,
            restitution: None,
            contact_thickness: None,
            shift: Vec::new(),
            turn: None,
        }
    }

    /// The plane z = 0.
    pub fn plane() -> Self {
        Self::new(PlaneShape::default())
    }

    /// A box of this size `[m]`, centred on the origin.
    pub fn cuboid(size: [f64; 3]) -> Self {
        Self::new(ObstacleShape::Box(BoxSize { size }))
    }

    /// Stairs down along x; `width`, and `depth` and `height` of a step `[m]`.
    pub fn stairs(steps: usize, width: f64, depth: f64, height: f64) -> Self {
        Self::new(ObstacleShape::Stairs(StairsShape { steps, width, depth, height }))
    }

    /// The triangles of a mesh file, and the lines of an OBJ file as wires.
    pub fn file(path: impl Into<String>) -> Self {
        Self::new(ObstacleShape::File(path.into()))
    }

    /// A surface given in memory.
    pub fn surface(mesh: TriMesh) -> Self {
        Self::wired(WiredSurface { surface: mesh, wires: Vec::new() })
    }

    /// A surface with wires, given in memory.
    pub fn wired(mesh: WiredSurface) -> Self {
        Self::new(ObstacleShape::Mesh(mesh))
    }

    /// What messages and friction call it.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Shifted there `[m]`, after scaling and turning.
    pub fn at(mut self, place: [f64; 3]) -> Self {
        self.translate = Some(place);
        self
    }

    /// Turned by an angle `[rad]` about an axis through the origin.
    pub fn rotate(mut self, axis: [f64; 3], angle: f64) -> Self {
        self.rotate = Some(Rotate { axis, angle });
        self
    }

    /// Scaled by one factor, or by one for each axis.
    pub fn scale(mut self, scale: impl Into<Scale>) -> Self {
        self.scale = Some(scale.into());
        self
    }

    /// Its coefficient of friction.
    pub fn friction(mut self, coefficient: f64) -> Self {
        self.friction = Some(coefficient);
        self
    }

    /// Thickness that contact gives it `[m]`.
    pub fn contact_thickness(mut self, thickness: f64) -> Self {
        self.contact_thickness = Some(thickness);
        self
    }

    /// Moves along keyframes `[time [s], x, y, z [m]]`, each a shift from the start.
    pub fn shift(mut self, keys: impl Into<Vec<[f64; 4]>>) -> Self {
        self.shift = keys.into();
        self
    }

    /// Turns about an axis through a centre `[m]`, along keyframes (time `[s]`, angle `[rad]`).
    pub fn turn(mut self, axis: [f64; 3], centre: [f64; 3], angle: impl Into<Vec<(f64, f64)>>) -> Self {
        self.turn = Some(Turn { axis, centre, angle: angle.into() });
        self
    }
}

impl ObstacleShape {
    /// The key of a scene file that gives it.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Plane(_) => "plane",
            Self::Box(_) => "box",
            Self::Stairs(_) => "stairs",
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
