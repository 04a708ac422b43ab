//! Potentials and dissipation of the small worlds, over the laws.

use crate::laws::{barrier, coulomb, neo_hookean_bar};
use crate::math::band::BandMatrix;
use crate::model::{Cause, Dissipation, Potential, RelativeChange};

/// Part of the way to a singularity that one Newton step may go.
const FRACTION_TO_BOUNDARY: f64 = 0.9;

/// A chain of equal neo-Hookean elements.
#[derive(Debug, Clone, Copy)]
pub struct BarElasticity {
    pub element_count: usize,
    /// Rest length of an element `[m]`
    pub length: f64,
    /// Stiffness of the cross section `[N]`
    pub stiffness: f64,
}

impl BarElasticity {
    fn stretches<'a>(&'a self, x: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        x.windows(2).take(self.element_count).map(|pair| (pair[1] - pair[0]) / self.length)
    }
}

impl Potential for BarElasticity {
    fn term(&self) -> &'static str {
        "elastic"
    }

    fn value(&self, x: &[f64]) -> f64 {
        self.stretches(x).map(|f| self.length * neo_hookean_bar::value(f, self.stiffness)).sum()
    }

    fn add_gradient(&self, x: &[f64], g: &mut [f64]) {
        for (i, f) in self.stretches(x).enumerate() {
            let tension = neo_hookean_bar::slope(f, self.stiffness);
            g[i] -= tension;
            g[i + 1] += tension;
        }
    }

    fn add_hessian(&self, x: &[f64], hessian: &mut BandMatrix) {
        for (i, f) in self.stretches(x).enumerate() {
            hessian.add_spring(i, i + 1, neo_hookean_bar::curvature(f, self.stiffness) / self.length);
        }
    }

    fn largest_step(&self, x: &[f64], dx: &[f64]) -> f64 {
        let shrinking = self.stretches(x).zip(self.stretches(dx)).filter(|(_, df)| *df < 0.0);
        shrinking.fold(1.0, |step, (f, df)| (-FRACTION_TO_BOUNDARY * f / df).min(step))
    }

    fn relative_change(&self, x: &[f64], dx: &[f64]) -> RelativeChange {
        let stretch = self.stretches(x).zip(self.stretches(dx)).fold(0.0, |m: f64, (f, df)| m.max((df / f).abs()));
        RelativeChange { gap: 0.0, stretch }
    }

    fn bandwidth(&self) -> usize {
        1
    }
}

/// A wall at 0 that keeps node 0 at x > 0: P = −κ (d/d̂ − 1)² ln(d/d̂).
#[derive(Debug, Clone, Copy)]
pub struct WallBarrier {
    /// κ `[J]`
    pub stiffness: f64,
    /// d̂ `[m]`
    pub reach: f64,
}

impl WallBarrier {
    fn scale(&self) -> f64 {
        self.stiffness / (self.reach * self.reach)
    }
}

impl Potential for WallBarrier {
    fn term(&self) -> &'static str {
        "barrier"
    }

    fn value(&self, x: &[f64]) -> f64 {
        self.scale() * barrier::value(x[0], self.reach)
    }

    fn add_gradient(&self, x: &[f64], g: &mut [f64]) {
        g[0] += self.scale() * barrier::slope(x[0], self.reach);
    }

    fn add_hessian(&self, x: &[f64], hessian: &mut BandMatrix) {
        hessian.add(0, 0, self.scale() * barrier::curvature(x[0], self.reach));
    }

    fn largest_step(&self, x: &[f64], dx: &[f64]) -> f64 {
        if dx[0] < 0.0 { (-FRACTION_TO_BOUNDARY * x[0] / dx[0]).min(1.0) } else { 1.0 }
    }

    fn relative_change(&self, x: &[f64], dx: &[f64]) -> RelativeChange {
        let active = x[0] < self.reach || x[0] + dx[0] < self.reach;
        RelativeChange { gap: if active { (dx[0] / x[0]).abs() } else { 0.0 }, stretch: 0.0 }
    }
}

/// ½ k x² of node 0: everywhere, or below zero only (a soft wall).
#[derive(Debug, Clone, Copy)]
pub struct Spring {
    /// k `[N/m]`
    pub stiffness: f64,
    pub one_sided: bool,
}

impl Spring {
    fn acts(&self, x: f64) -> bool {
        !self.one_sided || x < 0.0
    }
}

impl Potential for Spring {
    fn term(&self) -> &'static str {
        if self.one_sided { "barrier" } else { "elastic" }
    }

    fn value(&self, x: &[f64]) -> f64 {
        if self.acts(x[0]) { 0.5 * self.stiffness * x[0] * x[0] } else { 0.0 }
    }

    fn add_gradient(&self, x: &[f64], g: &mut [f64]) {
        if self.acts(x[0]) {
            g[0] += self.stiffness * x[0];
        }
    }

    fn add_hessian(&self, x: &[f64], hessian: &mut BandMatrix) {
        if self.acts(x[0]) {
            hessian.add(0, 0, self.stiffness);
        }
    }
}

/// Morse's potential D (1 − e^(−a x))² of node 0: a nonlinear oscillator with a closed-form solution.
#[derive(Debug, Clone, Copy)]
pub struct Morse {
    /// D `[J]`
    pub depth: f64,
    /// a `[1/m]`
    pub width: f64,
}

impl Morse {
    /// Position and velocity at time t of a particle of mass m with energy E < D, at its inner turning point at t = 0.
    pub fn solution(&self, mass: f64, energy: f64, t: f64) -> (f64, f64) {
        let ratio = (energy / self.depth).sqrt();
        let omega = self.width * (2.0 * (self.depth - energy) / mass).sqrt();
        let (sin, cos) = (omega * t).sin_cos();
        let inner = 1.0 - ratio * cos;
        ((inner / (1.0 - ratio * ratio)).ln() / self.width, ratio * omega * sin / (inner * self.width))
    }
}

