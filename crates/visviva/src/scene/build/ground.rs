//! The energy of bodies at rest: found before a run, where a scene asks for it.

use super::{BuildError, Built};
use crate::solve::{AtRest, Backend, BodiesSolver, Equilibrium, Settling, come_to_rest, equilibrium};
use std::ops::ControlFlow;

/// What a decay goes towards, and how it was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoundGround {
    /// `[J]`
    pub energy: f64,
    /// How long the bodies took to come to rest on each other `[s]`; none where nothing touches and it was solved for
    pub time: Option<f64>,
}

impl Built {
    /// Where the scene says `ground = "equilibrium"`: finds the potential energy of the bodies at rest `[J]`, from where they
    /// start, and puts it into the plan. With a solver of its own: what it learns here must not change the run's bits. Where things can
    /// touch, bodies are let down and come to lie, which takes its time: `watch` hears of it and may end it.
    pub fn find_ground(
        &mut self,
        watch: &mut dyn FnMut(&Settling) -> ControlFlow<()>,
    ) -> Result<Option<FoundGround>, BuildError> {
        if !self.ground_at_equilibrium {
            return Ok(None);
        }
        let mut solver = BodiesSolver::new(self.model.clone(), self.solver)?;
        let (x, found) = if self.model.contact.is_some() {
            let AtRest { x, energy, time } = come_to_rest(&mut solver, &self.start.x, 0.0, watch)?;
            (x, FoundGround { energy, time: Some(time) })
        } else {
            let Equilibrium { x, energy } = equilibrium(&mut solver, &self.start.x, 0.0)?;
            (x, FoundGround { energy, time: None })
        };
        self.plan.target.set_ground(found.energy);
        let rest = solver.evaluation(&x);
        let parts = solver.parts(&rest, &vec![0.0; x.len()]);
        for (body, part) in self.plan.bodies.iter_mut().zip(parts).filter(|(body, _)| !body.is_own) {
            body.target.set_ground(part.potential.total());
        }
        self.ground_at_equilibrium = false;
        Ok(Some(found))
    }
}
