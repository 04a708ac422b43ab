//! What scene files say becomes what they mean; and for all tests, scenes of a few lines of TOML and an exact judge of where they
//! end.

mod array;
mod everyday;
mod obstacles;
mod placing;
mod surfaces;

use std::error::Error;
use std::path::Path;
use visviva::contact::{BroadPhase, Point, intersection};
use visviva::model::bodies::Model;
use visviva::scene::{Built, SceneSource};
use visviva::solve::BodiesSolver;
use visviva::solve::contact::surface_of;

/// A scene of these lines of TOML; `run` and `title` are there.
pub fn try_scene(text: &str, changes: &[&str]) -> Result<Built, Box<dyn Error>> {
    try_scene_in(&std::env::temp_dir(), text, changes)
}

fn try_scene_in(folder: &Path, text: &str, changes: &[&str]) -> Result<Built, Box<dyn Error>> {
    let text = format!("title = \"test\"\nrun = {{ h = \"1/120\", duration = 1 }}\n{text}");
    let source = SceneSource { name: "test".into(), text, folder: folder.to_owned() };
    let changes: Vec<String> = changes.iter().map(|&change| change.to_owned()).collect();
    Ok(source.parse(&changes)?.build()?)
}

/// One that is known to be sound.
pub fn scene(text: &str, changes: &[&str]) -> Built {
    try_scene(text, changes).unwrap_or_else(|e| panic!("{e}"))
}

/// Why a scene is refused.
pub fn refusal(text: &str, changes: &[&str]) -> String {
    try_scene(text, changes).expect_err("the scene should be refused").to_string()
}

/// A sound scene whose files lie in a folder.
pub fn scene_in(folder: &Path, text: &str, changes: &[&str]) -> Built {
    try_scene_in(folder, text, changes).unwrap_or_else(|e| panic!("{e}"))
}

pub fn world(built: &Built) -> BodiesSolver {
    BodiesSolver::new(built.model.clone(), built.solver).unwrap()
}

/// Decided by exact arithmetic, independently of distances and of collision detection.
pub fn intersects(model: &Model, x: &[f64]) -> bool {
    let (surface, vertices) = surface_of(model, |_| false, |node| model.mass.is_pinned(node)).unwrap();
    let points: Vec<Point> = vertices.iter().map(|vertex| vertex.of(x)).collect();
    !intersection::intersections(&surface, &mut BroadPhase::default(), &points).is_empty()
}
