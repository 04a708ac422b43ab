//! Energies, losses, work and momenta of one body, or of a group of bodies: parts that add up to the whole.

use super::bodies::{Model, node_of};
use super::energies::Energies;
use super::rigid_motion::{MotionEnergy, RigidMotion, Weighed};
use nalgebra::Vector3;

/// What a step took and gave, by cause `[J]`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Exchange {
    pub friction_loss: f64,
    pub contact_loss: f64,
    pub damping_loss: f64,
    /// Put in by what moves by itself
    pub work: f64,
}

impl Exchange {
    pub fn loss(&self) -> f64 {
        self.friction_loss + self.contact_loss + self.damping_loss
    }
}

/// One body's share, or a group's.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Part {
    /// `[J]`
    pub kinetic: f64,
    /// Where that is `[J]`
    pub motion: MotionEnergy,
    /// By term `[J]`; what two bodies share belongs to each by half, what a body shares with an obstacle is the body's
    pub potential: Energies,
    /// Of the step before; shared likewise
    pub exchange: Exchange,
    /// `[kg m/s]`
    pub momentum: Vector3<f64>,
    /// About the origin `[kg m²/s]`
    pub angular_momentum: Vector3<f64>,
}

impl std::ops::AddAssign for Exchange {
    fn add_assign(&mut self, other: Exchange) {
        self.friction_loss += other.friction_loss;
        self.contact_loss += other.contact_loss;
        self.damping_loss += other.damping_loss;
        self.work += other.work;
    }
}

impl std::ops::AddAssign<&Part> for Part {
    fn add_assign(&mut self, other: &Part) {
        self.kinetic += other.kinetic;
        self.motion += other.motion;
        self.potential.add(&other.potential);
        self.exchange += other.exchange;
        self.momentum += other.momentum;
        self.angular_momentum += other.angular_momentum;
    }
}

impl<'a> std::iter::Sum<&'a Part> for Part {
    fn sum<I: Iterator<Item = &'a Part>>(parts: I) -> Self {
        parts.fold(Self::default(), |mut sum, part| {
            sum += part;
            sum
        })
    }
}

impl Part {
    /// H `[J]`
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential.total()
    }

    /// The parts of groups of bodies: `group_of` says which each body belongs to.
    pub fn grouped(bodies: &[Part], group_of: &[usize]) -> Vec<Part> {
        let mut groups = vec![Part::default(); group_of.iter().max().map_or(0, |last| last + 1)];
        bodies.iter().zip(group_of).for_each(|(part, &group)| groups[group] += part);
        groups
    }
}

impl Model {
    /// Kinetic energy and momenta of each body.
    pub fn motion_by_body(&self, x: &[f64], v: &[f64]) -> Vec<Part> {
        let (mut momentum, mut moment) = (vec![0.0; v.len()], vec![0.0; x.len()]);
        self.mass.weigh(v, &mut momentum);
        self.mass.weigh(x, &mut moment);
        let masses = self.mass.of_nodes();
        let [places, velocities] =
            [(x, &moment), (v, &momentum)].map(|(plain, times_mass)| Weighed { plain, times_mass });
        let of_body = |nodes: std::ops::Range<usize>| {
            let kinetic = 0.5 * self.mass.inner_of(&nodes, v, v);
            let mut part = nodes.clone().fold(Part { kinetic, ..Part::default() }, |mut part, node| {
                let p = node_of(&momentum, node);
                part.momentum += p;
                part.angular_momentum += node_of(x, node).cross(&p);
                part
            });
            part.motion = RigidMotion::of(nodes, &masses, places, velocities, None).energy(part.kinetic);
            part
        };
        self.bodies.iter().map(|body| of_body(body.nodes.clone())).collect()
    }

    /// The body that a node belongs to; none for an obstacle's.
    pub fn body_of_node(&self, node: usize) -> Option<usize> {
        let at = self.bodies.partition_point(|body| body.nodes.end <= node);
        self.bodies.get(at).filter(|body| body.nodes.contains(&node)).map(|_| at)
    }
}