impl Potential for Morse {
    fn term(&self) -> &'static str {
        "elastic"
    }

    fn value(&self, x: &[f64]) -> f64 {
        self.depth * (1.0 - (-self.width * x[0]).exp()).powi(2)
    }

    fn add_gradient(&self, x: &[f64], g: &mut [f64]) {
        let e = (-self.width * x[0]).exp();
        g[0] += 2.0 * self.depth * self.width * e * (1.0 - e);
    }

    fn add_hessian(&self, x: &[f64], hessian: &mut BandMatrix) {
        let e = (-self.width * x[0]).exp();
        hessian.add(0, 0, (2.0 * self.depth * self.width.powi(2) * e * (2.0 * e - 1.0)).max(0.0));
    }
}

/// Uniform gravity m g x on every node.
#[derive(Debug, Clone)]
pub struct Gravity {
    /// Weights `[N]`
    pub weights: Vec<f64>,
}

impl Potential for Gravity {
    fn term(&self) -> &'static str {
        "gravity"
    }

    fn value(&self, x: &[f64]) -> f64 {
        x.iter().zip(&self.weights).map(|(x, w)| w * x).sum()
    }

    fn add_gradient(&self, _x: &[f64], g: &mut [f64]) {
        g.iter_mut().zip(&self.weights).for_each(|(g, w)| *g += w);
    }

    fn add_hessian(&self, _x: &[f64], _hessian: &mut BandMatrix) {}
}

/// The bar's damping as fitted to the paper's table: per element ½ c m_e (W″(F_n)/E)/(1 + r) [[1, r], [r, 1]] on absolute
/// velocities, so that a free rigid body decays at the rate c.
#[derive(Debug, Clone, Copy)]
pub struct BarDamping {
    pub bar: BarElasticity,
    /// c `[1/s]`
    pub rate: f64,
    /// m_e `[kg]`
    pub element_mass: f64,
    /// r
    pub coupling: f64,
}

impl Dissipation for BarDamping {
    fn cause(&self) -> Cause {
        Cause::Damping
    }

    fn freeze(&self, x0: &[f64], frozen: &mut Vec<f64>) {
        let stiffness = self.bar.stiffness;
        let unit = 0.5 * self.rate * self.element_mass / (1.0 + self.coupling);
        frozen.clear();
        frozen.extend(self.bar.stretches(x0).map(|f| unit * neo_hookean_bar::curvature(f, stiffness) / stiffness));
    }

    fn value(&self, frozen: &[f64], v: &[f64]) -> f64 {
        let pairs = v.windows(2).zip(frozen);
        pairs.map(|(v, c)| 0.5 * c * (v[0] * v[0] + v[1] * v[1] + 2.0 * self.coupling * v[0] * v[1])).sum()
    }

    fn add_gradient(&self, frozen: &[f64], v: &[f64], g: &mut [f64]) {
        for (i, c) in frozen.iter().enumerate() {
            g[i] += c * (v[i] + self.coupling * v[i + 1]);
            g[i + 1] += c * (v[i + 1] + self.coupling * v[i]);
        }
    }

    fn add_hessian(&self, frozen: &[f64], _v: &[f64], scale: f64, hessian: &mut BandMatrix) {
        for (i, c) in frozen.iter().enumerate() {
            hessian.add(i, i, scale * c);
            hessian.add(i + 1, i + 1, scale * c);
            hessian.add(i, i + 1, scale * c * self.coupling);
        }
    }

    fn bandwidth(&self) -> usize {
        1
    }
}

/// Drag −c v of node 0.
#[derive(Debug, Clone, Copy)]
pub struct Drag {
    /// c `[kg/s]`
    pub rate: f64,
}

impl Dissipation for Drag {
    fn cause(&self) -> Cause {
        Cause::Damping
    }

    fn freeze(&self, _x0: &[f64], _frozen: &mut Vec<f64>) {}

    fn value(&self, _frozen: &[f64], v: &[f64]) -> f64 {
        0.5 * self.rate * v[0] * v[0]
    }

    fn add_gradient(&self, _frozen: &[f64], v: &[f64], g: &mut [f64]) {
        g[0] += self.rate * v[0];
    }

    fn add_hessian(&self, _frozen: &[f64], _v: &[f64], scale: f64, hessian: &mut BandMatrix) {
        hessian.add(0, 0, scale * self.rate);
    }
}

/// Coulomb friction of node 0 against the ground, under a fixed normal force.
#[derive(Debug, Clone, Copy)]
pub struct Sliding {
    /// μN `[N]`
    pub force: f64,
    /// Speed below which it sticks `[m/s]`
    pub epsilon: f64,
}

impl Dissipation for Sliding {
    fn cause(&self) -> Cause {
        Cause::Friction
    }

    fn freeze(&self, _x0: &[f64], _frozen: &mut Vec<f64>) {}

    fn value(&self, _frozen: &[f64], v: &[f64]) -> f64 {
        self.force * coulomb::value(v[0].abs(), self.epsilon)
    }

    fn add_gradient(&self, _frozen: &[f64], v: &[f64], g: &mut [f64]) {
        g[0] += self.force * coulomb::slope(v[0].abs(), self.epsilon) * v[0].signum();
    }

    fn add_hessian(&self, _frozen: &[f64], v: &[f64], scale: f64, hessian: &mut BandMatrix) {
        hessian.add(0, 0, scale * self.force * coulomb::curvature(v[0].abs(), self.epsilon));
    }
}
