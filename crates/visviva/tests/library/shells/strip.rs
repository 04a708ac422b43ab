//! A strip of one row of cells, clamped at one end, without Poisson's effect: a beam whose stiffness per width is known.
//!
//! Two columns of nodes are held. The slope of a cell belongs to its middle, so the clamp lies in the middle of the held one:
//! n cells of width Δ have the free length L = (n − ½)Δ.
//!
//! Where diagonals alternate, every second node can give way by δ. At the curvature κ the edges across bend by κΔ − 2δ/Δ, and
//! the diagonals, flat on a cylinder, by 2δ d/(Δ w) (w the width, d the diagonal). With r = Δ/w the energy per area is
//!
//! ```text
//! ½ B min_u ((κ − u)² + (1 + r²)² u²) = ½ B κ² (1 + r²)²/(1 + (1 + r²)²)
//! ```
//!
//! so long cells bend with B = E t³/12, square ones with ⅘ of it.

use super::{exact_world, scene, slowest_frequency};
use nalgebra::Vector3;
use visviva::model::bodies::node_of;
use visviva::scene::Built;
use visviva::solve::equilibrium;

/// From the clamp to the end `[m]`
const LENGTH: f64 = 0.2;
/// `[kg/m²]`
const AREAL_DENSITY: f64 = 0.4;
const YOUNG: f64 = 1e7;
const THICK: f64 = 4e-4;
const STIFFNESS: f64 = YOUNG * THICK * THICK * THICK / 12.0;

/// Of the beam that a strip of cells r times as long as wide is, over E t³/12.
fn softened(r: f64) -> f64 {
    let diagonal = (1.0 + r * r).powi(2);
    diagonal / (1.0 + diagonal)
}

/// Of cells r times as long as wide, under a weight q per area `[Pa]`.
fn strip(cells: usize, r: f64, weight: f64) -> Built {
    let cell = LENGTH / (cells as f64 - 0.5);
    let text = format!(
        r#"
gravity = [0, 0, {}]
[[body]]
name = "strip"
kind = "shell"
material = {{ youngs_modulus = {YOUNG}, poisson_ratio = 0, thickness = {THICK}, areal_density = {AREAL_DENSITY} }}
rectangle = {{ size = [{}, {}], cells = [{cells}, 1] }}
translate = [{}, 0, 0]
[[pin]]
body = "strip"
halfspace = {{ point = [{}, 0, 0], normal = [-1, 0, 0] }}
"#,
        -weight / AREAL_DENSITY,
        LENGTH + 0.5 * cell,
        cell / r,
        0.5 * (LENGTH - 0.5 * cell),
        0.6 * cell,
    );
    scene(&text, &[])
}

/// How deep the end hangs and how far it reaches from the clamp, over the length; the load is qL³/B of the softened beam.
fn hanging(cells: usize, r: f64, load: f64) -> [f64; 2] {
    let built = strip(cells, r, load * softened(r) * STIFFNESS / LENGTH.powi(3));
    let mut world = exact_world(&built, 1e-10);
    let found = equilibrium(&mut world, &built.start.x, 0.0).unwrap_or_else(|e| panic!("{cells}, load {load}: {e}"));
    let end: Vec<usize> =
        (0..built.model.node_count()).filter(|&node| built.model.rest[node].x > LENGTH - 1e-9).collect();
    let mean = |axis: usize| end.iter().map(|&node| node_of(&found.x, node)[axis]).sum::<f64>() / end.len() as f64;
    [-mean(2) / LENGTH, mean(0) / LENGTH]
}

