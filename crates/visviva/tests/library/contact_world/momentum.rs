//! Contact forces are internal: what bodies exchange in a collision adds up to nothing.

use super::{CUBE, mean_velocity, scene, simulation, world};
use visviva::contact::Point;

const COLLISION: &str = r#"
gravity = [0, 0, 0]
[contact]
friction = 0.3
"#;

fn two_cubes() -> String {
    let second = CUBE[CUBE.find("[[body]]").unwrap()..].replace("\"cube\"", "\"other\"");
    format!(
        "{COLLISION}{CUBE}velocity = {{ linear = [1.5, 0.2, 0] }}\n{second}translate = [0.12, 0.02, 0.03]\nrotate = {{ axis = [0, 1, 1], angle = 0.3 }}\n"
    )
    .replace("angle = 0.3", "angle = 0.05")
}

#[test]
fn two_cubes_that_collide_keep_their_momentum_with_either_solver() {
    for (integrator, linear) in [
        ("implicit-euler", "direct"),
        ("a-search", "direct"),
        ("implicit-euler", "iterative"),
        ("a-search", "iterative"),
    ] {
        let changes = [format!("solver.linear={linear}"), format!("run.integrator={integrator}")];
        let built = scene(&two_cubes(), &changes.each_ref().map(String::as_str));
        let mut world = world(&built);
        let mut simulation = simulation(&built, &mut world, built.start.clone());
        let before = mean_velocity(&built.model, &simulation.state);
        let mut touched = 0;
        for _ in 0..40 {
            assert!(simulation.step().unwrap().solve.converged);
            touched += simulation.evaluation().contact_state().active_pairs;
        }
        let after = mean_velocity(&built.model, &simulation.state);
        assert!(touched > 10);
        assert!((after - before).norm() < 1e-10 * before.norm(), "{integrator}, {linear}: {before} {after}");
        let nodes = built.model.bodies[1].nodes.clone();
        let other: Point = nodes.clone().map(|i| visviva::model::bodies::node_of(&simulation.state.v, i)).sum();
        assert!(other.x / nodes.len() as f64 > 0.5, "the second cube was pushed");
    }
}

#[test]
fn the_ledger_closes_with_friction() {
    let built = scene(&two_cubes(), &["solver.linear=direct"]);
    let mut world = world(&built);
    let mut simulation = simulation(&built, &mut world, built.start.clone());
    let start = simulation.total_energy();
    let (mut lost, mut booked) = (0.0, 0.0);
    for _ in 0..40 {
        let ledger = simulation.step().unwrap().ledger;
        assert!(ledger.friction_loss >= 0.0);
        assert!(ledger.residual.abs() < 1e-12 * start);
        lost += ledger.friction_loss + ledger.contact_loss;
        booked += ledger.integrator + ledger.correction - ledger.friction_loss - ledger.contact_loss;
    }
    assert!(lost > 1e-4 * start, "they rubbed: {lost} of {start}");
    assert!((simulation.total_energy() - start - booked).abs() < 1e-11 * start);
    // What A-search holds is the start less what contacts lost; the last correction may still be on its way.
    assert!((simulation.total_energy() + lost - start).abs() < 0.02 * start);
}

/// Two balls that meet off centre, turning.
fn two_balls(friction: f64) -> String {
    let ball = "[[body]]\nmaterial = \"rubber\"\nball = { radius = 0.05, shells = 2 }\n";
    format!(
        "gravity = [0, 0, 0]\n[contact]\nfriction = {friction}\n[[material]]\nname = \"rubber\"\nyoungs_modulus = 1e5\n{ball}name = \"left\"\nvelocity = {{ linear = [1.5, 0.1, 0], angular = [0, 3, 5] }}\n{ball}name = \"right\"\ntranslate = [0.12, 0.04, 0.01]\nvelocity = {{ linear = [-0.5, 0, 0.2] }}\n"
    )
}

