//! What moves: a shape in its place, made of a material, with a start.

use super::{
    Array, BallLattice, BallShape, BodyKind, BoxShape, CylinderShape, Deformation, Detail, DiscShape, EllipsoidShape,
    Energy, Filling, IcosphereShape, Material, MaterialChoice, MeshFile, RectangleShape, Rotate, Scale, Shape,
    StartVelocity, TorusShape, TubeShape, Up,
};
use crate::mesh::{TetMesh, TriMesh};
use crate::scene::text::BodyTable;
use schemars::JsonSchema;
use serde::Deserialize;

/// A body: one shape, placed, made of a material, with a start velocity.
///
/// ```
/// use visviva::mesh::generate;
/// use visviva::scene::{Body, Material};
///
/// let ball = Body::ball(0.05, 4).material(Material::new(1e5)).at([0.0, 0.0, 1.0]).velocity([1.0, 0.0, 0.0]);
/// let cloth = Body::disc(0.5, 20).shell().named("cloth").material(Material::new(5e6).sheet(4e-4, 0.4));
/// let die = Body::cuboid([0.02; 3], [1; 3]).affine().named("die").spin([0.0, 9.0, 3.0]);
/// let own = Body::tets(generate::cylinder(0.1, 0.3, 3, 6)?).named("own");
/// # let _ = (ball, cloth, die, own);
/// # Ok::<(), visviva::mesh::MeshError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "BodyTable")]
#[schemars(into = "BodyTable")]
pub struct Body {
    pub name: String,
    pub kind: BodyKind,
    pub material: MaterialChoice,
    /// At rest, before it is placed
    pub shape: Shape,
    /// Where a solid's shape is a closed surface
    pub filling: Filling,
    /// The whole mass `[kg]` of an affine body, instead of its material's density
    pub mass: Option<f64>,
    /// Thickness that contact gives the surface `[m]`: it stands out by half of it on both sides
    pub contact_thickness: Option<f64>,
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
    pub velocity: Option<StartVelocity>,
    /// Deformations of the start position, one after the other; the rest shape stays
    pub deform: Vec<Deformation>,
    /// Repeats it in a grid
    pub array: Option<Array>,
    /// Whether it is moved along gravity to where what lies below it carries it
    pub set_down: bool,
    /// The energy wanted of it, in place of the scene's
    pub energy: Option<Energy>,
}

impl Body {
    /// A solid at rest of this shape, named after it, as soft as rubber foam (1e5 Pa).
    pub fn new(shape: impl Into<Shape>) -> Self {
        let shape = shape.into();
        Self {
            name: shape.key().to_owned(),
            kind: BodyKind::Solid,
            material: Material::new(1e5).into(),
            shape,
            filling: Filling::default(),
            mass: None,
            contact_thickness: None,
            up: None,
            scale: None,
            rotate: None,
            height: None,
            translate: None,
            velocity: None,
            deform: Vec::new(),
            array: None,
            set_down: false,
            energy: None,
        }
    }

    /// A box of this size `[m]`, so many cells along x, y and z.
    pub fn cuboid(size: [f64; 3], cells: [usize; 3]) -> Self {
        Self::new(Shape::Box(BoxShape { size, cells }))
    }

    /// A ball `[m]` of so many layers of elements.
    pub fn ball(radius: f64, shells: usize) -> Self {
        Self::new(Shape::Ball(BallShape { radius, lattice: BallLattice::Shells(shells) }))
    }

    /// Half axes `[m]`, and layers of elements.
    pub fn ellipsoid(radii: [f64; 3], shells: usize) -> Self {
        Self::new(Shape::Ellipsoid(EllipsoidShape { radii, shells }))
    }

    /// About z `[m]`; layers of elements from axis to surface, and along it.
    pub fn cylinder(radius: f64, height: f64, rings: usize, layers: usize) -> Self {
        Self::new(Shape::Cylinder(CylinderShape { radius, height, rings, layers }))
    }

    /// About z `[m]`; layers of elements across the tube, and elements about the axis.
    pub fn torus(major_radius: f64, minor_radius: f64, rings: usize, around: usize) -> Self {
        Self::new(Shape::Torus(TorusShape { major_radius, minor_radius, rings, around }))
    }

    /// A sphere of triangles `[m]`; 3 subdivisions give 642 vertices.
    pub fn icosphere(radius: f64, subdivisions: usize) -> Self {
        Self::new(Shape::Icosphere(IcosphereShape { radius, subdivisions }))
    }

    /// A disc of triangles `[m]` in the plane z = 0, of so many rings.
    pub fn disc(radius: f64, rings: usize) -> Self {
        Self::new(Shape::Disc(DiscShape { radius, rings }))
    }

