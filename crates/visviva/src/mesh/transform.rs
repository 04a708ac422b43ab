//! Placing a mesh: scale, rotate, translate, about the origin and in the order called.

use super::{MeshError, TetMesh, TriMesh};
use nalgebra::{Rotation3, Unit, Vector3};

impl TetMesh {
    /// Scales each axis. A mirroring scale also flips the tets, so that they stay positive.
    pub fn scale(&mut self, factors: Vector3<f64>) -> Result<(), MeshError> {
        if scale(&mut self.positions, factors)? {
            self.flip();
        }
        Ok(())
    }

    /// Rotates by `angle` `[rad]` about `axis` through the origin; the axis need not be a unit vector.
    pub fn rotate(&mut self, axis: Vector3<f64>, angle: f64) -> Result<(), MeshError> {
        rotate(&mut self.positions, axis, angle)
    }

    /// Shifts by `shift` `[m]`.
    pub fn translate(&mut self, shift: Vector3<f64>) -> Result<(), MeshError> {
        translate(&mut self.positions, shift)
    }
}

impl TriMesh {
    /// Scales each axis. A mirroring scale also flips the triangles, so that outward stays outward.
    pub fn scale(&mut self, factors: Vector3<f64>) -> Result<(), MeshError> {
        if scale(&mut self.positions, factors)? {
            self.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        Ok(())
    }

    /// Rotates by `angle` `[rad]` about `axis` through the origin; the axis need not be a unit vector.
    pub fn rotate(&mut self, axis: Vector3<f64>, angle: f64) -> Result<(), MeshError> {
        rotate(&mut self.positions, axis, angle)
    }

    /// Shifts by `shift` `[m]`.
    pub fn translate(&mut self, shift: Vector3<f64>) -> Result<(), MeshError> {
        translate(&mut self.positions, shift)
    }
}

/// Whether the scale mirrored.
fn scale(positions: &mut [Vector3<f64>], factors: Vector3<f64>) -> Result<bool, MeshError> {
    if let Some(&value) = factors.iter().find(|f| !f.is_finite() || **f == 0.0) {
        return Err(MeshError::Parameter { what: "a scale factor", wanted: "finite and not zero", value });
    }
    positions.iter_mut().for_each(|x| x.component_mul_assign(&factors));
    Ok(factors.iter().filter(|f| **f < 0.0).count() % 2 == 1)
}

fn rotate(positions: &mut [Vector3<f64>], axis: Vector3<f64>, angle: f64) -> Result<(), MeshError> {
    if !angle.is_finite() {
        return Err(MeshError::Parameter { what: "a rotation angle", wanted: "finite", value: angle });
    }
    let unit = Unit::try_new(axis, 0.0).filter(|a| a.iter().all(|c| c.is_finite()));
    let (what, wanted) = ("the length of a rotation axis", "finite and not zero");
    let unit = unit.ok_or(MeshError::Parameter { what, wanted, value: axis.norm() })?;
    let turn = Rotation3::from_axis_angle(&unit, angle);
    positions.iter_mut().for_each(|x| *x = turn * *x);
    Ok(())
}

fn translate(positions: &mut [Vector3<f64>], shift: Vector3<f64>) -> Result<(), MeshError> {
    if let Some(&value) = shift.iter().find(|s| !s.is_finite()) {
        return Err(MeshError::Parameter { what: "a translation", wanted: "finite", value });
    }
    positions.iter_mut().for_each(|x| *x += shift);
    Ok(())
}
