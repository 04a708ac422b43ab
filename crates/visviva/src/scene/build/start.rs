//! Where a body's nodes start, and how fast.

use super::array::Instance;
use super::{deform, drum};
use crate::mesh::Mesh;
use crate::model::Matter;
use crate::scene::Body;
use nalgebra::Vector3;

type Points = Vec<Vector3<f64>>;

/// Of a copy's nodes, and of the points that pins choose among `[m]`; `mesh` is the body's own.
pub(super) fn positions(
    body: &Body,
    mesh: &Mesh,
    instance: &Instance,
    matter: &Matter,
) -> Result<(Points, Points), String> {
    if let Matter::Affine(shape) = matter {
        let place = |weights: &[f64; 4]| shape.frame.iter().zip(weights).map(|(x, &w)| *x * w).sum();
        return Ok((shape.frame.to_vec(), shape.weights.iter().map(place).collect()));
    }
    let mut place = mesh.positions().to_vec();
    for deformation in &body.deform {
        deform::deform(deformation, &mut place)?;
    }
    instance.place(&mut place);
    if place.iter().flatten().any(|x| !x.is_finite()) {
        return Err("its start position is not finite: deform it less".into());
    }
    Ok((place.clone(), place))
}

/// Of a copy's nodes `[m/s]`: those of the body's own, wherever the copy is.
pub(super) fn velocities(body: &Body, instance: &Instance, place: &[Vector3<f64>]) -> Result<Points, String> {
    let velocity = body.velocity.clone().unwrap_or_default();
    if let Some(ramp) = velocity.ramp.as_ref().filter(|r| r.from == r.to) {
        return Err(format!("velocity.ramp: from and to are both {} m; they must differ", ramp.from));
    }
    let drum = velocity.drum.as_ref().map(drum::DrumShape::new).transpose()?;
    let shift = instance.shift.unwrap_or_default();
    let at = |p: &Vector3<f64>| {
        let p = p - shift;
        deform::velocity_at(&velocity, &p) + drum.as_ref().map_or(Vector3::zeros(), |mode| mode.at(&p))
    };
    let velocities: Vec<_> = place.iter().map(at).collect();
    if velocities.iter().flatten().any(|v| !v.is_finite()) {
        return Err("its start velocity is not finite".into());
    }
    Ok(velocities)
}
