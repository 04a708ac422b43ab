//! Solids from closed surfaces and from models: tets fill them, and a surface that came from outside rides on the tets.

use super::BuildError;
use super::shape::Shaped;
use crate::mesh::{Filled, Mesh, TriMesh, fill, fill_model};
use crate::readable::did_you_mean;
use crate::scene::{Body, BodyKind, Detail};
use nalgebra::Vector3;
use visviva_shapes::{Field, models};

impl Body {
    /// Puts tets in place of a surface, where this is a solid. The same tets come wherever the body is put.
    pub(super) fn fill(&self, shaped: &mut Shaped, warnings: &mut Vec<String>) -> Result<(), BuildError> {
        let (BodyKind::Solid, Mesh::Surface(surface)) = (self.kind, &shaped.mesh) else { return Ok(()) };
        let cell = self.cell_edge(shaped.mesh.bounds(), &surface.positions, Detail::default())?;
        let filled = fill(surface, cell, self.filling.graded);
        let Filled { mesh, rides, losses } = filled.map_err(|problem| self.fail(problem.to_string()))?;
        warnings.extend(losses.map(|losses| format!("body `{}`: {losses}", shaped.name)));
        if let Some(skin) = &mut shaped.skin {
            skin.rides.iter_mut().for_each(|ride| *ride = rides[ride.vertices[0] as usize]);
        }
        shaped.mesh = mesh.into();
        Ok(())
    }

    /// A model that comes with the program, as this kind of body needs it.
    pub(super) fn shaped_model(&self, name: &str) -> Result<Shaped, BuildError> {
        let model = models::by_name(name).ok_or_else(|| {
            let names = models::BLUEPRINTS.map(|blueprint| blueprint.name);
            let near = did_you_mean(name, &names);
            self.fail(format!("there is no model `{name}`{near}; there are: {}", names.join(", ")))
        })?;
        let bounds @ [low, high] = model.bounds();
        let own = Detail::Cells(((high - low).max() / model.blueprint.cell).round() as usize);
        let corner = |k: usize| Vector3::from_fn(|axis, _| bounds[(k >> axis) & 1][axis]);
        let cell = self.cell_edge(bounds, &std::array::from_fn::<_, 8, _>(corner), own)?;
        let filled = fill_model(&model, cell, self.filling.graded);
        let (mesh, skin) = filled.map_err(|problem| self.fail(problem.to_string()))?;
        let (mesh, skin) = match self.kind {
            BodyKind::Solid => (Mesh::from(mesh), Some(skin)),
            BodyKind::Affine => (mesh.into(), None),
            BodyKind::Shell => (mesh.surface().into(), None),
        };
        Ok(Shaped { name: self.name.clone(), mesh, skin })
    }

    /// Edge of a cell `[m]` in the shape's own size, where the scene gives it in the body's.
    fn cell_edge(
        &self,
        [low, high]: [Vector3<f64>; 2],
        points: &[Vector3<f64>],
        usual: Detail,
    ) -> Result<f64, BuildError> {
        match self.filling.detail.unwrap_or(usual) {
            Detail::Cell(cell) => Ok(cell / self.magnification(points)?),
            cells @ Detail::Cells(_) => Ok(cells.cell((high - low).max())),
        }
    }

    /// How much larger than its shape the body is, by what placing it does to the spread of its points.
    fn magnification(&self, points: &[Vector3<f64>]) -> Result<f64, BuildError> {
        let spread = |points: &[Vector3<f64>]| {
            let centre = points.iter().sum::<Vector3<f64>>() / points.len() as f64;
            points.iter().map(|point| (point - centre).norm_squared()).sum::<f64>().sqrt()
        };
        let mut placed = [Shaped::plain(String::new(), TriMesh { positions: points.to_vec(), triangles: Vec::new() })];
        self.place(&mut placed).map_err(|problem| self.mesh_fail(problem))?;
        Ok(spread(placed[0].mesh.positions()) / spread(points))
    }
}
