//! Elastic bodies and obstacles in space, as one set of nodes, tetrahedra and surfaces: everything that does not change.

use super::contact_settings::ContactSettings;
use super::mass::{Mass, MassError};
use super::motion::Motion;
use crate::laws::solid::Solid;
use crate::laws::tetrahedron::{DegenerateTet, TetShape};
use crate::mesh::{TetMesh, TriMesh};
use nalgebra::Vector3;
use std::ops::Range;

/// One body as it enters.
#[derive(Debug, Clone)]
pub struct BodyInput {
    pub name: String,
    /// At rest, in place [m]
    pub mesh: TetMesh,
    pub solid: Solid,
    /// [kg/m³]
    pub density: f64,
    pub damping: Rayleigh,
}

/// A surface without mass that stands still or moves by itself.
#[derive(Debug, Clone)]
pub struct ObstacleInput {
    pub name: String,
    /// In place at time zero [m]
    pub surface: TriMesh,
    pub motion: Motion,
}

/// Rayleigh damping: −(mass·m + stiffness·∇²P_e(x_n)) v.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rayleigh {
    /// [1/s]
    pub mass: f64,
    /// [s]
    pub stiffness: f64,
}

impl Rayleigh {
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// A node that moves by itself.
#[derive(Debug, Clone)]
pub struct Pin {
    pub node: usize,
    /// Index into the motions
    pub motion: usize,
    /// Where its motion starts [m]
    pub start: Vector3<f64>,
}

#[derive(Debug, Clone)]
pub struct Body {
    pub name: String,
    pub nodes: Range<usize>,
    pub tets: Range<usize>,
    /// The outward surface, in nodes of all bodies
    pub triangles: Vec<[u32; 3]>,
    pub solid: Solid,
    pub damping: Rayleigh,
}

#[derive(Debug, Clone)]
pub struct Obstacle {
    pub name: String,
    pub nodes: Range<usize>,
    pub triangles: Vec<[u32; 3]>,
}

/// All bodies of a scene, and its obstacles, whose nodes come after theirs.
#[derive(Debug, Clone)]
pub struct Bodies {
    pub bodies: Vec<Body>,
    pub obstacles: Vec<Obstacle>,
    /// Rest positions [m]
    pub rest: Vec<Vector3<f64>>,
    pub tets: Vec<[u32; 4]>,
    pub shapes: Vec<TetShape>,
    /// Body of each tet
    pub body_of_tet: Vec<u32>,
    /// Lumped: a quarter of each tet [kg]
    pub node_mass: Vec<f64>,
    pub mass: Mass,
    pub pins: Vec<Pin>,
    pub motions: Vec<Motion>,
    /// [m/s²]
    pub gravity: Vector3<f64>,
    /// Where surfaces may touch
    pub contact: Option<ContactSettings>,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BodiesError {
    #[error("body `{body}`: tet {tet}: {problem}")]
    Tet { body: String, tet: usize, problem: DegenerateTet },
    #[error("body `{body}`: {problem}")]
    Mass { body: String, problem: MassError },
}

impl Bodies {
    /// Bodies that do not touch; nodes of pins are counted over all bodies in order.
    pub fn new(
        inputs: Vec<BodyInput>,
        pins: Vec<Pin>,
        motions: Vec<Motion>,
        gravity: Vector3<f64>,
    ) -> Result<Self, BodiesError> {
        Self::with_contact(inputs, Vec::new(), pins, motions, gravity, None)
    }

    /// Bodies among obstacles.
    pub fn with_contact(
        inputs: Vec<BodyInput>,
        obstacles: Vec<ObstacleInput>,
        pins: Vec<Pin>,
        motions: Vec<Motion>,
        gravity: Vector3<f64>,
        contact: Option<ContactSettings>,
    ) -> Result<Self, BodiesError> {
        let mut all = Self {
            bodies: Vec::new(),
            obstacles: Vec::new(),
            rest: Vec::new(),
            tets: Vec::new(),
            shapes: Vec::new(),
            body_of_tet: Vec::new(),
            node_mass: Vec::new(),
            mass: Mass::lumped(3, Vec::new()).expect("no mass is wrong where there is none"),
            pins,
            motions,
            gravity,
            contact,
        };
        for input in inputs {
            all.add(input)?;
        }
        for obstacle in obstacles {
            all.add_obstacle(obstacle);
        }
        let pinned = all.pins.iter().map(|pin| pin.node).collect();
        all.mass = Mass::new(3, all.node_mass.clone(), Vec::new(), pinned).map_err(|problem| {
            let node = if let MassError::NotPositive { node, .. } = problem { node } else { 0 };
            let body = all.bodies.iter().find(|b| b.nodes.contains(&node)).map_or(String::new(), |b| b.name.clone());
            BodiesError::Mass { body, problem }
        })?;
        Ok(all)
    }

