//! From body settings to meshes in their place and to matter.

use super::material::DEFAULT_DENSITY;
use super::{Body, BuildError, Material, Scale};
use crate::contact::triangle_crossings::crossing_triangles;
use crate::laws::bending::bending_stiffness;
use crate::laws::membrane::Membrane;
use crate::laws::solid::Solid;
use crate::mesh::generate::NetLink;
use crate::mesh::{MeshError, SolidMoments, TetMesh, TriMesh, Warning, generate, load_tet_mesh, load_tri_mesh};
use crate::model::bodies::BodyKind;
use crate::model::{AffineShape, Matter, Rayleigh};
use nalgebra::Vector3;
use std::path::Path;

/// The shape of one body at rest, in its place.
#[derive(Debug, Clone)]
pub enum BodyMesh {
    Tets(TetMesh),
    Surface(TriMesh),
}

/// A shape before it is placed: one mesh, or several that are bodies of their own.
enum Shape {
    One(BodyMesh),
    Net(Vec<NetLink>),
}

impl BodyMesh {
    pub fn positions(&self) -> &[Vector3<f64>] {
        match self {
            BodyMesh::Tets(mesh) => &mesh.positions,
            BodyMesh::Surface(mesh) => &mesh.positions,
        }
    }

    pub fn triangle_count(&self) -> usize {
        match self {
            BodyMesh::Tets(mesh) => mesh.boundary().triangles.len(),
            BodyMesh::Surface(mesh) => mesh.triangles.len(),
        }
    }

    /// Lowest and highest coordinates [m].
    pub fn bounds(&self) -> [Vector3<f64>; 2] {
        let first = self.positions().first().copied().unwrap_or_default();
        self.positions().iter().fold([first; 2], |[low, high], x| [low.inf(x), high.sup(x)])
    }

    fn scale(&mut self, factors: Vector3<f64>) -> Result<(), MeshError> {
        match self {
            BodyMesh::Tets(mesh) => mesh.scale(factors),
            BodyMesh::Surface(mesh) => mesh.scale(factors),
        }
    }

    fn rotate(&mut self, axis: Vector3<f64>, angle: f64) -> Result<(), MeshError> {
        match self {
            BodyMesh::Tets(mesh) => mesh.rotate(axis, angle),
            BodyMesh::Surface(mesh) => mesh.rotate(axis, angle),
        }
    }

    fn translate(&mut self, shift: Vector3<f64>) -> Result<(), MeshError> {
        match self {
            BodyMesh::Tets(mesh) => mesh.translate(shift),
            BodyMesh::Surface(mesh) => mesh.translate(shift),
        }
    }
}

impl Body {
    fn fail(&self, problem: String) -> BuildError {
        BuildError::Body { body: self.name.clone(), problem }
    }

