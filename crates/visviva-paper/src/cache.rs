//! Runs kept by what they are: scene with all its changes, integrator, step, and the program that ran them.
//!
//! A folder can be moved to another place or machine: nothing in it says where it lies.

use crate::PaperError;
use crate::code;
use crate::experiment::RunSettings;
use crate::small_world::Findings;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use visviva::run::whole_file;
use visviva::scene::{LoadError, Scene, SceneSource};
use visviva_sweep::identity::{KnownFiles, program, scene_identity};
use visviva_sweep::{Place, PointEnding, PointOptions, Standing, naming};
use xxhash_rust::xxh3::xxh3_64;

/// A folder of runs.
#[derive(Debug, Clone)]
pub struct Cache {
    pub folder: PathBuf,
    /// Whether finished runs of another version of the program are taken as they are
    pub takes_older: bool,
}

/// A run in space that is there or is to be.
#[derive(Debug, Clone)]
pub struct CachedRun {
    /// Of its folder
    pub name: String,
    pub identity: u64,
    pub integrator: String,
    /// `[s]`
    pub h: f64,
    /// `[s]`
    pub duration: f64,
    pub frame_rate: f64,
    pub steps: u64,
    /// What people call the scene
    stem: String,
    source: SceneSource,
    assignments: Vec<String>,
}

impl CachedRun {
    /// `stem` is what people call the scene.
    pub fn new(stem: &str, source: &SceneSource, assignments: Vec<String>) -> Result<Self, LoadError> {
        let scene = source.parse(&assignments)?;
        let (integrator, h) = (scene.run.integrator.clone(), scene.run.h.clone());
        let (steps, duration, frame_rate) = (scene.run.step_count(), scene.run.duration.value, scene.run.frame_rate);
        let of_scene = scene_identity(scene, &mut KnownFiles::default())?;
        let step = visviva::readable::time_step(h.value).replace('/', "-");
        let name = format!("{}-{}-{step}-{:08x}", naming::plain(stem), naming::plain(&integrator), of_scene as u32);
        let identity = xxh3_64(format!("{} {of_scene:016x}", program()).as_bytes());
        let (source, h) = (source.clone(), h.value);
        let stem = stem.to_owned();
        Ok(Self { name, identity, integrator, h, duration, frame_rate, steps, stem, source, assignments })
    }

    /// The same with another step `[s]`, as it is written.
    pub fn with_step(&self, h: &str) -> Result<Self, LoadError> {
        let changed = self.assignments.iter().cloned().chain([format!("run.h={h}")]);
        Self::new(&self.stem, &self.source, changed.collect())
    }

    pub fn scene(&self) -> Result<Scene, LoadError> {
        self.source.parse(&self.assignments)
    }

    /// What makes it without this crate.
    pub fn command(&self, scene: &str) -> String {
        let quoted = |text: &String| match text.contains([' ', '[', '{', '"', '*', ';', '(', '|']) {
            true => format!("'{text}'"),
            false => text.clone(),
        };
        let sets = self.assignments.iter().map(|set| format!(" --set {}", quoted(set)));
        format!("visviva run {scene}{}", sets.collect::<String>())
    }
}

/// Small things that are worked out of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Findings of small worlds
    SmallWorlds,
    /// What was measured of runs in space
    Values,
    Pictures,
    /// Steps at which one method takes as long as another
    Steps,
}

