//! The elastic energy of all elements: value, gradients and Hessians element by element, in parallel.
//!
//! Sums run over chunks of fixed size and then over the chunks in order: the bits do not depend on the number of threads.
//! Buffers hold tets, then membranes, then hinges.

use crate::laws::stencil::Stencil;
use crate::model::bodies::{Model, node_of};
use crate::model::elements::Elements;
use nalgebra::{Matrix3, Vector3};
use rayon::prelude::*;

/// Elements a task: small enough to share 6000 among cores, large enough to pay for the task.
const CHUNK: usize = 256;

/// Σ W(x) `[J]`, +∞ where an element is inadmissible.
pub fn energy(model: &Model, x: &[f64]) -> f64 {
    fn of<const N: usize, const B: usize, E: Stencil<N, B>>(elements: &Elements<N, E>, x: &[f64]) -> f64 {
        chunked_sum(elements.len(), |e| elements.laws[e].energy(&elements.corners(e, x)))
    }
    of(&model.tets, x) + of(&model.membranes, x) + of(&model.hinges, x)
}

/// Σ W(x) of each body's elements `[J]`
pub fn energy_by_body(model: &Model, x: &[f64]) -> Vec<f64> {
    fn add<const N: usize, const B: usize, E: Stencil<N, B>>(elements: &Elements<N, E>, x: &[f64], sums: &mut [f64]) {
        let energy = |e: usize| elements.laws[e].energy(&elements.corners(e, x));
        let energies: Vec<f64> = (0..elements.len()).into_par_iter().with_min_len(CHUNK).map(energy).collect();
        energies.iter().zip(&elements.body).for_each(|(energy, &body)| sums[body as usize] += energy);
    }
    let mut sums = vec![0.0; model.bodies.len()];
    add(&model.tets, x, &mut sums);
    add(&model.membranes, x, &mut sums);
    add(&model.hinges, x, &mut sums);
    sums
}

/// Ψ of each tet `[J/m³]`, then of each membrane `[J/m²]`.
pub fn energy_density(model: &Model, x: &[f64]) -> Vec<f64> {
    let (tets, membranes) = (&model.tets, &model.membranes);
    let of_tet = |e: usize| tets.laws[e].energy(&tets.corners(e, x)) / tets.laws[e].shape.volume();
    let of_membrane = |e: usize| membranes.laws[e].energy(&membranes.corners(e, x)) / membranes.laws[e].shape.area();
    let (solid, thin) = ((0..tets.len()).into_par_iter(), (0..membranes.len()).into_par_iter());
    solid.map(of_tet).chain(thin.map(of_membrane)).collect()
}

/// Sums in fixed chunks.
pub fn chunked_sum(count: usize, value: impl Fn(usize) -> f64 + Sync) -> f64 {
    let chunk_sum = |chunk: usize| (chunk * CHUNK..((chunk + 1) * CHUNK).min(count)).map(&value).sum::<f64>();
    let sums: Vec<f64> = (0..count.div_ceil(CHUNK)).into_par_iter().map(chunk_sum).collect();
    sums.iter().sum()
}

/// Gradients of all elements, a 3-vector a node.
pub fn gradients(model: &Model, x: &[f64], out: &mut [[f64; 3]]) {
    fn fill<'a, const N: usize, const B: usize, E: Stencil<N, B>>(
        elements: &Elements<N, E>,
        x: &[f64],
        out: &'a mut [[f64; 3]],
    ) -> &'a mut [[f64; 3]] {
        let (mine, rest) = out.split_at_mut(N * elements.len());
        mine.par_chunks_mut(N * CHUNK).enumerate().for_each(|(chunk, out)| {
            for (i, out) in out.chunks_exact_mut(N).enumerate() {
                let e = chunk * CHUNK + i;
                let gradient = elements.laws[e].gradient(&elements.corners(e, x));
                out.iter_mut().zip(gradient).for_each(|(out, g)| *out = g.into());
            }
        });
        rest
    }
    let out = fill(&model.tets, x, out);
    let out = fill(&model.membranes, x, out);
    fill(&model.hinges, x, out);
}

