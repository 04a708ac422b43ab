//! From a shape to meshes in their place.

use super::BuildError;
use crate::mesh::generate::{self, ChainNet, NetLink};
use crate::mesh::{Loaded, Mesh, MeshError, TetMesh, TriMesh, Warning, load_mesh, load_tri_mesh};
use crate::scene::{Body, BodyKind, MeshFile, Shape};
use nalgebra::Vector3;
use std::path::Path;

/// One mesh, or several that are bodies of their own.
enum Made {
    One(Mesh),
    Net(Vec<NetLink>),
}

impl Body {
    pub(super) fn fail(&self, problem: String) -> BuildError {
        BuildError::Body { body: self.name.clone(), problem }
    }

    fn mesh_fail(&self, problem: MeshError) -> BuildError {
        BuildError::Mesh { body: self.name.clone(), problem: Box::new(problem), hint: String::new() }
    }

    /// The bodies that these settings make, with their names: one, or many of a net.
    pub(super) fn meshes(&self, folder: &Path, warnings: &mut Vec<String>) -> Result<Vec<(String, Mesh)>, BuildError> {
        let mut meshes = match self.made(&self.shape, folder, warnings)? {
            Made::One(mesh) => vec![(self.name.clone(), mesh)],
            Made::Net(links) => {
                let name = |link: NetLink| (format!("{}.{}", self.name, link.name), Mesh::Surface(link.mesh));
                links.into_iter().map(name).collect()
            }
        };
        self.place(&mut meshes).map_err(|problem| self.mesh_fail(problem))?;
        Ok(meshes)
    }

    fn made(&self, shape: &Shape, folder: &Path, warnings: &mut Vec<String>) -> Result<Made, BuildError> {
        let tets = |mesh: TetMesh| Made::One(mesh.into());
        let surface = |mesh: TriMesh| Made::One(mesh.into());
        let made = match shape {
            Shape::Box(s) => generate::cuboid(s.size.into(), s.cells).map(tets),
            Shape::Ball(s) => generate::ball(s.radius, s.shells).map(tets),
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
                net.links().map(Made::Net)
            }
            Shape::Mesh(mesh) => mesh.clone().checked().map(|checked| Made::One(self.told(checked, warnings))),
            Shape::File(file) => return self.read_file(file, folder, warnings),
        };
        made.map_err(|problem| self.mesh_fail(problem))
    }

    fn read_file(&self, file: &MeshFile, folder: &Path, warnings: &mut Vec<String>) -> Result<Made, BuildError> {
        let path = folder.join(&file.path);
        if let Some(other) = file.stand_in.as_ref().filter(|_| !path.exists()) {
            let (name, path) = (&self.name, path.display());
            warnings.push(format!("body `{name}`: {path} is not there; another shape stands in for it"));
            return self.made(other, folder, warnings);
        }
        let loaded = match self.kind {
            BodyKind::Shell => load_tri_mesh(&path).map(|loaded| loaded.map(Mesh::Surface)),
            BodyKind::Solid | BodyKind::Affine => load_mesh(&path),
        };
        let loaded = loaded.map_err(|problem| {
            let missing = matches!(&problem, MeshError::InFile { source, .. } if matches!(**source, MeshError::Io(_)));
            let advice = file.hint.as_deref().unwrap_or("a relative name is looked up from the scene file's folder");
            let hint = if missing { format!(" ({advice})") } else { String::new() };
            BuildError::Mesh { body: self.name.clone(), problem: Box::new(problem), hint }
        })?;
        if self.kind == BodyKind::Solid && matches!(loaded.mesh, Mesh::Surface(_)) {
            return Err(self.fail(format!(
                "{} holds triangles and no tets: a solid needs tets; export them, or say kind = \"shell\" or \"affine\"",
                path.display()
            )));
        }
        Ok(Made::One(self.told(loaded, warnings)))
    }

    fn told(&self, loaded: Loaded<Mesh>, warnings: &mut Vec<String>) -> Mesh {
        let tell = |warning: &Warning| format!("body `{}`: {warning}", self.name);
        warnings.extend(loaded.warnings.iter().map(tell));
        loaded.mesh
    }

    fn place(&self, meshes: &mut [(String, Mesh)]) -> Result<(), MeshError> {
        let mut all = |change: &dyn Fn(&mut Mesh) -> Result<(), MeshError>| {
            meshes.iter_mut().try_for_each(|(_, mesh)| change(mesh))
        };
        if let Some(up) = self.up {
            all(&|mesh| {
                mesh.positions_mut().iter_mut().for_each(|x| *x = up.turned((*x).into()).into());
                Ok(())
            })?;
        }
        let scale = self.scale.map_or([1.0; 3], |scale| scale.factors());
        all(&|mesh| mesh.scale(scale.into()))?;
        if let Some(rotate) = &self.rotate {
            all(&|mesh| mesh.rotate(rotate.axis.into(), rotate.angle))?;
        }
        if let Some(height) = self.height {
            let bounds = meshes.iter().map(|(_, mesh)| mesh.bounds());
            let [low, high] = bounds.reduce(|a, b| [a[0].inf(&b[0]), a[1].sup(&b[1])]).unwrap_or_default();
            let factor = Vector3::repeat(height / (high.z - low.z));
            meshes.iter_mut().try_for_each(|(_, mesh)| mesh.scale(factor))?;
        }
        if let Some(shift) = self.translate {
            meshes.iter_mut().try_for_each(|(_, mesh)| mesh.translate(shift.into()))?;
        }
        Ok(())
    }
}
