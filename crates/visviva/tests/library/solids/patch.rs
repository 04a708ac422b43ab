//! Linear tetrahedra hold any affine deformation exactly, however irregular the mesh.

use super::{Noise, Setup, cuboid, is_on_surface, largest, solid};
use nalgebra::{Matrix3, Rotation3, Vector3};
use visviva::laws::solid::SOLIDS;
use visviva::mesh::TetMesh;
use visviva::model::bodies::{flatten, node_of};
use visviva::solve::{Backend, Evaluation, Stage};

const SIZE: [f64; 3] = [0.1, 0.08, 0.12];
const CELL: f64 = 0.03;
/// `[Pa]`
const YOUNG: f64 = 1e5;

/// Inner nodes are moved by up to a fifth of a cell.
fn irregular_box() -> TetMesh {
    let mut mesh = cuboid(SIZE, [3, 3, 4]);
    let mut noise = Noise(11);
    for p in mesh.positions.iter_mut().filter(|p| !is_on_surface(p, SIZE)) {
        *p += 0.2 * CELL * noise.vector();
    }
    mesh
}

/// A turn, unequal stretches and a shear, and a shift.
fn affine(p: &Vector3<f64>) -> Vector3<f64> {
    let turn = Rotation3::from_euler_angles(0.4, -0.3, 0.7);
    let stretch = Matrix3::new(1.2, 0.1, 0.0, 0.0, 0.9, -0.05, 0.08, 0.0, 1.1);
    turn * stretch * p + Vector3::new(0.3, -0.2, 0.1)
}

#[test]
fn an_affine_deformation_gives_one_stress_and_no_force_on_inner_nodes() {
    for entry in SOLIDS {
        let mesh = irregular_box();
        let rest = mesh.positions.clone();
        let (bodies, mut world) = Setup::new(mesh, solid(entry.name, YOUNG, 0.3)).build();
        let x = flatten(&rest.iter().map(affine).collect::<Vec<_>>());
        let stress = |tet: usize| {
            let f = bodies.tets.laws[tet].shape.deformation_gradient(&bodies.tets.corners(tet, &x));
            bodies.tets.laws[tet].solid.stress(&f)
        };
        let first = stress(0);
        let spread =
            largest((1..bodies.tets.len()).flat_map(|tet| (stress(tet) - first).iter().copied().collect::<Vec<_>>()));
        // Edges of a cell are differences of positions ten times as long: twenty roundings of each.
        assert!(spread < 200.0 * f64::EPSILON * YOUNG, "{}: {spread:e} Pa", entry.name);
        let mut g = vec![0.0; x.len()];
        let at = world.evaluation(&x);
        world.gradient(&at, &mut g);
        let inner = (0..rest.len()).filter(|&node| !is_on_surface(&rest[node], SIZE));
        let force = largest(inner.map(|node| node_of(&g, node).norm()));
        let surface = (0..rest.len()).filter(|&node| is_on_surface(&rest[node], SIZE));
        let traction = largest(surface.map(|node| node_of(&g, node).norm()));
        // Two dozen tets meet at a node, each pulling with the stress over a cell's face.
        assert!(force < 24.0 * 200.0 * f64::EPSILON * YOUNG * CELL * CELL, "{}: {force:e} N", entry.name);
        assert!(traction > 0.1, "{}: only {traction} N on the surface: this tests nothing", entry.name);
    }
}

#[test]
fn a_static_solve_with_an_affine_boundary_finds_the_affine_inside() {
    for entry in SOLIDS {
        let mesh = irregular_box();
        let rest = mesh.positions.clone();
        let mut setup = Setup::new(mesh, solid(entry.name, YOUNG, 0.3)).pinned_where(|p| is_on_surface(p, SIZE));
        setup.pins[0].nodes.iter_mut().for_each(|pin| pin.start = affine(&pin.start));
        let (_, mut world) = setup.build();
        let mut noise = Noise(5);
        let away = |p: &Vector3<f64>, noise: &mut Noise| {
            affine(p) + if is_on_surface(p, SIZE) { Vector3::zeros() } else { 0.1 * CELL * noise.vector() }
        };
        let start = world.evaluation(&flatten(&rest.iter().map(|p| away(p, &mut noise)).collect::<Vec<_>>()));
        // A stage this long forgets inertia: m/s² is 1e-14 of an element's stiffness.
        let stage = Stage {
            start: &start,
            predictor: &start.x,
            length: 1e4,
            velocity_origin: &start.x,
            velocity_length: 1e4,
            strain_origin: &[],
            t: 0.0,
            frozen: None,
        };
        let mut end = Evaluation::default();
        let report = world.minimise(&stage, &mut end).unwrap();
        assert!(report.converged, "{}: {report:?}", entry.name);
        let off = largest(rest.iter().enumerate().map(|(node, p)| (node_of(&end.x, node) - affine(p)).norm()));
        // Newton stops at steps of 1e-12 m and is quadratic there; rounding of 0.3 m is 1e-16 m.
        assert!(off < 1e-13, "{}: {off:e} m off", entry.name);
    }
}
