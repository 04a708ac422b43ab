//! The scene that a run folder was made from.

use anyhow::Context;
use visviva::run::RunFolder;
use visviva::scene::{Built, Scene, SceneSource};

/// As it was resolved; file names in it are absolute.
pub fn scene_of(folder: &RunFolder) -> anyhow::Result<(SceneSource, Scene)> {
    let source = SceneSource {
        name: folder.path().join("run.toml").display().to_string(),
        text: folder.run_toml()?,
        folder: Default::default(),
    };
    let scene = source.parse(&[])?;
    Ok((source, scene))
}

/// With its bodies built again.
pub fn built_of(folder: &RunFolder) -> anyhow::Result<(Scene, Built)> {
    let (source, scene) = scene_of(folder)?;
    let built = scene.build().with_context(|| source.name.clone())?;
    Ok((scene, built))
}
