//! How much of a clamped bar's modes there is in its motion: kinetic energy of velocities projected on their shapes.
//!
//! ```text
//! bending  φ_n = cosh βξ − cos βξ − σ (sinh βξ − sin βξ),  cosh β cos β = −1,  σ = (cosh β + cos β)/(sinh β + sin β)
//! twist    φ_n = sin((2n − 1)πξ/2) a × r
//! K = ½ (Σ m φ·v)² / Σ m φ²
//! ```
//!
//! ξ goes from the held end to the other along a, the body's longest side at rest. Bending is taken in both directions across a.

use super::{MeasureError, MeasuredRun};
use crate::model::bodies::{Model, ModelBody};
use crate::run::Frame;
use nalgebra::Vector3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BarShape {
    Bend,
    Twist,
}

/// Zeros of cosh β cos β + 1.
const BENDING: [f64; 4] = [1.875104068711961, 4.694091132974175, 7.854757438237613, 10.995540734875467];
/// Modes beyond are finer than any mesh here.
pub const MOST: usize = BENDING.len();

impl MeasuredRun {
    /// Frame by frame, of the first body that is wanted `[J]`; modes are counted from 1.
    pub fn bar_mode(
        &self,
        wanted: impl Fn(&str) -> bool,
        shape: BarShape,
        number: usize,
    ) -> Result<Vec<f64>, MeasureError> {
        let model = self.model()?;
        let fail = |problem: &str| MeasureError::Bar {
            run: self.folder.path().display().to_string(),
            problem: problem.into(),
        };
        let body = model.bodies.iter().find(|body| wanted(&body.name)).ok_or_else(|| fail("there is no such body"))?;
        let fields = fields(model, body, shape, number).ok_or_else(|| {
            fail("the modes of a bar are those of a body that is longer than wide and held at one end")
        })?;
        let frames = self.folder.all_frames()?.into_iter();
        let kinetic = |frame: Frame| fields.iter().map(|field| field.kinetic(&frame)).sum();
        frames.map(|info| Ok(kinetic(self.folder.read_frame(info.index)?))).collect()
    }
}

/// A shape as what its velocity would be at each node.
struct Field {
    /// Node, mass `[kg]` and φ
    nodes: Vec<(usize, f64, Vector3<f64>)>,
    /// Σ m φ²
    norm: f64,
}

impl Field {
    fn kinetic(&self, frame: &Frame) -> f64 {
        let along = |(node, mass, phi): &(usize, f64, Vector3<f64>)| mass * phi.dot(&Vector3::from(frame.v[*node]));
        0.5 * self.nodes.iter().map(along).sum::<f64>().powi(2) / self.norm
    }
}

fn fields(model: &Model, body: &ModelBody, shape: BarShape, number: usize) -> Option<Vec<Field>> {
    let rest = |node: usize| model.rest[node];
    let nodes = || body.nodes.clone();
    let low = nodes().map(rest).reduce(|low, x| low.inf(&x))?;
    let high = nodes().map(rest).reduce(|high, x| high.sup(&x))?;
    let (size, centre) = (high - low, 0.5 * (low + high));
    let axis = size.imax();
    let across = [(axis + 1) % 3, (axis + 2) % 3];
    let beta = *BENDING.get(number.checked_sub(1)?)?;
    if across.iter().any(|&k| size[k] >= size[axis]) {
        return None;
    }
    // The end at which its pins are.
    let held: Vec<f64> =
        model.pins.iter().filter(|pin| nodes().contains(&pin.node)).map(|pin| rest(pin.node)[axis]).collect();
    let at = held.iter().sum::<f64>() / held.len() as f64;
    let from_low = match at {
        at if (at - low[axis]).abs() < 0.1 * size[axis] => true,
        at if (at - high[axis]).abs() < 0.1 * size[axis] => false,
        _ => return None,
    };
    let part = |node: usize| {
        let part = (rest(node)[axis] - low[axis]) / size[axis];
        if from_low { part } else { 1.0 - part }
    };
    let unit = |k: usize| Vector3::ith(k, 1.0);
    let field = |phi: &dyn Fn(usize) -> Vector3<f64>| {
        let nodes: Vec<_> = nodes().map(|node| (node, model.node_mass[node], phi(node))).collect();
        let norm = nodes.iter().map(|(_, mass, phi)| mass * phi.norm_squared()).sum();
        Field { nodes, norm }
    };
    Some(match shape {
        BarShape::Bend => across.map(|k| field(&|node| bending(beta, part(node)) * unit(k))).into_iter().collect(),
        BarShape::Twist => {
            let waves = (number as f64 - 0.5) * std::f64::consts::PI;
            let turn = |node: usize| (waves * part(node)).sin() * unit(axis).cross(&(rest(node) - centre));
            vec![field(&turn)]
        }
    })
}

fn bending(beta: f64, part: f64) -> f64 {
    let sigma = (beta.cosh() + beta.cos()) / (beta.sinh() + beta.sin());
    let x = beta * part;
    x.cosh() - x.cos() - sigma * (x.sinh() - x.sin())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_held_at_one_end_and_free_at_the_other() {
        for beta in BENDING {
            assert!((beta.cosh() * beta.cos() + 1.0).abs() < 1e-8 * beta.cosh(), "{beta}");
            let slope = |x: f64| (bending(beta, x + 1e-6) - bending(beta, x - 1e-6)) / 2e-6;
            assert!(bending(beta, 0.0).abs() < 1e-12 && slope(0.0).abs() < 1e-4);
            // No moment at the free end, and 2 there by convention.
            let curvature = (bending(beta, 1.0) - 2.0 * bending(beta, 1.0 - 1e-4) + bending(beta, 1.0 - 2e-4)) / 1e-8;
            assert!(curvature.abs() < 0.05 * beta * beta, "{curvature}");
            assert!((bending(beta, 1.0).abs() - 2.0).abs() < 1e-6);
        }
    }
}
