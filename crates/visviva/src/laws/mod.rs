//! Formulas: pure functions of a few points and their parameters. No state, no time steps, no solvers.

pub mod barrier;
pub mod bending;
pub mod corotated;
pub mod coulomb;
pub mod drive;
pub mod fixed_corotated;
pub mod hysteresis;
pub mod inversion;
pub mod joint;
pub mod membrane;
pub mod neo_hookean;
pub mod neo_hookean_bar;
pub mod neo_hookean_sheet;
pub mod solid;
pub mod spectrum;
pub mod stable_neo_hookean;
pub mod stencil;
pub mod stvk;
pub mod stvk_sheet;
pub mod tetrahedron;
pub mod triangle;
pub mod viscosity;
pub mod volume_barrier;

#[cfg(test)]
mod tests;

/// A derivative checked against central differences with Richardson extrapolation.
#[cfg(test)]
pub(crate) mod finite_difference {
    pub fn derivative(f: impl Fn(f64) -> f64, x: f64, step: f64) -> f64 {
        let central = |h: f64| (f(x + h) - f(x - h)) / (2.0 * h);
        (4.0 * central(0.5 * step) - central(step)) / 3.0
    }

    pub fn check(f: impl Fn(f64) -> f64, claimed: impl Fn(f64) -> f64, x: f64, step: f64) {
        let measured = derivative(&f, x, step);
        let claimed = claimed(x);
        // Of the values, and of x itself where they are steep.
        let ends = [x + step, x - step];
        let noise = |y: f64| 8.0 * f64::EPSILON * (f(y).abs() + (y * derivative(&f, y, step)).abs()) / step;
        let noise = ends.map(noise).into_iter().fold(0.0, f64::max);
        let scale = claimed.abs().max(measured.abs());
        assert!((measured - claimed).abs() <= 1e-7 * scale + noise, "at {x}: claimed {claimed}, measured {measured}");
    }
}
