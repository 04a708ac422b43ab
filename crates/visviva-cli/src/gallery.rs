//! The scenes that come with the program, by name.

use visviva::scene::{LoadError, SceneSource, suggestion};

#[derive(Debug)]
pub struct GalleryScene {
    pub name: &'static str,
    pub text: &'static str,
}

macro_rules! scenes {
    ($($name:literal),* $(,)?) => {
        &[$(GalleryScene { name: $name, text: include_str!(concat!("../../../scenes/", $name, ".toml")) }),*]
    };
}

pub const SCENES: &[GalleryScene] = scenes![
    "rotating-cube-soft",
    "rotating-cube-stiff",
    "twisted-bar",
    "suspended-armadillo",
    "bouncing-ball-soft",
    "bouncing-ball-medium",
    "bouncing-ball-stiff",
    "bouncing-ball-affine",
    "dice-roll",
    "stair-drop",
    "bunny-stair-drop",
    "vibrating-membrane",
    "armadillo-trampoline",
    "chain-net",
    "bunny-splash",
    "drop",
    "rabbits",
    "slider-crank",
];

impl GalleryScene {
    pub fn source(&self) -> SceneSource {
        SceneSource { name: format!("{} (gallery)", self.name), text: self.text.to_owned(), folder: Default::default() }
    }
}

/// A path to a scene file, or the name of a gallery scene.
pub fn find(scene: &str) -> Result<SceneSource, LoadError> {
    match SCENES.iter().find(|s| s.name == scene) {
        Some(found) => Ok(found.source()),
        None => SceneSource::read(scene.as_ref()).map_err(|error| match error {
            LoadError::Read { path, problem } if problem.kind() == std::io::ErrorKind::NotFound => {
                let message = format!("there is no such file, nor a gallery scene of that name{}", others(scene));
                LoadError::Read { path, problem: std::io::Error::new(std::io::ErrorKind::NotFound, message) }
            }
            other => other,
        }),
    }
}

/// What to say after a name that is none of the gallery's: all that are, and the likeliest.
pub fn others(wrong: &str) -> String {
    let names: Vec<&str> = SCENES.iter().map(|s| s.name).collect();
    let near = suggestion(wrong, &names).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    format!(" (there are {}){near}", names.join(", "))
}
