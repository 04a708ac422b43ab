//! What a body looks like at rest, before it is placed.

use crate::mesh::{Mesh, TetMesh, TriMesh};
use crate::scene::text::BallTable;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A shape made from a few numbers, read from a file, or given in memory.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    Box(BoxShape),
    Ball(BallShape),
    Ellipsoid(EllipsoidShape),
    Cylinder(CylinderShape),
    Torus(TorusShape),
    Icosphere(IcosphereShape),
    Disc(DiscShape),
    Rectangle(RectangleShape),
    Tube(TubeShape),
    /// Each ring is a body of its own, named `name.node-0-0` and so on
    ChainNet(ChainNetShape),
    /// By its name, one of [`visviva_shapes::models`]
    Model(String),
    File(MeshFile),
    /// Given in memory; `Scene::inputs` turns it into a file
    Mesh(Mesh),
}

impl Shape {
    /// The keys of a scene file that give one; a mesh in memory has none.
    pub const KEYS: [&'static str; 12] = [
        "box",
        "ball",
        "ellipsoid",
        "cylinder",
        "torus",
        "icosphere",
        "disc",
        "rectangle",
        "tube",
        "chain_net",
        "model",
        "file",
    ];

    /// The key of a scene file that gives it.
    pub fn key(&self) -> &'static str {
        match self {
            Shape::Box(_) => "box",
            Shape::Ball(_) => "ball",
            Shape::Ellipsoid(_) => "ellipsoid",
            Shape::Cylinder(_) => "cylinder",
            Shape::Torus(_) => "torus",
            Shape::Icosphere(_) => "icosphere",
            Shape::Disc(_) => "disc",
            Shape::Rectangle(_) => "rectangle",
            Shape::Tube(_) => "tube",
            Shape::ChainNet(_) => "chain_net",
            Shape::Model(_) => "model",
            Shape::File(_) => "file",
            Shape::Mesh(_) => "mesh",
        }
    }
}

/// A mesh file: of tets or of triangles, in any format of [`crate::mesh::formats::FORMATS`].
#[derive(Debug, Clone, PartialEq)]
pub struct MeshFile {
    /// Relative to the scene's folder
    pub path: String,
    /// What is taken where the file is missing
    pub stand_in: Option<Box<Shape>>,
    /// What to do when the file is missing, shown with the message
    pub hint: Option<String>,
}

impl From<&str> for MeshFile {
    fn from(path: &str) -> Self {
        Self { path: path.to_owned(), stand_in: None, hint: None }
    }
}

impl From<MeshFile> for Shape {
    fn from(file: MeshFile) -> Self {
        Self::File(file)
    }
}

impl From<ChainNetShape> for Shape {
    fn from(net: ChainNetShape) -> Self {
        Self::ChainNet(net)
    }
}

impl From<TetMesh> for Shape {
    fn from(mesh: TetMesh) -> Self {
        Self::Mesh(mesh.into())
    }
}

impl From<TriMesh> for Shape {
    fn from(mesh: TriMesh) -> Self {
        Self::Mesh(mesh.into())
    }
}

/// A box of cells, six tets each, centred on the origin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoxShape {
    /// `[m]`
    pub size: [f64; 3],
    /// Along x, y and z
    pub cells: [usize; 3],
}

/// A ball about the origin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "BallTable", into = "BallTable")]
pub struct BallShape {
    /// `[m]`
    pub radius: f64,
    pub lattice: BallLattice,
}

/// How a ball is cut into tets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BallLattice {
    /// So many layers of elements from centre to surface, each an icosahedron blown up
    Shells(usize),
    /// A box of cells along x, y and z inside layers of cells
    Wrapped { cells: [usize; 3], layers: usize },
}

/// An ellipsoid about the origin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EllipsoidShape {
    /// Half axes `[m]`
    pub radii: [f64; 3],
    /// Layers of elements from centre to surface
    pub shells: usize,
}

/// A solid cylinder about the z axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CylinderShape {
    /// `[m]`
    pub radius: f64,
    /// `[m]`
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
    /// From the axis to the centre of the tube `[m]`
    pub major_radius: f64,
    /// Of the tube `[m]`
    pub minor_radius: f64,
    /// Layers of elements across the tube
    pub rings: usize,
    /// Elements around the axis
    pub around: usize,
}

/// A ball's surface of near-equal triangles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IcosphereShape {
    /// `[m]`
    pub radius: f64,
    /// Each quarters the triangles of an icosahedron: 3 give 642 vertices
    pub subdivisions: usize,
}

/// A flat disc in the plane z = 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiscShape {
    /// `[m]`
    pub radius: f64,
    /// Rings of triangles; ring k has 6k nodes
    pub rings: usize,
}

/// A flat rectangle in the plane z = 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RectangleShape {
    /// Along x and y `[m]`
    pub size: [f64; 2],
    /// Two triangles each
    pub cells: [usize; 2],
}

/// An open tube about the z axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TubeShape {
    /// `[m]`
    pub radius: f64,
    /// `[m]`
    pub length: f64,
    /// Around and along it, two triangles each
    pub cells: [usize; 2],
}

/// Interlocking rings in the plane z = 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChainNetShape {
    /// Rings lying flat, along x and y; upright ones join each two neighbours
    pub rings: [usize; 2],
    /// From a ring's axis to the centre of its wire `[m]`
    pub major_radius: f64,
    /// Of the wire `[m]`
    pub minor_radius: f64,
    /// Triangles: around the ring and around the wire
    pub segments: [usize; 2],
}
