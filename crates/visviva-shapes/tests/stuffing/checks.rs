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

/// Two triangles of the boundary that cross, by exact signs of determinants; triangles that share an edge are let be.
pub fn crossing(solid: &Solid) -> Option<[[u32; 3]; 2]> {
    let mut triangles: Vec<([Vector3<f64>; 2], [u32; 3])> =
        solid.boundary().into_iter().map(|t| (box_of(solid, t), t)).collect();
    triangles.sort_by(|a, b| a.0[0].x.total_cmp(&b.0[0].x));
    for (i, (box_a, a)) in triangles.iter().enumerate() {
        for (box_b, b) in triangles[i + 1..].iter().take_while(|(other, _)| other[0].x <= box_a[1].x) {
            let apart = (0..3).any(|k| box_a[0][k] > box_b[1][k] || box_b[0][k] > box_a[1][k]);
            let shared = a.iter().filter(|v| b.contains(v)).count();
            if !apart && shared < 2 && (pierces(solid, a, b) || pierces(solid, b, a)) {
                return Some([*a, *b]);
            }
        }
    }
    None
}

fn box_of(solid: &Solid, triangle: [u32; 3]) -> [Vector3<f64>; 2] {
    let [a, b, c] = triangle.map(|v| solid.positions[v as usize]);
    [a.inf(&b).inf(&c), a.sup(&b).sup(&c)]
}

/// Whether an edge of one triangle that has no corner of the other goes through that.
fn pierces(solid: &Solid, edges: &[u32; 3], face: &[u32; 3]) -> bool {
    let at = |v: u32| {
        let p = solid.positions[v as usize];
        robust::Coord3D { x: p.x, y: p.y, z: p.z }
    };
    let side = |a: u32, b: u32, c: u32, d: u32| robust::orient3d(at(a), at(b), at(c), at(d));
    let [a, b, c] = *face;
    (0..3).map(|k| [edges[k], edges[(k + 1) % 3]]).filter(|edge| edge.iter().all(|v| !face.contains(v))).any(
        |[p, q]| {
            let across = side(a, b, c, p) * side(a, b, c, q) < 0.0;
            let turns = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
            across && (turns.iter().all(|turn| *turn > 0.0) || turns.iter().all(|turn| *turn < 0.0))
        },
    )
}
