//! A body as a scene file writes it: the keys of all shapes side by side, of which it gives one.

use super::the_only;
use crate::scene::settings::{
    Array, BallShape, Body, BodyKind, BoxShape, ChainNetShape, CylinderShape, Deformation, Detail, DiscShape,
    EllipsoidShape, Energy, Filling, IcosphereShape, MaterialChoice, MeshFile, RectangleShape, Rotate, Scale, Shape,
    StartVelocity, TorusShape, TubeShape, Up,
};
use schemars::JsonSchema;
use serde::ser::Error;
use serde::{Deserialize, Serialize, Serializer};

/// A body: one shape, placed, made of a material, with a start velocity.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Body")]
pub struct BodyTable {
    /// What pins, friction and messages call it
    name: String,
    /// A solid of tets, a thin shell of triangles, or a stiff body of twelve coordinates
    #[serde(default, skip_serializing_if = "is_solid")]
    kind: BodyKind,
    /// The name of a `[[material]]` or of an everyday one (`visviva materials` lists them), or one written here
    material: MaterialChoice,
    /// A box of cells, six tets each, centred on the origin
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    cuboid: Option<BoxShape>,
    /// A ball about the origin
    #[serde(skip_serializing_if = "Option::is_none")]
    ball: Option<BallShape>,
    /// An ellipsoid about the origin
    #[serde(skip_serializing_if = "Option::is_none")]
    ellipsoid: Option<EllipsoidShape>,
    /// A solid cylinder about the z axis
    #[serde(skip_serializing_if = "Option::is_none")]
    cylinder: Option<CylinderShape>,
    /// A solid torus about the z axis
    #[serde(skip_serializing_if = "Option::is_none")]
    torus: Option<TorusShape>,
    /// A ball's surface of near-equal triangles
    #[serde(skip_serializing_if = "Option::is_none")]
    icosphere: Option<IcosphereShape>,
    /// A flat disc in the plane z = 0
    #[serde(skip_serializing_if = "Option::is_none")]
    disc: Option<DiscShape>,
    /// A flat rectangle in the plane z = 0
    #[serde(skip_serializing_if = "Option::is_none")]
    rectangle: Option<RectangleShape>,
    /// An open tube about the z axis
    #[serde(skip_serializing_if = "Option::is_none")]
    tube: Option<TubeShape>,
    /// Interlocking rings in the plane z = 0, each a body of its own, named `name.node-0-0` and so on
    #[serde(skip_serializing_if = "Option::is_none")]
    chain_net: Option<ChainNetShape>,
    /// A model that comes with the program: `creature` or `rabbit`, a metre high
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// A mesh of tets or triangles, relative to the scene file; a solid fills a closed surface with tets. Gmsh .msh (2.2, 4.1), legacy
    /// .vtk, .vtu; .obj, .stl, .ply, .off, .gltf, .glb
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Where the file is missing, the shape given beside it stands in for it
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    file_optional: bool,
    /// What to do when the file is missing, shown with the message
    #[serde(skip_serializing_if = "Option::is_none")]
    file_hint: Option<String>,
    /// Of a solid from a surface: edge of the cells that fill it `[m]`
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<f64>,
    /// Of a solid from a surface: cells along its longest side, in place of `cell`; 16 where neither is given
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<usize>,
    /// Of a solid from a surface: cells grow towards the inside
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    graded: bool,
    /// The whole mass `[kg]` of an affine body, instead of its material's density
    #[serde(skip_serializing_if = "Option::is_none")]
    mass: Option<f64>,
    /// Thickness that contact gives the surface `[m]`: it stands out by half of it on both sides, whatever `material.thickness` is
    #[serde(skip_serializing_if = "Option::is_none")]
    contact_thickness: Option<f64>,
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
    /// How it moves at the start; at rest where it is not given
    #[serde(skip_serializing_if = "Option::is_none")]
    velocity: Option<StartVelocity>,
    /// Deformations of the start position, one after the other; the rest shape stays
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    deform: Vec<Deformation>,
    /// Repeats it in a grid, the first copy in its own place; each is a body of its own, named `name.0-0-0` and so on
    #[serde(skip_serializing_if = "Option::is_none")]
    array: Option<Array>,
    /// Sets it down: it is moved along gravity to where what lies below it just carries its weight
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    set_down: bool,
    /// The energy wanted of it, in place of the scene's: the keys of `[energy]`
    #[serde(skip_serializing_if = "Option::is_none")]
    energy: Option<Energy>,
}

