//! What every solid has to be, whatever its shape.

use nalgebra::Vector3;
use std::collections::HashMap;
use visviva_shapes::Solid;
use visviva_shapes::stuffing::DIHEDRAL_BOUNDS;

/// No inverted tet, angles inside the published bounds, a boundary that is a closed manifold.
pub fn is_sound(solid: &Solid, what: &str) {
    let [mut least, mut most] = [f64::INFINITY, 0.0f64];
    for &tet in &solid.tets {
        let corners = solid.corners(tet);
        let [a, b, c, d] = corners;
        assert!((b - a).dot(&(c - a).cross(&(d - a))) > 0.0, "{what}: inverted tet {tet:?}");
        for angle in dihedrals(&corners) {
            least = least.min(angle);
            most = most.max(angle);
        }
    }
    println!("{what}: {} tets, {least:.2} to {most:.2} degrees", solid.tets.len());
    assert!(least > DIHEDRAL_BOUNDS[0] && most < DIHEDRAL_BOUNDS[1], "{what}: dihedral angles {least} to {most}");
    is_closed_manifold(&solid.boundary(), what);
}

/// Angles between the faces at the six edges `[degrees]`, from the normals of the faces.
fn dihedrals(corners: &[Vector3<f64>; 4]) -> impl Iterator<Item = f64> {
    let [a, b, c, d] = corners;
    let normal = |p: &Vector3<f64>, q: &Vector3<f64>, r: &Vector3<f64>| (q - p).cross(&(r - p)).normalize();
    let normals = [normal(a, c, b), normal(a, b, d), normal(a, d, c), normal(b, c, d)];
    let pairs = (0..4).flat_map(|i| (i + 1..4).map(move |j| (i, j)));
    pairs.map(move |(i, j)| 180.0 - normals[i].angle(&normals[j]).to_degrees())
}

/// Every edge has two triangles that run it in opposite directions; the triangles of a vertex are one fan.
pub fn is_closed_manifold(triangles: &[[u32; 3]], what: &str) {
    let mut after: HashMap<[u32; 2], u32> = HashMap::new();
    for t in triangles {
        for k in 0..3 {
            let twice = after.insert([t[k], t[(k + 1) % 3]], t[(k + 2) % 3]);
            assert!(twice.is_none(), "{what}: edge {:?} is run twice the same way", [t[k], t[(k + 1) % 3]]);
        }
    }
    let mut count: HashMap<u32, usize> = HashMap::new();
    triangles.iter().flatten().for_each(|&v| *count.entry(v).or_default() += 1);
    for (&[a, b], &c) in &after {
        assert!(after.contains_key(&[b, a]), "{what}: edge {:?} is open", [a, b]);
        let (mut fan, mut at) = (1, c);
        while at != b {
            at = after[&[a, at]];
            fan += 1;
        }
        assert_eq!(fan, count[&a], "{what}: vertex {a} has several fans");
    }
}
