//! inputs/: copies of the files and meshes that a scene refers to, so that its run needs nothing from elsewhere.

use super::error::{At, OutputError};
use crate::mesh::MeshError;
use crate::scene::{Content, ObstacleShape, Scene, Shape};
use std::fs;
use std::path::{Path, PathBuf};

pub(super) const INPUTS: &str = "inputs";

/// A mesh of the scene, and what its file is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputFile {
    pub name: String,
    pub bytes: Vec<u8>,
}

impl Scene {
    /// Whether any shape comes from a file.
    pub(super) fn has_files(&self) -> bool {
        let of_body = self.bodies.iter().any(|body| matches!(body.shape, Shape::File(_)));
        of_body || self.obstacles.iter().any(|obstacle| matches!(obstacle.shape, ObstacleShape::File(_)))
    }

    /// Refers to copies instead of its files and meshes in memory from now on; returns what is to be written.
    pub fn refer_to_copies(&mut self) -> Result<Vec<InputFile>, OutputError> {
        let (mut inputs, mut sources): (Vec<InputFile>, Vec<Option<PathBuf>>) = (Vec::new(), Vec::new());
        for mut input in self.inputs() {
            let source = input.path();
            let known = sources.iter().position(|known| known.is_some() && *known == source);
            let name = match known {
                Some(at) => inputs[at].name.clone(),
                None => {
                    let fail =
                        |error: MeshError| OutputError::Input { name: input.name.to_owned(), error: error.into() };
                    // Where a shape stood in for a file, the file has no part in the run.
                    let Some(Content { ending, bytes }) = input.content().map_err(fail)? else {
                        input.use_stand_in();
                        continue;
                    };
                    let own = || PathBuf::from(format!("{}.{ending}", input.name.replace(['/', '\\'], "_")));
                    let name = unused_name(&source.clone().unwrap_or_else(own), &inputs);
                    inputs.push(InputFile { name: name.clone(), bytes });
                    sources.push(source);
                    name
                }
            };
            input.read_from(format!("{INPUTS}/{name}"));
        }
        self.folder = PathBuf::new();
        Ok(inputs)
    }
}

/// The file's own name, with a number where another has it.
fn unused_name(source: &Path, inputs: &[InputFile]) -> String {
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, ending) = (part(source.file_stem()), part(source.extension()));
    let name = |number: usize| {
        let number = if number > 1 { format!("-{number}") } else { String::new() };
        if ending.is_empty() { format!("{stem}{number}") } else { format!("{stem}{number}.{ending}") }
    };
    // Some file systems do not tell capitals apart.
    let used = |name: &String| inputs.iter().any(|input| input.name.to_lowercase() == name.to_lowercase());
    (1..).map(name).find(|name| !used(name)).unwrap_or_default()
}

/// Into a folder that is made if there is anything to write.
pub(super) fn write(inputs: &[InputFile], folder: &Path) -> Result<(), OutputError> {
    if !inputs.is_empty() {
        fs::create_dir(folder).at(folder)?;
    }
    inputs.iter().try_for_each(|input| {
        let path = folder.join(&input.name);
        fs::write(&path, &input.bytes).at(&path)
    })
}

/// The copies that a run.toml refers to, by name; none where it cannot be read.
pub(super) fn named_in(run_toml: &str) -> Vec<String> {
    let Ok(table) = run_toml.parse::<toml::Table>() else { return Vec::new() };
    let entries = ["body", "obstacle"].into_iter().filter_map(|key| table.get(key)?.as_array()).flatten();
    let files = entries.filter_map(|entry| entry.get("file")?.as_str());
    files.filter_map(|file| file.strip_prefix(INPUTS)?.strip_prefix('/').map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;
    use crate::scene::{Body, SceneSource};

    #[test]
    fn copies_have_readable_names_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in [("a/egg.msh", "one"), ("b/egg.msh", "two"), ("Egg.msh", "three"), ("plain", "four")] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let files = ["a/egg.msh", "b/egg.msh", "a/egg.msh", "Egg.msh", "plain"];
        let bodies = files.iter().map(|file| Body::file(file).named(*file)).chain([
            // A mesh in memory becomes a file called after its body.
            Body::tets(generate::ball(0.1, 2).unwrap()).named("own"),
        ]);
        let mut scene = bodies.fold(Scene::new("t"), Scene::body);
        scene.folder = folder.path().to_owned();
        let inputs = scene.refer_to_copies().unwrap();
        let names: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
        assert_eq!(names, ["egg.msh", "egg-2.msh", "Egg-3.msh", "plain", "own.msh"]);
        assert_eq!(inputs[1].bytes, b"two");
        let named = scene.bodies.iter().map(|body| body.mesh_file().unwrap());
        let wanted = ["egg.msh", "egg-2.msh", "egg.msh", "Egg-3.msh", "plain", "own.msh"];
        assert!(named.eq(wanted.map(|name| format!("inputs/{name}"))));
        assert_eq!(named_in(&scene.to_toml().unwrap()).len(), 6);
    }

    #[test]
    fn a_shape_that_stood_in_for_a_file_stays() {
        let text = "title = \"t\"\nrun = { h = 0.1, duration = 1 }\n[[body]]\nname = \"b\"\nmaterial = \"m\"\n\
                    file = \"nowhere.msh\"\nfile_optional = true\nball = { radius = 1, shells = 2 }\n";
        let source = SceneSource { name: "t".into(), text: text.into(), folder: PathBuf::new() };
        let mut scene = source.parse(&[]).unwrap();
        assert!(scene.refer_to_copies().unwrap().is_empty());
        assert!(matches!(scene.bodies[0].shape, Shape::Ball(_)));
    }
}