fn is_solid(kind: &BodyKind) -> bool {
    *kind == BodyKind::Solid
}

impl TryFrom<BodyTable> for Body {
    type Error = String;

    fn try_from(table: BodyTable) -> Result<Self, String> {
        let made = [
            table.cuboid.map(Shape::Box),
            table.ball.map(Shape::Ball),
            table.ellipsoid.map(Shape::Ellipsoid),
            table.cylinder.map(Shape::Cylinder),
            table.torus.map(Shape::Torus),
            table.icosphere.map(Shape::Icosphere),
            table.disc.map(Shape::Disc),
            table.rectangle.map(Shape::Rectangle),
            table.tube.map(Shape::Tube),
            table.chain_net.map(Shape::ChainNet),
            table.model.map(Shape::Model),
        ];
        let mut shapes: Vec<Shape> = made.into_iter().flatten().collect();
        if let Some(path) = table.file {
            let stand_in = if table.file_optional { shapes.pop().map(Box::new) } else { None };
            shapes.push(Shape::File(MeshFile { path, stand_in, hint: table.file_hint }));
        }
        let shape = the_only(shapes, "shapes", &Shape::KEYS).map_err(|e| format!("body `{}`: {e}", table.name))?;
        let detail = match (table.cell, table.cells) {
            (Some(_), Some(_)) => return Err(format!("body `{}`: give `cell` or `cells`, not both", table.name)),
            (Some(cell), None) => Some(Detail::Cell(cell)),
            (None, cells) => cells.map(Detail::Cells),
        };
        Ok(Self {
            name: table.name,
            kind: table.kind,
            material: table.material,
            shape,
            filling: Filling { detail, graded: table.graded },
            mass: table.mass,
            contact_thickness: table.contact_thickness,
            up: table.up,
            scale: table.scale,
            rotate: table.rotate,
            height: table.height,
            translate: table.translate,
            velocity: table.velocity,
            deform: table.deform,
            array: table.array,
            set_down: table.set_down,
            energy: table.energy,
        })
    }
}

impl BodyTable {
    /// A body without a shape; the shape is put in its own key.
    fn of(body: Body) -> Result<Self, String> {
        let (cell, cells) = match body.filling.detail {
            Some(Detail::Cell(cell)) => (Some(cell), None),
            Some(Detail::Cells(cells)) => (None, Some(cells)),
            None => (None, None),
        };
        let mut table = Self {
            name: body.name,
            kind: body.kind,
            material: body.material,
            cuboid: None,
            ball: None,
            ellipsoid: None,
            cylinder: None,
            torus: None,
            icosphere: None,
            disc: None,
            rectangle: None,
            tube: None,
            chain_net: None,
            model: None,
            file: None,
            file_optional: false,
            file_hint: None,
            cell,
            cells,
            graded: body.filling.graded,
            mass: body.mass,
            contact_thickness: body.contact_thickness,
            up: body.up,
            scale: body.scale,
            rotate: body.rotate,
            height: body.height,
            translate: body.translate,
            velocity: body.velocity,
            deform: body.deform,
            array: body.array,
            set_down: body.set_down,
            energy: body.energy,
        };
        table.put(body.shape)?;
        Ok(table)
    }

    fn put(&mut self, shape: Shape) -> Result<(), String> {
        match shape {
            Shape::Box(shape) => self.cuboid = Some(shape),
            Shape::Ball(shape) => self.ball = Some(shape),
            Shape::Ellipsoid(shape) => self.ellipsoid = Some(shape),
            Shape::Cylinder(shape) => self.cylinder = Some(shape),
            Shape::Torus(shape) => self.torus = Some(shape),
            Shape::Icosphere(shape) => self.icosphere = Some(shape),
            Shape::Disc(shape) => self.disc = Some(shape),
            Shape::Rectangle(shape) => self.rectangle = Some(shape),
            Shape::Tube(shape) => self.tube = Some(shape),
            Shape::ChainNet(shape) => self.chain_net = Some(shape),
            Shape::Model(name) => self.model = Some(name),
            Shape::File(MeshFile { path, stand_in, hint }) => {
                (self.file, self.file_optional, self.file_hint) = (Some(path), stand_in.is_some(), hint);
                return stand_in.map_or(Ok(()), |shape| self.put(*shape));
            }
            Shape::Mesh(_) => {
                return Err(format!("body `{}`: its mesh is in memory; write it to a file first", self.name));
            }
        }
        Ok(())
    }
}

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        BodyTable::of(self.clone()).map_err(S::Error::custom)?.serialize(serializer)
    }
}
