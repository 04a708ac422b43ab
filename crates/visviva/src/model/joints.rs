//! Joints between affine bodies, or between one and what stands or moves by itself, as ties of two frames.
//!
//! World and obstacles take part as frames of four nodes without mass that move by themselves, and a motor as one more such node, its
//! dial, at (cos θ, sin θ, 0) or (s, 0, 0): whatever knows pins knows them, and the work they do is that of pins.
//!
//! A stiff spring and not a multiplier: it joins the potential, so that every integrator, every target and the books know it as
//! they are; what several joints of a loop ask twice does no harm, where a KKT system would be singular; and there is nothing to
//! remember from step to step. The price is a gap F/k, nanometres with the stiffness that scenes choose.

use super::attachment::Attachment;
use super::bodies::{BodyKind, Model, ModelPin};
use super::motion::Motion;
use crate::laws::drive::Drive;
use crate::laws::joint::{DIAL, Points, Tie};
use nalgebra::{Matrix3, Unit, Vector3};

/// Which motion a joint leaves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JointKind {
    /// Turns about a point
    Ball,
    /// Turns about an axis
    Hinge(Unit<Vector3<f64>>),
    /// Slides along an axis and does not turn
    Slider(Unit<Vector3<f64>>),
    /// None
    Fixed,
}

/// What a joint is fastened to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    Body(usize),
    Obstacle(usize),
    World,
}

/// What drives a hinge or a slider.
#[derive(Debug, Clone)]
pub enum MotorInput {
    /// By itself, whatever it takes: the motion of the dial
    Prescribed(Motion),
    /// Towards a speed `[rad/s, m/s]` with so much at most `[N m, N]`
    Limited { speed: f64, most: f64 },
}

/// A joint as it enters; everything is at rest in its place.
#[derive(Debug, Clone)]
pub struct JointInput {
    pub kind: JointKind,
    /// The body that moves
    pub body: usize,
    /// … with respect to this
    pub holder: Holder,
    /// `[m]`
    pub at: Vector3<f64>,
    /// k `[N/m]`
    pub stiffness: f64,
    pub motor: Option<MotorInput>,
    /// Whether the two may touch each other
    pub contact: bool,
}

/// One joint of the model.
#[derive(Debug, Clone)]
pub struct ModelJoint {
    pub kind: JointKind,
    pub body: usize,
    pub holder: Holder,
    /// Where it is at rest `[m]`
    pub at: Vector3<f64>,
    /// The first node of each frame
    frames: [u32; 2],
    dial: Option<u32>,
    pub ties: Vec<Tie>,
    /// k `[N/m]`
    pub stiffness: f64,
    /// Of a motor of limited strength
    pub drive: Option<Drive>,
    /// Whether the two may touch each other
    pub contact: bool,
}

impl ModelJoint {
    /// The bodies it joins; one where the other side is the world or an obstacle
    pub fn bodies(&self) -> [Option<usize>; 2] {
        let other = if let Holder::Body(other) = self.holder { Some(other) } else { None };
        [Some(self.body), other]
    }

    /// The node of a motor that is prescribed
    pub fn dial(&self) -> Option<usize> {
        self.dial.map(|node| node as usize)
    }

    /// Of both frames
    pub fn nodes(&self) -> [u32; DIAL] {
        std::array::from_fn(|i| self.frames[i / 4] + i as u32 % 4)
    }

    /// Nodes of its own, that move by themselves: a frame that is no body's, and the dial
    pub fn own_nodes(&self) -> impl Iterator<Item = usize> + use<> {
        let frame = if let Holder::Body(_) = self.holder { 0..0 } else { self.frames[1]..self.frames[1] + 4 };
        frame.chain(self.dial).map(|node| node as usize)
    }

    /// What it looks at of a field on nodes in flat coordinates
    pub fn points(&self, x: &[f64]) -> Points {
        let nodes = self.nodes();
        std::array::from_fn(|i| match (nodes.get(i), self.dial) {
            (Some(&node), _) | (None, Some(node)) => Attachment::Node(node).of(x),
            (None, None) => Vector3::zeros(),
        })
    }

    /// g ← g + a field on its points
    pub fn scatter(&self, field: &Points, g: &mut [f64]) {
        let nodes = self.nodes().into_iter().chain(self.dial);
        nodes.zip(field).for_each(|(node, force)| Attachment::Node(node).add_force(force, g));
    }