/// Gradients and projected Hessians of all elements: N 3-vectors and N(N + 1)/2 blocks each.
pub fn gradients_and_hessians(model: &Model, x: &[f64], gradients: &mut [[f64; 3]], hessians: &mut [[f64; 9]]) {
    renew(model, x, gradients, hessians, &vec![Renew::Both; model.bodies.len()]);
}

/// What is wanted of a body's elements; all else stays in its buffers as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renew {
    Nothing,
    Gradients,
    Both,
}

/// What is wanted of each body.
pub fn renew(model: &Model, x: &[f64], gradients: &mut [[f64; 3]], hessians: &mut [[f64; 9]], how: &[Renew]) {
    type Rest<'a> = (&'a mut [[f64; 3]], &'a mut [[f64; 9]]);
    fn fill<'a, const N: usize, const B: usize, E: Stencil<N, B>>(
        elements: &Elements<N, E>,
        x: &[f64],
        (gradients, hessians): Rest<'a>,
        how: &[Renew],
    ) -> Rest<'a> {
        let (my_gradients, gradients) = gradients.split_at_mut(N * elements.len());
        let (my_hessians, hessians) = hessians.split_at_mut(B * elements.len());
        let chunks = my_gradients.par_chunks_mut(N * CHUNK).zip(my_hessians.par_chunks_mut(B * CHUNK));
        chunks.enumerate().for_each(|(chunk, (gradients, hessians))| {
            let both = gradients.chunks_exact_mut(N).zip(hessians.chunks_exact_mut(B));
            let mut known = [None; 4];
            for (i, (gradient_out, hessian_out)) in both.enumerate() {
                let e = chunk * CHUNK + i;
                if i % 4 == 0 {
                    let four = [e, e + 1, e + 2, e + 3];
                    let asked =
                        |&e: &usize| elements.body.get(e).is_some_and(|&body| how[body as usize] == Renew::Both);
                    let all = four.iter().all(asked);
                    known = if all {
                        E::decomposed(four.map(|e| (&elements.laws[e], elements.corners(e, x))))
                    } else {
                        [None; 4]
                    };
                }
                let (law, corners) = (&elements.laws[e], || elements.corners(e, x));
                let gradient = match how[elements.body[e] as usize] {
                    Renew::Nothing => continue,
                    Renew::Gradients => law.gradient(&corners()),
                    Renew::Both => {
                        let (gradient, hessian) = law.gradient_and_hessian_with(&corners(), &known[i % 4]);
                        let blocks = hessian_out.iter_mut().zip(hessian);
                        blocks.for_each(|(out, block)| out.copy_from_slice(block.as_slice()));
                        gradient
                    }
                };
                gradient_out.iter_mut().zip(gradient).for_each(|(out, g)| *out = g.into());
            }
        });
        (gradients, hessians)
    }
    let rest = fill(&model.tets, x, (gradients, hessians), how);
    let rest = fill(&model.membranes, x, rest, how);
    fill(&model.hinges, x, rest, how);
}

/// K d of one element, from the upper blocks of its K.
#[inline]
pub fn block_product(nodes: &[u32], blocks: &[[f64; 9]], d: &[f64]) -> [Vector3<f64>; 4] {
    let mut product = [Vector3::zeros(); 4];
    let mut next = blocks.iter();
    for a in 0..nodes.len() {
        for b in a..nodes.len() {
            let k = Matrix3::from_column_slice(next.next().expect("a block for each pair of nodes"));
            product[a] += k * node_of(d, nodes[b] as usize);
            if a != b {
                product[b] += k.transpose() * node_of(d, nodes[a] as usize);
            }
        }
    }
    product
}

/// The largest part of the step dx, at most 1, in which no element that may not invert does.
pub fn largest_step(model: &Model, x: &[f64], dx: &[f64]) -> f64 {
    fn of<const N: usize, const B: usize, E: Stencil<N, B>>(elements: &Elements<N, E>, x: &[f64], dx: &[f64]) -> f64 {
        let bound = |e: usize| elements.laws[e].largest_step(&elements.corners(e, x), &elements.corners(e, dx));
        (0..elements.len()).into_par_iter().with_min_len(CHUNK).map(bound).reduce(|| 1.0, f64::min)
    }
    of(&model.tets, x, dx).min(of(&model.membranes, x, dx)).min(of(&model.hinges, x, dx))
}
