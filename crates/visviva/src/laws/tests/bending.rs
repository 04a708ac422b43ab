//! Hinges: their angle and its derivatives, and what a bent sheet costs against the theory of plates.

use nalgebra::{Matrix3, SVector, Vector2, Vector3};

use super::assemble;
use crate::laws::bending::{HingeShape, bending_stiffness, dihedral_angle};
use crate::laws::membrane::MembraneError;
use crate::laws::tetrahedron::Curvature;
use crate::math::sampling::Sampler;

const STIFFNESS: f64 = 0.7;

/// Two triangles about the x axis, the second turned down by the angle.
fn folded(angle: f64) -> [Vector3<f64>; 4] {
    let (s, c) = angle.sin_cos();
    [Vector3::zeros(), Vector3::x(), Vector3::new(0.3, 0.9, 0.0), Vector3::new(0.6, -0.8 * c, -0.8 * s)]
}

fn states(random: &mut Sampler) -> Vec<[Vector3<f64>; 4]> {
    let mut states = Vec::new();
    for angle in [0.0, 1e-9, 0.1, -0.4, 1.3, -2.0, 3.0, -3.1, std::f64::consts::FRAC_PI_2] {
        for _ in 0..4 {
            let turn = random.rotation();
            let at = random.vector();
            states.push(folded(angle).map(|x| turn * x + at));
            // Another shape, whose angle is near.
            states.push(folded(angle).map(|x| turn * (x + 0.03 * random.vector()) + at));
        }
    }
    states
}

#[test]
fn the_angle_is_signed_and_valid_all_the_way_round() {
    let mut random = Sampler::new(81);
    for k in -314..=314 {
        let angle = f64::from(k) * 0.01;
        let turn = random.rotation();
        let x = folded(angle).map(|corner| turn * corner);
        assert!((dihedral_angle(&x) - angle).abs() < 4e-15, "{angle}");
        // The other way along the edge, and with the outside turned in.
        let [a, b, c, d] = x;
        assert!((dihedral_angle(&[b, a, d, c]) - angle).abs() < 4e-15);
        assert!((dihedral_angle(&[a, b, d, c]) + angle).abs() < 4e-15);
    }
}

#[test]
fn derivatives_of_a_hinge_are_those_of_its_energy() {
    let mut random = Sampler::new(82);
    let h = 1e-5;
    for rest in [folded(0.0), folded(0.7), folded(-1.5)] {
        let hinge = HingeShape::from_rest(rest).expect("two triangles");
        for x in states(&mut random) {
            let moved = |coordinate: usize, by: f64| {
                let mut moved = x;
                moved[coordinate / 3][coordinate % 3] += by;
                moved
            };
            let all = hinge.evaluate(STIFFNESS, &x, Curvature::Exact);
            assert_eq!((all.energy, all.gradient), hinge.energy_and_gradient(STIFFNESS, &x));
            let hessian = assemble(&all.hessian);
            let size = all.gradient.iter().map(|g| g.norm()).sum::<f64>().max(STIFFNESS);
            for row in 0..12 {
                let [up, down] = [h, -h].map(|by| hinge.energy_and_gradient(STIFFNESS, &moved(row, by)));
                let slope = (up.0 - down.0) / (2.0 * h);
                assert!((slope - all.gradient[row / 3][row % 3]).abs() < 1e-8 * size, "{x:?}");
                for column in 0..12 {
                    let slope = (up.1[column / 3][column % 3] - down.1[column / 3][column % 3]) / (2.0 * h);
                    assert!((slope - hessian[(row, column)]).abs() < 1e-8 * hessian.amax(), "{row} {column} {x:?}");
                }
            }
        }
    }
}

#[test]
fn the_projected_hessian_is_semidefinite_and_exact_at_rest() {
    let mut random = Sampler::new(83);
    for x in states(&mut random) {
        let projected = |hinge: &HingeShape| assemble(&hinge.evaluate(STIFFNESS, &x, Curvature::Projected).hessian);
        let flat = HingeShape::from_rest(folded(0.0)).expect("two triangles");
        let h = projected(&flat);
        assert_eq!(h, h.transpose());
        assert!(h.symmetric_eigenvalues().min() > -1e-14 * h.norm());
        let own = HingeShape::from_rest(x).expect("two triangles");
        let exact = assemble(&own.evaluate(STIFFNESS, &x, Curvature::Exact).hessian);
        assert!((exact - projected(&own)).norm() <= 1e-15 * exact.norm());
    }
}

