//! Gradients and Hessians of all elements, in a fixed place each, and which of them are still true.
//!
//! A Hessian also serves where its body hardly deformed since: Newton then takes a step more here and there, and a body whose
//! Hessians stay keeps its part of the factor.

use crate::model::bodies::{BodyKind, Model, ModelBody};
use crate::solve::elastic::{self, Renew};
use nalgebra::Vector3;
use rayon::prelude::*;

/// ‖F − F₀‖ up to which Hessians of F₀ serve: what they get wrong of a step is of its order.
const DEFORMED: f64 = 0.1;

/// s² Σ V (λ + 2μ) ‖F − F₀‖² over Σ m r² up to which they serve: so much more than its inertia they make a body resist a turn.
const TURNED: f64 = 0.02;

#[derive(Debug)]
pub struct ElementBuffers {
    gradients: Vec<[f64; 3]>,
    hessians: Vec<[f64; 9]>,
    bodies: Vec<Held>,
    /// Where each body's Hessians are true
    x: Vec<f64>,
    /// Σ m r² of each body about its mass centre `[kg m²]`
    spread: Vec<f64>,
}

/// What the buffers hold of a body's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    Nothing,
    /// Hessians of another place
    OldHessians,
    /// Such, and gradients
    Mixed,
    Both,
}

