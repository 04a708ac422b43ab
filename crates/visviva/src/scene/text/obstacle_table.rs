//! An obstacle as a scene file writes it: the keys of all shapes side by side, of which it gives one.

use super::the_only;
use crate::scene::settings::{
    BoxSize, CapsuleShape, CylinderSize, Obstacle, ObstacleShape, OpenBoxShape, PlaneShape, Rotate, Scale, SphereShape,
    StairsShape, Turn, Up,
};
use schemars::JsonSchema;
use serde::ser::Error;
use serde::{Deserialize, Serialize, Serializer};

/// A surface that stands still or moves along keyframes, whatever touches it. Exactly one shape.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Obstacle")]
pub struct ObstacleTable {
    /// What friction and messages call it
    name: String,
    /// A flat floor or wall
    #[serde(skip_serializing_if = "Option::is_none")]
    plane: Option<PlaneShape>,
    /// A box centred on the origin
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    cuboid: Option<BoxSize>,
    /// Stairs that lead down along x
    #[serde(skip_serializing_if = "Option::is_none")]
    stairs: Option<StairsShape>,
    /// A sphere about the origin
    #[serde(skip_serializing_if = "Option::is_none")]
    sphere: Option<SphereShape>,
    /// A capsule along z, centred on the origin
    #[serde(skip_serializing_if = "Option::is_none")]
    capsule: Option<CapsuleShape>,
    /// A cylinder along z, centred on the origin
    #[serde(skip_serializing_if = "Option::is_none")]
    cylinder: Option<CylinderSize>,
    /// A container without a lid, its bottom at z = 0, centred on x = y = 0
    #[serde(skip_serializing_if = "Option::is_none")]
    open_box: Option<OpenBoxShape>,
    /// A surface mesh: OBJ, whose `l` elements are wires, STL, or triangles of a Gmsh, VTK or VTU file; relative to the scene file
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Which way of the shape points up: it is turned by quarters before all else
    #[serde(skip_serializing_if = "Option::is_none")]
    up: Option<Up>,
    /// Factor on the shape's coordinates: one number or three
    #[serde(skip_serializing_if = "Option::is_none")]
    scale: Option<Scale>,
    /// Turn about an axis through the origin, after scaling
    #[serde(skip_serializing_if = "Option::is_none")]
    rotate: Option<Rotate>,
    /// Scales the turned shape so that its extent along z is this `[m]`
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<f64>,
    /// Shift at last `[m]`
    #[serde(skip_serializing_if = "Option::is_none")]
    translate: Option<[f64; 3]>,
    /// Coefficient of friction; `contact.friction` where it is not given
    #[serde(skip_serializing_if = "Option::is_none")]
    friction: Option<f64>,
    /// Restitution of its contacts, from 0 to 1; `contact.restitution` where it is not given
    #[serde(default, skip_serializing_if = "Option::is_none")]
    restitution: Option<f64>,
    /// Thickness that contact gives the surface `[m]`: it stands out by half of it on both sides
    #[serde(skip_serializing_if = "Option::is_none")]
    contact_thickness: Option<f64>,
    /// Keyframes `[time [s], x, y, z [m]]` of a shift
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    shift: Vec<[f64; 4]>,
    /// A turn in time
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<Turn>,
}

impl TryFrom<ObstacleTable> for Obstacle {
    type Error = String;

    fn try_from(table: ObstacleTable) -> Result<Self, String> {
        let shapes = [
            table.plane.map(ObstacleShape::Plane),
            table.cuboid.map(ObstacleShape::Box),
            table.stairs.map(ObstacleShape::Stairs),
            table.sphere.map(ObstacleShape::Sphere),
            table.capsule.map(ObstacleShape::Capsule),
            table.cylinder.map(ObstacleShape::Cylinder),
            table.open_box.map(ObstacleShape::OpenBox),
            table.file.map(ObstacleShape::File),
        ];
        let shape = the_only(shapes.into_iter().flatten().collect(), "shapes", &ObstacleShape::KEYS)
            .map_err(|e| format!("obstacle `{}`: {e}", table.name))?;
        Ok(Self {
            name: table.name,
            shape,
            up: table.up,
            scale: table.scale,
            rotate: table.rotate,
            height: table.height,
            translate: table.translate,
            friction: table.friction,
            restitution: table.restitution,
            contact_thickness: table.contact_thickness,
            shift: table.shift,
            turn: table.turn,
        })
    }
}

impl ObstacleTable {
    fn of(obstacle: Obstacle) -> Result<Self, String> {
        let mut table = Self {
            name: obstacle.name,
            plane: None,
            cuboid: None,
            stairs: None,
            sphere: None,
            capsule: None,
            cylinder: None,
            open_box: None,
            file: None,
            up: obstacle.up,
            scale: obstacle.scale,
            rotate: obstacle.rotate,
            height: obstacle.height,
            translate: obstacle.translate,
            friction: obstacle.friction,
            restitution: obstacle.restitution,
            contact_thickness: obstacle.contact_thickness,
            shift: obstacle.shift,
            turn: obstacle.turn,
        };
        match obstacle.shape {
            ObstacleShape::Plane(shape) => table.plane = Some(shape),
            ObstacleShape::Box(shape) => table.cuboid = Some(shape),
            ObstacleShape::Stairs(shape) => table.stairs = Some(shape),
            ObstacleShape::Sphere(shape) => table.sphere = Some(shape),
            ObstacleShape::Capsule(shape) => table.capsule = Some(shape),
            ObstacleShape::Cylinder(shape) => table.cylinder = Some(shape),
            ObstacleShape::OpenBox(shape) => table.open_box = Some(shape),
            ObstacleShape::File(path) => table.file = Some(path),
            ObstacleShape::Mesh(_) => {
                return Err(format!("obstacle `{}`: its mesh is in memory; write it to a file first", table.name));
            }
        }
        Ok(table)
    }
}

impl Serialize for Obstacle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ObstacleTable::of(self.clone()).map_err(S::Error::custom)?.serialize(serializer)
    }
}
