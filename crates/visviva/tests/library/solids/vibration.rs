//! Small vibrations of a slender clamped bar, against the theory of beams.

use super::{DENSITY, Setup, cuboid, simulate, solid};
use nalgebra::{DMatrix, Vector3};
use std::f64::consts::PI;
use std::sync::Arc;
use visviva::math::band::BandMatrix;
use visviva::model::State;
use visviva::model::bodies::{Model, node_of};
use visviva::solve::{Backend, BodiesSolver};

const LENGTH: f64 = 1.0;
const THICK: f64 = 0.05;
/// Across; not that of the thickness, so that bending either way has its own frequencies.
const WIDE: f64 = 0.08;
/// `[Pa]`
const YOUNG: f64 = 1e7;
/// βL of a clamped-free Euler–Bernoulli beam
const BETA: [f64; 3] = [1.875104, 4.694091, 7.854757];

fn bar(n: usize) -> (Arc<Model>, BodiesSolver) {
    let mesh = cuboid([LENGTH, WIDE, THICK], [20 * n, 1, n]);
    Setup::new(mesh, solid("corotated", YOUNG, 0.0)).pinned_where(|p| p.x < 1e-9).build()
}

struct Mode {
    /// `[rad/s]`
    frequency: f64,
    /// On all nodes, ‖φ‖_m = 1
    shape: Vec<f64>,
}

/// The lowest modes that bend the thickness: M^-1/2 K M^-1/2 by subspace iteration on its band.
fn bending_modes(bodies: &Model, world: &mut BodiesSolver) -> Vec<Mode> {
    let rest: Vec<f64> = bodies.rest.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
    // Numbered layer by layer along the bar, tets reach one layer only.
    let mut nodes: Vec<usize> = (0..bodies.node_count()).filter(|&node| !bodies.mass.is_pinned(node)).collect();
    nodes.sort_by(|&a, &b| bodies.rest[a].x.total_cmp(&bodies.rest[b].x));
    let per_layer = nodes.iter().filter(|&&node| bodies.rest[node].x > LENGTH - 1e-9).count();
    let layers = nodes.len() / per_layer;
    let size = 3 * nodes.len();
    let weight = |row: usize| bodies.node_mass[nodes[row / 3]].sqrt();
    let entry = |row: usize| 3 * nodes[row / 3] + row % 3;
    let mut matrix = BandMatrix::new(size, 6 * per_layer - 1);
    // One product tells the columns of every third layer at once.
    let (mut probe, mut column) = (vec![0.0; rest.len()], vec![0.0; rest.len()]);
    let width = 3 * per_layer;
    for (first, within) in (0..3).flat_map(|first| (0..width).map(move |within| (first, within))) {
        probe.fill(0.0);
        (first..layers).step_by(3).for_each(|layer| probe[entry(layer * width + within)] = 1.0);
        let at = world.evaluation(&rest);
        world.stiffness_product(&at, &probe, &mut column);
        for layer in (first..layers).step_by(3) {
            let j = layer * width + within;
            for i in j..((layer + 2) * width).min(size) {
                matrix.add(i, j, column[entry(i)] / (weight(i) * weight(j)));
            }
        }
    }
    let original = matrix.clone();
    matrix.factor().unwrap();
    let count = 12;
    let mut noise = super::Noise(1);
    let mut basis = DMatrix::from_fn(size, count, |_, _| noise.next());
    let mut values = vec![0.0; count];
    for _ in 0..30 {
        for mut vector in basis.column_iter_mut() {
            matrix.solve(vector.as_mut_slice());
        }
        basis = basis.qr().q();
        let mut image = DMatrix::zeros(size, count);
        for (vector, mut out) in basis.column_iter().zip(image.column_iter_mut()) {
            original.add_product(vector.as_slice(), out.as_mut_slice());
        }
        let small = (basis.transpose() * image).symmetric_eigen();
        basis *= &small.eigenvectors;
        values = small.eigenvalues.iter().copied().collect();
    }
    let bends = |vector: &[f64]| vector.iter().skip(2).step_by(3).map(|z| z * z).sum::<f64>() > 0.7;
    let mut modes: Vec<Mode> = (0..count)
        .filter(|&k| bends(basis.column(k).as_slice()))
        .map(|k| {
            let mut shape = vec![0.0; rest.len()];
            (0..size).for_each(|row| shape[entry(row)] = basis[(row, k)] / weight(row));
            Mode { frequency: values[k].sqrt(), shape }
        })
        .collect();
    modes.sort_by(|a, b| a.frequency.total_cmp(&b.frequency));
    modes
}