impl ElementBuffers {
    pub fn new(model: &Model) -> Self {
        let (entries, blocks) = model.stencil_sizes();
        Self {
            gradients: vec![[0.0; 3]; entries],
            hessians: vec![[0.0; 9]; blocks],
            bodies: vec![Held::Nothing; model.bodies.len()],
            x: vec![0.0; 3 * model.node_count()],
            spread: model.bodies.iter().map(|body| spread(model, body)).collect(),
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
        self.bodies.fill(Held::Nothing);
    }

    pub fn moved(&mut self, model: &Model, from: &[f64], to: &[f64]) {
        for (body, held) in model.bodies.iter().zip(&mut self.bodies) {
            if *held != Held::Nothing && body.part_of(from) != body.part_of(to) {
                *held = Held::OldHessians;
            }
        }
    }

    /// Gradients and Hessians at x of all bodies that moved, but those that stand: nobody asks for theirs. Hessians of bodies that hardly
    /// deformed stay where `keep` allows it and tells the stage's s².
    pub fn evaluate(&mut self, model: &Model, x: &[f64], standing: &[bool], keep: Option<f64>) {
        let how: Vec<Renew> = (0..model.bodies.len())
            .into_par_iter()
            .with_max_len(1)
            .map(|body| match self.bodies[body] {
                Held::Both => Renew::Nothing,
                Held::Mixed if keep.is_some() => Renew::Nothing,
                _ if standing[body] => Renew::Nothing,
                Held::OldHessians if keep.is_some_and(|s2| self.hardly_deformed(model, body, x, s2)) => {
                    Renew::Gradients
                }
                _ => Renew::Both,
            })
            .collect();
        elastic::renew(model, x, &mut self.gradients, &mut self.hessians, &how);
        for ((held, body), how) in self.bodies.iter_mut().zip(&model.bodies).zip(how) {
            match how {
                Renew::Nothing => {}
                Renew::Gradients => *held = Held::Mixed,
                Renew::Both => {
                    let range = 3 * body.nodes.start..3 * body.nodes.end;
                    self.x[range.clone()].copy_from_slice(&x[range]);
                    *held = Held::Both;
                }
            }
        }
    }

    /// Whether a body's Hessians are of another place.
    pub fn keeps(&self, body: usize) -> bool {
        self.bodies[body] == Held::Mixed
    }

    /// A body's Hessians did not serve.
    pub fn renew(&mut self, body: usize) {
        self.bodies[body] = Held::Nothing;
    }

    /// Whether a solid body is nearly as it was where its Hessians are true: all of F counts, as a turn changes them too.
    fn hardly_deformed(&self, model: &Model, body: usize, x: &[f64], s2: f64) -> bool {
        let tets = model.bodies[body].tets.clone();
        if model.bodies[body].kind != BodyKind::Solid {
            return false;
        }
        let (mut largest, mut resistance) = (0.0f64, 0.0);
        for tet in tets {
            let (new, old) = (model.tets.corners(tet, x), model.tets.corners(tet, &self.x));
            let law = &model.tets.laws[tet];
            let change = law.shape.deformation_gradient(&std::array::from_fn(|i| new[i] - old[i])).norm_squared();
            let (mu, lambda) = law.solid.lame();
            largest = largest.max(change);
            resistance += law.shape.volume() * (lambda + 2.0 * mu) * change;
        }
        largest < DEFORMED * DEFORMED && s2 * resistance < TURNED * self.spread[body]
    }

    /// Gradients alone.
    pub fn evaluate_gradients(&mut self, model: &Model, x: &[f64]) {
        self.bodies.iter_mut().filter(|held| **held != Held::Nothing).for_each(|held| *held = Held::OldHessians);
        elastic::gradients(model, x, &mut self.gradients);
    }
}

fn spread(model: &Model, body: &ModelBody) -> f64 {
    let nodes = || body.nodes.clone().map(|node| (model.node_mass[node], model.rest[node]));
    let mass: f64 = nodes().map(|(m, _)| m).sum();
    let centre = nodes().map(|(m, x)| m * x).sum::<Vector3<f64>>() / mass;
    nodes().map(|(m, x)| m * (x - centre).norm_squared()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::solid::Solid;
    use crate::mesh::generate;
    use crate::model::bodies::flatten;
    use crate::model::{BodyInput, Damping, Matter, ModelInput};
    use nalgebra::{Matrix3, Rotation3};

    const S2: f64 = 1.0 / (120.0 * 120.0);

    fn cube(youngs_modulus: f64) -> Model {
        let mesh = generate::cuboid(Vector3::repeat(0.1), [3, 3, 3]).unwrap();
        let solid = Solid::from_name("neo-hookean", youngs_modulus, 0.3).unwrap();
        let matter = Matter::Solid { mesh, solid, density: 1000.0 };
        let bodies = vec![BodyInput { name: "cube".into(), matter, damping: Damping::default() }];
        let gravity = Vector3::zeros();
        Model::new(ModelInput { bodies, obstacles: vec![], pins: vec![], joints: vec![], gravity, contact: None })
            .unwrap()
    }

    /// Whether Hessians of the rest serve where it is mapped to; gradients must be those of the place.
    fn stay(model: &Model, map: impl Fn(Vector3<f64>) -> Vector3<f64>, keep: Option<f64>) -> bool {
        let rest = flatten(&model.rest);
        let x: Vec<f64> = model.rest.iter().flat_map(|&x| <[f64; 3]>::from(map(x))).collect();
        let mut buffers = ElementBuffers::new(model);
        buffers.evaluate(model, &rest, &[false], keep);
        let before = buffers.hessians().to_vec();
        buffers.moved(model, &rest, &x);
        buffers.evaluate(model, &x, &[false], keep);
        let (mut gradients, mut hessians) = (buffers.gradients().to_vec(), before.clone());
        elastic::gradients_and_hessians(model, &x, &mut gradients, &mut hessians);
        assert_eq!(buffers.gradients(), gradients);
        assert!(buffers.hessians() == before || buffers.hessians() == hessians);
        buffers.hessians() == before && before != hessians
    }

    #[test]
    fn hessians_stay_where_a_body_hardly_deforms_and_hardly_resists_a_turn_for_it() {
        let (soft, stiff) = (cube(1e5), cube(1e8));
        let stretched = |by: f64| move |x: Vector3<f64>| Matrix3::from_diagonal(&Vector3::new(1.0 + by, 1.0, 1.0)) * x;
        let turned = |by: f64| move |x: Vector3<f64>| Rotation3::new(Vector3::z() * by) * x + Vector3::repeat(3.0);
        assert!(stay(&soft, stretched(0.01), Some(S2)));
        assert!(!stay(&soft, stretched(0.01), None), "who asks for those of the place gets them");
        assert!(!stay(&soft, stretched(0.12), Some(S2)));
        assert!(stay(&soft, turned(0.02), Some(S2)));
        assert!(!stay(&stiff, turned(0.02), Some(S2)));
        assert!(stay(&stiff, turned(0.0005), Some(S2)));
    }
}