    /// How far it is from being met: the longest c `[m]`
    pub fn gap(&self, x: &[f64]) -> f64 {
        let points = self.points(x);
        let values = self.ties.iter().flat_map(|tie| tie.equations(&points)).map(|equation| equation.value.abs());
        values.fold(0.0, f64::max)
    }
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum JointError {
    #[error("there is no body {0} to be joined")]
    NoSuchBody(usize),
    #[error("body `{0}` is not affine: joints hold stiff bodies; say kind = \"affine\"")]
    NotAffine(String),
    #[error("there is no obstacle {0} to be joined to")]
    NoSuchObstacle(usize),
    #[error("it joins `{0}` to itself")]
    WithItself(String),
    #[error("a motor turns a hinge or moves a slider; this joint is neither")]
    NothingToDrive,
}

/// Four points, of which the last three span directions from the first `[m]`
type Frame = [Vector3<f64>; 4];

/// Weights of a point in a frame
fn point(frame: &Frame, at: Vector3<f64>) -> [f64; 4] {
    let mut weights = direction(frame, at - frame[0]);
    weights[0] += 1.0;
    weights
}

/// Weights of a direction in a frame
fn direction(frame: &Frame, along: Vector3<f64>) -> [f64; 4] {
    let spokes = Matrix3::from_columns(&[1, 2, 3].map(|i| frame[i] - frame[0]));
    let w = spokes.lu().solve(&along).unwrap_or_default();
    [-w.sum(), w.x, w.y, w.z]
}

/// Two directions at right angles to an axis and to each other, right-handed with it.
pub fn across(axis: &Unit<Vector3<f64>>) -> [Vector3<f64>; 2] {
    let first = axis.cross(&Vector3::ith(axis.iamin(), 1.0)).normalize();
    [first, axis.cross(&first)]
}

impl JointKind {
    /// `width` `[m]` is how far apart its points lie, which gives it its stiffness against turning.
    fn ties(&self, frames: &[Frame; 2], at: Vector3<f64>, width: f64) -> Vec<Tie> {
        let [mine, other] = frames;
        let meet = |at: Vector3<f64>| Tie::meet(point(mine, at), point(other, at));
        let keep = |at: Vector3<f64>, normal: Vector3<f64>| Tie::Keep {
            first: point(mine, at),
            second: point(other, at),
            normal: direction(other, normal),
        };
        match self {
            Self::Ball => vec![meet(at)],
            Self::Hinge(axis) => [width, -width].map(|along| meet(at + along * axis.as_ref())).to_vec(),
            Self::Slider(axis) => {
                let sides = across(axis);
                let ends = [width, -width].map(|along| at + along * axis.as_ref());
                let straight = ends.into_iter().flat_map(|end| sides.map(|side| keep(end, side)));
                straight.chain([keep(at + width * sides[0], sides[1])]).collect()
            }
            Self::Fixed => {
                let spokes = [0, 1, 2].map(|c| at + width * Vector3::ith(c, 1.0));
                [at].into_iter().chain(spokes).map(meet).collect()
            }
        }
    }

    /// What the dial ties, and where it stands at rest.
    fn dialled(&self, frames: &[Frame; 2], at: Vector3<f64>, width: f64) -> Option<(Tie, Vector3<f64>)> {
        let [mine, other] = frames;
        match self {
            Self::Hinge(axis) => {
                let [first, second] = across(axis).map(|side| width * side);
                let second = [point(other, at), direction(other, first), direction(other, second)];
                Some((Tie::Meet { first: point(mine, at + first), second }, Vector3::x()))
            }
            Self::Slider(axis) => {
                let second = [point(other, at), direction(other, **axis), [0.0; 4]];
                Some((Tie::Meet { first: point(mine, at), second }, Vector3::zeros()))
            }
            Self::Ball | Self::Fixed => None,
        }
    }

