//! How surfaces touch: the numbers of the barrier, of friction and of restitution, one coefficient for each pair of surfaces.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Surfaces are counted as bodies first, obstacles after them.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactSettings {
    /// κ `[N/m]`
    pub stiffness: f64,
    /// d̂ `[m]`: the gap below which the barrier acts
    pub reach: f64,
    /// ε_v `[m/s]`: below this sliding speed friction fades
    pub friction_speed: f64,
    /// Whether each body may touch itself; those beyond the list may not
    pub self_contact: Vec<bool>,
    /// μ of each pair of surfaces
    pub friction: Coefficients,
    /// e of each pair of surfaces
    pub restitution: Coefficients,
    /// How much each pair counts
    pub weights: ContactWeights,
    /// Of each surface `[m]`, zero where none is given: two keep half of both between them
    pub thickness: Vec<f64>,
}

impl ContactSettings {
    /// Blocks on slopes stick with it, and balls bounce.
    pub const RESTITUTION: f64 = 0.9;

    /// Whether a body may touch itself
    pub fn touches_itself(&self, body: usize) -> bool {
        self.self_contact.get(body).copied().unwrap_or(false)
    }

    pub fn thickness_of(&self, surface: usize) -> f64 {
        self.thickness.get(surface).copied().unwrap_or(0.0)
    }
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self {
            stiffness: 1e5,
            reach: 1e-3,
            friction_speed: 1e-3,
            self_contact: Vec::new(),
            friction: Coefficients::Uniform(0.0),
            restitution: Coefficients::Uniform(Self::RESTITUTION),
            weights: ContactWeights::None,
            thickness: Vec::new(),
        }
    }
}

/// How much a pair of primitives counts in the barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ContactWeights {
    /// Each as one: a finer mesh is stiffer
    #[default]
    None,
    /// By the surface it stands for, κ being that of 1 cm²: what presses on what does not depend on the mesh
    Area,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Coefficients {
    Uniform(f64),
    /// A symmetric table of groups, row by row, and the group of each surface
    ByGroup {
        group_of: Vec<u32>,
        group_count: usize,
        table: Vec<f64>,
    },
}

impl Coefficients {
    pub fn between(&self, a: u32, b: u32) -> f64 {
        match self {
            Self::Uniform(value) => *value,
            Self::ByGroup { group_of, group_count, table } => {
                let group = |surface: u32| group_of.get(surface as usize).map(|&group| group as usize);
                let entry = group(a).zip(group(b)).and_then(|(a, b)| table.get(a * group_count + b));
                entry.copied().unwrap_or(0.0)
            }
        }
    }

    pub fn any(&self, is_so: impl Fn(f64) -> bool) -> bool {
        match self {
            Self::Uniform(value) => is_so(*value),
            Self::ByGroup { table, .. } => table.iter().any(|&value| is_so(value)),
        }
    }
}
