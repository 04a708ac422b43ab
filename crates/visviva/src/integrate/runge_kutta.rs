//! Runge–Kutta methods from their table: explicit and diagonally implicit ones stage by stage, the others with coupled stages.
//!
//! Stage i: X_i = x̄ + s V_i, V_i = v̄ + s A_i with s = a_ii h and x̄, v̄ from the stages before it; X_i is the minimiser of one
//! implicit stage with the predictor x̄ + s v̄, and the accelerations follow from the momentum balance, never from an evaluation.

use super::coupled_stages;
use super::step::{
    Advance, Integrator, LinearForm, Memory, Step, StepEnd, StepError, StepReport, dissipative_acceleration,
    evaluate_acceleration, evaluate_admissible, finish,
};
use super::tableau::Tableau;
use crate::math::vector;
use crate::model::State;
use crate::solve::{Backend, DissipativeForces, Evaluation, Frozen, Motion, SolveReport, Stage, StrainChange};

#[derive(Debug)]
pub struct RungeKutta {
    pub tableau: Tableau,
    memory: Memory,
    stages: Stages,
    advance: Advance,
}

/// Velocities and accelerations of all stages.
#[derive(Debug, Default)]
pub struct Stages {
    pub velocity: Vec<Vec<f64>>,
    /// With dissipation
    pub acceleration: Vec<Vec<f64>>,
    /// Of the conservative forces alone
    pub conservative: Vec<Vec<f64>>,
    base_x: Vec<f64>,
    base_v: Vec<f64>,
    predictor: Vec<f64>,
    x: Evaluation,
    g: Vec<f64>,
    /// What dissipates in each
    forces: Vec<DissipativeForces>,
    /// Of viscous elements, integrated as positions are
    strain_rates: Vec<Vec<f64>>,
    start_strains: Vec<f64>,
    base_strains: Vec<f64>,
}

/// Where a step starts.
#[derive(Debug, Clone, Copy)]
pub struct Start<'a> {
    /// The position, evaluated
    pub at: &'a Evaluation,
    pub v: &'a [f64],
    /// Of the step's start and of its end
    pub times: [f64; 2],
    pub h: f64,
    /// −m⁻¹∇P where it is already known
    pub acceleration: Option<&'a [f64]>,
    /// Dissipation, where it acts
    pub frozen: Option<&'a Frozen>,
    /// x̂ `[m]` where it is not x + s v; of methods with one implicit stage
    pub predictor: Option<&'a [f64]>,
}

impl<'a> Start<'a> {
    pub fn new(state: &'a State, step: &Step<'a>, backend: &dyn Backend, acceleration: Option<&'a [f64]>) -> Self {
        let frozen = backend.has_dissipation().then_some(step.frozen);
        Self {
            at: step.start,
            v: &state.v,
            times: [state.t, step.goal.t1],
            h: step.h,
            acceleration,
            frozen,
            predictor: None,
        }
    }

    /// The time of a table's node c; c = 1 is the step's own end, which is counted and not summed.
    pub fn time_at(&self, c: f64) -> f64 {
        let [t0, t1] = self.times;
        if c == 1.0 { t1 } else { t0 + c * self.h }
    }
}

impl RungeKutta {
    pub fn new(tableau: Tableau) -> Self {
        Self { tableau, memory: Memory::default(), stages: Stages::default(), advance: Advance::default() }
    }
}

impl Integrator for RungeKutta {
    fn order(&self) -> u32 {
        self.tableau.order
    }

    fn step(
        &mut self,
        backend: &mut dyn Backend,
        state: &mut State,
        step: &Step<'_>,
        end: &mut StepEnd,
    ) -> Result<StepReport, StepError> {
        let start = Start::new(state, step, backend, self.memory.acceleration.as_deref());
        let solve = self.stages.advance(&self.tableau, backend, start, &mut self.advance)?;
        let exchange = self.advance.exchange(backend, step, &state.v);
        let report = finish(backend, state, step, &mut self.advance, solve, exchange, None, end)?;
        // Only a table that begins where it ended has a use for it.
        if self.tableau.starts_explicitly() {
            self.stages.remember_end(&self.tableau, &mut self.memory);
        }
        Ok(report)
    }

