//! Where the energy is, in words that need no joules: flight, spin, vibration, height, strain, contact.

use super::Session;
use crate::model::{MotionEnergy, Part};
use crate::readable::energy;
use serde::{Deserialize, Serialize};

/// Of one of the scene's bodies, with all its copies and pieces `[J]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Whereabouts {
    pub body: String,
    #[serde(flatten)]
    pub motion: MotionEnergy,
    /// Gravity's, from the height zero
    pub height: f64,
    pub elastic: f64,
    /// Of surfaces that repel each other
    pub contact: f64,
}

impl Whereabouts {
    pub fn new(body: &str, part: &Part) -> Self {
        let terms = part.potential.as_slice();
        let term = |k: usize| terms.get(k).copied().unwrap_or(0.0);
        Self { body: body.to_owned(), motion: part.motion, elastic: term(0), height: term(1), contact: term(2) }
    }

    /// Parts that hold next to nothing are left out.
    pub fn in_words(&self) -> String {
        const NOTHING: f64 = 1e-3;
        let MotionEnergy { translation, rotation, vibration } = self.motion;
        let parts = [
            (translation, "flight"),
            (rotation, "spin"),
            (vibration, "vibration"),
            (self.height, "height"),
            (self.elastic, "strain"),
            (self.contact, "contact"),
        ];
        let most = parts.iter().map(|(joules, _)| joules.abs()).fold(0.0, f64::max);
        let told = parts.iter().filter(|(joules, _)| joules.abs() > NOTHING * most);
        let told: Vec<String> = told.map(|(joules, what)| format!("{} in {what}", energy(*joules))).collect();
        format!("{}: {}", self.body, if told.is_empty() { "no energy".into() } else { told.join(", ") })
    }
}

impl Session {
    /// Of each of the scene's bodies now.
    pub fn whereabouts(&self) -> Vec<Whereabouts> {
        let parts = Part::grouped(&self.parts(), &self.settings_of);
        self.scene.bodies.iter().zip(&parts).map(|(body, part)| Whereabouts::new(&body.name, part)).collect()
    }
}
