//! A scene: read from a file or the gallery, or made of a dictionary.

use crate::error::{OrRaise, refused};
use crate::meshes::MeshArrays;
use crate::words;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use toml::Value;
use visviva::integrate::METHODS;
use visviva::mesh::{Mesh, WiredSurface};
use visviva::scene::{Input, ObstacleShape, Scene as Settings, SceneSource, Shape};
use visviva_cli::gallery::{self as scenes, SCENES};

/// What stands in place of a file name where a mesh is given as arrays: its place among them.
const IN_MEMORY: &str = "memory:";

/// A scene as it was asked for, not built yet.
#[pyclass(frozen, module = "visviva._visviva")]
#[derive(Debug)]
pub struct Scene {
    pub settings: Settings,
    /// Its path, its name in the gallery, or that it was made in code
    pub name: String,
}

#[pymethods]
impl Scene {
    /// A scene file or the name of a gallery scene, with changes such as `run.h=1/60`.
    #[staticmethod]
    fn load(scene: &str, set: Vec<String>) -> PyResult<Self> {
        let source = scenes::find(scene).or_raise()?;
        let settings = source.parse(&set).or_raise()?;
        Ok(Self { settings, name: source.name })
    }

    /// Of the words of a scene file; `meshes` are those that its bodies and obstacles name as `memory:0` and so on.
    #[staticmethod]
    fn of_words(
        scene: &Bound<'_, PyAny>,
        meshes: Vec<MeshArrays<'_>>,
        folder: PathBuf,
        set: Vec<String>,
    ) -> PyResult<Self> {
        let source = SceneSource { name: "the scene".into(), text: String::new(), folder };
        let mut settings = source.parse_table(words::to_table(scene)?, &set).or_raise()?;
        give_meshes(&mut settings, &meshes)?;
        Ok(Self { settings, name: "made in Python".into() })
    }

    /// All its words, defaults written out; meshes in memory as they were named.
    fn words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let written = Value::try_from(self.with_names_for_meshes()).map_err(refused)?;
        words::to_python(py, &written)
    }

    /// As a scene file.
    fn to_toml(&self) -> PyResult<String> {
        self.settings.to_toml().or_raise()
    }

    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// What relative file names are relative to.
    #[getter]
    fn folder(&self) -> &std::path::Path {
        &self.settings.folder
    }

    /// Builds it, and says what is doubtful and what may be done better.
    fn check(&self, py: Python<'_>) -> PyResult<(Vec<String>, Vec<String>)> {
        let built = py.detach(|| self.settings.build()).or_raise()?;
        Ok((built.warnings, built.hints))
    }
}

impl Scene {
    fn with_names_for_meshes(&self) -> Settings {
        let mut settings = self.settings.clone();
        let in_memory = settings.inputs().filter(|input| input.path().is_none());
        in_memory.enumerate().for_each(|(index, mut input)| input.read_from(format!("{IN_MEMORY}{index}")));
        settings
    }
}

/// Puts meshes in place of the names that stand for them.
fn give_meshes(settings: &mut Settings, meshes: &[MeshArrays<'_>]) -> PyResult<()> {
    let named = |input: &Input<'_>| {
        let path = input.path()?;
        let index = path.file_name()?.to_str()?.strip_prefix(IN_MEMORY)?.parse::<usize>().ok()?;
        Some((input.name.to_owned(), index))
    };
    let wanted: Vec<(String, usize)> = settings.inputs().filter_map(|input| named(&input)).collect();
    for (name, index) in wanted {
        let arrays = meshes.get(index).ok_or_else(|| refused(format!("`{name}`: there is no mesh {index}")))?;
        let mesh = arrays.mesh(&format!("`{name}`"))?;
        let is_it = |path: &str| path == format!("{IN_MEMORY}{index}");
        for body in &mut settings.bodies {
            if matches!(&body.shape, Shape::File(file) if is_it(&file.path)) {
                body.shape = Shape::Mesh(mesh.clone());
            }
        }
        for obstacle in &mut settings.obstacles {
            if matches!(&obstacle.shape, ObstacleShape::File(path) if is_it(path)) {
                let Mesh::Surface(surface) = mesh.clone() else {
                    return Err(refused(format!("`{name}`: an obstacle is a surface of triangles, not tets")));
                };
                obstacle.shape = ObstacleShape::Mesh(WiredSurface { surface, wires: Vec::new() });
            }
        }
    }
    Ok(())
}

/// Names and titles of the scenes that come with the program.
#[pyfunction]
pub fn gallery(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let titles = PyDict::new(py);
    for scene in SCENES {
        titles.set_item(scene.name, scene.source().parse(&[]).or_raise()?.title)?;
    }
    Ok(titles)
}

/// Names of all integrators.
#[pyfunction]
pub fn integrators() -> Vec<&'static str> {
    METHODS.iter().map(|method| method.name).collect()
}

/// Names of all everyday materials.
#[pyfunction]
pub fn materials() -> Vec<&'static str> {
    visviva::scene::EVERYDAY.iter().map(|everyday| everyday.name).collect()
}

/// The JSON schema of scene files.
#[pyfunction]
pub fn schema() -> String {
    visviva::scene::json_schema()
}
