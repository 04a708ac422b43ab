//! Surfaces that stand for the solid inside: exact moments, the right limits, and every fault named.

use nalgebra::{Matrix3, Rotation3, Vector3};
use std::f64::consts::PI;
use visviva::mesh::generate::{ball, box_surface, cuboid, cylinder, torus, torus_surface, tube};
use visviva::mesh::{MeshError, SolidMoments, TetMesh, TriMesh, Warning};

fn solid(mut surface: TriMesh) -> SolidMoments {
    assert_eq!(surface.validate_solid().unwrap(), []);
    SolidMoments::inside(&surface)
}

/// The same moments from the tets of a solid mesh, each by the four-point rule that is exact for quadratics.
fn by_tets(mesh: &TetMesh) -> SolidMoments {
    const NEAR: f64 = 0.585_410_196_624_968_5;
    const FAR: f64 = 0.138_196_601_125_010_5;
    let points = |t: usize| {
        let x = mesh.corners(t);
        let sum: Vector3<f64> = x.iter().sum();
        x.map(|corner| sum * FAR + corner * (NEAR - FAR))
    };
    let volume = mesh.volume();
    let over = |t: usize| points(t).map(|x| x * (0.25 * mesh.tet_volume(t)));
    let centroid: Vector3<f64> = (0..mesh.tets.len()).flat_map(over).sum::<Vector3<f64>>() / volume;
    let square = |t: usize| {
        let weight = 0.25 * mesh.tet_volume(t);
        points(t).map(|x| (x - centroid) * (x - centroid).transpose() * weight)
    };
    SolidMoments { volume, centroid, second: (0..mesh.tets.len()).flat_map(square).sum() }
}

fn assert_same(a: &SolidMoments, b: &SolidMoments, tolerance: f64, what: &str) {
    assert!((a.volume / b.volume - 1.0).abs() < tolerance, "{what}: {} {}", a.volume, b.volume);
    let size = (b.second.trace() / b.volume).sqrt();
    assert!((a.centroid - b.centroid).norm() < tolerance * size, "{what}: {} {}", a.centroid, b.centroid);
    assert!((a.second - b.second).norm() < tolerance * b.second.norm(), "{what}: {} {}", a.second, b.second);
}

#[test]
fn a_box_has_its_textbook_moments() {
    let size = Vector3::new(0.3, 0.2, 0.7);
    let moments = solid(box_surface(size).unwrap());
    let squares = size.component_mul(&size);
    let second = Matrix3::from_diagonal(&(squares * (size.product() / 12.0)));
    assert_same(&moments, &SolidMoments { volume: size.product(), centroid: Vector3::zeros(), second }, 1e-14, "box");
    let mass = 500.0 * size.product();
    assert!((moments.density_of_mass(mass).unwrap() / 500.0 - 1.0).abs() < 1e-14);
    let inertia = Matrix3::from_diagonal(&(Vector3::repeat(squares.sum()) - squares)) * (mass / 12.0);
    assert!((moments.inertia(500.0) - inertia).norm() < 1e-14 * mass);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(moments.density_of_mass(bad), Err(MeshError::Parameter { .. })));
    }
}

#[test]
fn surface_moments_are_those_of_the_tets_inside() {
    let meshes = [
        ("ball", ball(0.4, 3)),
        ("torus", torus(1.0, 0.3, 2, 12)),
        ("tube", tube(0.4, 0.7, 1.0, 2, 11, 3)),
        ("cylinder", cylinder(0.5, 2.0, 2, 3)),
        ("cuboid", cuboid(Vector3::new(1.0, 2.0, 3.0), [2, 3, 1])),
    ];
    for (name, mesh) in meshes {
        let mut mesh = mesh.unwrap();
        mesh.rotate(Vector3::new(1.0, 2.0, -0.5), 0.7).unwrap();
        mesh.scale(Vector3::new(1.0, 0.6, 1.4)).unwrap();
        mesh.translate(Vector3::new(0.3, -0.2, 0.5)).unwrap();
        // Sums of some thousand rounded terms.
        assert_same(&solid(mesh.surface()), &by_tets(&mesh), 2e-13, name);
    }
}

#[test]
fn a_ball_tends_to_its_volume_and_inertia_at_second_order() {
    let r = 0.4f64;
    let volume = 4.0 / 3.0 * PI * r.powi(3);
    let second = Matrix3::identity() * (volume * r * r / 5.0);
    let error = |shells: usize| {
        let found = solid(ball(r, shells).unwrap().surface());
        assert!(found.centroid.norm() < 1e-14);
        // 2/5 m r² with the exact mass.
        let inertia = (found.inertia(1.0) - Matrix3::identity() * (0.4 * volume * r * r)).norm() / (volume * r * r);
        [(found.volume - volume).abs() / volume, (found.second - second).norm() / second.norm(), inertia]
    };
    let [coarse, fine] = [error(6), error(12)];
    for (c, f) in coarse.into_iter().zip(fine) {
        assert!((3.6..4.4).contains(&(c / f)), "halving the edges: {c} to {f}");
    }
    assert!(fine[0] < 0.01, "{fine:?}");
}

