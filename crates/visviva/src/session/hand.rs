//! A hand that pulls at a vertex while the run goes on. It is a change like any other: written down, and made again when the run is
//! repeated.

use super::{Change, Grab, Session, SessionError, TimedChange};
use crate::model::Attachment;
use crate::model::bodies::Model;
use crate::solve::Grip;

/// Of a spring whose user says nothing, for each kilogram of its body `[N/m]`: five swings a second. A body hangs 1 cm below it.
const USUAL_STIFFNESS: f64 = 1000.0;

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

    /// Adds the hand's force at the step's start to what pushes `[N]`; the rest of it follows the motion.
    pub(super) fn grip(&self, pushes: &mut Vec<f64>) -> Option<Grip> {
        let Grab { vertex, point, stiffness } = self.hand?;
        let (attachment, mass) = holdable(self.model(), vertex).ok()?;
        let x = self.positions();
        let from = attachment.of(x);
        pushes.resize(x.len(), 0.0);
        attachment.add_force(&(stiffness * (nalgebra::Vector3::from(point) - from)), pushes);
        // Critical damping of the body on its spring.
        let damping = 2.0 * (stiffness * mass).sqrt();
        Some(Grip { vertex: attachment, stiffness: stiffness + damping / self.clock().h, from: from.into() })
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
