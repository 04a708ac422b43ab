//! The folder of a run, complete and self-describing.
//!
//! run.toml       what was run             summary.json    how it went (at the end)
//! stats.csv      a row a step             checkpoint.bin  where it can go on, and checkpoint.previous.bin
//! mesh/          rest.npy tets.npy triangles.npy bodies.json
//! inputs/        copies of the scene's files, where it has any
//! frames/        000000.npy …, (2, nodes, 3): positions and velocities; times.csv
//! contacts/      000000.npy …, (pairs, 14), where they are wanted
//! checkpoints/   000060.bin …, by the steps done, where they are to be kept

use super::error::{At, OutputError};
use super::inputs::INPUTS;
use super::run_mesh::RunMesh;
use super::whole_file;
use crate::scene::{Built, Scene, SceneSource};
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const RUN: &str = "run.toml";
/// What every run has from its first moment.
const PARTS: [&str; 7] = [
    "run.toml",
    "stats.csv",
    "mesh/rest.npy",
    "mesh/tets.npy",
    "mesh/triangles.npy",
    "mesh/bodies.json",
    "frames/times.csv",
];

const WITHOUT_COPIES: &str = ". This folder is of an earlier version and holds no copies of the scene's files: put them \
                              back where run.toml names them, or run the scene again";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// Nothing is looked at: a folder may lack what is not asked for.
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// The folder of a run that is going on, has ended or was cut short.
    pub fn open(path: &Path) -> Result<Self, OutputError> {
        let path = path.to_owned();
        if !path.exists() {
            return Err(OutputError::NoSuchFolder { path });
        }
        if !path.is_dir() {
            return Err(OutputError::NotAFolder { path });
        }
        if !path.join(RUN).is_file() {
            return Err(OutputError::NotARunFolder { path });
        }
        match PARTS.into_iter().find(|part| !path.join(part).is_file()) {
            Some(part) => Err(OutputError::MissingPart { path, part }),
            None => Ok(Self { path }),
        }
    }

    /// The folder of a run that is to go on: what it lacks may be put back from its checkpoint.
    pub(crate) fn open_damaged(path: &Path) -> Result<Self, OutputError> {
        let folder = Self::at(path);
        let has_checkpoint = folder.checkpoint_paths().iter().any(|checkpoint| checkpoint.is_file());
        if path.is_dir() && has_checkpoint { Ok(folder) } else { Self::open(path) }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn stats_path(&self) -> PathBuf {
        self.path.join("stats.csv")
    }

    /// Of the statistics by body, where they are wanted
    pub fn body_stats_path(&self) -> PathBuf {
        self.path.join("bodies.csv")
    }

    pub fn run_toml(&self) -> Result<String, OutputError> {
        let path = self.path.join(RUN);
        fs::read_to_string(&path).at(&path)
    }

    /// Replaces what was run: its changes under way are part of it.
    pub fn write_run_toml(&self, text: &str) -> Result<(), OutputError> {
        let path = self.path.join(RUN);
        whole_file::write(&path, text.as_bytes()).at(&path)
    }

    /// The scene that was run; its files are the copies in this folder.
    pub fn scene(&self) -> Result<Scene, OutputError> {
        self.scene_of(self.run_toml()?)
    }

    /// From the text of its run.toml.
    pub(crate) fn scene_of(&self, text: String) -> Result<Scene, OutputError> {
        let name = self.path.join(RUN).display().to_string();
        Ok(SceneSource { name, text, folder: self.path.clone() }.parse(&[])?)
    }

    /// With its bodies built again, as they were run.
    pub fn built(&self) -> Result<(Scene, Built), OutputError> {
        let scene = self.scene()?;
        let built = self.build(&scene)?;
        match self.mesh()?.difference(&RunMesh::of(&scene, &built.model, &built.settings_of, &built.skins)) {
            Some(what) => Err(OutputError::OtherMesh { path: self.path.clone(), what }),
            None => Ok((scene, built)),
        }
    }

    /// Builds the scene of this folder; on a failure says where its files should be.
    pub(crate) fn build(&self, scene: &Scene) -> Result<Built, OutputError> {
        scene.build().map_err(|error| {
            let without_copies = scene.has_files() && !self.path.join(INPUTS).is_dir();
            let hint = if without_copies { WITHOUT_COPIES } else { "" };
            OutputError::Build { path: self.path.join(RUN), error: Box::new(error), hint }
        })
    }

    /// Reads the shapes and checks that they fit together.
    pub fn mesh(&self) -> Result<RunMesh, OutputError> {
        RunMesh::read(&self.path.join("mesh"))
    }

    pub fn write_summary(&self, summary: &serde_json::Value) -> Result<(), OutputError> {
        let path = self.path.join("summary.json");
        self.clear(&path)?;
        whole_file::write(&path, format!("{summary:#}\n").as_bytes()).at(&path)
    }

    /// A folder that stands where a file of the run belongs gives way.
    pub(super) fn clear(&self, path: &Path) -> Result<(), OutputError> {
        if path.is_dir() { whole_file::set_aside(path).at(path).map(drop) } else { Ok(()) }
    }

    /// Nothing while the run goes on, or where it was cut short.
    pub fn summary(&self) -> Result<Option<serde_json::Value>, OutputError> {
        let path = self.path.join("summary.json");
        if !path.exists() {
            return Ok(None);
        }
        let value = serde_json::from_slice(&fs::read(&path).at(&path)?);
        value.map(Some).map_err(|error| OutputError::Json { path, error })
    }
}
