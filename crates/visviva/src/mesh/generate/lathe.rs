//! Closed outward surfaces that turn about z: cylinder and capsule. All nodes lie on the round shape.

use super::{check_at_least, check_positive, check_triangle_count};
use crate::mesh::{MeshError, TriMesh};
use nalgebra::Vector3;
use std::f64::consts::{FRAC_PI_2, TAU};

/// A cylinder of `radius` and `height` `[m]` along z with flat ends, `segments` around it: 2·segments nodes, 4·segments − 4
/// triangles. Its ends have no node in the middle: cut from their rim, each is one flat face to contact.
pub fn cylinder_surface(radius: f64, height: f64, segments: usize) -> Result<TriMesh, MeshError> {
    check_positive(&[("the cylinder's radius", radius), ("the cylinder's height", height)])?;
    check_at_least(&[("the cylinder's segments", segments, 3)])?;
    check_triangle_count(&[4, segments])?;
    let mut mesh = bands(&[[radius, -0.5 * height], [radius, 0.5 * height]], segments);
    let above = segments as u32;
    for j in 1..segments as u32 - 1 {
        mesh.triangles.extend([[0, j + 1, j], [above, above + j, above + j + 1]]);
    }
    Ok(mesh)
}

/// A capsule along z, `length` `[m]` from tip to tip, rounded with `radius` `[m]`; `segments` around it and as fine along it.
pub fn capsule_surface(radius: f64, length: f64, segments: usize) -> Result<TriMesh, MeshError> {
    let straight = length - 2.0 * radius;
    check_positive(&[("the capsule's radius", radius), ("the capsule's length less twice its radius", straight)])?;
    check_at_least(&[("the capsule's segments", segments, 3)])?;
    check_triangle_count(&[segments, segments])?;
    let quarter = (segments / 4).max(1);
    // From the equator to just below the pole.
    let arc = |k: usize| (FRAC_PI_2 * k as f64 / quarter as f64).sin_cos();
    let below = (0..quarter).rev().map(|k| [radius * arc(k).1, -0.5 * straight - radius * arc(k).0]);
    let above = (0..quarter).map(|k| [radius * arc(k).1, 0.5 * straight + radius * arc(k).0]);
    let mut mesh = bands(&below.chain(above).collect::<Vec<_>>(), segments);
    let [low, high] = [0, 1].map(|end| mesh.positions.len() as u32 + end);
    mesh.positions.extend([-0.5, 0.5].map(|end| Vector3::new(0.0, 0.0, end * length)));
    let top = low - segments as u32;
    for j in 0..segments as u32 {
        let next = (j + 1) % segments as u32;
        mesh.triangles.extend([[low, next, j], [high, top + j, top + next]]);
    }
    Ok(mesh)
}

/// Circles of `[radius, height]` `[m]` from below to above, joined by bands that face away from z.
fn bands(circles: &[[f64; 2]], segments: usize) -> TriMesh {
    let point = |&[radius, z]: &[f64; 2], j: usize| {
        let (sin, cos) = (TAU * j as f64 / segments as f64).sin_cos();
        Vector3::new(radius * cos, radius * sin, z)
    };
    let node = |i: usize, j: usize| (i * segments + j % segments) as u32;
    let band = |i: usize| {
        (0..segments).flat_map(move |j| {
            let [a, b, c, d] = [node(i, j), node(i, j + 1), node(i + 1, j + 1), node(i + 1, j)];
            [[a, b, c], [a, c, d]]
        })
    };
    TriMesh {
        positions: circles.iter().flat_map(|circle| (0..segments).map(move |j| point(circle, j))).collect(),
        triangles: (0..circles.len() - 1).flat_map(band).collect(),
    }
}
