//! Surfaces that are touched and never give way.

use super::{
    BoxSize, CapsuleShape, CylinderSize, ObstacleShape, OpenBoxShape, PlaneShape, Rotate, Scale, SphereShape,
    StairsShape, Turn, Up,
};
use crate::mesh::{TriMesh, WiredSurface};
use crate::scene::text::ObstacleTable;
use schemars::JsonSchema;
use serde::Deserialize;

/// A surface without mass that stands still or moves along keyframes, whatever touches it.
///
/// ```
/// use visviva::scene::{Obstacle, PlaneShape};
///
/// let wall = Obstacle::new(PlaneShape { normal: [1.0, 0.0, 0.0], ..PlaneShape::default() }).named("wall");
/// let crate_top = Obstacle::cuboid([1.0, 1.0, 0.1]).at([0.0, 0.0, 0.5]).friction(0.4);
/// let bowl = Obstacle::open_box([0.5, 0.5, 0.3]).named("bowl");
/// assert_eq!((wall.name.as_str(), crate_top.name.as_str(), bowl.shape.key()), ("wall", "box", "open_box"));
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "ObstacleTable")]
#[schemars(into = "ObstacleTable")]
pub struct Obstacle {
    pub name: String,
    pub shape: ObstacleShape,
    /// Which way of the shape points up, before all else
    pub up: Option<Up>,
    /// Factor on the shape's coordinates
    pub scale: Option<Scale>,
    /// After scaling
    pub rotate: Option<Rotate>,
    /// Scales the turned shape so that its extent along z is this `[m]`
    pub height: Option<f64>,
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

impl Obstacle {
    /// A resting obstacle of this shape, named after it.
    pub fn new(shape: impl Into<ObstacleShape>) -> Self {
        let shape = shape.into();
        Self {
            name: shape.key().to_owned(),
            shape,
            up: None,
            scale: None,
            rotate: None,
            height: None,
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

    /// A sphere `[m]` about the origin, as round as is usual; [`SphereShape`] says how round.
    pub fn sphere(radius: f64) -> Self {
        Self::new(SphereShape::new(radius))
    }

    /// A capsule along z, from tip to tip of this length `[m]`, centred on the origin.
    pub fn capsule(radius: f64, length: f64) -> Self {
        Self::new(CapsuleShape::new(radius, length))
    }

    /// A cylinder along z `[m]`, centred on the origin.
    pub fn cylinder(radius: f64, height: f64) -> Self {
        Self::new(CylinderSize::new(radius, height))
    }

    /// A container without a lid, of this size inside `[m]`: its bottom at z = 0, centred on x = y = 0.
    pub fn open_box(size: [f64; 3]) -> Self {
        Self::new(OpenBoxShape { size, thickness: None })
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

    /// Turned first of all so that this way of the shape points up.
    pub fn up(mut self, up: Up) -> Self {
        self.up = Some(up);
        self
    }

    /// Scaled so that its extent along z is this `[m]`.
    pub fn height(mut self, height: f64) -> Self {
        self.height = Some(height);
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