    fn add(&mut self, input: BodyInput) -> Result<(), BodiesError> {
        let (first_node, first_tet) = (self.rest.len(), self.tets.len());
        self.rest.extend_from_slice(&input.mesh.positions);
        self.node_mass.resize(self.rest.len(), 0.0);
        for (tet, nodes) in input.mesh.tets.iter().enumerate() {
            let shape = TetShape::from_rest(input.mesh.corners(tet)).map_err(|problem| BodiesError::Tet {
                body: input.name.clone(),
                tet,
                problem,
            })?;
            let nodes = nodes.map(|node| node + first_node as u32);
            for node in nodes {
                self.node_mass[node as usize] += 0.25 * input.density * shape.volume();
            }
            self.tets.push(nodes);
            self.shapes.push(shape);
            self.body_of_tet.push(self.bodies.len() as u32);
        }
        let offset = |triangle: [u32; 3]| triangle.map(|node| node + first_node as u32);
        self.bodies.push(Body {
            triangles: input.mesh.boundary().triangles.into_iter().map(offset).collect(),
            name: input.name,
            nodes: first_node..self.rest.len(),
            tets: first_tet..self.tets.len(),
            solid: input.solid,
            damping: input.damping,
        });
        Ok(())
    }

    fn add_obstacle(&mut self, input: ObstacleInput) {
        let first = self.rest.len();
        let pin = |(i, &start): (usize, &Vector3<f64>)| Pin { node: first + i, motion: self.motions.len(), start };
        self.pins.extend(input.surface.positions.iter().enumerate().map(pin));
        self.motions.push(input.motion);
        self.rest.extend_from_slice(&input.surface.positions);
        self.node_mass.resize(self.rest.len(), 0.0);
        let offset = |triangle: [u32; 3]| triangle.map(|node| node + first as u32);
        self.obstacles.push(Obstacle {
            name: input.name,
            nodes: first..self.rest.len(),
            triangles: input.surface.triangles.into_iter().map(offset).collect(),
        });
    }

    /// Name and triangles of all surfaces: bodies, then obstacles.
    pub fn surfaces(&self) -> impl Iterator<Item = (&str, &[[u32; 3]])> {
        let bodies = self.bodies.iter().map(|body| (body.name.as_str(), body.triangles.as_slice()));
        bodies.chain(self.obstacles.iter().map(|obstacle| (obstacle.name.as_str(), obstacle.triangles.as_slice())))
    }

    pub fn surface_name(&self, surface: u32) -> &str {
        self.surfaces().nth(surface as usize).map_or("", |(name, _)| name)
    }

    pub fn node_count(&self) -> usize {
        self.rest.len()
    }

    pub fn solid_of(&self, tet: usize) -> &Solid {
        &self.bodies[self.body_of_tet[tet] as usize].solid
    }

    /// Corners of a tet in the flat coordinates x.
    pub fn corners(&self, tet: usize, x: &[f64]) -> [Vector3<f64>; 4] {
        self.tets[tet].map(|node| node_of(x, node as usize))
    }

    /// Linear momentum [kg m/s] and angular momentum about the origin [kg m²/s] of the free nodes.
    pub fn momenta(&self, x: &[f64], v: &[f64]) -> (Vector3<f64>, Vector3<f64>) {
        let mut momenta = (Vector3::zeros(), Vector3::zeros());
        for node in (0..self.node_count()).filter(|&node| !self.mass.is_pinned(node)) {
            let p = self.node_mass[node] * node_of(v, node);
            momenta.0 += p;
            momenta.1 += node_of(x, node).cross(&p);
        }
        momenta
    }
}

/// The 3-vector of a node in flat coordinates.
pub fn node_of(x: &[f64], node: usize) -> Vector3<f64> {
    Vector3::new(x[3 * node], x[3 * node + 1], x[3 * node + 2])
}

/// Flat coordinates of a list of points.
pub fn flatten(points: &[Vector3<f64>]) -> Vec<f64> {
    points.iter().flat_map(|p| [p.x, p.y, p.z]).collect()
}