    fn linear_form(&self) -> LinearForm {
        LinearForm::RungeKutta(self.tableau.clone())
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }
}

impl Stages {
    fn resize(&mut self, stage_count: usize, n: usize) {
        for stages in [&mut self.velocity, &mut self.acceleration, &mut self.conservative] {
            stages.resize(stage_count, Vec::new());
            stages.iter_mut().for_each(|stage| stage.resize(n, 0.0));
        }
        self.forces.resize(stage_count, DissipativeForces::default());
        self.strain_rates.resize(stage_count, Vec::new());
        for buffer in [&mut self.base_x, &mut self.base_v, &mut self.predictor, &mut self.x.x, &mut self.g] {
            buffer.resize(n, 0.0);
        }
    }

    /// Takes the step; `advance` receives its end, these stages how it went. Energies in the report are those at the end.
    pub fn advance(
        &mut self,
        tableau: &Tableau,
        backend: &mut dyn Backend,
        start: Start<'_>,
        advance: &mut Advance,
    ) -> Result<SolveReport, StepError> {
        let n = start.at.x.len();
        let count = tableau.stage_count();
        self.resize(count, n);
        advance.reset(n);
        if start.frozen.is_some() {
            backend.strains(&start.at.x, &mut self.start_strains);
        }
        let mut report = SolveReport::explicit(Default::default());
        if tableau.is_diagonally_implicit() {
            for i in 0..count {
                report = report.then(self.solve_stage(tableau, i, backend, start)?);
            }
        } else {
            report = report.then(coupled_stages::solve(tableau, backend, start, self)?);
        }
        for (b, forces) in tableau.b.iter().zip(&self.forces).filter(|_| start.frozen.is_some()) {
            advance.forces.add(*b, forces);
        }
        if tableau.is_stiffly_accurate() {
            // The last stage is the end; solving for it made it admissible.
            let explicit_end = tableau.a[count - 1][count - 1] == 0.0 && tableau.is_diagonally_implicit();
            advance.end.clone_from(&self.x);
            advance.v1.copy_from_slice(&self.velocity[count - 1]);
            if explicit_end {
                backend.evaluate(&mut advance.end);
                report.energies = advance.end.energies;
            }
        } else {
            advance.end.x.copy_from_slice(&start.at.x);
            advance.v1.copy_from_slice(start.v);
            for i in 0..count {
                vector::add_scaled(&mut advance.end.x, start.h * tableau.b[i], &self.velocity[i]);
                vector::add_scaled(&mut advance.v1, start.h * tableau.b[i], &self.acceleration[i]);
            }
            backend.prescribe(start.time_at(1.0), &mut advance.end.x);
            backend.evaluate(&mut advance.end);
            report.energies = advance.end.energies;
        }
        Ok(report)
    }