#[test]
fn two_balls_that_collide_keep_linear_momentum_and_angular_momentum_to_the_order_of_the_step() {
    for integrator in ["implicit-euler", "a-1", "a-search"] {
        let mut errors = Vec::new();
        for refine in [1, 2, 4] {
            let built = scene(
                &two_balls(0.0),
                &[
                    "solver.linear=direct",
                    "contact.restitution=1",
                    &format!("run.integrator={integrator}"),
                    &format!("run.h=1/{}", 240 * refine),
                ],
            );
            let mut world = world(&built);
            let mut simulation = simulation(&built, &mut world, built.start.clone());
            let (linear, angular) = built.model.momenta(&simulation.state.x, &simulation.state.v);
            let mut touched = 0;
            for _ in 0..24 * refine {
                assert!(simulation.step().unwrap().solve.converged);
                touched += simulation.evaluation().contact_state().active_pairs;
                let now = built.model.momenta(&simulation.state.x, &simulation.state.v).0;
                assert!((now - linear).norm() < 1e-10 * linear.norm(), "{integrator}: {linear} {now}");
            }
            assert!(touched > 5);
            let end = built.model.momenta(&simulation.state.x, &simulation.state.v).1;
            errors.push((end - angular).norm() / angular.norm());
        }
        println!("{integrator}: angular momentum off by {errors:?}");
        // First order at least: halved with the step, or nearly.
        assert!(errors.windows(2).all(|pair| pair[1] < 0.65 * pair[0]), "{integrator}: {errors:?}");
    }
}

/// Friction acts on two points a gap apart: its couple, at most the reach times the impulse, stays however short the step.
#[test]
fn friction_across_a_gap_changes_angular_momentum_by_no_more_than_its_couple() {
    let mu = 0.3;
    let built = scene(&two_balls(mu), &["solver.linear=direct", "run.integrator=a-1", "run.h=1/1920"]);
    let mut world = world(&built);
    let mut simulation = simulation(&built, &mut world, built.start.clone());
    let left = |state: &visviva::model::State| -> Point {
        let nodes = built.model.bodies[0].nodes.clone();
        nodes.map(|i| built.model.node_mass[i] * visviva::model::bodies::node_of(&state.v, i)).sum()
    };
    let (before, angular) = (left(&simulation.state), built.model.momenta(&simulation.state.x, &simulation.state.v).1);
    for _ in 0..192 {
        assert!(simulation.step().unwrap().solve.converged);
    }
    let impulse = (left(&simulation.state) - before).norm();
    let change = (built.model.momenta(&simulation.state.x, &simulation.state.v).1 - angular).norm();
    println!("change {change}, couple {}", mu * 1e-3 * impulse);
    assert!(impulse > 0.1 && change < mu * 1e-3 * impulse, "{change} {impulse}");
}

#[test]
fn conjugate_gradients_keep_linear_momentum_to_their_tolerance() {
    for tolerance in [1e-3, 1e-8] {
        let built =
            scene(&two_balls(0.3), &["solver.linear=iterative", &format!("solver.linear_tolerance={tolerance}")]);
        let mut world = world(&built);
        let mut simulation = simulation(&built, &mut world, built.start.clone());
        let before = built.model.momenta(&simulation.state.x, &simulation.state.v).0;
        for _ in 0..15 {
            assert!(simulation.step().unwrap().solve.converged);
        }
        let after = built.model.momenta(&simulation.state.x, &simulation.state.v).0;
        assert!((after - before).norm() < tolerance * before.norm(), "{before} {after}");
    }
}

#[test]
fn two_free_blocks_that_rub_give_each_other_what_they_take() {
    let second = CUBE[CUBE.find("[[body]]").unwrap()..].replace("\"cube\"", "\"other\"");
    let text = format!(
        "gravity = [0, 0, 0]\n[contact]\nfriction = 0.5\n{CUBE}velocity = {{ linear = [1, 0, 0.2] }}\n{second}translate = [0.02, 0.01, 0.1015]\nvelocity = {{ linear = [-0.5, 0, -0.2] }}\n"
    );
    for integrator in ["implicit-euler", "a-search"] {
        let built = scene(&text, &["solver.linear=direct", &format!("run.integrator={integrator}")]);
        let mut world = world(&built);
        let mut simulation = simulation(&built, &mut world, built.start.clone());
        let x_momentum = |state: &visviva::model::State, body: usize| -> f64 {
            let nodes = built.model.bodies[body].nodes.clone();
            nodes.map(|i| built.model.node_mass[i] * state.v[3 * i]).sum()
        };
        let before = [0, 1].map(|body| x_momentum(&simulation.state, body));
        let mut lost = 0.0;
        for _ in 0..24 {
            let report = simulation.step().unwrap();
            assert!(report.solve.converged);
            lost += report.ledger.friction_loss;
        }
        let after = [0, 1].map(|body| x_momentum(&simulation.state, body));
        let given = [after[0] - before[0], after[1] - before[1]];
        assert!(given[0] < -0.02 && lost > 0.01, "they rubbed: {given:?} {lost}");
        assert!((given[0] + given[1]).abs() < 1e-10 * before[0].abs(), "{given:?}");
    }
}
