//! Solids from closed surfaces and from models: tets fill them, and a surface that came from outside rides on the tets.

use super::BuildError;
use super::shape::Shaped;
use crate::mesh::{Filled, Mesh, TriMesh, fill, fill_model};
use crate::readable::did_you_mean;
use crate::scene::{Body, BodyKind, Detail};
use nalgebra::Vector3;
use visviva_shapes::{Field, models};

/// Cells that fill less of a surface than this are no likeness of it.
const LEAST_VOLUME: f64 = 0.5;
/// Less is told: coarse cells cut off edges and corners.
const WHOLE_VOLUME: f64 = 0.9;

impl Body {
    /// Puts tets in place of a surface, where this is a solid that is so many times as large as its shape. The same tets come
    /// wherever the body is put.
    pub(super) fn fill(
        &self,
        shaped: &mut Shaped,
        magnification: f64,
        warnings: &mut Vec<String>,
    ) -> Result<(), BuildError> {
        let (BodyKind::Solid, Mesh::Surface(surface)) = (self.kind, &shaped.mesh) else { return Ok(()) };
        let cell = self.cell_edge(shaped.mesh.bounds(), magnification, Detail::default());
        let filled = fill(surface, cell, self.filling.graded);
        let as_cells = |cell: f64| {
            let [low, high] = shaped.mesh.bounds();
            let count = ((high - low).max() / cell).ceil();
            if matches!(self.filling.detail, Some(Detail::Cell(_))) {
                String::new()
            } else {
                format!(" (cells = {count})")
            }
        };
        let Filled { mesh, rides, losses, volume_part } = filled.map_err(|problem| {
            let count = problem.suggested_cell().map_or(String::new(), as_cells);
            self.fail(format!("{}{count}", problem.magnified(magnification)))
        })?;
        let advice = losses.map(|losses| {
            let count = as_cells(losses.suggested_cell);
            format!("{}{count}", losses.magnified(magnification))
        });
        if volume_part < LEAST_VOLUME {
            let (percent, advice) = (100.0 * volume_part, advice.unwrap_or_default());
            return Err(self.fail(format!("its cells fill only {percent:.0} % of the surface: {advice}")));
        }
        warnings.extend(advice.map(|advice| format!("body `{}`: {advice}", shaped.name)));
        if volume_part < WHOLE_VOLUME {
            let percent = 100.0 * volume_part;
            warnings.push(format!("body `{}`: its cells fill only {percent:.0} % of the surface", shaped.name));
        }
        if let Some(skin) = &mut shaped.skin {
            skin.rides.iter_mut().for_each(|ride| *ride = rides[ride.vertices[0] as usize]);
        }
        shaped.mesh = mesh.into();
        Ok(())
    }

    /// A model that comes with the program, as this kind of body needs it.
    pub(super) fn shaped_model(&self, name: &str, warnings: &mut Vec<String>) -> Result<Shaped, BuildError> {
        let model = models::by_name(name).ok_or_else(|| {
            let names = models::BLUEPRINTS.map(|blueprint| blueprint.name);
            let near = did_you_mean(name, &names);
            self.fail(format!("there is no model `{name}`{near}; there are: {}", names.join(", ")))
        })?;
        let bounds @ [low, high] = model.bounds();
        let own = Detail::Cells(((high - low).max() / model.blueprint.cell).round() as usize);
        let skin = model.skin().map_err(|problem| self.fail(problem.to_string()))?;
        let magnification = self.magnification(&skin.positions)?;
        let cell = self.cell_edge(bounds, magnification, own);
        let filled = fill_model(&model, skin, cell, self.filling.graded);
        let (mesh, skin, losses) = filled.map_err(|problem| self.fail(problem.magnified(magnification).to_string()))?;
        warnings.extend(losses.map(|losses| format!("body `{}`: {}", self.name, losses.magnified(magnification))));
        let (mesh, skin) = match self.kind {
            BodyKind::Solid => (Mesh::from(mesh), Some(skin)),
            BodyKind::Affine => (mesh.into(), None),
            BodyKind::Shell => (mesh.surface().into(), None),
        };
        Ok(Shaped { name: self.name.clone(), mesh, skin })
    }

    /// Edge of a cell `[m]` in the shape's own size, where the scene gives it in the body's.
    fn cell_edge(&self, [low, high]: [Vector3<f64>; 2], magnification: f64, usual: Detail) -> f64 {
        match self.filling.detail.unwrap_or(usual) {
            Detail::Cell(cell) => cell / magnification,
            cells @ Detail::Cells(_) => cells.cell((high - low).max()),
        }
    }

    /// How much larger than its shape the body is, by what placing it does to the spread of its points.
    pub(super) fn magnification(&self, points: &[Vector3<f64>]) -> Result<f64, BuildError> {
        let spread = |points: &[Vector3<f64>]| {
            let centre = points.iter().sum::<Vector3<f64>>() / points.len() as f64;
            points.iter().map(|point| (point - centre).norm_squared()).sum::<f64>().sqrt()
        };
        let mut placed = [Shaped::plain(String::new(), TriMesh { positions: points.to_vec(), triangles: Vec::new() })];
        self.place(&mut placed).map_err(|problem| self.mesh_fail(problem))?;
        Ok(spread(placed[0].mesh.positions()) / spread(points))
    }
}
