//! What bodies are made of.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a body is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Empty where the material is written inside a body
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// neo-hookean, corotated, fixed-corotated, stvk or stable-neo-hookean; shells know neo-hookean and stvk
    #[serde(default = "default_law")]
    pub law: String,
    /// [Pa]; of an affine body the stiffness κ of W = κ V ‖AAᵀ − I‖²
    pub youngs_modulus: f64,
    #[serde(default = "default_poisson_ratio")]
    pub poisson_ratio: f64,
    /// [kg/m³]; 1000 where it is not given, but shells need it or `areal_density`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<f64>,
    /// Of shells [m]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thickness: Option<f64>,
    /// Of shells [kg/m²]; density × thickness where it is not given
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub areal_density: Option<f64>,
    /// Young's modulus of shells against bending [Pa]; `youngs_modulus` where it is not given, 0 for none
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bending_modulus: Option<f64>,
    /// Rayleigh damping proportional to mass [1/s]
    #[serde(default, skip_serializing_if = "is_zero")]
    pub damping_mass: f64,
    /// Rayleigh damping proportional to stiffness [s]
    #[serde(default, skip_serializing_if = "is_zero")]
    pub damping_stiffness: f64,
    /// Coefficient of friction; `contact.friction` where it is not given
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<f64>,
}

fn default_law() -> String {
    "neo-hookean".to_owned()
}

fn default_poisson_ratio() -> f64 {
    0.3
}

/// Where a material gives none [kg/m³].
pub const DEFAULT_DENSITY: f64 = 1000.0;

fn is_zero(x: &f64) -> bool {
    *x == 0.0
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum MaterialChoice {
    /// The name of a [[material]]
    Named(String),
    Inline(Box<Material>),
}
