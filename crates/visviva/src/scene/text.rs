//! Scenes as text: TOML, read with messages that name the line or the key and say what to do, and written as it was read.

mod ball_table;
mod body_table;
mod deformation_table;
mod energy_text;
mod joint_table;
mod nesting;
mod obstacle_table;
mod pin_table;
mod plain_words;
mod schema;

pub use ball_table::BallTable;
pub use body_table::BodyTable;
pub use deformation_table::DeformationTable;
pub use joint_table::JointTable;
pub use obstacle_table::ObstacleTable;
pub use pin_table::PinTable;
pub use schema::json_schema;

use super::Scene;
use crate::readable::did_you_mean;
use nesting::too_deep;
use plain_words::in_plain_words;
use std::path::{Path, PathBuf};

/// Why a scene could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("cannot read {}: {problem}", path.display())]
    Read { path: PathBuf, problem: std::io::Error },
    #[error("{source_name}{place}: {message}")]
    Syntax { source_name: String, place: String, message: String },
    #[error("--set {assignment}: {message}")]
    Set { assignment: String, message: String },
    #[error("the scene cannot be written down: {0}")]
    Write(#[from] toml::ser::Error),
}

/// A scene's text and where it came from.
#[derive(Debug, Clone)]
pub struct SceneSource {
    /// As messages name it
    pub name: String,
    pub text: String,
    /// What relative mesh files are relative to
    pub folder: PathBuf,
}

impl SceneSource {
    /// The text of a scene file.
    pub fn read(path: &Path) -> Result<Self, LoadError> {
        let text = std::fs::read_to_string(path).map_err(|problem| LoadError::Read { path: path.into(), problem })?;
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        Ok(Self { name: path.display().to_string(), text, folder })
    }

    /// Parses the scene and applies assignments such as `run.h=1/60` or `body.0.box.cells=[4,4,4]`; what has a name may be called
    /// by it, `body.ball.height=2`. What they make together must be sound, not each alone; the first from which on it is not is
    /// blamed.
    pub fn parse(&self, assignments: &[String]) -> Result<Scene, LoadError> {
        if let Some(at) = too_deep(&self.text) {
            let message = "brackets lie too deep in each other; is one not closed?".to_owned();
            return Err(LoadError::Syntax { source_name: self.name.clone(), place: self.place(at), message });
        }
        let table: toml::Table = toml::from_str(&self.text).map_err(|e| self.syntax(&e))?;
        let scene: Result<Scene, LoadError> = toml::from_str(&self.text).map_err(|e| self.syntax(&e));
        changed(table, scene, assignments).map(|scene| Scene { folder: self.folder.clone(), ..scene })
    }

    /// The same from a table that another program made; messages name its keys. The text does not count.
    pub fn parse_table(&self, table: toml::Table, assignments: &[String]) -> Result<Scene, LoadError> {
        let source_name = self.name.clone();
        let fail = |message: String| LoadError::Syntax { source_name, place: String::new(), message };
        let scene = from_table(table.clone()).map_err(fail);
        changed(table, scene, assignments).map(|scene| Scene { folder: self.folder.clone(), ..scene })
    }

    fn syntax(&self, error: &toml::de::Error) -> LoadError {
        let place = error.span().map_or(String::new(), |span| self.place(span.start));
        LoadError::Syntax { source_name: self.name.clone(), place, message: in_plain_words(error.message()) }
    }

    /// `:line:column` of a byte.
    fn place(&self, at: usize) -> String {
        let before = self.text.get(..at).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
        format!(":{line}:{column}")
    }
}

impl Scene {
    /// As a scene file, all defaults written out. Meshes in memory must be put into files before: [`Scene::inputs`].
    pub fn to_toml(&self) -> Result<String, LoadError> {
        Ok(toml::to_string_pretty(self)?)
    }
}

/// With assignments made, whatever the scene was before.
fn changed(
    mut table: toml::Table,
    mut scene: Result<Scene, LoadError>,
    assignments: &[String],
) -> Result<Scene, LoadError> {
    for assignment in assignments {
        let fail = |message: String| LoadError::Set { assignment: assignment.clone(), message };
        assign(&mut table, assignment).map_err(fail)?;
        scene = from_table(table.clone()).map_err(|message| scene.err().unwrap_or(fail(message)));
    }
    scene
}

/// An error names the key and what is wrong with it.
fn from_table(table: toml::Table) -> Result<Scene, String> {
    let parsed = serde_path_to_error::deserialize(toml::Value::Table(table));
    parsed.map_err(|e: serde_path_to_error::Error<toml::de::Error>| {
        format!("{}: {}", e.path(), in_plain_words(e.inner().message()))
    })
}

/// The one thing given where exactly one is allowed.
fn the_only<T>(mut given: Vec<T>, what: &str, keys: &[&str]) -> Result<T, String> {
    match (given.pop(), given.len()) {
        (Some(only), 0) => Ok(only),
        (last, others) => {
            let count = others + usize::from(last.is_some());
            Err(format!("{count} {what}: give exactly one of {}", keys.join(", ")))
        }
    }
}

/// Parts of a path: beyond what any scene has, before tables in tables fill the stack.
const DEEPEST: usize = 16;

fn assign(table: &mut toml::Table, assignment: &str) -> Result<(), String> {
    let (path, value) = assignment.split_once('=').ok_or("write path.to.key=value")?;
    // A bare word is a string: names and fractions need no quotes.
    let value = toml::from_str::<toml::Table>(&format!("v = {}", value.trim()))
        .ok()
        .and_then(|mut t| t.remove("v"))
        .unwrap_or_else(|| toml::Value::String(value.trim().to_owned()));
    let keys: Vec<&str> = path.trim().split('.').collect();
    if keys.len() > DEEPEST {
        return Err(format!("the path has {} parts, but no key of a scene lies so deep", keys.len()));
    }
    let (last, parents) = keys.split_last().ok_or("the path is empty")?;
    let mut place = table
        .entry(parents.first().unwrap_or(last).to_string())
        .or_insert_with(|| if parents.is_empty() { value.clone() } else { toml::Value::Table(toml::Table::new()) });
    if parents.is_empty() {
        *place = value;
        return Ok(());
    }
    for key in parents[1..].iter().chain([last]) {
        place = match place {
            toml::Value::Table(inner) => {
                inner.entry(key.to_string()).or_insert_with(|| toml::Value::Table(toml::Table::new()))
            }
            toml::Value::Array(items) => {
                let index = index_of(items, key)?;
                &mut items[index]
            }
            _ => return Err(format!("`{key}` lies inside a value, not a table")),
        };
    }
    *place = value;
    Ok(())
}

/// Of an item that is counted from 0 or, where it has one, called by its name.
fn index_of(items: &[toml::Value], key: &str) -> Result<usize, String> {
    let count = items.len();
    let names = || items.iter().filter_map(|item| item.get("name")?.as_str());
    let called = |item: &toml::Value| item.get("name").and_then(toml::Value::as_str) == Some(key);
    match (items.iter().position(called), key.parse::<usize>()) {
        (Some(index), _) => Ok(index),
        (None, Ok(index)) if index < count => Ok(index),
        (None, Ok(index)) => Err(format!("index {index}, but there are {count}, counted from 0")),
        (None, Err(_)) => {
            let named: Vec<&str> = names().collect();
            let near = did_you_mean(key, &named);
            let or_names = if named.is_empty() { "" } else { " or a name" };
            Err(format!("`{key}` must be an index from 0 to {}{or_names}{near}", count.saturating_sub(1)))
        }
    }
}
