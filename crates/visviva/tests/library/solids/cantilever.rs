//! A cantilever bent far by a dead end load, against the elastica (Bisshopp and Drucker 1945).
//!
//! A dead load f is a shift of a stage's predictor by s² m⁻¹ f: the stage then minimises P(x) − f·x beside its inertia.

use super::{Setup, cuboid, solid};
use nalgebra::Vector3;
use std::sync::Arc;
use visviva::model::bodies::{Model, node_of};
use visviva::solve::{Backend, BodiesSolver, Evaluation, Stage};

const LENGTH: f64 = 1.0;
const THICK: f64 = 0.05;
/// `[Pa]`
const YOUNG: f64 = 1e7;
/// PL²/EI, δ/L, x/L
const ELASTICA: [(f64, f64, f64); 4] =
    [(1.0, 0.301721, 0.943567), (2.0, 0.493457, 0.839358), (5.0, 0.713792, 0.612372), (10.0, 0.810609, 0.445004)];

/// n cells over the thickness, square cells along the bar, one across: with ν = 0 nothing varies there.
fn bar(n: usize) -> (Arc<Model>, BodiesSolver, Vec<f64>) {
    let mesh = cuboid([LENGTH, THICK, THICK], [20 * n, 1, n]);
    // Corotated at ν = 0 is linear in the stretch: its moment is EI times the curvature at any bend.
    let mut setup = Setup::new(mesh, solid("corotated", YOUNG, 0.0)).pinned_where(|p| p.x < 1e-9);
    setup.displacement = 1e-7;
    let rest = setup.rest();
    let (bodies, world) = setup.build();
    (bodies, world, rest)
}

/// Deflection and reach of the end's middle `[m]` under each load in turn.
fn bend(n: usize) -> Vec<(f64, f64)> {
    let (bodies, mut world, mut x) = bar(n);
    let end: Vec<usize> = (0..bodies.node_count()).filter(|&node| bodies.rest[node].x > LENGTH - 1e-9).collect();
    let end_mass: f64 = end.iter().map(|&node| bodies.node_mass[node]).sum();
    let second_moment = THICK.powi(4) / 12.0;
    // ω₁ s is about 50: inertia is 1/2500 of the softest stiffness, and each round divides what is left by that.
    let s = 50.0 / (3.516 * (YOUNG * second_moment / (super::DENSITY * THICK * THICK)).sqrt());
    let mut places = Vec::new();
    for (load, ..) in ELASTICA {
        let force = load * YOUNG * second_moment / (LENGTH * LENGTH);
        for _ in 0..3 {
            let mut predictor = x.clone();
            // The load in proportion to the nodes' share of the end, so that it acts at its middle.
            end.iter().for_each(|&node| predictor[3 * node + 2] -= s * s * force / end_mass);
            let start = world.evaluation(&x);
            let stage = Stage {
                start: &start,
                predictor: &predictor,
                length: s,
                velocity_origin: &start.x,
                velocity_length: s,
                strain_origin: &[],
                t: 0.0,
                frozen: None,
            };
            let mut end = Evaluation::default();
            let report = world.minimise(&stage, &mut end).unwrap();
            x = end.x;
            assert!(report.converged, "{report:?}");
        }
        let middle = |x: &dyn Fn(usize) -> Vector3<f64>| {
            end.iter().map(|&node| bodies.node_mass[node] * x(node)).sum::<Vector3<f64>>() / end_mass
        };
        let (now, rest) = (middle(&|node| node_of(&x, node)), middle(&|node| bodies.rest[node]));
        places.push((rest.z - now.z, now.x));
    }
    places
}

/// Linear tets are too stiff in bending: by 60 % with two of them over the thickness, and by a quarter of that with each
/// refinement. What they converge to is a bar of 20 times its thickness, which gives a little more than the elastica: shear adds
/// 0.6 (t/L)² = 0.15 % to a small deflection, tension P/EA stretches it by up to 10 (t/L)²/12 = 0.2 %.
#[test]
fn a_cantilever_converges_to_the_elastica_under_refinement() {
    let [coarse, middle, fine] = [2, 4, 8].map(bend);
    for (i, (load, delta, reach)) in ELASTICA.into_iter().enumerate() {
        let errors = |places: &[(f64, f64)]| [places[i].0 / delta - 1.0, places[i].1 / reach - 1.0];
        let by_mesh = [errors(&coarse), errors(&middle), errors(&fine)];
        println!("PL²/EI = {load}: errors of δ and x {by_mesh:?}");
        for [e2, e4, e8] in [0, 1].map(|k| by_mesh.map(|errors| errors[k])) {
            // Second order: a quarter, less what the coarsest mesh has not yet shown.
            assert!(e4.abs() < 0.5 * e2.abs() && e8.abs() < e4.abs() / 3.0, "load {load}: {e2} {e4} {e8}");
            assert!(e8.abs() < 0.04, "load {load}: {e8} with 8 cells");
            // Richardson's limit: the 0.35 % named above, and what is left of fourth order, a few per cent of e₈.
            let limit = e8 + (e8 - e4) / 3.0;
            println!("    limit {limit}");
            assert!(limit.abs() < 6e-3, "load {load}: limit {limit}");
        }
    }
}
