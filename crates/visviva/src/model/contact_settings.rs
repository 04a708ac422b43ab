//! How surfaces touch: the numbers of the barrier and of friction, one coefficient for each pair of surfaces.

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
    /// Of each surface `[m]`, zero where none is given: two keep half of both between them
    pub thickness: Vec<f64>,
}

impl ContactSettings {
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
            thickness: Vec::new(),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Coefficients {
    Uniform(f64),
    /// A symmetric table, row by row
    ByPair {
        surface_count: usize,
        table: Vec<f64>,
    },
}

impl Coefficients {
    pub fn between(&self, a: u32, b: u32) -> f64 {
        match self {
            Self::Uniform(mu) => *mu,
            Self::ByPair { surface_count, table } => {
                table.get(a as usize * surface_count + b as usize).copied().unwrap_or(0.0)
            }
        }
    }

    pub fn any_positive(&self) -> bool {
        match self {
            Self::Uniform(mu) => *mu > 0.0,
            Self::ByPair { table, .. } => table.iter().any(|&mu| mu > 0.0),
        }
    }
}
