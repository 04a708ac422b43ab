//! What a scene takes from outside itself: mesh files, and meshes given in memory.

use super::{MeshFile, ObstacleShape, Scene, Shape};
use crate::mesh::MeshError;
use crate::mesh::formats::{RawMesh, bytes_of, self_contained};
use std::path::{Path, PathBuf};

/// A mesh of a body or an obstacle that the scene's text alone does not hold.
#[derive(Debug)]
pub struct Input<'a> {
    /// Of the body or obstacle
    pub name: &'a str,
    slot: Slot<'a>,
    folder: &'a Path,
}

#[derive(Debug)]
enum Slot<'a> {
    Body(&'a mut Shape),
    Obstacle(&'a mut ObstacleShape),
}

/// What a file with an input must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// Of its name, without the dot
    pub ending: String,
    pub bytes: Vec<u8>,
}

impl Scene {
    /// All meshes from outside, bodies first. A scene becomes complete in itself, to the last bit, when each content is kept
    /// in a file and read from there:
    ///
    /// ```
    /// # use visviva::scene::{Body, Scene};
    /// # use visviva::mesh::generate;
    /// # let folder = tempfile::tempdir()?;
    /// let mut scene = Scene::new("own mesh").body(Body::tets(generate::ball(0.1, 2)?).named("ball"));
    /// for (index, mut input) in scene.inputs().enumerate() {
    ///     match input.content()? {
    ///         Some(content) => {
    ///             let file = format!("{index}.{}", content.ending);
    ///             std::fs::write(folder.path().join(&file), content.bytes)?;
    ///             input.read_from(file);
    ///         }
    ///         None => input.use_stand_in(),
    ///     }
    /// }
    /// scene.folder = folder.path().to_owned();
    /// assert!(scene.to_toml()?.contains("file = \"0.msh\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inputs(&mut self) -> impl Iterator<Item = Input<'_>> {
        let folder = self.folder.as_path();
        let bodies = self.bodies.iter_mut().filter(|body| matches!(body.shape, Shape::File(_) | Shape::Mesh(_)));
        let bodies = bodies.map(move |body| Input { name: &body.name, slot: Slot::Body(&mut body.shape), folder });
        let from_outside = |shape: &ObstacleShape| matches!(shape, ObstacleShape::File(_) | ObstacleShape::Mesh(_));
        let obstacles = self.obstacles.iter_mut().filter(move |obstacle| from_outside(&obstacle.shape));
        bodies.chain(obstacles.map(move |obstacle| Input {
            name: &obstacle.name,
            slot: Slot::Obstacle(&mut obstacle.shape),
            folder,
        }))
    }
}

impl Input<'_> {
    /// Where its file is; None for a mesh in memory.
    pub fn path(&self) -> Option<PathBuf> {
        match &self.slot {
            Slot::Body(Shape::File(file)) => Some(self.folder.join(&file.path)),
            Slot::Obstacle(ObstacleShape::File(path)) => Some(self.folder.join(path)),
            _ => None,
        }
    }

    /// The file's own bytes, or those of a file with the mesh in memory. None where the file is missing and something stands in.
    pub fn content(&self) -> Result<Option<Content>, MeshError> {
        let written = |mesh: RawMesh| {
            let ending = if mesh.tets.is_empty() { "obj" } else { "msh" };
            let bytes = bytes_of(&mesh, Path::new(&format!("mesh.{ending}")))?;
            Ok(Some(Content { ending: ending.to_owned(), bytes }))
        };
        match &self.slot {
            Slot::Body(Shape::Mesh(mesh)) => return written(mesh.clone().into()),
            Slot::Obstacle(ObstacleShape::Mesh(mesh)) => return written(mesh.clone().into()),
            _ => {}
        }
        let path = self.path().unwrap_or_default();
        if self.stand_in().is_some() && !path.exists() {
            return Ok(None);
        }
        let ending = path.extension().map_or(String::new(), |ending| ending.to_string_lossy().into_owned());
        match std::fs::read(&path).map_err(MeshError::from).and_then(|bytes| self_contained(bytes, &path)) {
            Ok(bytes) => Ok(Some(Content { ending, bytes })),
            Err(problem) => Err(MeshError::InFile { path, source: Box::new(problem) }),
        }
    }

    /// From now on it is this file, relative to the scene's folder, and nothing stands in for it.
    pub fn read_from(&mut self, path: impl Into<String>) {
        let path = path.into();
        match &mut self.slot {
            Slot::Body(shape) => **shape = Shape::File(MeshFile { path, stand_in: None, hint: None }),
            Slot::Obstacle(shape) => **shape = ObstacleShape::File(path),
        }
    }

    /// From now on it is what stands in for the file, whether that is there or not.
    pub fn use_stand_in(&mut self) {
        if let Slot::Body(shape) = &mut self.slot
            && let Shape::File(MeshFile { stand_in: Some(other), .. }) = &mut **shape
        {
            let other = std::mem::replace(&mut **other, Shape::File("".into()));
            **shape = other;
        }
    }

    fn stand_in(&self) -> Option<&Shape> {
        match &self.slot {
            Slot::Body(Shape::File(file)) => file.stand_in.as_deref(),
            _ => None,
        }
    }
}
