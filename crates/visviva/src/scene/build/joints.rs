//! From joint settings to joints of the model: whom they mean, how stiff they are, and how fast their bodies start.

use super::BuildError;
use super::pins::{Placed, motion};
use crate::model::bodies::Model;
use crate::model::motion::Motion;
use crate::model::{BodyInput, Holder, JointInput, JointKind, Matter, MotorInput, ObstacleInput};
use crate::readable::did_you_mean;
use crate::scene::{Joint, JointAxis, JointMotion, Motor, Scene};
use nalgebra::{Unit, Vector3};

/// k in masses of the whole scene's joined bodies over h²: an acceleration a opens a joint by a h² divided by this, 3e-9 m at 10 m/s²
/// and 1/60 s, and the matrix keeps half of its digits.
const STIFFNESS: f64 = 1e6;
/// A motor with a speed turns on for as long as any run `[s]`.
const FOREVER: f64 = 1e6;
/// Start velocities that joints change by more than this part of their energy are told.
const NOTICED: f64 = 1e-6;
/// A motor that joints hold back by more than this part of its rate cannot move.
const REFUSED: f64 = 1e-3;
/// Of a step: over so little a motor's way is straight.
const MOMENT: f64 = 1e-6;
/// Larger linkages start as they are given: how they can move is found by dense algebra.
const MOST_BODIES: usize = 150;

impl Scene {
    pub(super) fn build_joints(
        &self,
        placed: &[Placed],
        bodies: &[BodyInput],
        obstacles: &[ObstacleInput],
    ) -> Result<Vec<JointInput>, BuildError> {
        let mut joints = Vec::new();
        for (index, settings) in self.joints.iter().enumerate() {
            let fail = |problem: String| BuildError::Joint { joint: index, bodies: named(settings), problem };
            let body = self.joined_body(&settings.body, placed).map_err(fail)?;
            let holder = match &settings.other {
                None => Holder::World,
                Some(name) => match obstacles.iter().position(|obstacle| obstacle.name == *name) {
                    Some(obstacle) => Holder::Obstacle(obstacle),
                    None => Holder::Body(self.joined_body(name, placed).map_err(fail)?),
                },
            };
            let (kind, at) = kind_of(&settings.motion, centre(&bodies[body])).map_err(fail)?;
            let motor = settings.motor.as_ref().map(|motor| motor.input(&kind)).transpose().map_err(fail)?;
            let contact = settings.contact;
            joints.push(JointInput { kind, body, holder, at, stiffness: 0.0, motor, contact });
        }
        let h = self.run.h.value;
        let mut joined: Vec<usize> = joints
            .iter()
            .flat_map(|joint| match joint.holder {
                Holder::Body(other) => vec![joint.body, other],
                Holder::Obstacle(_) | Holder::World => vec![joint.body],
            })
            .collect();
        joined.sort_unstable();
        joined.dedup();
        let mass: f64 = joined.iter().map(|&body| mass(&bodies[body])).sum();
        joints.iter_mut().for_each(|joint| joint.stiffness = STIFFNESS * mass / (h * h));
        Ok(joints)
    }

    /// The one body that a name means.
    fn joined_body(&self, name: &str, placed: &[Placed]) -> Result<usize, String> {
        if let Some(found) = placed.iter().position(|body| body.name == name) {
            return Ok(found);
        }
        let parts: Vec<&Placed> =
            placed.iter().filter(|body| self.is_meant(name, false, body.settings, &body.name)).collect();
        if let Some(first) = parts.first() {
            let count = parts.len();
            return Err(format!("`{name}` means {count} bodies: a joint holds one, such as `{}`", first.name));
        }
        let names: Vec<&str> = placed.iter().map(|body| body.name.as_str()).collect();
        let known = names
            .iter()
            .chain(&self.obstacles.iter().map(|o| o.name.as_str()).collect::<Vec<_>>())
            .copied()
            .collect::<Vec<_>>();
        let near = did_you_mean(name, &known);
        Err(format!("there is no body `{name}`{near}; there are: {}", names.join(", ")))
    }
}

fn named(settings: &Joint) -> String {
    let other = settings.other.as_ref().map_or(String::new(), |other| format!(" and `{other}`"));
    format!("`{}`{other}", settings.body)
}

fn kind_of(motion: &JointMotion, centre: Vector3<f64>) -> Result<(JointKind, Vector3<f64>), String> {
    let finite = |at: [f64; 3]| match at.iter().all(|c| c.is_finite()) {
        true => Ok(Vector3::from(at)),
        false => Err(format!("at = {at:?} is not finite")),
    };
    match motion {
        JointMotion::Ball(point) => Ok((JointKind::Ball, finite(point.at)?)),
        JointMotion::Hinge(axis) => Ok((JointKind::Hinge(axis.direction()?), finite(axis.at)?)),
        JointMotion::Slider(axis) => Ok((JointKind::Slider(axis.direction()?), finite(axis.at)?)),
        JointMotion::Fixed => Ok((JointKind::Fixed, centre)),
    }
}

