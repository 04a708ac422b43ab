//! From an obstacle to a surface in its place.

use super::BuildError;
use crate::mesh::{Loaded, MeshError, TriMesh, WiredSurface, check_finite, generate, load_wired_surface};
use crate::scene::{Obstacle, ObstacleShape};
use nalgebra::Vector3;
use std::path::Path;

impl Obstacle {
    /// The surface at time zero.
    pub(super) fn placed_surface(&self, folder: &Path, warnings: &mut Vec<String>) -> Result<WiredSurface, BuildError> {
        let fail =
            |problem: MeshError| BuildError::Obstacle { obstacle: self.name.clone(), problem: problem.to_string() };
        let Loaded { mut mesh, warnings: found } = self.surface_at_rest(folder).map_err(fail)?;
        warnings.extend(found.iter().map(|warning| format!("obstacle `{}`: {warning}", self.name)));
        self.place(&mut mesh.surface).map_err(fail)?;
        Ok(mesh)
    }

    fn surface_at_rest(&self, folder: &Path) -> Result<Loaded<WiredSurface>, MeshError> {
        let surface = match &self.shape {
            ObstacleShape::Plane(s) => generate::plane(s.point.into(), s.normal.into(), s.size)?,
            ObstacleShape::Box(s) => generate::box_surface(s.size.into())?,
            ObstacleShape::Stairs(s) => generate::stairs(s.steps, s.width, s.depth, s.height)?,
            ObstacleShape::Sphere(s) => generate::icosphere(s.radius, s.subdivisions)?,
            ObstacleShape::Capsule(s) => generate::capsule_surface(s.radius, s.length, s.segments)?,
            ObstacleShape::Cylinder(s) => generate::cylinder_surface(s.radius, s.height, s.segments)?,
            ObstacleShape::OpenBox(s) => generate::open_box(s.size.into(), s.wall())?,
            ObstacleShape::File(file) => return load_wired_surface(folder.join(file)),
            ObstacleShape::Mesh(mesh) => return mesh.clone().checked(),
        };
        Ok(Loaded { mesh: WiredSurface { surface, wires: Vec::new() }, warnings: Vec::new() })
    }

    fn place(&self, surface: &mut TriMesh) -> Result<(), MeshError> {
        if let Some(up) = self.up {
            surface.positions.iter_mut().for_each(|x| *x = up.turned((*x).into()).into());
        }
        if let Some(scale) = self.scale {
            surface.scale(scale.factors().into())?;
        }
        if let Some(rotate) = &self.rotate {
            surface.rotate(rotate.axis.into(), rotate.angle)?;
        }
        if let Some(height) = self.height {
            let heights = surface.positions.iter().map(|x| x.z);
            let [low, high] =
                [heights.clone().fold(f64::INFINITY, f64::min), heights.fold(f64::NEG_INFINITY, f64::max)];
            surface.scale(Vector3::repeat(height / (high - low)))?;
        }
        if let Some(shift) = self.translate {
            surface.translate(shift.into())?;
        }
        check_finite(&surface.positions)
    }
}
