//! Bodies that start wholly inside another: no triangles cross there, and yet both fill the same place.

use crate::contact::containment::closed_surface_holds;
use crate::model::bodies::{BodyKind, Model, ModelBody};
use crate::scene::BuildError;
use nalgebra::Vector3;

/// Refuses the first one; nothing intersects, so one vertex of a body tells.
pub fn nested(model: &Model, x: &[f64]) -> Result<(), BuildError> {
    let places = model.at_vertices(x);
    let bounds = |vertices: &std::ops::Range<usize>| {
        let first = [places[vertices.start]; 2];
        let wider = |[low, high]: [Vector3<f64>; 2], p: &Vector3<f64>| [low.inf(p), high.sup(p)];
        places[vertices.clone()].iter().fold(first, wider)
    };
    let boxes: Vec<_> = model.bodies.iter().map(|body| bounds(&body.vertices)).collect();
    let joined: Vec<[usize; 2]> = model.untouching_surfaces().collect();
    let solid = |(_, (body, _)): &(usize, (&ModelBody, _))| body.kind != BodyKind::Shell;
    for (a, (outer, [low, high])) in model.bodies.iter().zip(&boxes).enumerate().filter(solid) {
        let lies_within = |other: &[Vector3<f64>; 2]| (0..3).all(|k| low[k] < other[0][k] && other[1][k] < high[k]);
        let inside = model.bodies.iter().zip(&boxes).enumerate().filter(|(_, (_, other))| lies_within(other));
        for (b, (inner, _)) in inside {
            let may = joined.contains(&[a, b]) || joined.contains(&[b, a]);
            if !may && closed_surface_holds(&outer.triangles, &places, &places[inner.vertices.start]) {
                return Err(BuildError::Body {
                    body: inner.name.clone(),
                    problem: format!("it starts inside `{}`; move it out (`translate`)", outer.name),
                });
            }
        }
    }
    Ok(())
}