#[test]
fn rigid_motions_feel_no_force() {
    let mut random = Sampler::new(84);
    let hinge = HingeShape::from_rest(folded(0.4)).expect("two triangles");
    for x in states(&mut random) {
        let (energy, gradient) = hinge.energy_and_gradient(STIFFNESS, &x);
        let size = gradient.iter().map(|g| g.norm()).sum::<f64>();
        let force: Vector3<f64> = gradient.iter().sum();
        let torque: Vector3<f64> = (0..4).map(|k| x[k].cross(&gradient[k])).sum();
        assert!(force.norm() < 1e-15 * size && torque.norm() < 1e-14 * size);
        let turn = random.rotation();
        let turned = hinge.energy(STIFFNESS, &x.map(|p| turn * p));
        assert!((energy - turned).abs() < 1e-13 * energy);
        // A spin of the whole is a null direction of the exact Hessian but for the turning of the force itself.
        let spin = SVector::<f64, 12>::from_fn(|i, _| Vector3::z().cross(&x[i / 3])[i % 3]);
        let change = assemble(&hinge.evaluate(STIFFNESS, &x, Curvature::Exact).hessian) * spin;
        let wanted = SVector::<f64, 12>::from_fn(|i, _| Vector3::z().cross(&gradient[i / 3])[i % 3]);
        assert!((change - wanted).norm() < 1e-13 * (size + STIFFNESS) * 10.0);
    }
}

/// The lattices on which hinges repeat: the corners of the hinges around one node, and the area that belongs to it.
#[derive(Debug, Clone, Copy)]
enum Lattice {
    Equilateral,
    Alternating,
    Parallel,
}

/// Hinges of one period as plane points, and the period's area.
fn period(lattice: Lattice, a: f64) -> (Vec<[Vector2<f64>; 4]>, f64) {
    let mut hinges = Vec::new();
    let p = |i: f64, j: f64| match lattice {
        Lattice::Equilateral => Vector2::new(i + 0.5 * j, 0.75f64.sqrt() * j) * a,
        _ => Vector2::new(i, j) * a,
    };
    // In lattice coordinates equilateral is the parallel grid with diagonals (1, 0)–(0, 1).
    let cells = if matches!(lattice, Lattice::Alternating) { 2 } else { 1 };
    for (i, j) in (0..cells).flat_map(|i| (0..cells).map(move |j| (i, j))) {
        let q = |u: i32, v: i32| p(f64::from(i + u), f64::from(j + v));
        let falling = match lattice {
            Lattice::Equilateral => true,
            Lattice::Parallel => false,
            Lattice::Alternating => (i + j) % 2 == 1,
        };
        let next_falling = if matches!(lattice, Lattice::Alternating) { !falling } else { falling };
        // The diagonal, then the cell's left and lower sides with the tips of this cell and of the one before it.
        hinges.push(if falling { [q(1, 0), q(0, 1), q(0, 0), q(1, 1)] } else { [q(0, 0), q(1, 1), q(0, 1), q(1, 0)] });
        let left_tip = if next_falling { q(-1, 1) } else { q(-1, 0) };
        hinges.push([q(0, 1), q(0, 0), if falling { q(1, 0) } else { q(1, 1) }, left_tip]);
        let low_tip = if next_falling { q(1, -1) } else { q(0, -1) };
        hinges.push([q(0, 0), q(1, 0), if falling { q(0, 1) } else { q(1, 1) }, low_tip]);
    }
    let cell = if matches!(lattice, Lattice::Equilateral) { 0.75f64.sqrt() } else { 1.0 };
    (hinges, cell * f64::from(cells * cells) * a * a)
}

/// Energy per area over B/2, of the lattice with edges a laid onto the surface by `place`.
fn density(lattice: Lattice, a: f64, place: impl Fn(Vector2<f64>) -> Vector3<f64>) -> f64 {
    let (hinges, area) = period(lattice, a);
    let energy = |points: &[Vector2<f64>; 4]| {
        let rest = points.map(|p| Vector3::new(p.x, p.y, 0.0));
        HingeShape::from_rest(rest).expect("two triangles").energy(1.0, &points.map(&place))
    };
    hinges.iter().map(energy).sum::<f64>() / (0.5 * area)
}

