//! A borrowed world is a world: whoever owns one can lend it to a simulation and look at it afterwards.

use super::stage::{ContactState, DissipativeForces, SolveError, SolveReport, Stage, World};
use crate::model::{Energies, Mass};

impl<W: World + ?Sized> World for &mut W {
    fn mass(&self) -> &Mass {
        (**self).mass()
    }

    fn terms(&self) -> &[&'static str] {
        (**self).terms()
    }

    fn begin_step(&mut self, x0: &[f64]) {
        (**self).begin_step(x0);
    }

    fn has_dissipation(&self) -> bool {
        (**self).has_dissipation()
    }

    fn prescribe(&self, t: f64, x: &mut [f64]) {
        (**self).prescribe(t, x);
    }

    fn check_motion(&mut self, t0: f64, t1: f64) -> Result<(), SolveError> {
        (**self).check_motion(t0, t1)
    }

    fn energies(&mut self, x: &[f64]) -> Energies {
        (**self).energies(x)
    }

    fn gradient(&mut self, x: &[f64], g: &mut [f64]) {
        (**self).gradient(x, g);
    }

    fn add_dissipation(&mut self, v: &[f64], weight: f64, forces: &mut DissipativeForces) {
        (**self).add_dissipation(v, weight, forces);
    }

    fn boundary_work(&mut self, x0: &[f64], x1: &[f64]) -> f64 {
        (**self).boundary_work(x0, x1)
    }

    fn stiffness_product(&mut self, x: &[f64], d: &[f64], out: &mut [f64]) {
        (**self).stiffness_product(x, d, out);
    }

    fn largest_step(&mut self, x: &[f64], dx: &[f64]) -> f64 {
        (**self).largest_step(x, dx)
    }

    fn contact_state(&self) -> ContactState {
        (**self).contact_state()
    }

    fn minimise(&mut self, stage: &Stage<'_>, x: &mut [f64]) -> Result<SolveReport, SolveError> {
        (**self).minimise(stage, x)
    }
}
