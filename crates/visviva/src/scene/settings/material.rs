//! What bodies are made of.

use crate::model::DampingLaw;
use crate::model::bodies::BodyKind;
use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// What a body is made of.
///
/// ```
/// use visviva::scene::Material;
///
/// let rubber = Material::new(1e5).law("corotated").poisson_ratio(0.45).friction(0.6);
/// let cloth = Material::new(5e6).sheet(4e-4, 0.4);
/// # let _ = (rubber, cloth);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(description = "What a body is made of.")]
pub struct Material {
    /// Empty where the material is written inside a body
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// neo-hookean, corotated, fixed-corotated, stvk or stable-neo-hookean; shells know neo-hookean and stvk, affine bodies
    /// orthogonality as well. Where it is not given, orthogonality for affine bodies and neo-hookean for others
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub law: Option<String>,
    /// `[Pa]`; with orthogonality the stiffness κ of W = κ V ‖AAᵀ − I‖²
    pub youngs_modulus: f64,
    /// How much it narrows when stretched, below 0.5
    #[serde(default = "default_poisson_ratio")]
    pub poisson_ratio: f64,
    /// `[kg/m³]`; 1000 where it is not given, but shells need it or `areal_density`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<f64>,
    /// Of shells `[m]`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thickness: Option<f64>,
    /// Of shells `[kg/m²]`; density × thickness where it is not given
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub areal_density: Option<f64>,
    /// Young's modulus of shells against bending `[Pa]`; `youngs_modulus` where it is not given, 0 for none
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bending_modulus: Option<f64>,
    /// Damping of all motion, as if in a fluid `[1/s]`
    #[serde(default, skip_serializing_if = "is_zero")]
    pub damping_mass: f64,
    /// Damping of deformation: the time over which strains resist `[s]`
    #[serde(default, skip_serializing_if = "is_zero")]
    pub damping_stiffness: f64,
    /// How deformation is damped: `viscous`, or `rayleigh`, which brakes turning too
    #[serde(default, skip_serializing_if = "is_viscous")]
    pub damping_law: DampingLaw,
    /// Coefficient of friction; `contact.friction` where it is not given
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<f64>,
    /// Restitution of its contacts, from 0 to 1; `contact.restitution` where it is not given
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restitution: Option<f64>,
}

fn is_viscous(law: &DampingLaw) -> bool {
    *law == DampingLaw::Viscous
}

/// The law of affine bodies, κ ‖AAᵀ − I‖².
pub const ORTHOGONALITY: &str = "orthogonality";

fn default_poisson_ratio() -> f64 {
    0.3
}

/// Where a material gives none `[kg/m³]`.
pub const DEFAULT_DENSITY: f64 = 1000.0;

fn is_zero(x: &f64) -> bool {
    *x == 0.0
}

impl Material {
    /// Rubber-like, of a stiffness `[Pa]`, with a Poisson's ratio of 0.3 and the density of water.
    pub fn new(youngs_modulus: f64) -> Self {
        Self {
            name: String::new(),
            law: None,
            youngs_modulus,
            poisson_ratio: default_poisson_ratio(),
            density: None,
            thickness: None,
            areal_density: None,
            bending_modulus: None,
            damping_mass: 0.0,
            damping_stiffness: 0.0,
            damping_law: DampingLaw::default(),
            friction: None,
            restitution: None,
        }
    }

    /// What bodies of the scene call it.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// `neo-hookean`, `corotated`, `fixed-corotated`, `stvk`, `stable-neo-hookean`, or `orthogonality` of affine bodies.
    pub fn law(mut self, law: impl Into<String>) -> Self {
        self.law = Some(law.into());
        self
    }

    /// The law of a body of a kind that is made of it.
    pub fn law_of(&self, kind: BodyKind) -> &str {
        let default = if kind == BodyKind::Affine { ORTHOGONALITY } else { "neo-hookean" };
        self.law.as_deref().unwrap_or(default)
    }

    /// Below 0.5
    pub fn poisson_ratio(mut self, ratio: f64) -> Self {
        self.poisson_ratio = ratio;
        self
    }

    /// `[kg/m³]`
    pub fn density(mut self, density: f64) -> Self {
        self.density = Some(density);
        self
    }

    /// Of a shell: its thickness `[m]` and what it weighs `[kg/m²]`.
    pub fn sheet(mut self, thickness: f64, areal_density: f64) -> Self {
        (self.thickness, self.areal_density) = (Some(thickness), Some(areal_density));
        self
    }

    /// Of a shell: Young's modulus against bending `[Pa]`, 0 for none.
    pub fn bending_modulus(mut self, modulus: f64) -> Self {
        self.bending_modulus = Some(modulus);
        self
    }

    /// Damping of all motion `[1/s]` and of deformation `[s]`.
    pub fn damping(mut self, mass: f64, stiffness: f64) -> Self {
        (self.damping_mass, self.damping_stiffness) = (mass, stiffness);
        self
    }

    /// Coefficient of friction
    pub fn friction(mut self, coefficient: f64) -> Self {
        self.friction = Some(coefficient);
        self
    }

    /// Of its contacts, from 0 to 1.
    pub fn restitution(mut self, coefficient: f64) -> Self {
        self.restitution = Some(coefficient);
        self
    }
}

/// A material by its name in the scene, or itself.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum MaterialChoice {
    /// The name of a `[[material]]`, or of an everyday material
    Named(String),
    Inline(Box<Material>),
}

/// By hand, so that a wrong key inside the table is named.
impl<'de> Deserialize<'de> for MaterialChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameOrTable;

        impl<'de> Visitor<'de> for NameOrTable {
            type Value = MaterialChoice;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the name of a material, or a table with one")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Self::Value, E> {
                Ok(MaterialChoice::Named(name.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Self::Value, A::Error> {
                Material::deserialize(MapAccessDeserializer::new(table)).map(MaterialChoice::from)
            }
        }

        deserializer.deserialize_any(NameOrTable)
    }
}

impl From<&str> for MaterialChoice {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

impl From<Material> for MaterialChoice {
    fn from(material: Material) -> Self {
        Self::Inline(Box::new(material))
    }
}
