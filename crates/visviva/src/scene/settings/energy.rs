//! The energy a user asks for.

use super::CurveKey;
use crate::model::Easing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The energy wanted: by default it is conserved.
///
/// ```
/// use visviva::scene::Energy;
///
/// let tires = Energy::decay(2.0).ground_at_equilibrium();
/// let calms_down_later = Energy::schedule([(5.0, 0.5)]).ground(-2.5).start_scale(0.95);
/// let lies_still_after_3_s = Energy::rest_at(3.0).ground_at_equilibrium();
/// # let _ = (tires, calms_down_later, lies_still_after_3_s);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(description = "The energy wanted.")]
pub struct Energy {
    /// What the wanted energy does
    pub target: TargetKind,
    /// E-folding time of `decay` `[s]`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tau: Option<f64>,
    /// In place of `tau`: the time in which half of the energy above ground goes `[s]`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half_life: Option<f64>,
    /// What `decay` and `schedule` take from: all energy, or that of vibration alone
    #[serde(skip_serializing_if = "takes_all")]
    pub takes: Takes,
    /// What `decay`, `schedule` and `rest` go towards: joules, or "equilibrium" for the energy of the bodies at rest
    pub ground: Ground,
    /// `schedule`: `[time [s], τ [s]]` pairs, each holding from its time on
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub schedule: Vec<(f64, f64)>,
    /// In place of `schedule`: `[time [s], half-life [s]]` pairs
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub half_lives: Vec<(f64, f64)>,
    /// `rest`: when the energy has come down to the ground `[s]`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest_at: Option<f64>,
    /// `rest`: from when on it falls `[s]`; at once where it is not given
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest_from: Option<f64>,
    /// `curve`: `[time [s], fraction of the start energy]`; `curve-joules`: `[time [s], energy [J]]`; an easing may follow, such as
    /// `[1, 0.5, "ease-in"]`, with which it goes on to the next
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<CurveKey>,
    /// In place of `curve`: a CSV file, relative to the scene file, with a time, a value and perhaps an easing a line
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve_file: Option<String>,
    /// How a curve goes on from keyframes that do not say
    #[serde(skip_serializing_if = "is_linear")]
    pub easing: Easing,
    /// The target starts at this times the start energy
    pub start_scale: f64,
    /// Whether the scene's energy is directed as a whole, or that of each island of touching bodies by itself. Where it is not said:
    /// by island with `a-spin` and where a body has its own `energy`, as a whole with all others
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<By>,
}

fn takes_all(takes: &Takes) -> bool {
    *takes == Takes::All
}

fn is_linear(easing: &Easing) -> bool {
    *easing == Easing::Linear
}

impl Default for Energy {
    fn default() -> Self {
        Self {
            target: TargetKind::Conserve,
            tau: None,
            half_life: None,
            takes: Takes::All,
            ground: Ground::Joules(0.0),
            schedule: Vec::new(),
            half_lives: Vec::new(),
            rest_at: None,
            rest_from: None,
            curve: Vec::new(),
            curve_file: None,
            easing: Easing::Linear,
            start_scale: 1.0,
            by: None,
        }
    }
}

impl Energy {
    /// Decays with an e-folding time `[s]`, towards 0 J unless a ground is given.
    pub fn decay(tau: f64) -> Self {
        Self { target: TargetKind::Decay, tau: Some(tau), ..Self::default() }
    }

    /// Half of it goes in this time `[s]`, and of what is left half again; towards 0 J unless a ground is given.
    pub fn half_life(half_life: f64) -> Self {
        Self { target: TargetKind::Decay, half_life: Some(half_life), ..Self::default() }
    }

    /// Falls smoothly from the start on and is at the ground at this time `[s]`, 0 J unless another is given.
    pub fn rest_at(time: f64) -> Self {
        Self { target: TargetKind::Rest, rest_at: Some(time), ..Self::default() }
    }

    /// Decays with (from time `[s]`, τ `[s]`) pairs, each holding from its time on; it is conserved before the first.
    pub fn schedule(pairs: impl Into<Vec<(f64, f64)>>) -> Self {
        Self { target: TargetKind::Schedule, schedule: pairs.into(), ..Self::default() }
    }

    /// Follows (time `[s]`, fraction of the start energy) pairs.
    pub fn curve(pairs: impl Into<Vec<(f64, f64)>>) -> Self {
        Self { target: TargetKind::Curve, ..Self::default() }.through(pairs)
    }

    /// Follows (time `[s]`, energy `[J]`) pairs.
    pub fn curve_joules(pairs: impl Into<Vec<(f64, f64)>>) -> Self {
        Self { target: TargetKind::CurveJoules, ..Self::default() }.through(pairs)
    }

    fn through(mut self, pairs: impl Into<Vec<(f64, f64)>>) -> Self {
        self.curve = pairs.into().into_iter().map(CurveKey::from).collect();
        self
    }

    /// How a curve goes on from keyframes that do not say.
    pub fn easing(mut self, easing: Easing) -> Self {
        self.easing = easing;
        self
    }

    /// Takes from vibration alone, and leaves the flight and the turning of bodies as they are.
    pub fn of_vibration(mut self) -> Self {
        self.takes = Takes::Vibration;
        self
    }

    /// What it decays towards `[J]`.
    pub fn ground(mut self, joules: f64) -> Self {
        self.ground = Ground::Joules(joules);
        self
    }

    /// Decays towards the energy of the bodies at rest.
    pub fn ground_at_equilibrium(mut self) -> Self {
        self.ground = Ground::Named(NamedGround::Equilibrium);
        self
    }

    /// Directs the energy of each island of touching bodies by itself.
    pub fn by_island(mut self) -> Self {
        self.by = Some(By::Island);
        self
    }

    /// The target starts at this times the start energy.
    pub fn start_scale(mut self, scale: f64) -> Self {
        self.start_scale = scale;
        self
    }
}

/// What shares one energy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// All bodies
    Scene,
    /// Bodies that touch, as long as they touch
    Island,
}

/// What the wanted energy does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TargetKind {
    #[default]
    Conserve,
    Decay,
    Schedule,
    Rest,
    Curve,
    CurveJoules,
}

/// What a decay takes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Takes {
    #[default]
    All,
    Vibration,
}

/// What the energy decays towards.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected joules, or \"equilibrium\"")]
pub enum Ground {
    Joules(f64),
    Named(NamedGround),
}

/// A ground that is found before the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NamedGround {
    Equilibrium,
}
