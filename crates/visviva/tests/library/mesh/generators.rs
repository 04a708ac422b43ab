//! Every generated solid is positive, closed, of the right topology, well shaped, and tends to its exact volume.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::PI;
use visviva::mesh::generate::{ball, cuboid, cylinder, ellipsoid, torus, tube, wrapped_ball};
use visviva::mesh::{Boundary, MeshError, TetMesh};

use nalgebra::Vector3;

struct Solid {
    name: &'static str,
    /// Finer with n.
    make: fn(usize) -> Result<TetMesh, MeshError>,
    volume: f64,
    /// Euler characteristic of the surface: 2 for a sphere, 0 for a torus.
    euler: i64,
    /// Smallest and largest dihedral angle allowed `[degrees]`.
    dihedral: [f64; 2],
    /// Whether the facets only approximate a curved surface.
    curved: bool,
}

fn solids() -> Vec<Solid> {
    let semi = Vector3::new(1.0, 0.8, 0.6);
    vec![
        Solid {
            name: "cuboid",
            make: |n| cuboid(Vector3::new(1.0, 2.0, 3.0), [n, 2 * n, 3 * n]),
            volume: 6.0,
            euler: 2,
            dihedral: [44.9, 90.1],
            curved: false,
        },
        Solid {
            name: "ball",
            make: |n| ball(0.05, n),
            volume: 4.0 / 3.0 * PI * 0.05f64.powi(3),
            euler: 2,
            dihedral: [35.0, 125.0],
            curved: true,
        },
        Solid {
            name: "wrapped ball",
            make: |n| wrapped_ball(0.05, [2 * n; 3], n),
            volume: 4.0 / 3.0 * PI * 0.05f64.powi(3),
            euler: 2,
            dihedral: [20.0, 145.0],
            curved: true,
        },
        Solid {
            name: "ellipsoid",
            make: |n| ellipsoid(Vector3::new(1.0, 0.8, 0.6), n),
            volume: 4.0 / 3.0 * PI * semi.product(),
            euler: 2,
            dihedral: [20.0, 140.0],
            curved: true,
        },
        Solid {
            name: "cylinder",
            make: |n| cylinder(0.5, 2.0, n, 4 * n),
            volume: PI * 0.5,
            euler: 2,
            dihedral: [20.0, 140.0],
            curved: true,
        },
        Solid {
            name: "tube",
            make: |n| tube(0.5, 1.0, 1.0, n, 10 * n, 2 * n),
            volume: PI * 0.75,
            euler: 0,
            dihedral: [20.0, 140.0],
            curved: true,
        },
        Solid {
            name: "torus",
            make: |n| torus(1.0, 0.3, n, 20 * n),
            volume: 2.0 * PI * PI * 0.09,
            euler: 0,
            dihedral: [20.0, 140.0],
            curved: true,
        },
    ]
}

fn euler(b: &Boundary) -> i64 {
    b.nodes.len() as i64 - b.edges.len() as i64 + b.triangles.len() as i64
}

#[test]
fn every_solid_is_valid_and_its_surface_closed() {
    for solid in solids() {
        for n in 1..=4 {
            let mut mesh = (solid.make)(n).unwrap();
            assert_eq!(mesh.validate().unwrap(), [], "{} {n}", solid.name);
            let boundary = mesh.boundary();
            // Each directed edge once, and its reverse too: closed, manifold along edges, consistently oriented.
            let mut directed = BTreeMap::new();
            for t in &boundary.triangles {
                for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                    *directed.entry((a, b)).or_insert(0) += 1;
                }
            }
            assert!(
                directed.iter().all(|(&(a, b), &k)| k == 1 && directed.contains_key(&(b, a))),
                "{} {n}",
                solid.name
            );
            assert_eq!(directed.len(), 2 * boundary.edges.len());
            assert_eq!(euler(&boundary), solid.euler, "{} {n}", solid.name);
        }
    }
}

