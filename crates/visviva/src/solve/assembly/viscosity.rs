//! Viscosity of all elements: their strains, and what changing them costs. Buffers hold tets, then membranes, then hinges.

use crate::laws::viscosity::Viscous;
use crate::model::bodies::Model;
use crate::model::elements::Elements;
use crate::solve::dissipation::StrainChange;
use nalgebra::Vector3;
use rayon::prelude::*;

/// Elements a task
const CHUNK: usize = 256;

#[derive(Debug, Default)]
pub struct Viscosity {
    /// β of each body `[s]`; none where nothing is viscous
    times: Vec<f64>,
}

impl Viscosity {
    pub fn new(model: &Model) -> Self {
        let times: Vec<f64> = model.bodies.iter().map(|body| body.damping.viscous_time()).collect();
        if times.iter().all(|&time| time == 0.0) { Self::default() } else { Self { times } }
    }

    pub fn is_active(&self) -> bool {
        !self.times.is_empty()
    }

    /// out ← e(x); nothing where nothing is viscous
    pub fn strains(&self, model: &Model, x: &[f64], out: &mut Vec<f64>) {
        fn add<const N: usize, const B: usize, const S: usize, E: Viscous<N, B, S>>(
            elements: &Elements<N, E>,
            x: &[f64],
            out: &mut Vec<f64>,
        ) {
            let strains = |e: usize| elements.laws[e].strains(&elements.corners(e, x));
            out.extend(in_order(elements.len(), strains).as_flattened());
        }
        out.clear();
        if self.is_active() {
            add(&model.tets, x, out);
            add(&model.membranes, x, out);
            add(&model.hinges, x, out);
        }
    }

    /// out ← ė at x; nothing where nothing is viscous
    pub fn strain_rates(&self, model: &Model, x: &[f64], change: StrainChange<'_>, out: &mut Vec<f64>) {
        fn add<const N: usize, const B: usize, const S: usize, E: Viscous<N, B, S>>(
            elements: &Elements<N, E>,
            x: &[f64],
            change: StrainChange<'_>,
            out: &mut Vec<f64>,
        ) {
            let first = out.len();
            let rates = |e: usize| -> [f64; S] {
                let (law, corners) = (&elements.laws[e], elements.corners(e, x));
                match change {
                    StrainChange::With { velocity } => law.strain_rates(&corners, &elements.corners(e, velocity)),
                    StrainChange::Since { strains, length } => {
                        let (now, before) = (law.strains(&corners), &strains[first + S * e..]);
                        std::array::from_fn(|s| E::difference(now[s], before[s]) / length)
                    }
                }
            };
            out.extend(in_order(elements.len(), rates).as_flattened());
        }
        out.clear();
        if self.is_active() {
            add(&model.tets, x, change, out);
            add(&model.membranes, x, change, out);
            add(&model.hinges, x, change, out);
        }
    }

    /// out ← R of each body `[W]`
    pub fn powers(&self, model: &Model, mut rates: &[f64], out: &mut Vec<f64>) {
        fn add<const N: usize, const B: usize, const S: usize, E: Viscous<N, B, S>>(
            elements: &Elements<N, E>,
            times: &[f64],
            rates: &mut &[f64],
            out: &mut [f64],
        ) {
            let rates = taken::<S>(rates, elements.len());
            let powers = in_order(elements.len(), |e| elements.laws[e].power(&rates[e]));
            for (power, &body) in powers.iter().zip(&elements.body) {
                out[body as usize] += times[body as usize] * power;
            }
        }
        out.clear();
        out.resize(model.bodies.len(), 0.0);
        if self.is_active() {
            add(&model.tets, &self.times, &mut rates, out);
            add(&model.membranes, &self.times, &mut rates, out);
            add(&model.hinges, &self.times, &mut rates, out);
        }
    }

    /// g ← g + weight β (∂e/∂x)ᵀ C ė, on all nodes `[N]`
    pub fn add_gradient(&self, model: &Model, x: &[f64], mut rates: &[f64], weight: f64, g: &mut [f64]) {
        fn add<const N: usize, const B: usize, const S: usize, E: Viscous<N, B, S>>(
            elements: &Elements<N, E>,
            scale: impl Fn(u32) -> f64 + Sync + Send,
            x: &[f64],
            rates: &mut &[f64],
            g: &mut [f64],
        ) {
            let rates = taken::<S>(rates, elements.len());
            let forces = in_order(elements.len(), |e| match scale(elements.body[e]) {
                0.0 => [Vector3::zeros(); N],
                scale => elements.laws[e].gradient(&elements.corners(e, x), &rates[e]).map(|force| scale * force),
            });
            for (force, &node) in forces.as_flattened().iter().zip(elements.nodes.as_flattened()) {
                (0..3).for_each(|c| g[3 * node as usize + c] += force[c]);
            }
        }
        if self.is_active() {
            let scale = |body: u32| weight * self.times[body as usize];
            add(&model.tets, scale, x, &mut rates, g);
            add(&model.membranes, scale, x, &mut rates, g);
            add(&model.hinges, scale, x, &mut rates, g);
        }
    }

    /// Adds weight β (∂e/∂x)ᵀ C (∂e/∂x) to the elements' Hessians `[N/m]`.
    pub fn add_hessian(&self, model: &Model, x: &[f64], weight: f64, hessians: &mut [[f64; 9]]) {
        fn add<'a, const N: usize, const B: usize, const S: usize, E: Viscous<N, B, S>>(
            elements: &Elements<N, E>,
            scale: impl Fn(u32) -> f64 + Sync + Send,
            x: &[f64],
            hessians: &'a mut [[f64; 9]],
        ) -> &'a mut [[f64; 9]] {
            let (mine, rest) = hessians.split_at_mut(B * elements.len());
            mine.par_chunks_exact_mut(B).with_min_len(CHUNK).enumerate().for_each(|(e, sums)| {
                let scale = scale(elements.body[e]);
                if scale != 0.0 {
                    let blocks = elements.laws[e].hessian(&elements.corners(e, x));
                    let entries = blocks.iter().flat_map(|block| block.iter());
                    sums.as_flattened_mut().iter_mut().zip(entries).for_each(|(sum, entry)| *sum += scale * entry);
                }
            });
            rest
        }
        if self.is_active() {
            let scale = |body: u32| weight * self.times[body as usize];
            let rest = add(&model.tets, scale, x, hessians);
            let rest = add(&model.membranes, scale, x, rest);
            add(&model.hinges, scale, x, rest);
        }
    }
}

/// Of each of `count` elements, in parallel, in their order: sums over them do not depend on threads.
fn in_order<T: Send>(count: usize, of: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    (0..count).into_par_iter().with_min_len(CHUNK).map(of).collect()
}

/// The strains of the next `count` elements.
fn taken<'a, const S: usize>(strains: &mut &'a [f64], count: usize) -> &'a [[f64; S]] {
    strains.split_off(..S * count).unwrap_or_default().as_chunks().0
}
