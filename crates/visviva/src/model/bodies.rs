//! Bodies and obstacles in space, as one set of nodes, elements and surfaces: everything that does not change.
//!
//! Every degree of freedom is a node, a point; every vertex of a surface hangs on a node or, in an affine body, on four.

use super::affine_shape::AffineShape;
use super::attachment::Attachment;
use super::contact_settings::ContactSettings;
use super::elements::Elements;
use super::input::{BodyInput, Damping, Matter, ModelInput, ObstacleInput, PinInput, PinnedNode};
use super::joints::{JointError, ModelJoint};
use super::mass::{Mass, MassError};
use super::motion::Motion;
use crate::laws::bending::{DegenerateHinge, HingeShape};
use crate::laws::membrane::Membrane;
use crate::laws::solid::Solid;
use crate::laws::stencil::{ShellHinge, ShellTriangle, SolidTet};
use crate::laws::tetrahedron::{DegenerateTet, TetShape};
use crate::laws::triangle::{DegenerateTriangle, TriangleShape};
use crate::mesh::{TetMesh, TriMesh};
use nalgebra::{Matrix4, Vector3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A node that moves by itself.
#[derive(Debug, Clone)]
pub struct ModelPin {
    pub node: usize,
    /// Index into the motions
    pub motion: usize,
    /// Where its motion starts `[m]`
    pub start: Vector3<f64>,
}

/// What a body is: a solid of tets, a thin shell of triangles, or a stiff body with twelve coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BodyKind {
    #[default]
    Solid,
    Shell,
    Affine,
}

impl BodyKind {
    /// As scenes and run folders write it
    pub fn name(self) -> &'static str {
        match self {
            BodyKind::Solid => "solid",
            BodyKind::Shell => "shell",
            BodyKind::Affine => "affine",
        }
    }
}

/// One body of the model.
#[derive(Debug, Clone)]
pub struct ModelBody {
    pub name: String,
    pub kind: BodyKind,
    pub nodes: Range<usize>,
    pub tets: Range<usize>,
    pub vertices: Range<usize>,
    /// The outward surface, in vertices of all bodies
    pub triangles: Vec<[u32; 3]>,
    pub damping: Damping,
}

impl ModelBody {
    /// Its part of a vector on all nodes.
    pub fn part_of<'a>(&self, x: &'a [f64]) -> &'a [f64] {
        &x[3 * self.nodes.start..3 * self.nodes.end]
    }
}

/// One obstacle of the model.
#[derive(Debug, Clone)]
pub struct ModelObstacle {
    pub name: String,
    pub nodes: Range<usize>,
    pub vertices: Range<usize>,
    /// In vertices of all bodies and obstacles
    pub triangles: Vec<[u32; 3]>,
    /// Edges that belong to no triangle, likewise
    pub wires: Vec<[u32; 2]>,
}

