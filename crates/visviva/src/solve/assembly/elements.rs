//! Gradients and Hessians of all elements, in a fixed place each, and which of them are still true.

use crate::model::bodies::Model;
use crate::solve::elastic;

#[derive(Debug)]
pub struct ElementBuffers {
    gradients: Vec<[f64; 3]>,
    hessians: Vec<[f64; 9]>,
    /// Whether the buffers hold a body's elements where the body is
    fresh: Vec<bool>,
}

impl ElementBuffers {
    pub fn new(model: &Model) -> Self {
        let (entries, blocks) = model.stencil_sizes();
        Self {
            gradients: vec![[0.0; 3]; entries],
            hessians: vec![[0.0; 9]; blocks],
            fresh: vec![false; model.bodies.len()],
        }
    }

    pub fn gradients(&self) -> &[[f64; 3]] {
        &self.gradients
    }

    pub fn hessians(&self) -> &[[f64; 9]] {
        &self.hessians
    }

    /// To have something added: they are no elements' any more.
    pub fn hessians_to_change(&mut self) -> &mut [[f64; 9]] {
        self.forget();
        &mut self.hessians
    }

    /// As scratch.
    pub fn gradients_to_overwrite(&mut self) -> &mut [[f64; 3]] {
        self.forget();
        &mut self.gradients
    }

    pub fn forget(&mut self) {
        self.fresh.fill(false);
    }

    pub fn moved(&mut self, model: &Model, from: &[f64], to: &[f64]) {
        for (body, fresh) in model.bodies.iter().zip(&mut self.fresh) {
            let range = 3 * body.nodes.start..3 * body.nodes.end;
            *fresh &= from[range.clone()] == to[range];
        }
    }

    /// Gradients and Hessians at x of all bodies whose are not fresh, but those that stand: nobody asks for theirs.
    pub fn evaluate(&mut self, model: &Model, x: &[f64], standing: &[bool]) {
        let skipped: Vec<bool> = self.fresh.iter().zip(standing).map(|(fresh, stands)| *fresh || *stands).collect();
        elastic::renew_gradients_and_hessians(model, x, &mut self.gradients, &mut self.hessians, &skipped);
        self.fresh.iter_mut().zip(standing).for_each(|(fresh, stands)| *fresh |= !stands);
    }

    /// Gradients alone.
    pub fn evaluate_gradients(&mut self, model: &Model, x: &[f64]) {
        self.forget();
        elastic::gradients(model, x, &mut self.gradients);
    }
}
