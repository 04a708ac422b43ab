//! Changes under way. Each is written down with its step and made again when the run is repeated.

use super::{Change, Session, SessionError, TimedChange, bodies};
use crate::energy::{EnergyPlan, Target};
use crate::integrate::IntegratorSpec;
use crate::scene::{ChangeEntry, Number, Run};

impl Session {
    /// Changes something from the next step on.
    pub fn change(&mut self, change: Change) -> Result<(), SessionError> {
        match &change {
            Change::Target(target) => target.check()?,
            Change::BodyTarget { body, target } => {
                target.check()?;
                self.scene.body_named(body)?;
                if self.first_plan.bodies.is_empty() {
                    change.check_under_one_target()?;
                }
            }
            Change::Gravity(gravity) if !gravity.iter().all(|g| g.is_finite()) => {
                return Err(SessionError::Gravity(*gravity));
            }
            Change::Grab(grab) => self.check_grab(grab)?,
            Change::Gravity(_) | Change::Integrator(_) | Change::Release => {}
        }
        self.make_due_changes();
        let step = self.steps();
        let (at, made) = (self.made, TimedChange { step, change });
        let entry = ChangeEntry::from(&made);
        self.changes.insert(at, made);
        self.make_due_changes();
        // One alone where that does: a hand makes thousands.
        if self.written_down {
            self.scene.changes.insert(at, entry);
        } else {
            self.write_down_changes();
        }
        // It asks for a step that it holds in.
        self.lengthen(step + 1);
        self.tell(|observer, session| observer.change(session))
    }

    /// The same in the words of a scene file's `[[change]]`; its step does not count.
    pub fn change_in_words(&mut self, entry: &ChangeEntry) -> Result<(), SessionError> {
        let change = self.scene.change(entry)?;
        self.change(change)
    }

    /// Another energy wanted. It starts from the present level, save for curves, which are levels themselves.
    pub fn set_target(&mut self, target: Target) -> Result<(), SessionError> {
        self.change(Change::Target(target))
    }

    /// Another energy wanted of one of the scene's bodies, where bodies are directed one by one.
    pub fn set_body_target(&mut self, body: &str, target: Target) -> Result<(), SessionError> {
        self.change(Change::BodyTarget { body: body.to_owned(), target })
    }

    /// Another gravity `[m/s²]`. The total and the wanted energy move by the change of potential energy at the present position:
    /// nothing is lost or gained by it. Curves and the ground that a target decays towards stay where they are.
    pub fn set_gravity(&mut self, gravity: [f64; 3]) -> Result<(), SessionError> {
        self.change(Change::Gravity(gravity))
    }

    /// Another method or other parameters, such as `a-search:max=1.2`. The same method keeps its memory; another starts anew.
    pub fn set_integrator(&mut self, integrator: IntegratorSpec) -> Result<(), SessionError> {
        self.change(Change::Integrator(integrator))
    }

    /// Another time to end at `[s]`: a finished run goes on to the bits that it would have had.
    pub fn set_duration(&mut self, duration: Number) -> Result<(), SessionError> {
        let run = Run { duration, ..self.scene.run.clone() };
        let last_change = self.changes.last().map_or(0, |change| change.step + 1);
        let (needed, suffices) = match self.control {
            Some(_) => (self.time(), run.duration.value + self.clock().h > self.time()),
            None => {
                let needed = self.steps().max(last_change);
                (needed as f64 * self.clock().h, run.step_count() >= needed)
            }
        };
        if !run.duration.value.is_finite() || !suffices {
            return Err(SessionError::TooShort { duration: run.duration.value, needed });
        }
        self.scene.run = run;
        self.tell(|observer, session| observer.change(session))
    }

    pub(super) fn make_due_changes(&mut self) {
        while let Some(due) = self.changes.get(self.made).filter(|next| next.step <= self.steps()) {
            let change = due.change.clone();
            self.made += 1;
            self.make(change);
        }
    }

    fn make(&mut self, change: Change) {
        match change {
            Change::Target(_) | Change::BodyTarget { .. } => {
                let mut plan = std::mem::take(self.simulation.plan_mut());
                self.direct(&mut plan, &change);
                *self.simulation.plan_mut() = plan;
            }
            Change::Gravity(gravity) => {
                let energy = bodies::change_gravity(&mut self.simulation, gravity);
                self.row.gravity = self.row.gravity.map(|before| before + energy);
            }
            Change::Integrator(integrator) => {
                let same = integrator.name() == self.integrator.name();
                self.simulation.set_integrator(integrator.build(), same);
                self.integrator = integrator;
            }
            Change::Grab(grab) => self.hand = Some(grab),
            Change::Release => self.hand = None,
        }
    }

    /// What is wanted after the changes made.
    pub(super) fn plan_in_force(&self) -> EnergyPlan {
        let mut plan = self.first_plan.clone();
        self.changes[..self.made].iter().for_each(|made| self.direct(&mut plan, &made.change));
        plan
    }

    /// What a change wants of the energy. A body of the scene may be several of the model.
    fn direct(&self, plan: &mut EnergyPlan, change: &Change) {
        match change {
            Change::Target(target) => plan.direct(target.clone()),
            Change::BodyTarget { body, target } => {
                let named = |settings: &usize| self.scene.bodies[*settings].name == *body;
                let its = self.settings_of.iter().enumerate().filter(|(_, settings)| named(settings));
                its.for_each(|(at, _)| plan.direct_body(at, target.clone()));
            }
            _ => {}
        }
    }

    /// Puts in force what holds after the changes made, without the moves of energy that they came with; returns the plan.
    pub(super) fn settings_in_force(&mut self) -> Result<EnergyPlan, SessionError> {
        let mut gravity = self.scene.gravity;
        let first: IntegratorSpec = self.scene.run.integrator.parse().map_err(crate::scene::BuildError::from)?;
        self.integrator = first;
        self.hand = None;
        for made in &self.changes[..self.made] {
            match &made.change {
                Change::Target(_) | Change::BodyTarget { .. } => {}
                Change::Gravity(changed) => gravity = *changed,
                Change::Integrator(integrator) => self.integrator = integrator.clone(),
                Change::Grab(grab) => self.hand = Some(*grab),
                Change::Release => self.hand = None,
            }
        }
        self.simulation.set_integrator(self.integrator.build(), false);
        self.simulation.backend.set_gravity(gravity.into());
        Ok(self.plan_in_force())
    }

    pub(super) fn write_down_changes(&mut self) {
        self.scene.changes = self.changes.iter().map(Into::into).collect();
        self.written_down = true;
    }
}