    /// A rectangle of triangles `[m]` in the plane z = 0.
    pub fn rectangle(size: [f64; 2], cells: [usize; 2]) -> Self {
        Self::new(Shape::Rectangle(RectangleShape { size, cells }))
    }

    /// An open tube of triangles about z `[m]`; cells around and along it.
    pub fn tube(radius: f64, length: f64, cells: [usize; 2]) -> Self {
        Self::new(Shape::Tube(TubeShape { radius, length, cells }))
    }

    /// A model that comes with the program, one of [`visviva_shapes::models`].
    pub fn model(name: &str) -> Self {
        Self::new(Shape::Model(name.to_owned()))
    }

    /// The tets or triangles of a mesh file; a solid fills a closed surface.
    pub fn file(path: &str) -> Self {
        Self::new(MeshFile::from(path))
    }

    /// A solid whose tets are given.
    pub fn tets(mesh: TetMesh) -> Self {
        Self::new(mesh)
    }

    /// A surface whose triangles are given, for a shell or an affine body.
    pub fn surface(mesh: TriMesh) -> Self {
        Self::new(mesh)
    }

    /// Filled with cells of this size `[m]`, where it is a solid from a surface.
    pub fn cell(mut self, cell: f64) -> Self {
        self.filling.detail = Some(Detail::Cell(cell));
        self
    }

    /// Filled with so many cells along its longest side, where it is a solid from a surface.
    pub fn cells(mut self, cells: usize) -> Self {
        self.filling.detail = Some(Detail::Cells(cells));
        self
    }

    /// What pins, friction and messages call it.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// A thin shell instead of a solid.
    pub fn shell(mut self) -> Self {
        self.kind = BodyKind::Shell;
        self
    }

    /// A stiff body of twelve coordinates instead of a solid.
    pub fn affine(mut self) -> Self {
        self.kind = BodyKind::Affine;
        self
    }

    /// A material, or the name of one in the scene's list or among the everyday ones.
    pub fn material(mut self, material: impl Into<MaterialChoice>) -> Self {
        self.material = material.into();
        self
    }

    /// Shifted there `[m]`, after scaling and turning.
    pub fn at(mut self, place: [f64; 3]) -> Self {
        self.translate = Some(place);
        self
    }

    /// Turned by an angle `[rad]` about an axis through the origin, after scaling.
    pub fn rotate(mut self, axis: [f64; 3], angle: f64) -> Self {
        self.rotate = Some(Rotate { axis, angle });
        self
    }

    /// Turned first of all so that this way of the shape points up.
    pub fn up(mut self, up: Up) -> Self {
        self.up = Some(up);
        self
    }

    /// Scaled by one factor, or by one for each axis.
    pub fn scale(mut self, scale: impl Into<Scale>) -> Self {
        self.scale = Some(scale.into());
        self
    }

    /// Scaled so that its extent along z is this `[m]`.
    pub fn height(mut self, height: f64) -> Self {
        self.height = Some(height);
        self
    }

    /// The whole mass of an affine body `[kg]`.
    pub fn mass(mut self, mass: f64) -> Self {
        self.mass = Some(mass);
        self
    }

    /// Thickness that contact gives it `[m]`.
    pub fn contact_thickness(mut self, thickness: f64) -> Self {
        self.contact_thickness = Some(thickness);
        self
    }

    /// Starts with this velocity `[m/s]`, the same everywhere.
    pub fn velocity(mut self, linear: [f64; 3]) -> Self {
        self.velocity.get_or_insert_default().linear = linear;
        self
    }

    /// Starts turning `[rad/s]` about an axis through the origin; see [`Body::spin_about`].
    pub fn spin(mut self, angular: [f64; 3]) -> Self {
        self.velocity.get_or_insert_default().angular = angular;
        self
    }

    /// Starts turning `[rad/s]` about an axis through a point `[m]`.
    pub fn spin_about(mut self, angular: [f64; 3], point: [f64; 3]) -> Self {
        self.velocity.get_or_insert_default().about = point;
        self.spin(angular)
    }

    /// Starts deformed, on top of what was said before.
    pub fn deform(mut self, deformation: Deformation) -> Self {
        self.deform.push(deformation);
        self
    }

    /// Repeated in a grid, the first copy in its own place.
    pub fn array(mut self, array: Array) -> Self {
        self.array = Some(array);
        self
    }

    /// Set down on what lies below it.
    pub fn set_down(mut self) -> Self {
        self.set_down = true;
        self
    }

    /// This energy is wanted of it, in place of the scene's.
    pub fn energy(mut self, energy: Energy) -> Self {
        self.energy = Some(energy);
        self
    }

    /// The name of its mesh file, if it has one.
    pub fn mesh_file(&self) -> Option<&str> {
        match &self.shape {
            Shape::File(file) => Some(&file.path),
            _ => None,
        }
    }
}
