//! Friction through the vertices of a body with twelve coordinates: sticking, sliding, rolling.

use super::{centre, frame, scene, simulation, world};
use nalgebra::Vector3;

const G: f64 = 9.8;

/// A body whose lowest point is a little above a slope about y, of a tangent; x is downhill.
fn on_slope(shape: &str, height: f64, tangent: f64) -> String {
    let (sin, cos) = tangent.atan().sin_cos();
    format!(
        "[[body]]\nname = \"body\"\nkind = \"affine\"\nmaterial = {{ youngs_modulus = 1e7 }}\n{shape}\nrotate = {{ axis = [0, 1, 0], angle = {} }}\ntranslate = [{}, 0, {}]\n[[obstacle]]\nname = \"slope\"\nplane = {{ normal = [{sin}, 0, {cos}], size = 8 }}\n",
        tangent.atan(),
        height * sin,
        height * cos
    )
}

/// Speeds downhill `[m/s]` every quarter of a second, and how far the body has turned about y since the quarter before `[rad/s]`.
fn speeds(text: &str, changes: &[&str], tangent: f64, quarters: usize) -> Vec<[f64; 2]> {
    let built = scene(text, changes);
    let (sin, cos) = tangent.atan().sin_cos();
    let down = Vector3::new(cos, 0.0, -sin);
    let mut world = world(&built);
    let mut simulation = simulation(&built, &mut world);
    let mut found = Vec::new();
    let steps = (0.25 / built.h).round() as usize;
    for _ in 0..quarters {
        for _ in 0..steps {
            assert!(simulation.step().unwrap().solve.converged);
        }
        let state = &simulation.state;
        let velocity = centre(&built.model, 0, &state.v);
        // Ȧ Aᵀ is the spin's cross product.
        let spin = frame(&built.model, 0, &state.v) * frame(&built.model, 0, &state.x).transpose();
        found.push([velocity.dot(&down), 0.5 * (spin[(0, 2)] - spin[(2, 0)])]);
    }
    found
}

const BLOCK: &str = "box = { size = [0.2, 0.2, 0.1], cells = [2, 2, 1] }";

#[test]
fn a_block_sticks_on_a_slope_below_its_coefficient_and_slides_as_coulomb_says_on_a_steeper_one() {
    let run = |mu: f64, tangent: f64| {
        let changes = ["run.integrator=implicit-euler".to_owned(), format!("contact.friction={mu}")];
        speeds(&on_slope(BLOCK, 0.0508, tangent), &changes.each_ref().map(String::as_str), tangent, 4)
    };
    // Friction that fades below 1 mm/s holds at a part of it.
    assert!(run(0.5, 0.48).iter().all(|[v, _]| (0.0..1e-3).contains(v)));
    for mu in [0.3, 0.49] {
        let slope = 0.5f64.atan();
        let expected = G * (slope.sin() - mu * slope.cos());
        let found = run(mu, 0.5);
        let acceleration = (found[3][0] - found[1][0]) / 0.5;
        assert!((acceleration - expected).abs() < 1e-3 * expected, "{acceleration} {expected}");
    }
}

#[test]
fn a_ball_rolls_down_without_slipping_at_five_sevenths_of_what_sliding_gives() {
    let (tangent, radius): (f64, f64) = (0.2, 0.05);
    let shape = format!("icosphere = {{ radius = {radius}, subdivisions = 4 }}");
    let text = on_slope(&shape, 0.0508, tangent);
    let found = speeds(&text, &["contact.friction=0.5", "run.h=1/480"], tangent, 4);
    let expected = G * tangent.atan().sin() / 1.4;
    let acceleration = (found[3][0] - found[0][0]) / 0.75;
    // Facets of 3.5 mm, 0.03 mm off the sphere, jolt it; A-search returns what each landing takes, partly as spin and hops.
    assert!((acceleration - expected).abs() < 0.03 * expected, "{acceleration} {expected}");
    for [speed, spin] in &found {
        assert!((spin * radius - speed).abs() < 0.05 * speed, "{speed} {spin}");
    }
    // Implicit Euler damps rotation, more the faster it is: at this step it comes to a steady speed instead.
    let euler = speeds(&text, &["contact.friction=0.5", "run.integrator=implicit-euler"], tangent, 4);
    assert!(euler[3][0] < 0.8 * found[3][0], "{euler:?}");
}