impl Kind {
    fn folder(self) -> &'static str {
        match self {
            Self::SmallWorlds => "small-worlds",
            Self::Values => "values",
            Self::Pictures => "pictures",
            Self::Steps => "steps",
        }
    }

    /// The code whose results they are.
    fn maker(self) -> String {
        match self {
            Self::SmallWorlds => format!("{} {:08x}", program(), code::of_small_worlds()),
            Self::Values => format!("{} {:08x}", program(), code::of_measures()),
            Self::Pictures | Self::Steps => program(),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Kept<T> {
    // As files before had it.
    #[serde(alias = "program")]
    maker: String,
    of: String,
    content: T,
}

impl Cache {
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), takes_older: false }
    }

    fn own_place<'a>(&'a self, run: &'a CachedRun) -> Place<'a> {
        Place { root: &self.folder, name: &run.name, identity: run.identity }
    }

    fn place<'a>(&'a self, run: &'a CachedRun) -> Place<'a> {
        let place = self.own_place(run);
        match place.known_identity().filter(|_| self.takes_older && place.standing() == Standing::Other) {
            Some(older) => Place { identity: older, ..place },
            None => place,
        }
    }

    pub fn folder_of(&self, run: &CachedRun) -> PathBuf {
        self.place(run).folder()
    }

    pub fn standing(&self, run: &CachedRun) -> Standing {
        self.place(run).standing()
    }

    /// Whether it was run by another version of the program.
    pub fn is_older(&self, run: &CachedRun) -> bool {
        self.own_place(run).standing() == Standing::Other
    }

    /// What the run that is taken is known by: where it is of another version of the program, not what this one would make.
    pub(crate) fn identity_of(&self, run: &CachedRun) -> u64 {
        self.place(run).identity
    }

    pub fn run(&self, run: &CachedRun, options: &PointOptions) -> PointEnding {
        self.place(run).run(|| run.scene(), &run.source.name, options)
    }

    /// What is not ours, or not of this program, is told before anything runs.
    pub fn check<'a>(&self, runs: impl Iterator<Item = &'a CachedRun>, overwrite: bool) -> Result<(), PaperError> {
        let mut others = Vec::new();
        for run in runs {
            match self.standing(run) {
                Standing::Foreign => return Err(PaperError::Foreign { path: self.folder_of(run) }),
                Standing::Other => others.push(run),
                _ => {}
            }
        }
        match others[..] {
            [first, ..] if !overwrite => Err(PaperError::OtherVersion {
                count: others.len(),
                folder: self.folder.clone(),
                name: first.name.clone(),
            }),
            _ => Ok(()),
        }
    }

    /// What a small world found before, if this program did.
    pub(crate) fn findings(&self, settings: &RunSettings) -> Option<Findings> {
        self.kept(Kind::SmallWorlds, &small_world_key(settings))
    }

    pub(crate) fn keep_findings(&self, settings: &RunSettings, findings: &Findings) -> Result<(), PaperError> {
        self.keep(Kind::SmallWorlds, &small_world_key(settings), findings)
    }

    /// Something small that was worked out before, by its kind and by what it is of.
    pub(crate) fn kept<T: DeserializeOwned>(&self, kind: Kind, of: &str) -> Option<T> {
        let kept = self.read_kept::<T>(kind, of)?;
        (kept.maker == kind.maker() || self.takes_older).then_some(kept.content)
    }

    fn read_kept<T: DeserializeOwned>(&self, kind: Kind, of: &str) -> Option<Kept<T>> {
        let bytes = std::fs::read(self.small_path(kind, of)).ok()?;
        serde_json::from_slice::<Kept<T>>(&bytes).ok().filter(|kept| kept.of == of)
    }

    /// What another version left and was taken stays its own.
    pub(crate) fn keep<T: Serialize>(&self, kind: Kind, of: &str, content: T) -> Result<(), PaperError> {
        let before = self.read_kept::<serde::de::IgnoredAny>(kind, of).filter(|_| self.takes_older);
        if before.is_some_and(|before| before.maker != kind.maker()) {
            return Ok(());
        }
        let path = self.small_path(kind, of);
        let fail = |problem| PaperError::Write { path: path.clone(), problem };
        path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(fail)?;
        let kept = Kept { maker: kind.maker(), of: of.to_owned(), content };
        let json = serde_json::to_vec(&kept).map_err(|problem| fail(problem.into()))?;
        whole_file::write(&path, &json).map_err(fail)
    }

    fn small_path(&self, kind: Kind, of: &str) -> PathBuf {
        self.folder.join(kind.folder()).join(format!("{:016x}.json", xxh3_64(of.as_bytes())))
    }

    /// Frames of a finished run are let go; what was measured and drawn of it stays.
    pub fn drop_frames(&self, run: &CachedRun) -> Result<(), PaperError> {
        let folder = self.folder_of(run);
        let remove = |path: &Path| if path.exists() { std::fs::remove_dir_all(path) } else { Ok(()) };
        for part in ["frames", "contacts", "checkpoints"] {
            let path = folder.join(part);
            remove(&path).map_err(|problem| PaperError::Write { path, problem })?;
        }
        Ok(())
    }
}

fn small_world_key(settings: &RunSettings) -> String {
    let RunSettings { world, integrator, h, case, parameters, .. } = settings;
    format!("{world:?} {integrator} {h:?} {case:?} {parameters:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_things_are_kept_by_what_they_are_of() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        assert_eq!(cache.kept::<f64>(Kind::Steps, "bdf2 as a-search"), None);
        cache.keep(Kind::Steps, "bdf2 as a-search", 0.25).unwrap();
        assert_eq!(cache.kept::<f64>(Kind::Steps, "bdf2 as a-search"), Some(0.25));
        assert_eq!(cache.kept::<f64>(Kind::Steps, "bdf2 as a-spin"), None);
    }

    #[test]
    fn what_another_version_made_is_taken_only_where_that_is_asked_for_and_never_becomes_ours() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        cache.keep(Kind::Values, "ball", 1.0).unwrap();
        let path = cache.small_path(Kind::Values, "ball");
        let older = std::fs::read_to_string(&path).unwrap().replace(&Kind::Values.maker(), "0.0.9 and other measures");
        std::fs::write(&path, &older).unwrap();
        assert_eq!(cache.kept::<f64>(Kind::Values, "ball"), None);
        let lenient = Cache { takes_older: true, ..cache.clone() };
        assert_eq!(lenient.kept::<f64>(Kind::Values, "ball"), Some(1.0));
        lenient.keep(Kind::Values, "ball", 1.0).unwrap();
        assert_eq!(cache.kept::<f64>(Kind::Values, "ball"), None, "what was taken is not ours now");
        cache.keep(Kind::Values, "ball", 2.0).unwrap();
        assert_eq!(cache.kept::<f64>(Kind::Values, "ball"), Some(2.0));
    }
}
