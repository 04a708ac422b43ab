//! Sheets: triangle meshes of a disc, a rectangle, an open cylinder and a sphere, all turning one way.

use super::ball::{icosahedron, sectors};
use super::{check_at_least, check_positive, check_triangle_count, sweep};
use crate::mesh::{MeshError, TriMesh};
use nalgebra::{Vector2, Vector3};
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// A disc of `radius` `[m]` in the plane z = 0, facing +z: ring k has 6k nodes, the last of them on the circle;
/// 3n(n+1) + 1 nodes and 6n² triangles for n rings.
pub fn disc(radius: f64, rings: usize) -> Result<TriMesh, MeshError> {
    check_positive(&[("the disc's radius", radius)])?;
    check_at_least(&[("the disc's rings", rings, 1)])?;
    check_triangle_count(&[6, rings, rings])?;
    let section = sweep::disc(radius, rings);
    let positions = section.points.iter().map(|p| Vector3::new(p[0], p[1], 0.0)).collect();
    Ok(TriMesh { positions, triangles: section.triangles })
}

/// A rectangle of `size` `[m]` in the plane z = 0, facing +z, with `cells` along x and y: (nx+1)(ny+1) nodes, x running
/// fastest, and 2 nx ny triangles whose diagonals alternate, so that no direction of bending is preferred.
pub fn rectangle(size: Vector2<f64>, cells: [usize; 2]) -> Result<TriMesh, MeshError> {
    check_positive(&[("the rectangle's size in x", size.x), ("the rectangle's size in y", size.y)])?;
    check_at_least(&[("cells along x", cells[0], 1), ("cells along y", cells[1], 1)])?;
    check_triangle_count(&[2, cells[0], cells[1]])?;
    // Exactly ±½ at the ends, mirrored bit for bit.
    let fraction = |index: usize, n: usize| (2.0 * index as f64 - n as f64) / (2.0 * n as f64);
    let place = |i: usize, j: usize| Vector3::new(fraction(i, cells[0]) * size.x, fraction(j, cells[1]) * size.y, 0.0);
    let positions = (0..=cells[1]).flat_map(|j| (0..=cells[0]).map(move |i| place(i, j))).collect();
    let triangles = quads(cells, |i, j| (j * (cells[0] + 1) + i) as u32);
    Ok(TriMesh { positions, triangles })
}

/// An open cylinder of `radius` and `length` `[m]` about z, facing outward: `around` nodes on each of `along` + 1 circles,
/// 2·around·along triangles with alternating diagonals.
pub fn tube_surface(radius: f64, length: f64, around: usize, along: usize) -> Result<TriMesh, MeshError> {
    check_positive(&[("the tube surface's radius", radius), ("the tube surface's length", length)])?;
    check_at_least(&[("the tube surface's cells around", around, 3), ("the tube surface's cells along", along, 1)])?;
    check_triangle_count(&[2, around, along])?;
    let place = |i: usize, j: usize| {
        let (sin, cos) = (TAU * i as f64 / around as f64).sin_cos();
        let height = (2.0 * j as f64 - along as f64) / (2.0 * along as f64);
        Vector3::new(radius * cos, radius * sin, height * length)
    };
    let positions = (0..=along).flat_map(|j| (0..around).map(move |i| place(i, j))).collect();
    let triangles = quads([around, along], |i, j| (j * around + i % around) as u32);
    Ok(TriMesh { positions, triangles })
}

/// A sphere of `radius` `[m]`, facing outward: the icosahedron with every triangle cut in four `subdivisions` times;
/// 10·4ⁿ + 2 nodes and 20·4ⁿ triangles.
pub fn icosphere(radius: f64, subdivisions: usize) -> Result<TriMesh, MeshError> {
    check_positive(&[("the icosphere's radius", radius)])?;
    // 15 is past what is refused, and keeps the shift in range.
    check_triangle_count(&[20, 1 << (2 * subdivisions.min(15))])?;
    let mut directions = icosahedron();
    let mut triangles: Vec<[u32; 3]> = sectors(&directions).iter().map(|s| s.map(|node| node as u32)).collect();
    for triangle in &mut triangles {
        let [a, b, c] = triangle.map(|node| directions[node as usize]);
        if a.dot(&b.cross(&c)) < 0.0 {
            triangle.swap(1, 2);
        }
    }
    for _ in 0..subdivisions {
        let mut middles = BTreeMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                directions.push((directions[a as usize] + directions[b as usize]).normalize());
                directions.len() as u32 - 1
            })
        };
        let quarter = |&[a, b, c]: &[u32; 3]| {
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        triangles = triangles.iter().flat_map(quarter).collect();
    }
    Ok(TriMesh { positions: directions.iter().map(|d| d * radius).collect(), triangles })
}

