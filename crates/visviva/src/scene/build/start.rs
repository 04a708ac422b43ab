//! Where a body's nodes start, and how fast.

use super::{deform, drum};
use crate::mesh::Mesh;
use crate::model::Matter;
use crate::scene::Body;
use nalgebra::Vector3;

type Points = Vec<Vector3<f64>>;

/// Of the nodes, and of the points that pins choose among `[m]`.
pub(super) fn positions(body: &Body, mesh: &Mesh, matter: &Matter) -> Result<(Points, Points), String> {
    if let Matter::Affine(shape) = matter {
        let place = |weights: &[f64; 4]| shape.frame.iter().zip(weights).map(|(x, &w)| *x * w).sum();
        return Ok((shape.frame.to_vec(), shape.weights.iter().map(place).collect()));
    }
    let mut place = mesh.positions().to_vec();
    for deformation in &body.deform {
        deform::deform(deformation, &mut place)?;
    }
    if place.iter().flatten().any(|x| !x.is_finite()) {
        return Err("its start position is not finite: deform it less".into());
    }
    Ok((place.clone(), place))
}

/// Of the nodes `[m/s]`.
pub(super) fn velocities(body: &Body, place: &[Vector3<f64>]) -> Result<Points, String> {
    let velocity = body.velocity.clone().unwrap_or_default();
    if let Some(ramp) = velocity.ramp.as_ref().filter(|r| r.from == r.to) {
        return Err(format!("velocity.ramp: from and to are both {} m; they must differ", ramp.from));
    }
    let drum = velocity.drum.as_ref().map(drum::DrumShape::new).transpose()?;
    let at = |p: &Vector3<f64>| {
        deform::velocity_at(&velocity, p) + drum.as_ref().map_or(Vector3::zeros(), |mode| mode.at(p))
    };
    let velocities: Vec<_> = place.iter().map(at).collect();
    if velocities.iter().flatten().any(|v| !v.is_finite()) {
        return Err("its start velocity is not finite".into());
    }
    Ok(velocities)
}