#[test]
fn the_surface_encloses_the_volume_of_the_tets() {
    for solid in solids() {
        let mesh = (solid.make)(3).unwrap();
        let surface = mesh.surface();
        surface.validate().unwrap();
        // Gauss: V = Σ a·(b×c)/6 over outward triangles.
        let corner = |i: u32| surface.positions[i as usize];
        let enclosed: f64 =
            surface.triangles.iter().map(|t| corner(t[0]).dot(&corner(t[1]).cross(&corner(t[2]))) / 6.0).sum();
        assert!((enclosed / mesh.volume() - 1.0).abs() < 1e-12, "{}", solid.name);
    }
}

#[test]
fn volumes_converge_to_the_exact_ones() {
    for solid in solids() {
        let error = |n| ((solid.make)(n).unwrap().volume() / solid.volume - 1.0).abs();
        if solid.curved {
            let (coarse, fine) = (error(4), error(8));
            assert!(fine < 0.02, "{}: {fine}", solid.name);
            // Facets inscribed in a smooth surface are of second order.
            assert!((3.5..4.5).contains(&(coarse / fine)), "{}: {}", solid.name, coarse / fine);
        } else {
            assert!(error(2) < 1e-12);
        }
    }
}

#[test]
fn tets_are_well_shaped_and_centred() {
    for solid in solids() {
        for n in 2..=7 {
            let mesh = (solid.make)(n).unwrap();
            let q = mesh.quality();
            if n == 7 {
                let (b, tets) = (mesh.boundary().triangles.len(), mesh.tets.len());
                println!("{}: {} nodes {tets} tets {b} faces, {q:?}", solid.name, mesh.positions.len());
            }
            let [low, high] = solid.dihedral;
            assert!(q.min_dihedral.0 > low, "{} {n}: {:?}", solid.name, q.min_dihedral);
            assert!(q.max_dihedral.0 < high, "{} {n}: {:?}", solid.name, q.max_dihedral);
            let moment: Vector3<f64> = (0..mesh.tets.len())
                .map(|t| mesh.corners(t).iter().sum::<Vector3<f64>>() / 4.0 * mesh.tet_volume(t))
                .sum();
            let size = (q.bounds[1] - q.bounds[0]).norm();
            assert!((moment / q.volume).norm() < 1e-12 * size, "{} {n}: {}", solid.name, moment / q.volume);
        }
    }
}

#[test]
fn boxes_have_the_counts_of_the_paper() {
    let counts = |cells| {
        let mesh = cuboid(Vector3::repeat(1.0), cells).unwrap();
        [mesh.positions.len(), mesh.tets.len(), mesh.boundary().triangles.len()]
    };
    assert_eq!(counts([10, 10, 10]), [1331, 6000, 1200]);
    assert_eq!(counts([20, 20, 10]), [4851, 24000, 3200]);
}

#[test]
fn a_wrapped_ball_has_the_counts_of_the_paper() {
    let mesh = wrapped_ball(0.05, [10, 8, 5], 3).unwrap();
    assert_eq!([mesh.positions.len(), mesh.tets.len(), mesh.boundary().triangles.len()], [1620, 7100, 680]);
    let q = mesh.quality();
    assert!(q.min_dihedral.0 > 22.4 && q.max_dihedral.0 < 138.2, "{q:?}");
    let volumes: Vec<f64> = (0..mesh.tets.len()).map(|t| mesh.tet_volume(t)).collect();
    let extremes = |sizes: &[f64]| sizes.iter().fold([f64::INFINITY, 0.0f64], |[a, b], &v| [a.min(v), b.max(v)]);
    // Of the five tets of a cube one is twice the others.
    let [least, most] = extremes(&volumes);
    assert!(most / least < 7.1, "{}", most / least);
    let surface = mesh.surface();
    let areas: Vec<f64> = (0..surface.triangles.len())
        .map(|t| surface.corners(t))
        .map(|[a, b, c]| (b - a).cross(&(c - a)).norm() / 2.0)
        .collect();
    let [least, most] = extremes(&areas);
    assert!(most / least < 2.9, "{}", most / least);
}

