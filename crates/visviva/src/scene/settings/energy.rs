//! The energy a user asks for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The energy wanted: by default it is conserved.
///
/// ```
/// use visviva::scene::Energy;
///
/// let tires = Energy::decay(2.0).ground_at_equilibrium();
/// let calms_down_later = Energy::schedule([(5.0, 0.5)]).ground(-2.5).start_scale(0.95);
/// # let _ = (tires, calms_down_later);
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
    /// What `decay` and `schedule` decay towards: joules, or "equilibrium" for the energy of the bodies at rest
    pub ground: Ground,
    /// `schedule`: `[time [s], τ [s]]` pairs, each holding from its time on
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub schedule: Vec<(f64, f64)>,
    /// `curve`: `[time [s], fraction of the start energy]`; `curve-joules`: `[time [s], energy [J]]`
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<(f64, f64)>,
    /// The target starts at this times the start energy
    pub start_scale: f64,
    /// Whether the scene's energy is directed as a whole, or that of each island of touching bodies by itself. Where it is not said:
    /// by island with `a-spin` and where a body has its own `energy`, as a whole with all others
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<By>,
}

impl Default for Energy {
    fn default() -> Self {
        Self {
            target: TargetKind::Conserve,
            tau: None,
            ground: Ground::Joules(0.0),
            schedule: Vec::new(),
            curve: Vec::new(),
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

    /// Decays with (from time `[s]`, τ `[s]`) pairs, each holding from its time on; it is conserved before the first.
    pub fn schedule(pairs: impl Into<Vec<(f64, f64)>>) -> Self {
        Self { target: TargetKind::Schedule, schedule: pairs.into(), ..Self::default() }
    }

    /// Follows (time `[s]`, fraction of the start energy) pairs.
    pub fn curve(pairs: impl Into<Vec<(f64, f64)>>) -> Self {
        Self { target: TargetKind::Curve, curve: pairs.into(), ..Self::default() }
    }

    /// Follows (time `[s]`, energy `[J]`) pairs.
    pub fn curve_joules(pairs: impl Into<Vec<(f64, f64)>>) -> Self {
        Self { target: TargetKind::CurveJoules, curve: pairs.into(), ..Self::default() }
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
    Curve,
    CurveJoules,
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
