//! Open surfaces to stand on: a plane and stairs.

use super::{check_at_least, check_positive};
use crate::mesh::{MeshError, TriMesh};
use nalgebra::Vector3;
use std::f64::consts::{SQRT_2, TAU};

/// More steps than any stairs have: a typing error.
const MOST_STEPS: usize = 10_000;

/// A floor or wall through a point: one triangle about a square of side `size` `[m]`, so that there is no inner edge to trip
/// over. Its inscribed circle is the square's circumscribed one.
pub fn plane(point: Vector3<f64>, normal: Vector3<f64>, size: f64) -> Result<TriMesh, MeshError> {
    check_positive(&[("the plane's size", size)])?;
    let unit = normal.try_normalize(1e-300).filter(|n| n.iter().all(|c| c.is_finite()));
    let (what, wanted) = ("the length of the plane's normal", "finite and not zero");
    let n = unit.ok_or(MeshError::Parameter { what, wanted, value: normal.norm() })?;
    let first = n.cross(&Vector3::ith(n.iamin(), 1.0)).normalize();
    let second = n.cross(&first);
    let corner = |k: usize| {
        let (sin, cos) = (TAU * k as f64 / 3.0).sin_cos();
        point + SQRT_2 * size * (cos * first + sin * second)
    };
    Ok(TriMesh { positions: (0..3).map(corner).collect(), triangles: vec![[0, 1, 2]] })
}

/// Stairs that lead down along x from the origin, the first tread at z = 0, centred on y = 0; `width` along y, `depth` and
/// `height` of one step `[m]`.
pub fn stairs(steps: usize, width: f64, depth: f64, height: f64) -> Result<TriMesh, MeshError> {
    check_positive(&[("the stairs' width", width), ("the stairs' depth", depth), ("the stairs' height", height)])?;
    check_at_least(&[("the stairs' steps", steps, 1)])?;
    if steps > MOST_STEPS {
        return Err(MeshError::TooMany { what: "steps", count: steps as u128, limit: MOST_STEPS as u128 });
    }
    // The profile from above to below: two points a tread, joined by risers.
    let profile = (0..steps).flat_map(|i| [i, i + 1].map(|end| (end as f64 * depth, -(i as f64) * height)));
    let sides = [-0.5 * width, 0.5 * width];
    let positions: Vec<_> = profile.flat_map(|(x, z)| sides.map(|y| Vector3::new(x, y, z))).collect();
    let strip = |i: u32| [[2 * i, 2 * i + 2, 2 * i + 3], [2 * i, 2 * i + 3, 2 * i + 1]];
    Ok(TriMesh { triangles: (0..2 * steps as u32 - 1).flat_map(strip).collect(), positions })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_lies_in_its_plane_and_covers_its_square() {
        let (point, normal) = (Vector3::new(1.0, 2.0, 3.0), Vector3::new(1.0, 1.0, 0.2));
        let mesh = plane(point, normal, 2.0).unwrap();
        let n = normal.normalize();
        assert!(mesh.positions.iter().all(|p| (p - point).dot(&n).abs() < 1e-12));
        for k in 0..3 {
            let side = mesh.positions[(k + 1) % 3] - mesh.positions[k];
            let to_side = (point - mesh.positions[k]).cross(&side).norm() / side.norm();
            assert!((to_side - SQRT_2).abs() < 1e-12, "the square's corners are √2 from its centre");
        }
        let error = plane(point, Vector3::zeros(), 2.0).unwrap_err().to_string();
        assert_eq!(error, "the length of the plane's normal must be finite and not zero, not 0");
    }

    #[test]
    fn stairs_have_the_area_of_their_treads_and_risers() {
        let mesh = stairs(4, 2.0, 0.3, 0.2).unwrap();
        assert!((mesh.area() - 2.0 * (4.0 * 0.3 + 3.0 * 0.2)).abs() < 1e-12);
        assert!(stairs(0, 2.0, 0.3, 0.2).unwrap_err().to_string().contains("at least 1"));
        assert!(stairs(20_000, 2.0, 0.3, 0.2).unwrap_err().to_string().contains("10000"));
    }
}
