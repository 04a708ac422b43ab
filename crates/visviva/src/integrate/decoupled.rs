//! The decoupled α-method over any Runge–Kutta method Φ (You, Zheng, Li): positions from Φ, velocities mixed with its adjoint's.
//!
//! v = ṽ − α Δv,  Δv = h Σ b_i (a_i − a*_i): the difference of the two methods' conservative impulses. Over implicit Euler
//! Δv = h m⁻¹(∇P(x_n) − ∇P(x_{n+1})): α = 1 is A-1, α from the energy target A-search. Friction and damping act in
//! Φ alone; what lossy contacts do counts among the conservative forces of a search.

use super::runge_kutta::{Stages, Start};
use super::step::{Advance, Correction, Integrator, LinearForm, Memory, Step, StepEnd, StepError, StepReport, finish};
use super::tableau::Tableau;
use crate::energy::alpha::{Alpha, AlphaOutcome, AlphaQuadratic, AlphaRule, SideCount};
use crate::math::vector;
use crate::model::{Mass, State};
use crate::solve::{Backend, Corrected, Way};

#[derive(Debug)]
pub struct Decoupled {
    base: Tableau,
    adjoint: Tableau,
    rule: AlphaRule,
    memory: Memory,
    base_stages: Stages,
    adjoint_stages: Stages,
    advance: Advance,
    adjoint_advance: Advance,
    delta: Vec<f64>,
    /// Velocity at α = 1
    at_one: Vec<f64>,
    /// Of the correction, what lossy contacts keep
    kept: Vec<f64>,
}

impl Decoupled {
    pub fn new(base: Tableau, rule: AlphaRule) -> Self {
        Self {
            adjoint: base.adjoint(),
            base,
            rule,
            memory: Memory::default(),
            base_stages: Stages::default(),
            adjoint_stages: Stages::default(),
            advance: Advance::default(),
            adjoint_advance: Advance::default(),
            delta: Vec::new(),
            at_one: Vec::new(),
            kept: Vec::new(),
        }
    }

    /// Whether the adjoint is nothing but the force at the start, as it is for implicit Euler.
    fn adjoint_is_explicit_euler(&self) -> bool {
        self.adjoint.stage_count() == 1 && self.adjoint.starts_explicitly()
    }
}

impl Integrator for Decoupled {
    fn order(&self) -> u32 {
        self.base.order
    }

    fn step(
        &mut self,
        backend: &mut dyn Backend,
        state: &mut State,
        step: &Step<'_>,
        end: &mut StepEnd,
    ) -> Result<StepReport, StepError> {
        let start = Start::new(state, step, backend, self.memory.acceleration.as_deref());
        let mut solve = self.base_stages.advance(&self.base, backend, start, &mut self.advance)?;
        if self.adjoint_is_explicit_euler() && self.follows_target() {
            self.base_stages.count_contact_as_conservative(backend);
        }
        self.delta.clear();
        self.delta.resize(state.x.len(), 0.0);
        for (b, a) in self.base.b.iter().zip(&self.base_stages.conservative) {
            vector::add_scaled(&mut self.delta, step.h * b, a);
        }
        match start.acceleration {
            // A-search costs no evaluation: the force at the start is the one the last solve implied.
            Some(known) if self.adjoint_is_explicit_euler() => vector::add_scaled(&mut self.delta, -step.h, known),
            _ => {
                let start = Start { frozen: None, ..start };
                let more = self.adjoint_stages.advance(&self.adjoint, backend, start, &mut self.adjoint_advance)?;
                solve = more.then(solve);
                for (b, a) in self.adjoint.b.iter().zip(&self.adjoint_stages.conservative) {
                    vector::add_scaled(&mut self.delta, -step.h * b, a);
                }
            }
        }
        let mut exchange = self.advance.exchange(backend, step, &state.v);
        self.at_one.resize(state.x.len(), 0.0);
        vector::set_sum(&mut self.at_one, &self.advance.v1, -1.0, &self.delta);
        let mut contacts = self.memory.contacts.clone();
        if self.adjoint_is_explicit_euler() {
            let Advance { end, v1, forces } = &mut self.advance;
            let way = Way { from: step.start, to: end, velocities: [&state.v, v1], h: step.h };
            let corrected = Corrected { way, velocity: &self.at_one };
            if let Some(loss) = backend.hold_back(step.frozen, corrected, &mut contacts, &mut self.kept, forces) {
                vector::add_scaled(&mut self.at_one, 1.0, &self.kept);
                vector::add_scaled(&mut self.delta, -1.0, &self.kept);
                exchange.contact_loss = loss;
            }
        }
        let target = step.goal.next_level(exchange.loss(), exchange.work);
        let velocities = Velocities { uncorrected: &self.advance.v1, delta: &self.delta, at_one: &self.at_one };
        let kinetic_wanted = target - solve.energies.total();
        let mut side = self.memory.side_count;
        let correction = choose(self.rule, &mut side, backend.mass(), velocities, kinetic_wanted, target);
        vector::add_scaled(&mut self.advance.v1, -correction.alpha.value, &self.delta);
        let report = finish(backend, state, step, &mut self.advance, solve, exchange, Some(correction), end)?;
        self.memory.side_count = side;
        self.memory.contacts = contacts;
        self.base_stages.remember_end(&self.base, &mut self.memory);
        Ok(report)
    }

    fn follows_target(&self) -> bool {
        !matches!(self.rule, AlphaRule::Fixed(_))
    }

    fn linear_form(&self) -> LinearForm {
        match self.rule {
            AlphaRule::Fixed(alpha) => LinearForm::Decoupled { base: self.base.clone(), alpha },
            AlphaRule::Search(_) | AlphaRule::Sparse { .. } => LinearForm::Adaptive,
        }
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }
}

struct Velocities<'a> {
    uncorrected: &'a [f64],
    delta: &'a [f64],
    at_one: &'a [f64],
}

/// Picks α for the kinetic energy wanted, and books what it does.
fn choose(
    rule: AlphaRule,
    side: &mut SideCount,
    mass: &Mass,
    v: Velocities<'_>,
    kinetic_wanted: f64,
    target: f64,
) -> Correction {
    let kinetic_before = mass.kinetic_energy(v.uncorrected);
    let a = 0.5 * mass.inner(v.delta, v.delta);
    let along = mass.inner(v.uncorrected, v.delta);
    let quadratic = AlphaQuadratic {
        a,
        b: -mass.inner(v.at_one, v.delta),
        c: mass.kinetic_energy(v.at_one) - kinetic_wanted,
        scale: kinetic_before + target.abs(),
    };
    let alpha = match rule {
        AlphaRule::Fixed(value) => Alpha { value, outcome: AlphaOutcome::Fixed },
        AlphaRule::Search(interval) => quadratic.solve(interval),
        AlphaRule::Sparse { interval, restart } => {
            if side.is_due(quadratic.c) {
                if restart {
                    *side = SideCount::default();
                }
                quadratic.solve(interval)
            } else {
                Alpha { value: 1.0, outcome: AlphaOutcome::Fixed }
            }
        }
    };
    Correction { alpha, kinetic_before, energy: alpha.value * (alpha.value * a - along) }
}