/// Two triangles a cell, counter-clockwise where i runs right and j up.
fn quads(cells: [usize; 2], node: impl Fn(usize, usize) -> u32) -> Vec<[u32; 3]> {
    let mut triangles = Vec::with_capacity(2 * cells[0] * cells[1]);
    for j in 0..cells[1] {
        for i in 0..cells[0] {
            let [a, b, c, d] = [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)];
            triangles.extend(if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
        }
    }
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{rim_edges, unique_edges};
    use std::f64::consts::PI;

    fn area_vectors(mesh: &TriMesh) -> impl Iterator<Item = (Vector3<f64>, Vector3<f64>)> {
        mesh.triangles.iter().map(|t| {
            let [a, b, c] = t.map(|i| mesh.positions[i as usize]);
            ((a + b + c) / 3.0, (b - a).cross(&(c - a)) * 0.5)
        })
    }

    fn area(mesh: &TriMesh) -> f64 {
        area_vectors(mesh).map(|(_, a)| a.norm()).sum()
    }

    /// Shortest and longest edge.
    fn edge_lengths(mesh: &TriMesh) -> [f64; 2] {
        let lengths = unique_edges(&mesh.triangles);
        let length = |e: &[u32; 2]| (mesh.positions[e[0] as usize] - mesh.positions[e[1] as usize]).norm();
        lengths.iter().map(length).fold([f64::INFINITY, 0.0], |[low, high], l| [low.min(l), high.max(l)])
    }

    /// Nodes, triangles, rim edges, Euler characteristic.
    fn counts(mesh: &TriMesh) -> [i64; 4] {
        let hinges = mesh.validate_sheet().unwrap().len() as i64;
        let rim = rim_edges(&mesh.triangles).len() as i64;
        let (nodes, faces) = (mesh.positions.len() as i64, mesh.triangles.len() as i64);
        [nodes, faces, rim, nodes - (hinges + rim) + faces]
    }

    #[test]
    fn the_disc_has_the_papers_counts_and_its_rim_on_the_circle() {
        let mesh = disc(0.2, 72).unwrap();
        assert_eq!(counts(&mesh), [15769, 31104, 432, 1]);
        for node in rim_edges(&mesh.triangles).as_flattened() {
            assert!((mesh.positions[*node as usize].norm() - 0.2).abs() < 1e-16);
        }
        assert!(area_vectors(&mesh).all(|(_, a)| a.z > 0.0 && a.x == 0.0));
        // A polygon of 432 corners lacks (2π/432)²/6 of the circle's area.
        assert!((area(&mesh) / (PI * 0.04) - 1.0 + (TAU / 432.0).powi(2) / 6.0).abs() < 1e-8);
        // Rings are one apart and their nodes π/3; the longest edge is the diagonal of the two.
        let [low, high] = edge_lengths(&mesh);
        assert!(high / low < (1.0 + (PI / 3.0).powi(2)).sqrt(), "{low} {high}");
        assert_eq!(counts(&disc(1.0, 1).unwrap()), [7, 6, 6, 1]);
    }

    #[test]
    fn the_rectangle_is_flat_whole_and_alternating() {
        let mesh = rectangle(Vector2::new(2.0, 1.0), [4, 3]).unwrap();
        assert_eq!(counts(&mesh), [20, 24, 14, 1]);
        assert!((area(&mesh) - 2.0).abs() < 1e-15 && area_vectors(&mesh).all(|(_, a)| a.z > 0.0));
        assert_eq!(
            (mesh.positions[0], mesh.positions[19]),
            (Vector3::new(-1.0, -0.5, 0.0), Vector3::new(1.0, 0.5, 0.0))
        );
        let edges = unique_edges(&mesh.triangles);
        let rising = edges.iter().filter(|e| e[1] - e[0] == 6).count();
        let falling = edges.iter().filter(|e| e[1] - e[0] == 4).count();
        assert_eq!([rising, falling], [6, 6]);
    }

    #[test]
    fn the_tube_surface_is_an_open_cylinder_facing_outward() {
        for around in [3, 16, 17] {
            let mesh = tube_surface(0.5, 2.0, around, 5).unwrap();
            assert_eq!(counts(&mesh), [6 * around as i64, 10 * around as i64, 2 * around as i64, 0]);
            assert!(
                area_vectors(&mesh).all(|(at, a)| a.dot(&Vector3::new(at.x, at.y, 0.0)) > 0.0 && a.z.abs() < 1e-16)
            );
        }
        assert!((area(&tube_surface(0.5, 2.0, 100, 5).unwrap()) / TAU - 1.0).abs() < 2e-4);
    }

    #[test]
    fn the_icosphere_is_closed_round_and_faces_outward() {
        let mesh = icosphere(0.3, 3).unwrap();
        assert_eq!(counts(&mesh), [642, 1280, 0, 2]);
        assert!(mesh.positions.iter().all(|x| (x.norm() - 0.3).abs() < 1e-16));
        assert!(area_vectors(&mesh).all(|(at, a)| at.dot(&a) > 0.0));
        assert!((area(&mesh) / (4.0 * PI * 0.09) - 1.0).abs() < 0.01);
        let [low, high] = edge_lengths(&mesh);
        assert!(high / low < 1.2, "{low} {high}");
        assert_eq!(counts(&icosphere(1.0, 0).unwrap()), [12, 20, 0, 2]);
    }

    #[test]
    fn what_makes_no_sheet_is_refused() {
        assert!(matches!(disc(-1.0, 3), Err(MeshError::Parameter { .. })));
        assert!(matches!(disc(1.0, 0), Err(MeshError::Parameter { .. })));
        assert!(matches!(disc(1.0, 1 << 20), Err(MeshError::TooMany { what: "triangles", .. })));
        assert!(matches!(rectangle(Vector2::new(1.0, f64::NAN), [1, 1]), Err(MeshError::Parameter { .. })));
        assert!(matches!(rectangle(Vector2::repeat(1.0), [1, 0]), Err(MeshError::Parameter { .. })));
        assert!(matches!(tube_surface(1.0, 1.0, 2, 1), Err(MeshError::Parameter { .. })));
        for deep in [12, 31, 32, usize::MAX] {
            assert!(matches!(icosphere(1.0, deep), Err(MeshError::TooMany { .. })), "{deep}");
        }
    }
}