/// The same of the heavy elastica ψ″ = −p (1 − s) cos ψ, ψ(0) = 0, ψ′(1) = 0: p = qL³/B, ψ the slope downwards
/// (Rohde 1953). Shooting from the clamp by Runge–Kutta and bisection.
fn heavy_elastica(load: f64) -> [f64; 2] {
    const STEPS: usize = 2000;
    let shoot = |curvature: f64| {
        // ψ, ψ′, depth, reach
        let mut y = [0.0, curvature, 0.0, 0.0];
        let slope = |s: f64, y: [f64; 4]| [y[1], -load * (1.0 - s) * y[0].cos(), y[0].sin(), y[0].cos()];
        let ds = 1.0 / STEPS as f64;
        for k in 0..STEPS {
            let s = k as f64 * ds;
            let at = |k: [f64; 4], part: f64| std::array::from_fn(|i| y[i] + part * ds * k[i]);
            let a = slope(s, y);
            let b = slope(s + 0.5 * ds, at(a, 0.5));
            let c = slope(s + 0.5 * ds, at(b, 0.5));
            let d = slope(s + ds, at(c, 1.0));
            y = std::array::from_fn(|i| y[i] + ds / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
        }
        y
    };
    let (mut low, mut high) = (0.0, load);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if shoot(middle)[1] < 0.0 { low = middle } else { high = middle }
    }
    let end = shoot(low);
    [end[2], end[3]]
}

const MESHES: [usize; 3] = [8, 16, 32];

/// With long cells by a quarter at each refinement; with square ones the cell at the clamp cannot give way: by half.
fn check_convergence(errors: [f64; 3], r: f64, finest: f64) {
    let factor = if r > 2.0 { 3.5 } else { 1.7 };
    let [coarse, middle, fine] = errors.map(f64::abs);
    assert!(coarse > factor * middle && middle > factor * fine && fine < finest, "r = {r}: {errors:?}");
}

#[test]
fn a_strip_hangs_as_a_beam_and_as_the_heavy_elastica() {
    // Small: qL⁴/8B, here of a strip that bends by a hundredth.
    let small = heavy_elastica(0.08)[0];
    assert!((small / 0.01 - 1.0).abs() < 1e-3, "{small}");
    for (r, load) in [(5.0, 0.08), (5.0, 2.0), (5.0, 10.0), (1.0, 0.08), (1.0, 2.0)] {
        let expected = heavy_elastica(load);
        let errors = MESHES.map(|cells| {
            let found = hanging(cells, r, load);
            [found[0] / expected[0] - 1.0, found[1] / expected[1] - 1.0]
        });
        println!("r = {r}, qL³/B = {load}: depth and reach {expected:?}, errors {errors:?}");
        check_convergence(errors.map(|e| e[0]), r, if r > 2.0 { 2e-3 } else { 0.02 });
    }
}

#[test]
fn a_clamped_strip_vibrates_as_a_beam() {
    for r in [5.0, 1.0] {
        let ideal = (1.875104 / LENGTH).powi(2) * (softened(r) * STIFFNESS / AREAL_DENSITY).sqrt();
        let errors = MESHES.map(|cells| {
            let built = strip(cells, r, 0.0);
            let pinned = |node: usize| built.model.mass.is_pinned(node);
            let bent = |(node, p): (usize, &Vector3<f64>)| [0.0, 0.0, if pinned(node) { 0.0 } else { p.x * p.x }];
            let shape: Vec<f64> = built.model.rest.iter().enumerate().flat_map(bent).collect();
            slowest_frequency(&built, &built.start.x, &shape, 1e-6, ideal) / ideal - 1.0
        });
        println!("r = {r}: {ideal} rad/s, errors {errors:?}");
        check_convergence(errors, r, if r > 2.0 { 1e-3 } else { 0.01 });
    }
}

#[test]
fn a_sheet_without_a_bending_modulus_has_no_hinges() {
    let text = r#"
[[body]]
name = "strip"
kind = "shell"
material = { youngs_modulus = 1e7, poisson_ratio = 0, thickness = 4e-4, areal_density = 0.4, bending_modulus = 0 }
rectangle = { size = [0.2, 0.02], cells = [8, 2] }
"#;
    assert!(scene(text, &[]).model.hinges.is_empty());
    assert!(!scene(text, &["body.0.material.bending_modulus=1"]).model.hinges.is_empty());
}
