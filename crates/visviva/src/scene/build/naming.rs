//! Which bodies a name means: one of the scene with all its copies and rings, or one of these alone.

use super::BuildError;
use super::pins::Placed;
use crate::scene::{Scene, StartContact};
use std::collections::HashSet;

impl Scene {
    /// Whether `name` means the body called `full`, which was made from one of the scene's bodies. A name that some body has, as
    /// `of_one` says, means that one alone: `vase.lid` is not `vase.lid.001`.
    pub(super) fn is_meant(&self, name: &str, of_one: bool, settings: usize, full: &str) -> bool {
        let whole = &self.bodies[settings].name;
        let is_part = |rest: &str| rest.is_empty() || (!of_one && rest.starts_with('.'));
        name == whole || (name.len() > whole.len() && full.strip_prefix(name).is_some_and(is_part))
    }

    /// Refuses names that copies or rings take from another body or an obstacle.
    pub(super) fn check_names(&self, placed: &[Placed]) -> Result<(), BuildError> {
        let mut names: HashSet<&str> = self.obstacles.iter().map(|obstacle| obstacle.name.as_str()).collect();
        match placed.iter().find(|body| !names.insert(&body.name)) {
            Some(Placed { name, settings, .. }) => Err(BuildError::Value(format!(
                "`{name}` is the name of a part of body `{}` and of something else: rename one",
                self.bodies[*settings].name
            ))),
            None => Ok(()),
        }
    }

    /// Says what to do, where two copies of an array start in each other.
    pub(super) fn advise_spacing(&self, found: &mut StartContact, placed: &[Placed], needed: &[Option<[f64; 3]>]) {
        let Some(surfaces) = found.places.first().map(|place| place.surfaces) else { return };
        let [Some(a), Some(b)] = surfaces.map(|surface| placed.get(surface as usize)) else { return };
        if a.settings == b.settings
            && a.copy != b.copy
            && let Some(needed) = needed[a.settings]
        {
            self.bodies[a.settings].advise_spacing(found, needed);
        }
    }
}
