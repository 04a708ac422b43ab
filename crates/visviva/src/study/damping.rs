//! A mass on a spring with a strong drag: why damping belongs into the implicit solve and not into the correction of velocities.

use super::worlds::{Drag, Spring};
use crate::energy::EnergyPlan;
use crate::integrate::IntegratorSpec;
use crate::model::{Mass, State};
use crate::simulation::{Simulation, StartError};
use crate::solve::{BandedSolver, NewtonSettings};

/// Largest speed over 50 steps that begin at 1 m/s `[m/s]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// With the drag in the solve alone, as A-1 and A-search have it
    pub implicit: f64,
    /// With the drag in the correction too: v = v₀ − h(k x₀ + c v₀)/m
    pub explicit: f64,
}

const STEPS: usize = 50;

/// `drag` is hc/m, `hbar` h²k/m.
pub fn growth(integrator: &IntegratorSpec, drag: f64, hbar: f64) -> Result<Growth, StartError> {
    let mass = Mass::lumped(1, vec![1.0]).expect("one kilogram is positive");
    let spring = Spring { stiffness: hbar, one_sided: false };
    let settings = NewtonSettings { displacement: 1e-12, ..NewtonSettings::TIGHT };
    let mut world =
        BandedSolver::new(mass, vec![Box::new(spring)], vec![Box::new(Drag { rate: drag })], Vec::new(), settings);
    let start = State::new(vec![0.0], vec![1.0]);
    let mut simulation = Simulation::new(&mut world, start, integrator.build(), &EnergyPlan::default(), 1.0)?;
    let mut implicit = 0.0f64;
    for _ in 0..STEPS {
        // What cannot be stepped has grown beyond all bounds.
        let speed = simulation.step().map_or(f64::INFINITY, |_| simulation.state.v[0].abs());
        implicit = implicit.max(speed);
    }
    let (mut x, mut v, mut explicit) = (0.0, 1.0, 0.0f64);
    for _ in 0..STEPS {
        let next = ((1.0 + drag) * x + v) / (1.0 + drag + hbar);
        v -= hbar * x + drag * v;
        x = next;
        explicit = explicit.max(v.abs());
    }
    Ok(Growth { implicit, explicit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strong_drag_calms_in_the_solve_and_explodes_in_the_correction() {
        let growth = growth(&"a-1".parse().unwrap(), 10.0, 0.1).unwrap();
        assert!(growth.implicit <= 1.0 && growth.explicit > 1e6, "{growth:?}");
    }
}
