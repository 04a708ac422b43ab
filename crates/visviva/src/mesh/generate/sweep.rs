//! Solids swept from a triangulated section: cylinder and tube along a line, torus around a circle.

use super::{check_at_least, check_positive, check_tet_count, orient};
use crate::mesh::{MeshError, TetMesh};
use nalgebra::Vector3;
use std::f64::consts::TAU;

pub(super) struct Section {
    pub points: Vec<[f64; 2]>,
    pub triangles: Vec<[u32; 3]>,
}

/// A solid cylinder of `radius` and `height` `[m]` along z: `rings` from axis to rim (6·rings nodes on the rim), `layers`
/// along the height, 18·rings²·layers tets.
pub fn cylinder(radius: f64, height: f64, rings: usize, layers: usize) -> Result<TetMesh, MeshError> {
    check_positive(&[("the cylinder's radius", radius), ("the cylinder's height", height)])?;
    check_at_least(&[("the cylinder's rings", rings, 1), ("the cylinder's layers", layers, 1)])?;
    check_tet_count(&[18, rings, rings, layers])?;
    let straight = |p: [f64; 2], s: f64| Vector3::new(p[0], p[1], (s - 0.5) * height);
    Ok(sweep(&disc(radius, rings), layers, false, straight))
}

/// A hollow cylinder between radii `inner` and `outer` `[m]` along z: `rings` through the wall, `around` its girth.
pub fn tube(
    inner: f64,
    outer: f64,
    height: f64,
    rings: usize,
    around: usize,
    layers: usize,
) -> Result<TetMesh, MeshError> {
    let wall = outer - inner;
    check_positive(&[("the tube's inner radius", inner), ("the tube's wall", wall), ("the tube's height", height)])?;
    let counts =
        [("the tube's rings", rings, 1), ("the tube's cells around", around, 3), ("the tube's layers", layers, 1)];
    check_at_least(&counts)?;
    check_tet_count(&[6, rings, around, layers])?;
    let straight = |p: [f64; 2], s: f64| Vector3::new(p[0], p[1], (s - 0.5) * height);
    Ok(sweep(&annulus(inner, outer, rings, around), layers, false, straight))
}

/// A solid torus about z: the tube's centre at `major` and its radius `minor` `[m]`, `rings` in the tube's section,
/// `around` the hole.
pub fn torus(major: f64, minor: f64, rings: usize, around: usize) -> Result<TetMesh, MeshError> {
    let hole = major - minor;
    check_positive(&[("the torus's minor radius", minor), ("the torus's hole", hole)])?;
    check_at_least(&[("the torus's rings", rings, 1), ("the torus's cells around", around, 3)])?;
    check_tet_count(&[18, rings, rings, around])?;
    let circle = |p: [f64; 2], s: f64| {
        let (sin, cos) = (TAU * s).sin_cos();
        Vector3::new((major + p[0]) * cos, (major + p[0]) * sin, p[1])
    };
    Ok(sweep(&disc(minor, rings), around, true, circle))
}

/// A disc of hexagonal rings pushed out to circles: ring k has 6k points; 6·rings² triangles.
pub(super) fn disc(radius: f64, rings: usize) -> Section {
    let mut section = Section { points: vec![[0.0; 2]], triangles: Vec::new() };
    // The j-th point of ring k, all the way round.
    let point = |k: usize, j: usize| if k == 0 { 0 } else { (1 + 3 * k * (k - 1) + j % (6 * k)) as u32 };
    for k in 1..=rings {
        for j in 0..6 * k {
            let (sin, cos) = (TAU * j as f64 / (6 * k) as f64).sin_cos();
            let r = radius * k as f64 / rings as f64;
            section.points.push([r * cos, r * sin]);
        }
        for side in 0..6 {
            for j in 0..k {
                let (inner, outer) = (side * (k - 1) + j, side * k + j);
                section.triangles.push([point(k - 1, inner), point(k, outer), point(k, outer + 1)]);
                if j + 1 < k {
                    section.triangles.push([point(k - 1, inner), point(k, outer + 1), point(k - 1, inner + 1)]);
                }
            }
        }
    }
    section
}

fn annulus(inner: f64, outer: f64, rings: usize, around: usize) -> Section {
    let mut section = Section { points: Vec::new(), triangles: Vec::new() };
    for k in 0..=rings {
        let r = inner + (outer - inner) * k as f64 / rings as f64;
        for j in 0..around {
            let (sin, cos) = (TAU * j as f64 / around as f64).sin_cos();
            section.points.push([r * cos, r * sin]);
        }
    }
    let point = |k: usize, j: usize| (k * around + j % around) as u32;
    for k in 0..rings {
        for j in 0..around {
            let [a, b, c, d] = [point(k, j), point(k + 1, j), point(k + 1, j + 1), point(k, j + 1)];
            section.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    section
}

/// Stacks the section at s = 0 … 1 and cuts each prism into three tets. Every side face is cut from its lower-numbered
/// column's near end to the other's far end, so that prisms which share a face agree.
fn sweep(section: &Section, layers: usize, closed: bool, place: impl Fn([f64; 2], f64) -> Vector3<f64>) -> TetMesh {
    let stations = if closed { layers } else { layers + 1 };
    let mut mesh = TetMesh::default();
    for station in 0..stations {
        let s = station as f64 / layers as f64;
        mesh.positions.extend(section.points.iter().map(|&p| place(p, s)));
    }
    let columns = section.points.len();
    for layer in 0..layers {
        let node = |column: u32, end: usize| ((layer + end) % stations * columns) as u32 + column;
        for triangle in &section.triangles {
            let mut sorted = *triangle;
            sorted.sort_unstable();
            let [a, b, c] = sorted;
            mesh.tets.push([node(a, 0), node(b, 0), node(c, 0), node(c, 1)]);
            mesh.tets.push([node(a, 0), node(b, 0), node(b, 1), node(c, 1)]);
            mesh.tets.push([node(a, 0), node(a, 1), node(b, 1), node(c, 1)]);
        }
    }
    orient(&mut mesh);
    mesh
}
