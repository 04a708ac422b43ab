//! One step, attempted once, or until its length suits where steps are adaptive; and what its α shows.

use super::alpha_meter::{Place, Reading};
use super::step_control::StepControl;
use super::{Session, SessionError, bodies, row};
use crate::energy::{Alpha, AlphaOutcome};
use crate::integrate::StepReport;
use crate::run::StatsRow;
use std::time::Instant;

impl Session {
    /// On an error all is as it was before.
    pub(super) fn attempt(&mut self) -> Result<(StepReport, StatsRow), SessionError> {
        let clock = Instant::now();
        match self.control.zip(self.frames.next_time(self.time())) {
            Some((control, frame)) => self.attempt_lengths(control, frame, clock),
            None => {
                let memory = self.simulation.backend.memory();
                let report = match self.simulation.step() {
                    Ok(report) => report,
                    Err(error) => {
                        self.simulation.backend.restore(memory)?;
                        return Err(error.into());
                    }
                };
                Ok((report, row::of_step(&self.simulation, &report, clock.elapsed())))
            }
        }
    }

    /// Shorter and shorter, until the step control accepts a step. It ends at the time of the next frame at the latest `[s]`.
    fn attempt_lengths(
        &mut self,
        mut control: StepControl,
        frame: f64,
        clock: Instant,
    ) -> Result<(StepReport, StatsRow), SessionError> {
        let (t, before, memory) = (self.time(), self.simulation.checkpoint(), self.simulation.backend.memory());
        let mut spent = (0, 0, 0);
        loop {
            let t1 = control.end(t, frame);
            let h = t1 - t;
            self.simulation.backend.set_displacement_tolerance(self.scene.solver.tolerance * h);
            if self.hand.is_some() {
                self.push_for(h);
            }
            match self.simulation.step_to(t1, h) {
                Ok(report) => {
                    let mut row = row::of_step(&self.simulation, &report, clock.elapsed());
                    let stands = control.accepts(h, &report, [&self.row, &row], self.falling(h));
                    // What attempts cost belongs to the step that they led to.
                    spent = (spent.0 + row.newton, spent.1 + row.linear_iterations, spent.2 + row.halvings);
                    (row.newton, row.linear_iterations, row.halvings) = spent;
                    if stands {
                        self.control = Some(control);
                        return Ok((report, row));
                    }
                }
                Err(error) if !control.retreat(h) => {
                    self.simulation.backend.restore(memory)?;
                    return Err(error.into());
                }
                Err(_) => {}
            }
            self.simulation.backend.restore(memory.clone())?;
            self.simulation.restore(before.clone(), self.plan_in_force());
        }
    }

    /// ½ M g² h² `[J]`: what implicit Euler's step takes from bodies that nothing holds, whatever else happens.
    fn falling(&self, h: f64) -> f64 {
        let model = self.model();
        let free = model.bodies.iter().filter(|body| !body.nodes.clone().any(|node| model.mass.is_pinned(node)));
        let mass: f64 = free.flat_map(|body| &model.node_mass[body.nodes.clone()]).sum();
        0.5 * mass * model.gravity.norm_squared() * h * h
    }

    /// Notes what the search for α came to, of the whole or of each island.
    pub(super) fn read_alpha(&mut self, report: &StepReport) {
        let Some(alpha) = report.alpha else { return };
        let StatsRow { t, h, total, kinetic, elastic, barrier, .. } = self.row;
        let motion = kinetic + elastic.unwrap_or(0.0).abs() + barrier.unwrap_or(0.0).abs();
        let ends = self.simulation.body_ends();
        let mut islands: Vec<(Option<Alpha>, f64, Vec<u32>)> = Vec::new();
        for (body, end) in (0..).zip(ends) {
            islands.resize(islands.len().max(end.island + 1), (None, 0.0, Vec::new()));
            let island = &mut islands[end.island];
            (island.0, island.1) = (end.alpha, end.gap);
            island.2.push(body);
        }
        let by_island = !islands.is_empty();
        if !by_island {
            let all = (0..self.model().bodies.len() as u32).collect();
            islands.push((Some(alpha), total + report.owed - report.target, all));
        }
        for (alpha, gap, bodies) in islands {
            /// Of the energy of motion: round-off.
            const NONE: f64 = 1e-9;
            let met = gap.abs() <= NONE * motion && by_island;
            let outcome = alpha.map_or(AlphaOutcome::Fixed, |alpha| alpha.outcome);
            let outcome = if met { AlphaOutcome::OnTarget } else { outcome };
            let place = self.place_of(report, outcome, h, &bodies);
            self.alpha.add(Reading { t, h, outcome, gap, motion, place });
        }
    }

    fn place_of(&self, report: &StepReport, outcome: AlphaOutcome, h: f64, bodies: &[u32]) -> Place {
        let body = if let [body] = bodies { Some(*body) } else { None };
        // Where the target is met nobody asks.
        if matches!(outcome, AlphaOutcome::OnTarget | AlphaOutcome::Fixed) {
            return Place::Motion(body);
        }
        match bodies::hardest_contact(&self.simulation, |surface| bodies.binary_search(&surface).is_ok()) {
            Some(pair) => Place::Contact(pair),
            None if outcome == AlphaOutcome::Powerless => Place::Flight(body),
            // A free fall takes so much; twice that leaves room for a faint vibration.
            None if report.ledger.integrator.abs() <= 2.0 * self.falling(h) => Place::Flight(body),
            None => Place::Motion(body),
        }
    }
}
