//! inputs/: copies of the files that a scene refers to, so that its run needs nothing from elsewhere.

use super::error::{At, OutputError};
use crate::scene::Scene;
use std::fs;
use std::path::{Path, PathBuf};

pub(super) const INPUTS: &str = "inputs";

/// A file of the scene and what its copy is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputFile {
    pub source: PathBuf,
    pub name: String,
}

impl Scene {
    /// Whether any shape comes from a file.
    pub(super) fn has_files(&self) -> bool {
        let bodies = self.bodies.iter().map(|body| &body.file);
        bodies.chain(self.obstacles.iter().map(|obstacle| &obstacle.file)).any(Option::is_some)
    }

    /// Refers to copies instead of its files from now on; returns what is to be copied.
    pub fn refer_to_copies(&mut self) -> Vec<InputFile> {
        let folder = std::mem::take(&mut self.folder);
        // Where a shape stood in for a file, the file has no part in the run.
        for body in self.bodies.iter_mut().filter(|body| body.file_optional) {
            body.file = body.file.take().filter(|file| folder.join(file).exists());
            body.file_optional = body.file.is_some();
        }
        let bodies = self.bodies.iter_mut().map(|body| &mut body.file);
        let files = bodies.chain(self.obstacles.iter_mut().map(|obstacle| &mut obstacle.file));
        let mut inputs: Vec<InputFile> = Vec::new();
        for file in files.flatten() {
            let source = folder.join(&*file);
            let known = inputs.iter().find(|input| input.source == source).map(|input| input.name.clone());
            let name = known.unwrap_or_else(|| {
                let name = unused_name(&source, &inputs);
                inputs.push(InputFile { source, name: name.clone() });
                name
            });
            *file = format!("{INPUTS}/{name}");
        }
        inputs
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

/// Into a folder that is made if there is anything to copy.
pub(super) fn copy(inputs: &[InputFile], folder: &Path) -> Result<(), OutputError> {
    if !inputs.is_empty() {
        fs::create_dir(folder).at(folder)?;
    }
    inputs.iter().try_for_each(|input| fs::copy(&input.source, folder.join(&input.name)).map(drop).at(&input.source))
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

    #[test]
    fn copies_have_readable_names_of_their_own() {
        let file = |path: &str| format!("[[body]]\nname = \"{path}\"\nmaterial = \"m\"\nfile = \"{path}\"\n");
        let files = ["a/egg.msh", "b/egg.msh", "a/egg.msh", "Egg.msh", "plain"].map(file).concat();
        let text = format!("title = \"t\"\nrun = {{ h = 0.1, duration = 1 }}\n{files}");
        let mut scene: Scene = toml::from_str(&text).unwrap();
        scene.folder = "/scenes".into();
        let inputs = scene.refer_to_copies();
        let copied: Vec<_> = inputs.iter().map(|input| (input.source.to_str().unwrap(), input.name.as_str())).collect();
        let wanted =
            [("a/egg.msh", "egg.msh"), ("b/egg.msh", "egg-2.msh"), ("Egg.msh", "Egg-3.msh"), ("plain", "plain")];
        assert_eq!(
            copied,
            wanted.map(|(source, name)| (format!("/scenes/{source}"), name)).each_ref().map(|(s, n)| (s.as_str(), *n))
        );
        let named: Vec<_> = scene.bodies.iter().map(|body| body.file.as_deref().unwrap()).collect();
        assert_eq!(named, ["inputs/egg.msh", "inputs/egg-2.msh", "inputs/egg.msh", "inputs/Egg-3.msh", "inputs/plain"]);
        assert_eq!(named_in(&toml::to_string(&scene).unwrap()).len(), 5);
    }

    #[test]
    fn a_shape_that_stood_in_for_a_file_stays() {
        let text = "title = \"t\"\nrun = { h = 0.1, duration = 1 }\n[[body]]\nname = \"b\"\nmaterial = \"m\"\n\
                    file = \"nowhere.msh\"\nfile_optional = true\nball = { radius = 1, shells = 2 }\n";
        let mut scene: Scene = toml::from_str(text).unwrap();
        assert!(scene.refer_to_copies().is_empty());
        assert_eq!((&scene.bodies[0].file, scene.bodies[0].file_optional), (&None, false));
    }
}
