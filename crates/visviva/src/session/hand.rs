//! A hand that pulls at a vertex while the run goes on. It is a change like any other: written down, and made again when the run is
//! repeated.

use super::{Change, Grab, Session, SessionError, TimedChange};
use crate::model::Attachment;
use crate::model::bodies::Model;
use crate::solve::Grip;

/// Of a spring whose user says nothing, for each kilogram of its body `[N/m]`: five swings a second. A body hangs 1 cm below it.
const USUAL_STIFFNESS: f64 = 1000.0;
/// A hand may be so many times as far from its vertex as the bodies reach: farther it would only tear them apart.
const REACH: f64 = 100.0;
/// And pull so hard, for each kilogram of the body `[N]`: a million times its weight.
const HARDEST: f64 = 1e7;

impl Session {
    /// A hand takes a vertex, counted over all bodies, and pulls it towards a point `[m]` from the next step on; called again it
    /// moves on. The stiffness `[N/m]` goes by the body's mass where none is given.
    pub fn grab(&mut self, vertex: u32, point: [f64; 3], stiffness: Option<f64>) -> Result<(), SessionError> {
        let mass = holdable(self.model(), vertex)?.1;
        let stiffness = stiffness.unwrap_or(USUAL_STIFFNESS * mass);
        self.change(Change::Grab(Grab { vertex, point, stiffness }))
    }

    /// The hand lets go; nothing where it holds nothing.
    pub fn let_go(&mut self) -> Result<(), SessionError> {
        if self.hand.is_some() { self.change(Change::Release) } else { Ok(()) }
    }

    /// What a hand holds.
    pub fn held(&self) -> Option<Grab> {
        self.hand
    }

    /// Whether a hand that takes hold now is near enough, and its pull none that no step can bear.
    pub(super) fn check_grab(&self, grab: &Grab) -> Result<(), SessionError> {
        check(self.model(), grab)?;
        let Grab { vertex, point, stiffness } = *grab;
        let (attachment, mass) = holdable(self.model(), vertex)?;
        let x = self.positions();
        let away = (nalgebra::Vector3::from(point) - attachment.of(x)).norm();
        let most = REACH * self.size_of_bodies();
        let fail = |why: String| Err(SessionError::Grab { vertex, why });
        if away > most {
            return fail(format!(
                "the hand is {away:.3e} m away from it; it can be {most:.3e} m away, so take it nearer"
            ));
        }
        let (pull, hardest) = (stiffness * away, HARDEST * mass);
        if pull > hardest {
            return fail(format!(
                "it would be pulled with {pull:.3e} N, and a body of {mass:.3e} kg bears {hardest:.3e} N: take the hand nearer, or a \
                 softer spring"
            ));
        }
        Ok(())
    }

    /// The diagonal of a box round the nodes that belong to bodies, as they are now `[m]`.
    fn size_of_bodies(&self) -> f64 {
        let (mut least, mut most) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let model = self.model();
        for node in model.bodies.iter().flat_map(|body| body.nodes.clone()) {
            for (k, x) in self.positions()[3 * node..3 * node + 3].iter().enumerate() {
                (least[k], most[k]) = (least[k].min(*x), most[k].max(*x));
            }
        }
        (0..3).map(|k| (most[k] - least[k]).powi(2)).sum::<f64>().sqrt()
    }

    /// Adds the hand's force at the start of a step of length `h` `[s]` to what pushes `[N]`; the rest of it follows the motion.
    pub(super) fn grip(&self, pushes: &mut Vec<f64>, h: f64) -> Option<Grip> {
        let Grab { vertex, point, stiffness } = self.hand?;
        let (attachment, mass) = holdable(self.model(), vertex).ok()?;
        let x = self.positions();
        let from = attachment.of(x);
        pushes.resize(x.len(), 0.0);
        attachment.add_force(&(stiffness * (nalgebra::Vector3::from(point) - from)), pushes);
        // Critical damping of the body on its spring.
        let damping = 2.0 * (stiffness * mass).sqrt();
        Some(Grip { vertex: attachment, stiffness: stiffness + damping / h, from: from.into() })
    }
}

/// Of a scene that was read.
pub(super) fn check_all(model: &Model, changes: &[TimedChange]) -> Result<(), SessionError> {
    changes.iter().try_for_each(|timed| match &timed.change {
        Change::Grab(grab) => check(model, grab),
        _ => Ok(()),
    })
}

pub(super) fn check(model: &Model, grab: &Grab) -> Result<(), SessionError> {
    holdable(model, grab.vertex)?;
    grab.check().map_err(|why| SessionError::Grab { vertex: grab.vertex, why })
}

/// What a vertex hangs on, and the mass of its body `[kg]`.
fn holdable(model: &Model, vertex: u32) -> Result<(Attachment, f64), SessionError> {
    let fail = |why: String| Err(SessionError::Grab { vertex, why });
    let Some(attachment) = model.vertices.get(vertex as usize) else {
        return fail(format!("there are {}, counted from 0", model.vertices.len()));
    };
    let first = attachment.parts().next().map_or(0, |(node, _)| node as usize);
    let Some(body) = model.body_of_node(first) else {
        return fail("it belongs to an obstacle, which only moves by itself".to_owned());
    };
    if attachment.hangs_on_any(|node| model.mass.is_pinned(node)) {
        return fail("it is pinned, and moves with its pin alone".to_owned());
    }
    let mass = model.bodies[body].nodes.clone().map(|node| model.node_mass[node]).sum();
    Ok((*attachment, mass))
}