#[test]
fn a_wrapped_ball_is_mirrored_bit_for_bit_and_stands_on_a_node() {
    let mesh = wrapped_ball(0.05, [10, 8, 5], 3).unwrap();
    // + 0 makes −0 to 0.
    let bits = |x: Vector3<f64>| -> [u64; 3] { x.map(|c| (c + 0.0).to_bits()).into() };
    let nodes: BTreeMap<[u64; 3], u32> = mesh.positions.iter().map(|&x| bits(x)).zip(0..).collect();
    let tets: BTreeSet<[u32; 4]> = mesh.tets.iter().map(|&tet| sorted(tet)).collect();
    for axis in 0..3 {
        let mirrored: Option<Vec<u32>> = (mesh.positions.iter())
            .map(|x| {
                let mut x = *x;
                x[axis] = -x[axis];
                nodes.get(&bits(x)).copied()
            })
            .collect();
        let mirrored = mirrored.expect("every node has its mirror image");
        let all = mesh.tets.iter().all(|tet| tets.contains(&sorted(tet.map(|node| mirrored[node as usize]))));
        // Five cells along z: there the colours of the chessboard change sides.
        assert_eq!(all, axis < 2, "axis {axis}");
    }
    assert!(mesh.positions.contains(&Vector3::new(0.0, 0.0, -0.05)));
}

fn sorted(mut tet: [u32; 4]) -> [u32; 4] {
    tet.sort_unstable();
    tet
}

#[test]
fn a_ball_of_seven_shells_is_near_the_papers() {
    let mesh = ball(0.05, 7).unwrap();
    assert_eq!([mesh.positions.len(), mesh.tets.len(), mesh.boundary().triangles.len()], [1415, 6860, 980]);
    let q = mesh.quality();
    assert!(mesh.positions.iter().all(|x| x.norm() < 0.05 * (1.0 + 1e-15)));
    assert!(q.longest_edge.0 / q.shortest_edge.0 < 1.8, "{q:?}");
}

#[test]
fn generators_refuse_what_makes_no_solid() {
    assert!(matches!(cuboid(Vector3::new(1.0, 0.0, 1.0), [1; 3]), Err(MeshError::Parameter { .. })));
    assert!(matches!(cuboid(Vector3::repeat(1.0), [1, 0, 1]), Err(MeshError::Parameter { .. })));
    assert!(matches!(cuboid(Vector3::repeat(1.0), [usize::MAX; 3]), Err(MeshError::TooMany { .. })));
    assert!(matches!(ball(f64::NAN, 3), Err(MeshError::Parameter { .. })));
    assert!(matches!(ball(1.0, 100_000), Err(MeshError::TooMany { .. })));
    assert!(matches!(wrapped_ball(0.0, [2; 3], 1), Err(MeshError::Parameter { .. })));
    assert!(matches!(wrapped_ball(1.0, [2, 0, 2], 1), Err(MeshError::Parameter { .. })));
    assert!(matches!(wrapped_ball(1.0, [2; 3], 0), Err(MeshError::Parameter { .. })));
    assert!(matches!(wrapped_ball(1.0, [usize::MAX; 3], 1), Err(MeshError::TooMany { .. })));
    assert!(matches!(wrapped_ball(1.0, [2; 3], usize::MAX), Err(MeshError::TooMany { .. })));
    assert!(matches!(wrapped_ball(1.0, [10, 1, 1], 1), Err(MeshError::FoldedBall { .. })));
    assert!(matches!(torus(1.0, 1.0, 2, 8), Err(MeshError::Parameter { .. })));
    assert!(matches!(torus(1.0, 0.5, 2, 2), Err(MeshError::Parameter { .. })));
    assert!(matches!(tube(1.0, 0.5, 1.0, 1, 8, 1), Err(MeshError::Parameter { .. })));
    assert!(matches!(cylinder(1.0, -1.0, 1, 1), Err(MeshError::Parameter { .. })));
}
