//! An integrator of one's own, plugged in from outside: implicit Euler's positions, and velocities from which half of the force
//! difference is taken (the α-method with α = ½), beside the built-in ones on a swinging cube.
//!
//!     cargo run --release --example own_integrator

use visviva::integrate::step::{Advance, finish};
use visviva::integrate::{Integrator, LinearForm, Memory, Step, StepEnd, StepError, StepReport, Tableau};
use visviva::model::State;
use visviva::scene::{Body, Material, Pin, Scene};
use visviva::simulation::Simulation;
use visviva::solve::{Backend, BodiesSolver, Stage};

#[derive(Debug, Default)]
struct HalfAlpha {
    memory: Memory,
    advance: Advance,
}

impl Integrator for HalfAlpha {
    fn order(&self) -> u32 {
        1
    }

    fn step(
        &mut self,
        backend: &mut dyn Backend,
        state: &mut State,
        step: &Step<'_>,
        end: &mut StepEnd,
    ) -> Result<StepReport, StepError> {
        let (h, n) = (step.h, state.x.len());
        self.advance.reset(n);
        let predictor: Vec<f64> = state.x.iter().zip(&state.v).map(|(x, v)| x + h * v).collect();
        let stage = Stage {
            start: step.start,
            predictor: &predictor,
            length: h,
            velocity_origin: &state.x,
            velocity_length: h,
            strain_origin: &[],
            t: step.goal.t1,
            frozen: None,
        };
        let solve = backend.minimise(&stage, &mut self.advance.end)?;
        let x1 = &self.advance.end.x;
        // The force that the solved position implies, and the one of the step before.
        let acceleration: Vec<f64> = (0..n).map(|i| (x1[i] - predictor[i]) / (h * h)).collect();
        let before = self.memory.acceleration.as_ref().unwrap_or(&acceleration);
        for i in 0..n {
            self.advance.v1[i] = (x1[i] - state.x[i]) / h - 0.5 * h * (acceleration[i] - before[i]);
        }
        let exchange = self.advance.exchange(backend, step, &state.v);
        let report = finish(backend, state, step, &mut self.advance, solve, exchange, None, end)?;
        self.memory.acceleration = Some(acceleration);
        Ok(report)
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    fn linear_form(&self) -> LinearForm {
        LinearForm::Decoupled { base: Tableau::theta_inner(1.0), alpha: 0.5 }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cube = Body::cuboid([0.1; 3], [4; 3]).named("cube").material(Material::new(5e4).law("corotated"));
    let scene = Scene::new("A soft cube swings round a fixed edge")
        .body(cube.at([0.05, 0.0, 0.05]).spin([0.0, -15.0, 0.0]))
        .pin(Pin::of("cube").edge([0.0, -0.05, 0.0], [0.0, 0.05, 0.0]))
        .step("1/30");
    println!("energy after 2 s:");
    for (name, own) in [("implicit-euler", false), ("own, α = ½", true), ("a-1", false)] {
        let built = scene.build()?;
        let solver = BodiesSolver::new(built.model.clone(), built.solver)?;
        let integrator: Box<dyn Integrator> =
            if own { Box::<HalfAlpha>::default() } else { name.parse::<visviva::integrate::IntegratorSpec>()?.build() };
        let mut simulation = Simulation::new(solver, built.start, integrator, &built.plan, built.h)?;
        let start = simulation.total_energy();
        for _ in 0..60 {
            simulation.step()?;
        }
        println!("{name:>16} {:8.4} J of {start:.4} J", simulation.total_energy());
    }
    Ok(())
}
