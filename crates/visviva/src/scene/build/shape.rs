//! From a shape to meshes in their place.

use super::BuildError;
use crate::mesh::generate::{self, ChainNet, NetLink};
use crate::mesh::{Content, Loaded, Mesh, MeshError, Skin, TetMesh, TriMesh, Warning, load_content};
use crate::scene::{BallLattice, Body, BodyKind, MeshFile, Shape};
use nalgebra::Vector3;
use std::path::Path;

/// A body in its place, at rest.
pub(super) struct Shaped {
    pub name: String,
    pub mesh: Mesh,
    /// What is shown of it in place of the mesh's surface
    pub skin: Option<Skin>,
}

impl Shaped {
    pub fn plain(name: String, mesh: impl Into<Mesh>) -> Self {
        Self { name, mesh: mesh.into(), skin: None }
    }
}

impl Body {
    pub(super) fn fail(&self, problem: String) -> BuildError {
        BuildError::Body { body: self.name.clone(), problem }
    }

    pub(super) fn mesh_fail(&self, problem: MeshError) -> BuildError {
        BuildError::Mesh { body: self.name.clone(), problem: Box::new(problem), hint: String::new() }
    }

    /// The bodies that these settings make, with their names: one, or many of a net.
    pub(super) fn shaped(&self, folder: &Path, warnings: &mut Vec<String>) -> Result<Vec<Shaped>, BuildError> {
        let mut shaped = self.made(&self.shape, folder, warnings)?;
        self.place(&mut shaped).map_err(|problem| self.mesh_fail(problem))?;
        Ok(shaped)
    }

    fn made(&self, shape: &Shape, folder: &Path, warnings: &mut Vec<String>) -> Result<Vec<Shaped>, BuildError> {
        let tets = |mesh: TetMesh| self.one(mesh);
        let surface = |mesh: TriMesh| self.one(mesh);
        let made = match shape {
            Shape::Box(s) => generate::cuboid(s.size.into(), s.cells).map(tets),
            Shape::Ball(s) => match s.lattice {
                BallLattice::Shells(shells) => generate::ball(s.radius, shells),
                BallLattice::Wrapped { cells, layers } => generate::wrapped_ball(s.radius, cells, layers),
            }
            .map(tets),
            Shape::Ellipsoid(s) => generate::ellipsoid(s.radii.into(), s.shells).map(tets),
            Shape::Cylinder(s) => generate::cylinder(s.radius, s.height, s.rings, s.layers).map(tets),
            Shape::Torus(s) => generate::torus(s.major_radius, s.minor_radius, s.rings, s.around).map(tets),
            Shape::Icosphere(s) => generate::icosphere(s.radius, s.subdivisions).map(surface),
            Shape::Disc(s) => generate::disc(s.radius, s.rings).map(surface),
            Shape::Rectangle(s) => generate::rectangle(s.size.into(), s.cells).map(surface),
            Shape::Tube(s) => generate::tube_surface(s.radius, s.length, s.cells[0], s.cells[1]).map(surface),
            Shape::ChainNet(s) => {
                let ([columns, rows], [segments, sides]) = (s.rings, s.segments);
                let net = ChainNet { columns, rows, major: s.major_radius, minor: s.minor_radius, segments, sides };
                let name = |link: NetLink| Shaped::plain(format!("{}.{}", self.name, link.name), link.mesh);
                net.links().map(|links| links.into_iter().map(name).collect())
            }
            Shape::Mesh(mesh) => {
                let checked = mesh.clone().checked().map_err(|problem| self.mesh_fail(problem))?;
                match self.told(checked, warnings) {
                    // As it comes back from a run's folder.
                    Mesh::Surface(surface) => return self.surfaces(vec![surface.into()], warnings),
                    mesh => Ok(self.one(mesh)),
                }
            }
            Shape::Model(name) => Ok(vec![self.shaped_model(name, warnings)?]),
            Shape::File(file) => return self.read_file(file, folder, warnings),
        };
        made.map_err(|problem| self.mesh_fail(problem))
    }

    fn one(&self, mesh: impl Into<Mesh>) -> Vec<Shaped> {
        vec![Shaped::plain(self.name.clone(), mesh)]
    }

    fn read_file(&self, file: &MeshFile, folder: &Path, warnings: &mut Vec<String>) -> Result<Vec<Shaped>, BuildError> {
        let path = folder.join(&file.path);
        if let Some(other) = file.stand_in.as_ref().filter(|_| !path.exists()) {
            let (name, path) = (&self.name, path.display());
            let what = match &**other {
                Shape::Model(model) => format!("the model `{model}`"),
                other => format!("a {}", other.key()),
            };
            warnings.push(format!("body `{name}`: {path} is not there; {what} stands in for it"));
            return self.made(other, folder, warnings);
        }
        let content = load_content(&path).map_err(|problem| {
            let missing = matches!(&problem, MeshError::InFile { source, .. } if matches!(**source, MeshError::Io(_)));
            let advice = file.hint.as_deref().unwrap_or("a relative name is looked up from the scene file's folder");
            let hint = if missing { format!(" ({advice})") } else { String::new() };
            BuildError::Mesh { body: self.name.clone(), problem: Box::new(problem), hint }
        })?;
        match content {
            Content::Tets(_) if self.kind == BodyKind::Shell => {
                let path = path.display();
                Err(self.fail(format!("{path} holds tets: a shell needs a surface of triangles; export that")))
            }
            Content::Tets(loaded) => Ok(self.one(self.told(loaded.map(Mesh::Tets), warnings))),
            Content::Surfaces(loaded) => {
                let objects = self.told(loaded, warnings);
                self.surfaces(objects, warnings)
            }
        }
    }

    fn told<M>(&self, loaded: Loaded<M>, warnings: &mut Vec<String>) -> M {
        let tell = |warning: &Warning| format!("body `{}`: {warning}", self.name);
        warnings.extend(loaded.warnings.iter().map(tell));
        loaded.mesh
    }

    pub(super) fn place(&self, all: &mut [Shaped]) -> Result<(), MeshError> {
        if let Some(up) = self.up {
            let points = all.iter_mut().flat_map(|shaped| shaped.mesh.positions_mut());
            points.for_each(|x| *x = up.turned((*x).into()).into());
        }
        let scale = self.scale.map_or([1.0; 3], |scale| scale.factors());
        let mirrors = scale.iter().product::<f64>() < 0.0;
        for Shaped { mesh, skin, .. } in &mut *all {
            mesh.scale(scale.into())?;
            if let Some(skin) = skin.as_mut().filter(|_| mirrors) {
                skin.mirror();
            }
            if let Some(rotate) = &self.rotate {
                mesh.rotate(rotate.axis.into(), rotate.angle)?;
            }
        }
        if let Some(height) = self.height {
            let bounds = all.iter().map(|shaped| shaped.mesh.bounds());
            let [low, high] = bounds.reduce(|a, b| [a[0].inf(&b[0]), a[1].sup(&b[1])]).unwrap_or_default();
            let factor = Vector3::repeat(height / (high.z - low.z));
            all.iter_mut().try_for_each(|shaped| shaped.mesh.scale(factor))?;
        }
        if let Some(shift) = self.translate {
            all.iter_mut().try_for_each(|shaped| shaped.mesh.translate(shift.into()))?;
        }
        Ok(())
    }
}
