//! Bodies from surfaces of other programs: each object is one, and what is shown of it is what its maker drew.

use super::BuildError;
use super::shape::Shaped;
use crate::mesh::{CleanSurface, Skin};
use crate::scene::{Body, BodyKind};
use visviva_shapes::{PolygonMesh, distinct_names, join_patches};

impl Body {
    /// One body for each object of a file, patches of one surface joined; named `name.object` where there are several.
    pub(super) fn surfaces(
        &self,
        objects: Vec<PolygonMesh>,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<Shaped>, BuildError> {
        let objects = join_patches(objects);
        let names = self.names(&objects);
        let points: Vec<_> = objects.iter().flat_map(|object| &object.positions).copied().collect();
        let magnification = self.magnification(&points)?;
        let shaped = |(object, name): (PolygonMesh, String)| {
            let mut shaped = self.shaped_surface(object, name, warnings)?;
            self.fill(&mut shaped, magnification, warnings)?;
            Ok(shaped)
        };
        objects.into_iter().zip(names).map(shaped).collect()
    }

    fn names(&self, objects: &[PolygonMesh]) -> Vec<String> {
        match objects {
            [_] => vec![self.name.clone()],
            _ => distinct_names(objects).into_iter().map(|name| format!("{}.{name}", self.name)).collect(),
        }
    }

    /// Mended where that is safe; what is left wrong is told, or refused where it keeps the body from being one.
    fn shaped_surface(
        &self,
        object: PolygonMesh,
        name: String,
        warnings: &mut Vec<String>,
    ) -> Result<Shaped, BuildError> {
        let CleanSurface { mesh, rides, notes, mut defects } = CleanSurface::of(&object);
        match self.kind {
            BodyKind::Shell => {
                defects.holes.clear();
                mesh.validate().map_err(|problem| self.mesh_fail(problem))?;
            }
            BodyKind::Affine => {
                defects.check_solid().map_err(|problem| self.fail(problem.to_string()))?;
                mesh.validate().map_err(|problem| self.mesh_fail(problem))?;
            }
            BodyKind::Solid => defects.check_solid().map_err(|problem| self.fail(problem.to_string()))?,
        }
        warnings.extend(notes.into_iter().chain(defects.lines()).map(|note| format!("body `{name}`: {note}")));
        let skin = Skin::new(object, rides);
        let skin = (self.kind == BodyKind::Solid || !skin.shows_only(&mesh)).then_some(skin);
        Ok(Shaped { name, mesh: mesh.into(), skin })
    }
}
