//! Bodies from surfaces of other programs: each object is one, and what is shown of it is what its maker drew.

use super::BuildError;
use super::shape::Shaped;
use crate::mesh::{Ride, Skin, TriMesh};
use crate::scene::Body;
use visviva_shapes::{PolygonMesh, join_patches};

impl Body {
    /// One body for each object of a file, patches of one surface joined; named `name.object` where there are several.
    pub(super) fn surfaces(
        &self,
        objects: Vec<PolygonMesh>,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<Shaped>, BuildError> {
        let objects = join_patches(objects);
        let names = self.names(&objects);
        let shaped = |(object, name): (PolygonMesh, String)| {
            let mut shaped = self.shaped_surface(object, name, warnings)?;
            self.fill(&mut shaped)?;
            Ok(shaped)
        };
        objects.into_iter().zip(names).map(shaped).collect()
    }

    /// Of the bodies; objects of the same name, or of none, are counted.
    fn names(&self, objects: &[PolygonMesh]) -> Vec<String> {
        if objects.len() == 1 {
            return vec![self.name.clone()];
        }
        let name = |(index, object): (usize, &PolygonMesh)| {
            let is_own = !object.name.is_empty() && !objects[..index].iter().any(|other| other.name == object.name);
            let own = if is_own { object.name.clone() } else { format!("{}{index}", object.name) };
            format!("{}.{own}", self.name)
        };
        objects.iter().enumerate().map(name).collect()
    }

    fn shaped_surface(
        &self,
        object: PolygonMesh,
        name: String,
        warnings: &mut Vec<String>,
    ) -> Result<Shaped, BuildError> {
        let _ = warnings;
        let triangles = object.triangulate().triangles;
        let mesh = TriMesh { positions: object.positions.clone(), triangles };
        let rides = (0..object.positions.len() as u32).map(Ride::on).collect();
        Ok(Shaped { name, mesh: mesh.into(), skin: Some(Skin::new(object, rides)) })
    }
}
