//! From obstacle settings to surfaces in their place.

use super::contact::{Obstacle, PlaneShape, StairsShape};
use super::{BuildError, Scale};
use crate::mesh::{MeshError, TriMesh, WiredSurface, load_wired_surface};
use nalgebra::Vector3;
use std::f64::consts::{SQRT_2, TAU};
use std::path::Path;

impl Obstacle {
    /// The surface at time zero.
    pub(super) fn surface(&self, folder: &Path, warnings: &mut Vec<String>) -> Result<WiredSurface, BuildError> {
        let fail = |problem: String| BuildError::Obstacle { obstacle: self.name.clone(), problem };
        let mesh_fail = |problem: MeshError| fail(problem.to_string());
        let bare = |surface: TriMesh| WiredSurface { surface, wires: Vec::new() };
        let mut shapes: Vec<WiredSurface> = Vec::new();
        if let Some(plane) = &self.plane {
            shapes.push(bare(plane_surface(plane).map_err(fail)?));
        }
        if let Some(cuboid) = &self.cuboid {
            check_positive(&cuboid.size, "box: size").map_err(fail)?;
            shapes.push(bare(box_surface(cuboid.size.into())));
        }
        if let Some(stairs) = &self.stairs {
            shapes.push(bare(stairs_surface(stairs).map_err(fail)?));
        }
        if let Some(file) = &self.file {
            let loaded = load_wired_surface(folder.join(file)).map_err(mesh_fail)?;
            warnings.extend(loaded.warnings.iter().map(|warning| format!("obstacle `{}`: {warning}", self.name)));
            shapes.push(loaded.mesh);
        }
        if shapes.len() != 1 {
            return Err(fail(format!("{} shapes: give exactly one of plane, box, stairs, file", shapes.len())));
        }
        let mut wired = shapes.remove(0);
        let surface = &mut wired.surface;
        match self.scale {
            None => {}
            Some(Scale::Uniform(s)) => surface.scale(Vector3::repeat(s)).map_err(mesh_fail)?,
            Some(Scale::ByAxis(s)) => surface.scale(s.into()).map_err(mesh_fail)?,
        }
        if let Some(rotate) = &self.rotate {
            surface.rotate(rotate.axis.into(), rotate.angle).map_err(mesh_fail)?;
        }
        if let Some(shift) = self.translate {
            surface.translate(shift.into()).map_err(mesh_fail)?;
        }
        Ok(wired)
    }
}

fn check_positive(values: &[f64], what: &str) -> Result<(), String> {
    match values.iter().find(|v| !(**v > 0.0 && v.is_finite())) {
        Some(value) => Err(format!("{what} = {value}: it must be positive and finite")),
        None => Ok(()),
    }
}

/// An equilateral triangle whose inscribed circle is the square's circumscribed one.
fn plane_surface(plane: &PlaneShape) -> Result<TriMesh, String> {
    check_positive(&[plane.size], "plane: size")?;
    let normal = Vector3::from(plane.normal).try_normalize(1e-300).filter(|n| n.iter().all(|c| c.is_finite()));
    let n = normal.ok_or(format!("plane: normal {:?} has no direction", plane.normal))?;
    let first = n.cross(&Vector3::ith(n.iamin(), 1.0)).normalize();
    let second = n.cross(&first);
    let corner = |k: usize| {
        let (sin, cos) = (TAU * k as f64 / 3.0).sin_cos();
        Vector3::from(plane.point) + SQRT_2 * plane.size * (cos * first + sin * second)
    };
    Ok(TriMesh { positions: (0..3).map(corner).collect(), triangles: vec![[0, 1, 2]] })
}

fn box_surface(size: Vector3<f64>) -> TriMesh {
    let at = |corner: usize| Vector3::from_fn(|k, _| if corner >> k & 1 == 1 { 0.5 } else { -0.5 } * size[k]);
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriMesh { positions: (0..8).map(at).collect(), triangles }
}

fn stairs_surface(stairs: &StairsShape) -> Result<TriMesh, String> {
    let StairsShape { steps, width, depth, height } = *stairs;
    check_positive(&[width], "stairs: width")?;
    check_positive(&[depth], "stairs: depth")?;
    check_positive(&[height], "stairs: height")?;
    if steps == 0 || steps > 10_000 {
        return Err(format!("stairs: {steps} steps: from 1 to 10000 are possible"));
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

    fn area(mesh: &TriMesh) -> f64 {
        let corner = |i: u32| mesh.positions[i as usize];
        let of = |&[a, b, c]: &[u32; 3]| 0.5 * (corner(b) - corner(a)).cross(&(corner(c) - corner(a))).norm();
        mesh.triangles.iter().map(of).sum()
    }

    #[test]
    fn a_plane_lies_in_its_plane_and_covers_its_square() {
        let plane = PlaneShape { point: [1.0, 2.0, 3.0], normal: [1.0, 1.0, 0.2], size: 2.0 };
        let mesh = plane_surface(&plane).unwrap();
        let n = Vector3::from(plane.normal).normalize();
        let centre = Vector3::from(plane.point);
        assert!(mesh.positions.iter().all(|p| (p - centre).dot(&n).abs() < 1e-12));
        for k in 0..3 {
            let side = mesh.positions[(k + 1) % 3] - mesh.positions[k];
            let to_side = (centre - mesh.positions[k]).cross(&side).norm() / side.norm();
            assert!((to_side - SQRT_2).abs() < 1e-12, "the square's corners are √2 from its centre");
        }
        assert!(plane_surface(&PlaneShape { normal: [0.0; 3], ..plane }).is_err());
    }

    #[test]
    fn boxes_and_stairs_have_the_area_they_should() {
        let cuboid = box_surface(Vector3::new(1.0, 2.0, 3.0));
        assert!((area(&cuboid) - 22.0).abs() < 1e-12);
        let outward = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| cuboid.positions[i as usize]);
            (b - a).cross(&(c - a)).dot(&(a + b + c)) > 0.0
        };
        assert!(cuboid.triangles.iter().all(outward));
        let stairs = stairs_surface(&StairsShape { steps: 4, width: 2.0, depth: 0.3, height: 0.2 }).unwrap();
        assert!((area(&stairs) - 2.0 * (4.0 * 0.3 + 3.0 * 0.2)).abs() < 1e-12);
    }
}