/// All bodies of a scene, and its obstacles, whose nodes come after theirs.
#[derive(Debug, Clone)]
pub struct Model {
    pub bodies: Vec<ModelBody>,
    pub obstacles: Vec<ModelObstacle>,
    /// Rest positions of the nodes `[m]`
    pub rest: Vec<Vector3<f64>>,
    /// What is seen and touched, body by body: all nodes of solids, shells and obstacles, the surfaces of affine bodies
    pub vertices: Vec<Attachment>,
    /// Of solids; an affine body is one, spread over its volume
    pub tets: Elements<4, SolidTet>,
    pub membranes: Elements<3, ShellTriangle>,
    pub hinges: Elements<4, ShellHinge>,
    /// What gravity pulls at each node `[kg]`: a quarter of each tet; the row sums of an affine body's mass
    pub node_mass: Vec<f64>,
    pub mass: Mass,
    pub pins: Vec<ModelPin>,
    /// Between affine bodies; nodes of their own come last
    pub joints: Vec<ModelJoint>,
    pub motions: Vec<Motion>,
    /// `[m/s²]`
    pub gravity: Vector3<f64>,
    /// Where surfaces may touch
    pub contact: Option<ContactSettings>,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ModelError {
    #[error("body `{body}`: tet {tet}: {problem}")]
    Tet { body: String, tet: usize, problem: DegenerateTet },
    #[error("body `{body}`: {problem}")]
    Shell { body: String, problem: ShellError },
    #[error("body `{body}`: {problem}")]
    Mass { body: String, problem: MassError },
    #[error("a pin holds node {node} of body {body}, which has {count} nodes")]
    NoSuchNode { body: usize, node: usize, count: usize },
    #[error("joint {joint}: {problem}")]
    Joint { joint: usize, problem: JointError },
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ShellError {
    #[error("triangle {triangle}: {problem}")]
    Triangle { triangle: usize, problem: DegenerateTriangle },
    #[error("edge {} to {}: {problem}", edge[0], edge[1])]
    Hinge { edge: [u32; 2], problem: DegenerateHinge },
}

impl Model {
    /// Puts bodies and obstacles into one numbering of nodes, bodies first.
    pub fn new(input: ModelInput) -> Result<Self, ModelError> {
        let mut all = Self {
            bodies: Vec::new(),
            obstacles: Vec::new(),
            rest: Vec::new(),
            vertices: Vec::new(),
            tets: Elements::default(),
            membranes: Elements::default(),
            hinges: Elements::default(),
            node_mass: Vec::new(),
            mass: Mass::lumped(3, Vec::new()).expect("no mass is wrong where there is none"),
            pins: Vec::new(),
            joints: Vec::new(),
            motions: Vec::new(),
            gravity: input.gravity,
            contact: input.contact,
        };
        let mut blocks = Vec::new();
        for body in input.bodies {
            all.add(body, &mut blocks)?;
        }
        for pin in input.pins {
            all.add_pin(pin)?;
        }
        all.pins.sort_by_key(|pin| pin.node);
        for obstacle in input.obstacles {
            all.add_obstacle(obstacle);
        }
        for (joint, input) in input.joints.into_iter().enumerate() {
            all.add_joint(input).map_err(|problem| ModelError::Joint { joint, problem })?;
        }
        let pinned = all.pins.iter().map(|pin| pin.node).collect();
        all.mass = Mass::new(3, all.node_mass.clone(), blocks, pinned).map_err(|problem| {
            let node = match problem {
                MassError::NotPositive { node, .. } => node,
                MassError::BlockNotPositiveDefinite { first_node } => first_node,
            };
            let body = all.bodies.iter().find(|b| b.nodes.contains(&node)).map_or(String::new(), |b| b.name.clone());
            ModelError::Mass { body, problem }
        })?;
        Ok(all)
    }

    fn add(&mut self, input: BodyInput, blocks: &mut Vec<(usize, Matrix4<f64>)>) -> Result<(), ModelError> {
        let (first_node, first_tet, first_vertex) = (self.rest.len(), self.tets.len(), self.vertices.len());
        let (kind, triangles) = match input.matter {
            Matter::Solid { mesh, solid, density } => {
                self.add_tets(&mesh, solid, density).map_err(|(tet, problem)| ModelError::Tet {
                    body: input.name.clone(),
                    tet,
                    problem,
                })?;
                (BodyKind::Solid, mesh.boundary().triangles)
            }
            Matter::Shell { mesh, hinges, membrane, bending, areal_density } => {
                let fail = |problem| ModelError::Shell { body: input.name.clone(), problem };
                self.add_shell(&mesh, membrane, areal_density).map_err(fail)?;
                if bending > 0.0 {
                    self.add_hinges(&mesh, &hinges, bending).map_err(fail)?;
                }
                (BodyKind::Shell, mesh.triangles)
            }
            Matter::Affine(shape) => {
                blocks.push((first_node, shape.mass));
                self.add_affine(&shape);
                (BodyKind::Affine, shape.triangles)
            }
        };
        let offset = |triangle: [u32; 3]| triangle.map(|vertex| vertex + first_vertex as u32);
        self.bodies.push(ModelBody {
            name: input.name,
            kind,
            nodes: first_node..self.rest.len(),
            tets: first_tet..self.tets.len(),
            vertices: first_vertex..self.vertices.len(),
            triangles: triangles.into_iter().map(offset).collect(),
            damping: input.damping,
        });
        Ok(())
    }

    /// Nodes that are vertices as well.
    fn add_nodes(&mut self, positions: &[Vector3<f64>]) {
        let first = self.rest.len() as u32;
        self.rest.extend_from_slice(positions);
        self.vertices.extend((first..self.rest.len() as u32).map(Attachment::Node));
        self.node_mass.resize(self.rest.len(), 0.0);
    }

    fn add_tets(&mut self, mesh: &TetMesh, solid: Solid, density: f64) -> Result<(), (usize, DegenerateTet)> {
        let (first, body) = (self.rest.len() as u32, self.bodies.len() as u32);
        self.add_nodes(&mesh.positions);
        for (tet, nodes) in mesh.tets.iter().enumerate() {
            let shape = TetShape::from_rest(mesh.corners(tet)).map_err(|problem| (tet, problem))?;
            let nodes = nodes.map(|node| node + first);
            for node in nodes {
                self.node_mass[node as usize] += 0.25 * density * shape.volume();
            }
            self.tets.push(nodes, SolidTet::new(shape, solid), body);
        }
        Ok(())
    }

    fn add_shell(&mut self, mesh: &TriMesh, membrane: Membrane, areal_density: f64) -> Result<(), ShellError> {
        let (first, body) = (self.rest.len() as u32, self.bodies.len() as u32);
        self.add_nodes(&mesh.positions);
        for (triangle, nodes) in mesh.triangles.iter().enumerate() {
            let shape = TriangleShape::from_rest(mesh.corners(triangle))
                .map_err(|problem| ShellError::Triangle { triangle, problem })?;
            let nodes = nodes.map(|node| node + first);
            for node in nodes {
                self.node_mass[node as usize] += areal_density * shape.area() / 3.0;
            }
            self.membranes.push(nodes, ShellTriangle { shape, membrane }, body);
        }
        Ok(())
    }

    /// Of the shell added last.
    fn add_hinges(&mut self, mesh: &TriMesh, hinges: &[[u32; 4]], stiffness: f64) -> Result<(), ShellError> {
        let (first, body) = ((self.rest.len() - mesh.positions.len()) as u32, self.bodies.len() as u32);
        for &nodes in hinges {
            let shape = HingeShape::from_rest(nodes.map(|node| mesh.positions[node as usize]))
                .map_err(|problem| ShellError::Hinge { edge: [nodes[0], nodes[1]], problem })?;
            self.hinges.push(nodes.map(|node| node + first), ShellHinge { shape, stiffness }, body);
        }
        Ok(())
    }

    fn add_affine(&mut self, shape: &AffineShape) {
        let first = self.rest.len() as u32;
        self.rest.extend_from_slice(&shape.frame);
        self.node_mass.extend((0..4).map(|i| shape.mass.row(i).sum()));
        self.vertices.extend(shape.weights.iter().map(|&weights| Attachment::Affine { first, weights }));
        self.tets.push([first, first + 1, first + 2, first + 3], shape.law, self.bodies.len() as u32);
    }

    fn add_pin(&mut self, input: PinInput) -> Result<(), ModelError> {
        for PinnedNode { body, node, start } in input.nodes {
            let nodes = self.bodies.get(body).map_or(0..0, |body| body.nodes.clone());
            if node >= nodes.len() {
                return Err(ModelError::NoSuchNode { body, node, count: nodes.len() });
            }
            self.pins.push(ModelPin { node: nodes.start + node, motion: self.motions.len(), start });
        }
        self.motions.push(input.motion);
        Ok(())
    }

    fn add_obstacle(&mut self, input: ObstacleInput) {
        let (first, first_vertex) = (self.rest.len(), self.vertices.len());
        let pin = |(i, &start): (usize, &Vector3<f64>)| ModelPin { node: first + i, motion: self.motions.len(), start };
        self.pins.extend(input.surface.positions.iter().enumerate().map(pin));
        self.motions.push(input.motion);
        self.add_nodes(&input.surface.positions);
        let offset = |triangle: [u32; 3]| triangle.map(|vertex| vertex + first_vertex as u32);
        self.obstacles.push(ModelObstacle {
            name: input.name,
            nodes: first..self.rest.len(),
            vertices: first_vertex..self.vertices.len(),
            triangles: input.surface.triangles.into_iter().map(offset).collect(),
            wires: input.wires.into_iter().map(|ends| ends.map(|vertex| vertex + first_vertex as u32)).collect(),
        });
    }

    /// Name and triangles of all surfaces: bodies, then obstacles.
    pub fn surfaces(&self) -> impl Iterator<Item = (&str, &[[u32; 3]])> {
        let bodies = self.bodies.iter().map(|body| (body.name.as_str(), body.triangles.as_slice()));
        bodies.chain(self.obstacles.iter().map(|obstacle| (obstacle.name.as_str(), obstacle.triangles.as_slice())))
    }

    /// Edges of a surface that belong to no triangle, in vertices of all bodies and obstacles
    pub fn wires(&self, surface: usize) -> &[[u32; 2]] {
        let obstacle = surface.checked_sub(self.bodies.len()).and_then(|index| self.obstacles.get(index));
        obstacle.map_or(&[], |obstacle| &obstacle.wires)
    }

    pub fn surface_name(&self, surface: u32) -> &str {
        self.surfaces().nth(surface as usize).map_or("", |(name, _)| name)
    }

    pub fn node_count(&self) -> usize {
        self.rest.len()
    }

    /// Where the vertices are, or how fast, from flat coordinates of the nodes.
    pub fn at_vertices(&self, x: &[f64]) -> Vec<Vector3<f64>> {
        self.vertices.iter().map(|vertex| vertex.of(x)).collect()
    }

    /// Nodes and body of every element, in the order of the solver's buffers: tets, membranes, hinges.
    pub fn stencils(&self) -> impl Iterator<Item = (&[u32], u32)> {
        fn of<const N: usize, E>(elements: &Elements<N, E>) -> impl Iterator<Item = (&[u32], u32)> {
            elements.nodes.iter().map(|nodes| nodes.as_slice()).zip(elements.body.iter().copied())
        }
        of(&self.tets).chain(of(&self.membranes)).chain(of(&self.hinges))
    }

    /// How many nodes and how many Hessian blocks all elements have together.
    pub fn stencil_sizes(&self) -> (usize, usize) {
        let (tets, membranes, hinges) = (self.tets.len(), self.membranes.len(), self.hinges.len());
        (4 * tets + 3 * membranes + 4 * hinges, 10 * tets + 6 * membranes + 10 * hinges)
    }

    /// Linear momentum `[kg m/s]` and angular momentum about the origin `[kg m²/s]` of the free nodes.
    pub fn momenta(&self, x: &[f64], v: &[f64]) -> (Vector3<f64>, Vector3<f64>) {
        let mut momentum = vec![0.0; v.len()];
        self.mass.weigh(v, &mut momentum);
        let mut momenta = (Vector3::zeros(), Vector3::zeros());
        for node in 0..self.node_count() {
            let p = node_of(&momentum, node);
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