    /// The bodies that these settings make, with their names: one, or many of a net.
    pub(super) fn meshes(
        &self,
        folder: &Path,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<(String, BodyMesh)>, BuildError> {
        let mut meshes = match self.shape(folder, warnings)? {
            Shape::One(mesh) => vec![(self.name.clone(), mesh)],
            Shape::Net(links) => {
                let name = |link: NetLink| (format!("{}.{}", self.name, link.name), BodyMesh::Surface(link.mesh));
                links.into_iter().map(name).collect()
            }
        };
        self.place(&mut meshes)?;
        Ok(meshes)
    }

    fn shape(&self, folder: &Path, warnings: &mut Vec<String>) -> Result<Shape, BuildError> {
        let hint = self.file_hint.as_deref().unwrap_or("a relative name is looked up from the scene file's folder");
        let hint = format!(" ({hint})");
        let fail = |problem: MeshError| {
            let missing = matches!(&problem, MeshError::InFile { source, .. } if matches!(**source, MeshError::Io(_)));
            let hint = if missing { hint.clone() } else { String::new() };
            BuildError::Mesh { body: self.name.clone(), problem: Box::new(problem), hint }
        };
        let tets = |mesh: TetMesh| Shape::One(BodyMesh::Tets(mesh));
        let surface = |mesh: TriMesh| Shape::One(BodyMesh::Surface(mesh));
        let mut shapes: Vec<Result<Shape, MeshError>> = Vec::new();
        if let Some(s) = &self.cuboid {
            shapes.push(generate::cuboid(s.size.into(), s.cells).map(tets));
        }
        if let Some(s) = &self.ball {
            shapes.push(generate::ball(s.radius, s.shells).map(tets));
        }
        if let Some(s) = &self.ellipsoid {
            shapes.push(generate::ellipsoid(s.radii.into(), s.shells).map(tets));
        }
        if let Some(s) = &self.cylinder {
            shapes.push(generate::cylinder(s.radius, s.height, s.rings, s.layers).map(tets));
        }
        if let Some(s) = &self.torus {
            shapes.push(generate::torus(s.major_radius, s.minor_radius, s.rings, s.around).map(tets));
        }
        if let Some(s) = &self.icosphere {
            shapes.push(generate::icosphere(s.radius, s.subdivisions).map(surface));
        }
        if let Some(s) = &self.disc {
            shapes.push(generate::disc(s.radius, s.rings).map(surface));
        }
        if let Some(s) = &self.rectangle {
            shapes.push(generate::rectangle(s.size.into(), s.cells).map(surface));
        }
        if let Some(s) = &self.tube {
            shapes.push(generate::tube_surface(s.radius, s.length, s.cells[0], s.cells[1]).map(surface));
        }
        if let Some(s) = &self.chain_net {
            let ([columns, rows], [segments, sides]) = (s.rings, s.segments);
            let net =
                generate::ChainNet { columns, rows, major: s.major_radius, minor: s.minor_radius, segments, sides };
            shapes.push(net.links().map(Shape::Net));
        }
        let stands_in = |path: &Path| self.file_optional && !path.exists();
        let path = self.file.as_ref().map(|file| folder.join(file));
        if let Some(path) = path.as_deref().filter(|path| stands_in(path)) {
            warnings.push(format!(
                "body `{}`: {} is not there; another shape stands in for it",
                self.name,
                path.display()
            ));
        }
        if let Some(path) = path.filter(|path| !stands_in(path)) {
            if self.file_optional {
                shapes.clear();
            }
            let mut warn = |found: &[Warning]| {
                warnings.extend(found.iter().map(|warning| format!("body `{}`: {warning}", self.name)));
            };
            shapes.push(if self.kind == BodyKind::Shell || holds_triangles(&path) {
                load_tri_mesh(&path).map(|loaded| {
                    warn(&loaded.warnings);
                    surface(loaded.mesh)
                })
            } else {
                load_tet_mesh(&path).map(|loaded| {
                    warn(&loaded.warnings);
                    tets(loaded.mesh)
                })
            });
        }
        if shapes.len() != 1 {
            return Err(self.fail(format!(
                "{} shapes: give exactly one of box, ball, ellipsoid, cylinder, torus, icosphere, disc, rectangle, tube, chain_net, file",
                shapes.len()
            )));
        }
        shapes.remove(0).map_err(fail)
    }

    fn place(&self, meshes: &mut [(String, BodyMesh)]) -> Result<(), BuildError> {
        let fail = |problem: MeshError| BuildError::Mesh {
            body: self.name.clone(),
            problem: Box::new(problem),
            hint: String::new(),
        };
        let mut all = |change: &dyn Fn(&mut BodyMesh) -> Result<(), MeshError>| {
            meshes.iter_mut().try_for_each(|(_, mesh)| change(mesh)).map_err(fail)
        };
        let scale = match self.scale {
            None => Vector3::repeat(1.0),
            Some(Scale::Uniform(s)) => Vector3::repeat(s),
            Some(Scale::ByAxis(s)) => s.into(),
        };
        all(&|mesh| mesh.scale(scale))?;
        if let Some(rotate) = &self.rotate {
            all(&|mesh| mesh.rotate(rotate.axis.into(), rotate.angle))?;
        }
        if let Some(height) = self.height {
            let bounds = meshes.iter().map(|(_, mesh)| mesh.bounds());
            let [low, high] = bounds.reduce(|a, b| [a[0].inf(&b[0]), a[1].sup(&b[1])]).unwrap_or_default();
            let factor = Vector3::repeat(height / (high.z - low.z));
            meshes.iter_mut().try_for_each(|(_, mesh)| mesh.scale(factor)).map_err(fail)?;
        }
        if let Some(shift) = self.translate {
            meshes.iter_mut().try_for_each(|(_, mesh)| mesh.translate(shift.into())).map_err(fail)?;
        }
        Ok(())
    }

    /// What a mesh of these settings is made of.
    pub(super) fn matter(
        &self,
        mesh: &BodyMesh,
        material: &Material,
        warnings: &mut Vec<String>,
    ) -> Result<Matter, BuildError> {
        if self.mass.is_some() && self.kind != BodyKind::Affine {
            return Err(self.fail("mass: only affine bodies take it; others have their material's density".into()));
        }
        match (self.kind, mesh) {
            (BodyKind::Solid, BodyMesh::Tets(mesh)) => {
                let solid = Solid::from_name(&material.law, material.youngs_modulus, material.poisson_ratio)
                    .map_err(|problem| BuildError::Material { body: self.name.clone(), problem })?;
                Ok(Matter::Solid { mesh: mesh.clone(), solid, density: material.density().map_err(|e| self.fail(e))? })
            }
            (BodyKind::Solid, BodyMesh::Surface(_)) => Err(self.fail(
                "its shape is a surface: a solid needs tets; say kind = \"shell\" or \"affine\" if that is meant"
                    .into(),
            )),
            (BodyKind::Shell, BodyMesh::Surface(mesh)) => self.shell(mesh, material),
            (BodyKind::Shell, BodyMesh::Tets(_)) => {
                Err(self.fail("its shape is a solid: a shell needs disc, rectangle, tube, icosphere or a file".into()))
            }
            (BodyKind::Affine, mesh) => self.affine(mesh, material, warnings),
        }
    }

    fn shell(&self, mesh: &TriMesh, material: &Material) -> Result<Matter, BuildError> {
        let fail = |problem: String| self.fail(format!("material: {problem}"));
        let Material { youngs_modulus, poisson_ratio, thickness, areal_density, density, .. } = *material;
        let thickness = thickness.ok_or_else(|| fail("thickness is missing: a shell needs it [m]".into()))?;
        let membrane = Membrane::from_name(&material.law, youngs_modulus, poisson_ratio, thickness)
            .map_err(|problem| fail(problem.to_string()))?;
        let bending = match material.bending_modulus.unwrap_or(youngs_modulus) {
            0.0 => 0.0,
            modulus => bending_stiffness(modulus, poisson_ratio, thickness)
                .map_err(|problem| fail(format!("bending_modulus: {problem}")))?,
        };
        let areal_density = match (areal_density, density) {
            (Some(_), Some(_)) => return Err(fail("give density or areal_density, not both".into())),
            (Some(areal), None) => areal,
            (None, Some(density)) => density * thickness,
            (None, None) => return Err(fail("density [kg/m³] or areal_density [kg/m²] is missing".into())),
        };
        if !(areal_density > 0.0 && areal_density.is_finite()) {
            return Err(fail(format!("areal density = {areal_density} kg/m²: it must be positive and finite")));
        }
        let hinges = mesh.validate_sheet().map_err(|problem| self.fail(problem.to_string()))?;
        Ok(Matter::Shell { mesh: mesh.clone(), hinges, membrane, bending, areal_density })
    }

    fn affine(&self, mesh: &BodyMesh, material: &Material, warnings: &mut Vec<String>) -> Result<Matter, BuildError> {
        if !self.deform.is_empty() {
            return Err(self.fail("deform: an affine body starts undeformed".into()));
        }
        if self.velocity.as_ref().is_some_and(|v| v.ramp.is_some() || v.drum.is_some()) {
            return Err(self.fail("velocity: an affine body takes linear and angular, not ramp or drum".into()));
        }
        let mut surface = match mesh {
            BodyMesh::Tets(mesh) => mesh.surface(),
            BodyMesh::Surface(mesh) => mesh.clone(),
        };
        let found = surface.validate_solid().map_err(|problem| self.fail(problem.to_string()))?;
        warnings.extend(found.iter().map(|warning| format!("body `{}`: {warning}", self.name)));
        if let Some(problem) = crossing(&surface) {
            return Err(self.fail(problem));
        }
        let stiffness = material.youngs_modulus;
        if !(stiffness > 0.0 && stiffness.is_finite()) {
            return Err(self.fail(format!("youngs_modulus = {stiffness} Pa: it must be positive and finite")));
        }
        let moments = SolidMoments::inside(&surface);
        let density = match self.mass {
            Some(mass) => moments.density_of_mass(mass).map_err(|problem| self.fail(problem.to_string()))?,
            None => material.density().map_err(|problem| self.fail(problem))?,
        };
        Ok(Matter::Affine(Box::new(AffineShape::new(surface, &moments, density, stiffness))))
    }
}

/// The first two triangles that go through each other: what is inside such a surface is not defined.
fn crossing(surface: &TriMesh) -> Option<String> {
    let &[a, b] = crossing_triangles(&surface.triangles, &surface.positions).first()?;
    let at = |triangle: u32| {
        let centre = surface.corners(triangle as usize).iter().sum::<Vector3<f64>>() / 3.0;
        format!("triangle {triangle} at ({:.4}, {:.4}, {:.4})", centre.x, centre.y, centre.z)
    };
    Some(format!("{} meets {}: the surface of an affine body must not cross or touch itself", at(a), at(b)))
}

/// By its ending: .obj and .stl hold triangles, the others tets.
fn holds_triangles(path: &Path) -> bool {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    matches!(ending.as_str(), "obj" | "stl")
}

impl Material {
    /// [kg/m³]
    fn density(&self) -> Result<f64, String> {
        let density = self.density.unwrap_or(DEFAULT_DENSITY);
        if density > 0.0 && density.is_finite() {
            Ok(density)
        } else {
            Err(format!("density = {density} kg/m³: it must be positive and finite"))
        }
    }

    pub(super) fn damping(&self) -> Result<Rayleigh, String> {
        for (key, value) in [("damping_mass", self.damping_mass), ("damping_stiffness", self.damping_stiffness)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(format!("{key} = {value}: it must not be negative"));
            }
        }
        Ok(Rayleigh { mass: self.damping_mass, stiffness: self.damping_stiffness })
    }
}