/// Isometric to the plane: rolled about the line at φ + 90°, to curvature κ along φ.
fn cylinder(kappa: f64, phi: f64) -> impl Fn(Vector2<f64>) -> Vector3<f64> {
    move |p| {
        let (s, c) = phi.sin_cos();
        let (along, across) = (c * p.x + s * p.y, c * p.y - s * p.x);
        Vector3::new((kappa * along).sin() / kappa, across, ((kappa * along).cos() - 1.0) / kappa)
    }
}

#[test]
fn a_cylinder_costs_half_the_stiffness_times_curvature_squared_times_the_meshs_factor() {
    let kappa = 0.8;
    for (lattice, factor) in [
        (Lattice::Equilateral, (|_| 1.0) as fn(f64) -> f64),
        (Lattice::Alternating, |phi| 1.0 + 0.5 * (2.0 * phi).sin().powi(2)),
        (Lattice::Parallel, |phi| 1.0 + (2.0 * phi).sin() + (2.0 * phi).sin().powi(2)),
    ] {
        for degrees in (0..180).step_by(15) {
            let phi = f64::from(degrees).to_radians();
            let wanted = factor(phi) * kappa * kappa;
            let error = |a: f64| (density(lattice, a, cylinder(kappa, phi)) - wanted).abs() / wanted;
            // Second order in the edge: halving it quarters the error.
            let (coarse, fine) = (error(0.02), error(0.01));
            assert!(fine < 1e-4, "{lattice:?} at {degrees}°: {fine:e}");
            assert!(fine < 0.26 * coarse + 1e-10, "{lattice:?} at {degrees}°: {coarse:e} to {fine:e}");
        }
    }
}

#[test]
fn an_equilateral_dome_costs_what_a_plate_of_poisson_ratio_minus_a_third_does() {
    let (kappa, nu) = (0.5, -1.0 / 3.0);
    let dome = |p: Vector2<f64>| Vector3::new(p.x, p.y, -0.5 * kappa * p.norm_squared());
    let saddle = |p: Vector2<f64>| Vector3::new(p.x, p.y, -0.5 * kappa * (p.x * p.x - p.y * p.y));
    let (a, square) = (1e-3, kappa * kappa);
    // (κ₁ + κ₂)² − 2(1 − ν) κ₁κ₂; heights of second order in a enter the strain.
    assert!((density(Lattice::Equilateral, a, dome) / (2.0 * (1.0 + nu) * square) - 1.0).abs() < 1e-5);
    assert!((density(Lattice::Equilateral, a, saddle) / (2.0 * (1.0 - nu) * square) - 1.0).abs() < 1e-5);
}

#[test]
fn a_bent_rest_state_is_unstressed_and_thickness_enters_cubed() {
    let hinge = HingeShape::from_rest(folded(1.1)).expect("two triangles");
    assert!((hinge.rest_angle() - 1.1).abs() < 1e-15);
    assert_eq!(hinge.energy(STIFFNESS, &folded(1.1)), 0.0);
    let stiffness = |t: f64| bending_stiffness(1.2e6, 0.5 - 1e-9, t).expect("a sheet");
    // 1.2e6 · 1e-9 / (12 · ¾).
    assert!((stiffness(1e-3) / (1e-4 / 0.75) - 1.0).abs() < 1e-8);
    assert!((stiffness(2e-3) / stiffness(1e-3) - 8.0).abs() < 1e-12);
    assert_eq!(bending_stiffness(1.0, 0.3, -1.0), Err(MembraneError::Thickness(-1.0)));
    assert!(matches!(bending_stiffness(0.0, 0.3, 1.0), Err(MembraneError::Material(_))));
}

#[test]
fn collapsed_triangles_are_refused_at_rest_and_infinite_afterwards() {
    let [a, b, c, d] = folded(0.2);
    for broken in [[a, a, c, d], [a, b, a * 0.5 + b * 0.5, d], [a, b, c, b], [a, b, c, Vector3::repeat(f64::NAN)]] {
        assert!(HingeShape::from_rest(broken).is_err(), "{broken:?}");
        let hinge = HingeShape::from_rest([a, b, c, d]).expect("two triangles");
        let response = hinge.evaluate(STIFFNESS, &broken, Curvature::Projected);
        assert_eq!((response.energy, response.gradient), (f64::INFINITY, [Vector3::zeros(); 4]));
        assert_eq!(response.hessian, [Matrix3::zeros(); 10]);
    }
}
