//! Coulomb's law: where a sliding block stops, and on which slope it stays.

use super::{CUBE, mean_velocity, scene, simulation, world};
use visviva::contact::Point;
use visviva::model::State;
use visviva::scene::Built;

/// A block at rest on its support, found by letting implicit Euler settle it.
fn settled(text: &str) -> State {
    let built = scene(text, &["run.integrator=implicit-euler", "contact.friction=1"]);
    let mut world = world(&built);
    let mut simulation = simulation(&built, &mut world, built.start.clone());
    for _ in 0..120 {
        simulation.step().unwrap();
    }
    let mut state = simulation.state.clone();
    // On a slope it creeps: mollified friction holds at a part of the speed at which it fades.
    assert!(mean_velocity(&built.model, &state).norm() < 5e-4);
    state.t = 0.0;
    state.v.fill(0.0);
    state
}

fn centre(built: &Built, state: &State) -> Point {
    let nodes = built.model.bodies[0].nodes.clone();
    let weighed = |i: usize| built.model.node_mass[i] * visviva::model::bodies::node_of(&state.x, i);
    nodes.clone().map(weighed).sum::<Point>() / built.model.node_mass[nodes].iter().sum::<f64>()
}

#[test]
fn a_sliding_block_stops_where_coulomb_says() {
    let text = format!("{CUBE}translate = [0, 0, 0.0508]\n{}", super::GROUND).replace("1e5", "1e6");
    let mut state = settled(&text);
    let (speed, mu, h) = (1.0, 0.5, 1.0 / 120.0);
    let built = scene(&text, &["run.integrator=implicit-euler", &format!("contact.friction={mu}")]);
    for node in built.model.bodies[0].nodes.clone() {
        state.v[3 * node] = speed;
    }
    let start = centre(&built, &state);
    let mut world = world(&built);
    let mut simulation = simulation(&built, &mut world, state);
    for _ in 0..60 {
        assert!(simulation.step().unwrap().solve.converged);
    }
    assert!(mean_velocity(&built.model, &simulation.state).norm() < 2e-3, "it has stopped");
    let way = (centre(&built, &simulation.state) - start).x;
    // Implicit steps use the speed at their end: half a step's way less than v²/2μg.
    let expected = speed * speed / (2.0 * mu * 9.8) - 0.5 * speed * h;
    assert!((way - expected).abs() < 0.02 * expected, "{way} {expected}");
}

#[test]
fn a_block_stays_on_a_slope_as_steep_as_its_coefficient_and_slides_on_a_steeper_one() {
    let angle = 0.5f64.atan();
    let (sin, cos) = angle.sin_cos();
    let text = format!(
        "{CUBE}rotate = {{ axis = [0, 1, 0], angle = {angle} }}\ntranslate = [{}, 0, {}]\n[[obstacle]]\nname = \"slope\"\nplane = {{ normal = [{sin}, 0, {cos}], size = 4 }}\n",
        0.0508 * sin,
        0.0508 * cos
    )
    .replace("1e5", "1e6");
    let rest = settled(&text);
    let down = Point::new(cos, 0.0, -sin);
    let speeds = |mu: f64| {
        let built = scene(&text, &["run.integrator=implicit-euler", &format!("contact.friction={mu}")]);
        let mut world = world(&built);
        let mut simulation = simulation(&built, &mut world, rest.clone());
        let mut speeds = [0.0; 2];
        for speed in &mut speeds {
            for _ in 0..60 {
                assert!(simulation.step().unwrap().solve.converged);
            }
            *speed = mean_velocity(&built.model, &simulation.state).dot(&down);
        }
        speeds
    };
    let creeping = speeds(0.5);
    assert!(creeping.iter().all(|v| v.abs() < 2e-3), "below twice the speed at which friction fades: {creeping:?}");
    let sliding = speeds(0.49);
    let acceleration = (sliding[1] - sliding[0]) / 0.5;
    assert!((acceleration - 0.08765).abs() < 0.05 * 0.08765, "{acceleration}");
}

#[test]
fn friction_takes_its_coefficient_times_the_weight_times_the_way_and_the_books_say_so() {
    let text = format!("{CUBE}translate = [0, 0, 0.0508]\n{}", super::GROUND).replace("1e5", "1e6");
    let rest = settled(&text);
    let (speed, mu, h) = (1.0, 0.5, 1.0 / 120.0);
    // A litre at 1000 kg/m³
    let weight = 9.8;
    for integrator in ["implicit-euler", "a-search"] {
        let integrator_key = format!("run.integrator={integrator}");
        let built = scene(&text, &[&integrator_key, &format!("contact.friction={mu}")]);
        let mut state = rest.clone();
        for node in built.model.bodies[0].nodes.clone() {
            state.v[3 * node] = speed;
        }
        let from = centre(&built, &state);
        let mut world = world(&built);
        let mut simulation = simulation(&built, &mut world, state);
        let start = simulation.total_energy();
        let (mut lost, mut numerical) = (0.0, 0.0);
        for _ in 0..40 {
            let report = simulation.step().unwrap();
            assert!(report.solve.converged);
            lost += report.ledger.friction_loss;
            numerical -= report.ledger.integrator + report.ledger.correction - report.ledger.contact_loss;
        }
        let way = (centre(&built, &simulation.state) - from).x;
        let fallen = start - simulation.total_energy();
        assert!((fallen - lost - numerical).abs() < 1e-10 * start, "every joule is booked");
        if integrator == "implicit-euler" {
            // Friction takes the kinetic energy, ½ m v²; its force over the way is ½ μ m g h v less, as the way is shorter.
            assert!((lost - 0.5 * speed * speed).abs() < 2e-3 * lost, "{lost}");
            let short = 0.5 * mu * weight * h * speed;
            // But for the last, shorter step.
            assert!((lost - mu * weight * way - short).abs() < 0.15 * short, "{lost} {} {short}", mu * weight * way);
        } else {
            // A-search holds the start less what is booked, but for where α is clipped.
            assert!((fallen - lost).abs() < 0.02 * lost, "{fallen} {lost}");
            // The block trembles: its weight is not its load at each moment.
            assert!((lost - mu * weight * way).abs() < 0.06 * lost, "{lost} {}", mu * weight * way);
        }
    }
}

#[test]
fn what_a_slide_loses_is_booked_as_friction_by_every_method_however_its_velocities_tremble() {
    let text = format!("{CUBE}translate = [0, 0, 0.0508]\n{}", super::GROUND).replace("1e5", "1e7");
    let rest = settled(&text);
    for integrator in ["implicit-euler", "bdf2", "a-1", "a-search", "a-spin"] {
        for steps in [60, 120] {
            let changes =
                [format!("run.integrator={integrator}"), format!("run.h=1/{steps}"), "contact.friction=0.5".into()];
            let built = scene(&text, &changes.each_ref().map(String::as_str));
            let mut state = rest.clone();
            for node in built.model.bodies[0].nodes.clone() {
                state.v[3 * node] = 1.0;
            }
            let mut world = world(&built);
            let mut simulation = simulation(&built, &mut world, state);
            let lost: f64 = (0..steps / 2).map(|_| simulation.step().unwrap().ledger.friction_loss).sum();
            // Of a kilogram at 1 m/s
            assert!((lost - 0.5).abs() < 2e-3 * 0.5, "{integrator} at 1/{steps} s: {lost} J of 0.5");
        }
    }
}