/// The frequencies of a clamped-free Timoshenko beam over Euler–Bernoulli's (Huang 1961), k = 5/6 as ν = 0.
///
/// 2 + (b²(r² − s²)² + 2) cosh bα cos bβ − b (r² + s²)/√(1 − b²r²s²) sinh bα sin bβ = 0, b = ω L² √(ρA/EI)
fn timoshenko_over_bernoulli(beta: f64) -> f64 {
    let r2 = (THICK / LENGTH).powi(2) / 12.0;
    // E/kG = 2/k
    let s2 = r2 * 2.0 / (5.0 / 6.0);
    let equation = |b: f64| {
        let root = ((r2 - s2).powi(2) + 4.0 / (b * b)).sqrt();
        let (p, q) = (b * (0.5 * (root - r2 - s2)).sqrt(), b * (0.5 * (root + r2 + s2)).sqrt());
        2.0 + (b * b * (r2 - s2).powi(2) + 2.0) * p.cosh() * q.cos()
            - b * (r2 + s2) / (1.0 - b * b * r2 * s2).sqrt() * p.sinh() * q.sin()
    };
    let slender = beta * beta;
    let (mut low, mut high) = (0.94 * slender, 1.001 * slender);
    assert!(equation(low) * equation(high) < 0.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if equation(low) * equation(middle) <= 0.0 { high = middle } else { low = middle }
    }
    low / slender
}

#[test]
fn bending_frequencies_converge_to_those_of_a_beam() {
    let radius = THICK / 12f64.sqrt();
    let wave_speed = (YOUNG / DENSITY).sqrt();
    let [coarse, middle, fine] = [2, 4, 8].map(|n| {
        let (bodies, mut world) = bar(n);
        let modes = bending_modes(&bodies, &mut world);
        [0, 1, 2].map(|k| modes[k].frequency / (BETA[k] * BETA[k] * radius * wave_speed / (LENGTH * LENGTH)) - 1.0)
    });
    println!("errors against Euler–Bernoulli {coarse:?} {middle:?} {fine:?}");
    for k in 0..3 {
        // Too stiff, and by a quarter of it with each refinement: what Richardson's rule takes away.
        let limit = fine[k] + (fine[k] - middle[k]) / 3.0;
        let thick = timoshenko_over_bernoulli(BETA[k]) - 1.0;
        println!("mode {k}: limit {limit}, Timoshenko {thick}");
        // Shear and rotary inertia slow a bar of 20 times its thickness: 0.1, 1 and 2.5 %.
        assert!((limit - thick).abs() < 2e-3, "mode {k}: {limit} {thick}");
        assert!(limit.abs() < 0.03 && fine[k].abs() < 0.02, "mode {k}: {limit}, {} with 8 cells", fine[k]);
        let [e2, e4, e8] = [coarse, middle, fine].map(|errors| errors[k] - thick);
        assert!(e4 < e2 / 3.0 && e8 < e4 / 3.0 && e8 > 0.0, "mode {k}: {e2} {e4} {e8}");
    }
}

#[test]
fn a_small_vibration_has_the_discrete_frequency_in_time() {
    let (bodies, mut world) = bar(2);
    let mode = bending_modes(&bodies, &mut world).swap_remove(0);
    let period = 2.0 * PI / mode.frequency;
    let h = period / 200.0;
    let tip = (0..bodies.node_count()).find(|&node| bodies.rest[node].x > LENGTH - 1e-9).unwrap();
    for integrator in ["trapezoidal", "implicit-midpoint", "newmark"] {
        // A micrometre: what is not linear is smaller by the strain, 1e-7.
        let scale = 1e-6 * mode.frequency / largest_shape(&mode.shape);
        let v = mode.shape.iter().map(|s| scale * s).collect();
        let rest = bodies.rest.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
        let mut simulation = simulate(&mut world, State::new(rest, v), integrator, h);
        let mut crossings = Vec::new();
        let mut before = 0.0;
        while crossings.len() < 9 {
            simulation.step().unwrap();
            let now = node_of(&simulation.state.x, tip).z - bodies.rest[tip].z;
            if before * now < 0.0 {
                crossings.push(simulation.state.t - h * now / (now - before));
            }
            before = now;
        }
        let measured = PI * (crossings.len() - 1) as f64 / (crossings[8] - crossings[0]);
        // Each of them turns a mode by 2 atan(ωh/2) a step.
        let expected = 2.0 / h * (0.5 * mode.frequency * h).atan();
        // Where a line crosses zero instead of the sine is off by (ωh)³/100 of a radian, over eight half turns.
        assert!((measured / expected - 1.0).abs() < 1e-7, "{integrator}: {measured} {expected} rad/s");
        assert!((measured / mode.frequency - 1.0).abs() < 1e-4, "{integrator}: {measured} {} rad/s", mode.frequency);
    }
}

fn largest_shape(shape: &[f64]) -> f64 {
    super::largest(shape.chunks_exact(3).map(|s| Vector3::from_row_slice(s).norm()))
}