#[test]
fn a_torus_tends_to_its_volume_and_inertia_at_second_order() {
    let (major, minor) = (0.03f64, 0.005f64);
    let volume = 2.0 * PI * PI * major * minor * minor;
    let axial = volume * (major * major + 0.75 * minor * minor);
    let across = volume * (0.5 * major * major + 0.625 * minor * minor);
    let inertia = Matrix3::from_diagonal(&Vector3::new(across, across, axial));
    let error = |n: usize| {
        let found = solid(torus_surface(major, minor, 3 * n, n).unwrap());
        [(found.volume - volume).abs() / volume, (found.inertia(1.0) - inertia).norm() / inertia.norm()]
    };
    let [coarse, fine] = [error(16), error(32)];
    for (c, f) in coarse.into_iter().zip(fine) {
        assert!((3.8..4.2).contains(&(c / f)), "halving the edges: {c} to {f}");
    }
    assert!(fine[0] < 0.01, "{fine:?}");
}

#[test]
fn distance_from_the_origin_costs_no_more_than_the_rounding_of_the_nodes() {
    let at_home = torus_surface(0.03, 0.005, 24, 10).unwrap();
    let turn = Rotation3::from_euler_angles(0.3, -1.0, 2.0);
    let mut home = at_home.clone();
    home.positions.iter_mut().for_each(|x| *x = turn * *x);
    for distance in [1.0, 1e3, 1e6] {
        let mut away = home.clone();
        let shift = Vector3::new(1.0, -0.7, 0.4) * distance;
        away.translate(shift).unwrap();
        let (here, there) = (solid(home.clone()), solid(away));
        let moved = SolidMoments { centroid: here.centroid + shift, ..here };
        // Each node is off by half a unit in the last place of `distance`, seen against the tube.
        assert_same(&there, &moved, 20.0 * f64::EPSILON * distance / 0.005 + 1e-13, "away");
    }
    // Turning turns the second moments.
    let (a, b) = (solid(at_home).second, solid(home).second);
    assert!((turn.matrix() * a * turn.matrix().transpose() - b).norm() < 1e-13 * a.norm());
}

#[test]
fn a_surface_inside_out_is_flipped_with_a_warning() {
    let mut surface = torus_surface(1.0, 0.3, 12, 8).unwrap();
    let volume = surface.enclosed_volume();
    surface.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    assert_eq!(surface.enclosed_volume(), -volume);
    assert_eq!(surface.validate_solid().unwrap(), [Warning::SurfaceFlipped { triangles: 192 }]);
    assert!((surface.enclosed_volume() / volume - 1.0).abs() < 1e-14);
    assert_eq!(surface.validate_solid().unwrap(), []);
}

/// Both surfaces in one mesh.
fn together(a: &TriMesh, b: &TriMesh) -> TriMesh {
    let mut all = a.clone();
    all.positions.extend(&b.positions);
    all.triangles.extend(b.triangles.iter().map(|t| t.map(|i| i + a.positions.len() as u32)));
    all
}

#[test]
fn a_cavity_is_subtracted_and_a_part_inside_out_elsewhere_is_refused() {
    let outer = box_surface(Vector3::repeat(2.0)).unwrap();
    let mut cavity = box_surface(Vector3::repeat(1.0)).unwrap();
    cavity.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    let hollow = solid(together(&outer, &cavity));
    assert!((hollow.volume - 7.0).abs() < 1e-14);
    assert!((hollow.second[(0, 0)] - (32.0 - 1.0) / 12.0).abs() < 1e-14);
    cavity.translate(Vector3::x() * 5.0).unwrap();
    let error = together(&outer, &cavity).validate_solid().unwrap_err();
    assert!(matches!(error, MeshError::PartInsideOut { triangle: 12, .. }), "{error}");
}

#[test]
fn each_fault_of_a_solid_surface_is_named_with_its_edge() {
    let good = box_surface(Vector3::repeat(1.0)).unwrap();
    let fault = |change: fn(&mut TriMesh)| {
        let mut bad = good.clone();
        change(&mut bad);
        bad.validate_solid().unwrap_err()
    };
    // Triangle 0 is [0, 2, 3].
    let error = fault(|m| m.triangles = m.triangles.split_off(1));
    assert!(matches!(error, MeshError::OpenEdge { edge: [0, 2], triangle: 8 }), "{error}");
    let error = fault(|m| m.triangles[0].swap(0, 1));
    assert!(matches!(error, MeshError::InconsistentEdge { edge: [0, 2], triangles: [0, 9] }), "{error:?}");
    let error = fault(|m| {
        m.positions.push(Vector3::new(3.0, 0.0, 0.0));
        m.triangles.push([0, 2, 8]);
    });
    assert!(error.to_string().contains("edge [0, 2] belongs to 3 triangles: 0, 9, 12"), "{error}");
    let error = fault(|m| m.positions[3].y = f64::NAN);
    assert!(matches!(error, MeshError::NotFinite { node: 3, .. }), "{error}");
    let error = fault(|m| m.positions[3] = m.positions[1]);
    assert!(matches!(error, MeshError::Degenerate { kind: "triangle", .. }), "{error}");
    let error = fault(|m| m.positions.push(Vector3::zeros()));
    assert!(matches!(error, MeshError::Isolated { .. }), "{error}");
    let mut sheet = TriMesh { positions: vec![Vector3::zeros(), Vector3::x(), Vector3::y()], ..Default::default() };
    sheet.triangles = vec![[0, 1, 2], [0, 2, 1]];
    assert!(matches!(sheet.validate_solid(), Err(MeshError::NoVolume { .. })));
}

#[test]
fn impossible_rings_are_refused_by_name() {
    assert!(torus_surface(0.1, 0.1, 8, 8).is_err() && torus_surface(0.1, f64::NAN, 8, 8).is_err());
    assert!(torus_surface(0.1, 0.01, 2, 8).is_err() && torus_surface(0.1, 0.01, usize::MAX, 8).is_err());
    assert!(box_surface(Vector3::new(1.0, 0.0, 1.0)).is_err());
}