    fn solve_stage(
        &mut self,
        tableau: &Tableau,
        i: usize,
        backend: &mut dyn Backend,
        start: Start<'_>,
    ) -> Result<SolveReport, StepError> {
        let h = start.h;
        self.base_x.copy_from_slice(&start.at.x);
        self.base_v.copy_from_slice(start.v);
        self.base_strains.clone_from(&self.start_strains);
        for j in 0..i {
            vector::add_scaled(&mut self.base_x, h * tableau.a[i][j], &self.velocity[j]);
            vector::add_scaled(&mut self.base_v, h * tableau.a[i][j], &self.acceleration[j]);
            vector::add_scaled(&mut self.base_strains, h * tableau.a[i][j], &self.strain_rates[j]);
        }
        let t = start.time_at(tableau.node(i));
        let s = tableau.a[i][i] * h;
        if s == 0.0 {
            self.velocity[i].copy_from_slice(&self.base_v);
            self.x.set_position(&self.base_x);
            match start.acceleration {
                Some(known) if i == 0 => self.conservative[i].copy_from_slice(known),
                _ => {
                    backend.prescribe(t, &mut self.x.x);
                    evaluate_admissible(backend, &mut self.x)?;
                    evaluate_acceleration(backend, &self.x, &mut self.g, &mut self.conservative[i]);
                }
            }
            self.acceleration[i].copy_from_slice(&self.conservative[i]);
            if let Some(frozen) = start.frozen {
                self.set_strain_rates(backend, i);
                self.set_dissipative_acceleration(backend, frozen, i, h);
                vector::add_scaled(&mut self.acceleration[i], -1.0, &self.g);
            }
            return Ok(SolveReport::explicit(Default::default()));
        }
        match start.predictor {
            Some(predictor) => self.predictor.copy_from_slice(predictor),
            None => vector::set_sum(&mut self.predictor, &self.base_x, s, &self.base_v),
        }
        let stage = Stage {
            start: start.at,
            predictor: &self.predictor,
            length: s,
            velocity_origin: &self.base_x,
            velocity_length: s,
            strain_origin: &self.base_strains,
            t,
            frozen: start.frozen,
        };
        let report = backend.minimise(&stage, &mut self.x)?;
        vector::set_quotient(&mut self.velocity[i], &self.x.x, &self.base_x, s);
        match start.predictor {
            Some(predictor) => vector::set_quotient(&mut self.acceleration[i], &self.x.x, predictor, s * s),
            None => vector::set_quotient(&mut self.acceleration[i], &self.velocity[i], &self.base_v, s),
        }
        self.conservative[i].copy_from_slice(&self.acceleration[i]);
        if let Some(frozen) = start.frozen {
            backend.strain_rates(&self.x.x, stage.strain_change(), &mut self.strain_rates[i]);
            self.set_dissipative_acceleration(backend, frozen, i, s);
            vector::add_scaled(&mut self.conservative[i], 1.0, &self.g);
        }
        if start.predictor.is_some() {
            // The way is not what the velocity came to: it was turned.
            vector::set_sum(&mut self.velocity[i], &self.base_v, s, &self.acceleration[i]);
        }
        Ok(report)
    }

    /// self.g ← m⁻¹ times what dissipates in stage i, whose position is the present one and whose way has a length `[s]`
    pub(super) fn set_dissipative_acceleration(
        &mut self,
        backend: &mut dyn Backend,
        frozen: &Frozen,
        i: usize,
        length: f64,
    ) {
        let motion = Motion { x: &self.x.x, v: &self.velocity[i], length, strain_rates: &self.strain_rates[i] };
        dissipative_acceleration(backend, frozen, motion, &mut self.forces[i], &mut self.g);
    }

    /// Counts what lossy contacts do among the conservative accelerations of all stages. On a light vertex barrier, elasticity and this
    /// balance each other: a correction by a part of them would shake it.
    pub(super) fn count_contact_as_conservative(&mut self, backend: &dyn Backend) {
        for (forces, conservative) in self.forces.iter().zip(&mut self.conservative) {
            if forces.contact.iter().any(|&force| force != 0.0) {
                backend.mass().solve(&forces.contact, &mut self.g);
                vector::add_scaled(conservative, -1.0, &self.g);
            }
        }
    }

    /// Those of stage i as its velocity gives them at the present position
    pub(super) fn set_strain_rates(&mut self, backend: &mut dyn Backend, i: usize) {
        let change = StrainChange::With { velocity: &self.velocity[i] };
        backend.strain_rates(&self.x.x, change, &mut self.strain_rates[i]);
    }

    pub(super) fn scratch(&mut self) -> (&mut Evaluation, &mut Vec<f64>) {
        (&mut self.x, &mut self.g)
    }

    /// Keeps the conservative acceleration at the end of the step where the last stage was there.
    pub fn remember_end(&self, tableau: &Tableau, memory: &mut Memory) {
        match self.conservative.last() {
            Some(last) if tableau.is_stiffly_accurate() => {
                memory.acceleration.get_or_insert_with(Vec::new).clone_from(last);
            }
            _ => memory.acceleration = None,
        }
    }
}