impl JointAxis {
    /// As a unit vector
    pub(super) fn direction(&self) -> Result<Unit<Vector3<f64>>, String> {
        let axis = Vector3::from(self.axis);
        let unit = Unit::try_new(axis, 1e-300).filter(|unit| unit.iter().all(|c| c.is_finite()));
        unit.ok_or_else(|| format!("axis = {:?}: it must not be zero, and finite", self.axis))
    }
}

impl Motor {
    fn input(&self, kind: &JointKind) -> Result<MotorInput, String> {
        let turns = match kind {
            JointKind::Hinge(_) => true,
            JointKind::Slider(_) => false,
            JointKind::Ball | JointKind::Fixed => {
                return Err("motor: it turns a hinge or moves a slider, and this joint is neither".into());
            }
        };
        let (keys, other_keys) = if turns { (&self.angle, &self.way) } else { (&self.way, &self.angle) };
        let (most, other_most) =
            if turns { (self.max_torque, self.max_force) } else { (self.max_force, self.max_torque) };
        if !other_keys.is_empty() || other_most.is_some() {
            return Err(match turns {
                true => "motor: a hinge takes speed, angle and max_torque, not way or max_force".into(),
                false => "motor: a slider takes speed, way and max_force, not angle or max_torque".into(),
            });
        }
        let keys_name = if turns { "angle" } else { "way" };
        let keys = match (self.speed, keys.is_empty(), most) {
            (Some(speed), true, _) if !speed.is_finite() => {
                return Err(format!("motor: speed = {speed} is not finite"));
            }
            (Some(_), true, Some(most)) if !(most > 0.0 && most.is_finite()) => {
                return Err(format!("motor: it has {most} at most: that must be positive and finite"));
            }
            (Some(speed), true, Some(most)) => return Ok(MotorInput::Limited { speed, most }),
            (Some(speed), true, None) => vec![(0.0, 0.0), (FOREVER, FOREVER * speed)],
            (None, false, None) => keys.clone(),
            (None, false, Some(_)) => {
                return Err(format!("motor: {keys_name} is followed whatever it takes; a limit belongs to a speed"));
            }
            _ => return Err(format!("motor: give speed or {keys_name}, one of them")),
        };
        let prescribed = match turns {
            true => Motion::FIXED.with_turn(Vector3::z_axis(), Vector3::zeros(), keys).map_err(|e| e.to_string())?,
            false => {
                let keys: Vec<[f64; 4]> = keys.into_iter().map(|(t, way)| [t, way, 0.0, 0.0]).collect();
                motion(&keys, None)?
            }
        };
        Ok(MotorInput::Prescribed(prescribed))
    }
}

/// `[kg]`; a joint refuses what is not affine.
fn mass(body: &BodyInput) -> f64 {
    if let Matter::Affine(shape) = &body.matter { shape.mass.sum() } else { 0.0 }
}

fn centre(body: &BodyInput) -> Vector3<f64> {
    if let Matter::Affine(shape) = &body.matter { shape.frame[0] } else { Vector3::zeros() }
}

/// Brings start velocities to where joints and pins at points and axes allow them. Refuses motors that cannot move, and warns of
/// joints that hold everything.
pub(super) fn fit_velocities(
    model: &Model,
    x: &[f64],
    h: f64,
    v: &mut [f64],
    warnings: &mut Vec<String>,
) -> Result<(), BuildError> {
    let rate = |node: usize| {
        let pin = model.pins.binary_search_by_key(&node, |pin| pin.node).ok().map(|index| &model.pins[index]);
        let way = |pin: &crate::model::bodies::ModelPin| {
            let motion = &model.motions[pin.motion];
            (motion.at(pin.start, MOMENT * h) - motion.at(pin.start, 0.0)) / (MOMENT * h)
        };
        pin.map_or(Vector3::zeros(), way)
    };
    for bodies in model.linkages().into_iter().filter(|bodies| bodies.len() <= MOST_BODIES) {
        let names: Vec<String> = bodies.iter().map(|&body| format!("`{}`", model.bodies[body].name)).collect();
        let names = names.join(", ");
        let joints = || model.joints.iter().filter(|joint| bodies.contains(&joint.body));
        let before = model.mass.kinetic_energy(v);
        let mobility = model.linkage(bodies.clone(), x, rate).fit(model, x, v);
        let change = model.mass.kinetic_energy(v) - before;
        let driven = joints().any(|joint| joint.dial().is_some());
        if driven && mobility.refused > REFUSED * mobility.asked {
            return Err(BuildError::Value(format!(
                "the joints of {names} hold each other so that a motor among them cannot move: leave out what holds it"
            )));
        }
        if !driven && change.abs() > NOTICED * before {
            warnings.push(format!(
                "the start velocities of {names} do not fit their joints and pins: they start as these allow, with {:.4} J of motion \
                 where {before:.4} J were given",
                before + change
            ));
        }
        if mobility.freedoms == 0 && !driven {
            warnings.push(format!("the joints of {names} hold each other still: nothing of them can move"));
        }
    }
    Ok(())
}
