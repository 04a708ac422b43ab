//! The decoupled α-method over any Runge–Kutta method Φ (You, Zheng, Li): positions from Φ, velocities mixed with its adjoint's.
//!
//! v = ṽ − α Δv,  Δv = h Σ b_i (a_i − a*_i): the difference of the two methods' conservative impulses. Over implicit Euler
//! Δv = h m⁻¹(∇P(x_n) − ∇P(x_{n+1})): α = 1 is A-1, α from the energy target A-search. Friction and damping act in
//! Φ alone; what lossy contacts do counts among the conservative forces of a search.

use super::island_search::{Found, owe, search};
use super::runge_kutta::{Stages, Start};
use super::spin::{Spin, Turned};
use super::step::{Advance, Correction, Integrator, LinearForm, Memory, Step, StepEnd, StepError, StepReport, finish};
use super::tableau::Tableau;
use super::turning::{Beginning, Turning};
use crate::energy::alpha::{Alpha, AlphaOutcome, AlphaQuadratic, AlphaRule, SideCount};
use crate::math::vector;
use crate::model::State;
use crate::solve::{Backend, Corrected, Island, Taken, Way};

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
    corrected: Vec<f64>,
    /// Where the method keeps spin and lets bodies in flight owe
    turning: Option<(Turning, Spin)>,
    /// Of each node `[kg]`
    masses: Vec<f64>,
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
            corrected: Vec::new(),
            turning: None,
            masses: Vec::new(),
        }
    }

    /// Over implicit Euler: angular momentum is kept, bodies turn as they should, and what free fall loses is owed to the next bounce.
    pub fn turning(rule: AlphaRule) -> Self {
        Self { turning: Some(Default::default()), ..Self::new(Tableau::theta_inner(1.0), rule) }
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
        if self.turning.is_some() && 3 * self.masses.len() != state.x.len() {
            self.masses = backend.mass().of_nodes();
        }
        let start = Start::new(state, step, backend, self.memory.acceleration.as_deref());
        let predictor = self.turning.as_mut().and_then(|(turning, _)| {
            let islands = backend.islands(&[step.start]);
            let (mass, masses) = (backend.mass(), &self.masses);
            let (x, v, gravity) = (&state.x, &state.v, backend.gravity());
            turning.predictor(Beginning { mass, masses, islands: &islands, x, v, gravity }, step.h)
        });
        let first = Start { predictor, ..start };
        let mut solve = self.base_stages.advance(&self.base, backend, first, &mut self.advance)?;
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
        let by_body = step.goal.bodies.filter(|_| self.directs_bodies());
        let looks_at_bodies = self.turning.is_some() || by_body.is_some();
        let islands = if looks_at_bodies { backend.islands(&[step.start, &self.advance.end]) } else { Vec::new() };
        let gravity = backend.gravity();
        if let Some((_, spin)) = &mut self.turning {
            let Advance { end, v1, forces } = &mut self.advance;
            let damping = if backend.has_dissipation() { &forces.damping[..] } else { &[] };
            let turned = Turned {
                mass: backend.mass(),
                masses: &self.masses,
                islands: &islands,
                x: [&state.x, &end.x],
                gravity,
                h: step.h,
            };
            spin.keep(turned, &state.v, damping, v1);
        }
        // Corrections of a fixed α tremble and move nothing: what slides is booked without them.
        let is_fixed = matches!(self.rule, AlphaRule::Fixed(_));
        let smooth = is_fixed && self.memory.correction.len() == state.v.len();
        if smooth {
            self.corrected.resize(state.v.len(), 0.0);
            vector::set_sum(&mut self.corrected, &state.v, -1.0, &self.memory.correction);
        }
        let v0 = if smooth { &self.corrected } else { &state.v };
        let mut exchange = self.advance.exchange(backend, step, v0);
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
        let mass = backend.mass();
        let turned = Turned {
            mass,
            masses: &self.masses,
            islands: &islands,
            x: [&state.x, &self.advance.end.x],
            gravity,
            h: step.h,
        };
        let mut debts = self.memory.debts.clone();
        if let Some((_, spin)) = &mut self.turning {
            spin.keep_correction(turned, &mut self.delta);
            vector::set_sum(&mut self.at_one, &self.advance.v1, -1.0, &self.delta);
            owe(&mut debts, &islands, &self.masses, step.h * gravity.norm());
        }
        let velocities = Velocities { uncorrected: &self.advance.v1, delta: &self.delta, at_one: &self.at_one };
        let mut side = self.memory.side_count;
        end.bodies.clear();
        let correction = match by_body {
            Some(goals) => {
                let Advance { end: at, v1, forces } = &self.advance;
                let taken = Taken { from: step.start, to: at, frozen: step.frozen, h: step.h, forces };
                let (parts, exchanges) = (backend.parts(at, v1), backend.exchanges(taken));
                debts.resize(parts.len(), 0.0);
                let found = Found { mass, islands: &islands, parts: &parts, exchanges: &exchanges, debts: &debts };
                self.corrected.clone_from(&self.advance.v1);
                let turning = &mut self.turning;
                let turn_to = |island: &Island, v: &mut [f64], missing: f64| {
                    turning.as_mut().map_or(0.0, |(_, spin)| spin.turn_to(turned, island, v, missing))
                };
                search(self.rule, step, goals, found, velocities, turn_to, &mut self.corrected, &mut end.bodies)
            }
            None => {
                let target = step.goal.next_level(exchange.loss(), exchange.work) - debts.iter().sum::<f64>();
                let inner = |a: &[f64], b: &[f64]| mass.inner(a, b);
                let kinetic_wanted = target - solve.energies.total();
                let correction = choose(self.rule, &mut side, inner, velocities, kinetic_wanted, target);
                self.corrected.resize(self.delta.len(), 0.0);
                vector::set_sum(&mut self.corrected, &self.advance.v1, -correction.alpha.value, &self.delta);
                correction
            }
        };
        std::mem::swap(&mut self.advance.v1, &mut self.corrected);
        let levels = end.bodies.iter().map(|body| body.level).sum::<f64>();
        let mut report = finish(backend, state, step, &mut self.advance, solve, exchange, Some(correction), end)?;
        if by_body.is_some() {
            report.target = levels;
        }
        report.owed = debts.iter().sum();
        self.memory.debts = debts;
        self.memory.side_count = side;
        self.memory.contacts = contacts;
        if is_fixed {
            // The velocity before the correction was swapped into `corrected`.
            self.memory.correction.resize(state.v.len(), 0.0);
            vector::set_sum(&mut self.memory.correction, &state.v, -1.0, &self.corrected);
        }
        self.base_stages.remember_end(&self.base, &mut self.memory);
        Ok(report)
    }

    fn follows_target(&self) -> bool {
        !matches!(self.rule, AlphaRule::Fixed(_))
    }

    fn directs_bodies(&self) -> bool {
        matches!(self.rule, AlphaRule::Search(_)) && self.adjoint_is_explicit_euler()
    }

    fn linear_form(&self) -> LinearForm {
        match self.rule {
            AlphaRule::Fixed(alpha) if self.turning.is_none() => {
                LinearForm::Decoupled { base: self.base.clone(), alpha }
            }
            _ => LinearForm::Adaptive,
        }
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }
}

/// w, Δv and w − Δv
#[derive(Debug, Clone, Copy)]
pub(super) struct Velocities<'a> {
    pub uncorrected: &'a [f64],
    pub delta: &'a [f64],
    pub at_one: &'a [f64],
}

/// Picks α for the kinetic energy wanted, and books what it does; `inner` is ⟨a, b⟩_m over what the α acts on.
pub(super) fn choose(
    rule: AlphaRule,
    side: &mut SideCount,
    inner: impl Fn(&[f64], &[f64]) -> f64,
    v: Velocities<'_>,
    kinetic_wanted: f64,
    target: f64,
) -> Correction {
    let kinetic_before = 0.5 * inner(v.uncorrected, v.uncorrected);
    let a = 0.5 * inner(v.delta, v.delta);
    let along = inner(v.uncorrected, v.delta);
    let quadratic = AlphaQuadratic {
        a,
        b: -inner(v.at_one, v.delta),
        c: 0.5 * inner(v.at_one, v.at_one) - kinetic_wanted,
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