    fn drive(&self, frames: &[Frame; 2], at: Vector3<f64>, speed: f64, most: f64) -> Option<Drive> {
        let [mine, other] = frames;
        match self {
            Self::Hinge(axis) => {
                let sides = across(axis);
                let [first, second] = sides.map(|side| direction(other, side));
                Some(Drive::turning(direction(mine, sides[0]), [first, second], speed, most))
            }
            Self::Slider(axis) => {
                Some(Drive::sliding(point(mine, at), point(other, at), direction(other, **axis), speed, most))
            }
            Self::Ball | Self::Fixed => None,
        }
    }
}

impl Model {
    /// Adds a joint and the nodes of its own that it needs; bodies and obstacles are there.
    pub(super) fn add_joint(&mut self, input: JointInput) -> Result<(), JointError> {
        let JointInput { kind, body, holder, at, stiffness, motor, contact } = input;
        let first = self.affine_frame(body)?;
        let width = (self.rest[first as usize + 1] - self.rest[first as usize]).norm();
        let motion = match holder {
            Holder::Body(other) if other == body => {
                return Err(JointError::WithItself(self.bodies[body].name.clone()));
            }
            Holder::Body(_) => None,
            Holder::World => Some(Motion::FIXED),
            Holder::Obstacle(index) => {
                let obstacle = self.obstacles.get(index).ok_or(JointError::NoSuchObstacle(index))?;
                // All nodes of an obstacle have its one motion.
                let pin = self.pins.iter().find(|pin| obstacle.nodes.contains(&pin.node));
                Some(pin.map_or(Motion::FIXED, |pin| self.motions[pin.motion].clone()))
            }
        };
        let second = match (holder, motion) {
            (Holder::Body(other), _) => self.affine_frame(other)?,
            (_, motion) => {
                let spokes = [0, 1, 2].map(|c| at + width * Vector3::ith(c, 1.0));
                self.add_own_nodes(&[at, spokes[0], spokes[1], spokes[2]], motion.unwrap_or(Motion::FIXED))
            }
        };
        let frame = |first: u32| std::array::from_fn(|i| self.rest[first as usize + i]);
        let frames = [frame(first), frame(second)];
        let mut ties = kind.ties(&frames, at, width);
        let (mut dial, mut drive) = (None, None);
        match motor {
            Some(MotorInput::Prescribed(motion)) => {
                let (tie, start) = kind.dialled(&frames, at, width).ok_or(JointError::NothingToDrive)?;
                ties.push(tie);
                dial = Some(self.add_own_nodes(&[start], motion));
            }
            Some(MotorInput::Limited { speed, most }) => {
                drive = Some(kind.drive(&frames, at, speed, most).ok_or(JointError::NothingToDrive)?);
            }
            None => {}
        }
        let frames = [first, second];
        self.joints.push(ModelJoint { kind, body, holder, at, frames, dial, ties, stiffness, drive, contact });
        Ok(())
    }

    /// The first node of a stiff body.
    fn affine_frame(&self, body: usize) -> Result<u32, JointError> {
        let of = self.bodies.get(body).ok_or(JointError::NoSuchBody(body))?;
        match of.kind {
            BodyKind::Affine => Ok(of.nodes.start as u32),
            _ => Err(JointError::NotAffine(of.name.clone())),
        }
    }

    /// Nodes without mass that move by themselves; returns the first.
    fn add_own_nodes(&mut self, places: &[Vector3<f64>], motion: Motion) -> u32 {
        let first = self.rest.len();
        let pin = |(i, &start): (usize, &Vector3<f64>)| ModelPin { node: first + i, motion: self.motions.len(), start };
        self.pins.extend(places.iter().enumerate().map(pin));
        self.motions.push(motion);
        self.rest.extend_from_slice(places);
        self.node_mass.resize(self.rest.len(), 0.0);
        first as u32
    }

    /// Pairs of bodies that joints join.
    pub fn joined_bodies(&self) -> impl Iterator<Item = [usize; 2]> {
        self.joints.iter().filter_map(|joint| match joint.holder {
            Holder::Body(other) => Some([joint.body, other]),
            Holder::Obstacle(_) | Holder::World => None,
        })
    }

    /// Whether any joint holds a body
    pub fn is_jointed(&self, body: usize) -> bool {
        self.joints.iter().any(|joint| joint.bodies().contains(&Some(body)))
    }

    /// Surfaces of bodies and obstacles, counted one after the other, that a joint keeps from touching each other
    pub fn untouching_surfaces(&self) -> impl Iterator<Item = [usize; 2]> {
        self.joints.iter().filter(|joint| !joint.contact).filter_map(|joint| match joint.holder {
            Holder::Body(other) => Some([joint.body, other]),
            Holder::Obstacle(obstacle) => Some([joint.body, self.bodies.len() + obstacle]),
            Holder::World => None,
        })
    }
}
