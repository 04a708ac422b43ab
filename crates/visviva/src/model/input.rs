//! What a model is made from: bodies at rest, obstacles, what is held, gravity and contact.

use super::affine_shape::AffineShape;
use super::contact_settings::ContactSettings;
use super::joints::JointInput;
use super::motion::Motion;
use crate::laws::membrane::Membrane;
use crate::laws::solid::Solid;
use crate::mesh::{TetMesh, TriMesh};
use nalgebra::Vector3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Everything a [`Model`](super::bodies::Model) is made from; by default nothing, without weight and contact.
#[derive(Debug, Clone, Default)]
pub struct ModelInput {
    pub bodies: Vec<BodyInput>,
    pub obstacles: Vec<ObstacleInput>,
    /// What is held or moved
    pub pins: Vec<PinInput>,
    /// Between affine bodies
    pub joints: Vec<JointInput>,
    /// `[m/s²]`
    pub gravity: Vector3<f64>,
    /// Where surfaces may touch
    pub contact: Option<ContactSettings>,
}

/// One body as it enters.
#[derive(Debug, Clone)]
pub struct BodyInput {
    pub name: String,
    pub matter: Matter,
    pub damping: Damping,
}

/// What a body is, at rest, in place `[m]`.
#[derive(Debug, Clone)]
pub enum Matter {
    Solid {
        mesh: TetMesh,
        solid: Solid,
        /// `[kg/m³]`
        density: f64,
    },
    Shell {
        mesh: TriMesh,
        /// Two triangles at an edge each, as [`crate::mesh::hinges`] finds them
        hinges: Vec<[u32; 4]>,
        membrane: Membrane,
        /// Against bending `[J]`; none where zero
        bending: f64,
        /// `[kg/m²]`
        areal_density: f64,
    },
    /// A stiff body of twelve coordinates
    Affine(Box<AffineShape>),
}

/// A surface without mass that stands still or moves by itself.
#[derive(Debug, Clone)]
pub struct ObstacleInput {
    pub name: String,
    /// In place at time zero `[m]`
    pub surface: TriMesh,
    /// Edges beside those of the triangles, by nodes of the surface
    pub wires: Vec<[u32; 2]>,
    pub motion: Motion,
}

/// How a body is damped.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Damping {
    /// Against all motion, as if in a fluid: −mass·m v `[1/s]`
    pub mass: f64,
    /// Against deformation: the time over which strains resist `[s]`
    pub stiffness: f64,
    pub law: DampingLaw,
}

/// How deformation is damped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DampingLaw {
    /// By the rate of strain: turning costs nothing
    #[default]
    Viscous,
    /// By the stiffness at the start of each step: −stiffness·∇²P_e(x_n) v, which brakes turning too
    Rayleigh,
}

impl Damping {
    /// Of a viscous body `[s]`
    pub fn viscous_time(&self) -> f64 {
        if self.law == DampingLaw::Viscous { self.stiffness } else { 0.0 }
    }

    /// Of the stiffness at the start of a step `[s]`
    pub fn rayleigh_time(&self) -> f64 {
        if self.law == DampingLaw::Rayleigh { self.stiffness } else { 0.0 }
    }
}

/// Nodes of bodies that move by themselves, all by one motion. No node may be in two of them.
#[derive(Debug, Clone)]
pub struct PinInput {
    pub nodes: Vec<PinnedNode>,
    pub motion: Motion,
}

/// A node of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PinnedNode {
    /// Its place among the input's bodies
    pub body: usize,
    /// Its place among the body's nodes
    pub node: usize,
    /// Where its motion starts `[m]`
    pub start: Vector3<f64>,
}
