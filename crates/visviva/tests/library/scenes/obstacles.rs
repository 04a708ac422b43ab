//! Obstacles as users think of them: what rests on them does not sink, what is in them stays.

use super::{intersects, refusal, scene, world};
use nalgebra::Vector3;
use visviva::mesh::{SolidMoments, TriMesh, generate};
use visviva::model::bodies::node_of;
use visviva::scene::{Built, Obstacle, ObstacleShape, OpenBoxShape, Scene};
use visviva::simulation::Simulation;

/// Closed and outward, or the volume means nothing.
fn volume(mesh: &TriMesh) -> f64 {
    let mut mesh = mesh.clone();
    let given = mesh.clone();
    assert_eq!(mesh.validate_solid().unwrap(), [], "closed, in one piece");
    assert_eq!(mesh, given, "already facing outwards");
    SolidMoments::inside(&mesh).volume
}

#[test]
fn each_surface_is_closed_faces_outwards_and_has_its_volume() {
    use std::f64::consts::PI;
    let (r, l) = (0.3, 1.1);
    // A chord of n cuts sin(2π/n)/(2π/n) off a circle's area; a sphere loses about twice that.
    let chord = 1.0 - (PI / 32.0).sin() / (PI / 32.0);
    let cylinder = generate::cylinder_surface(r, l, 64).unwrap();
    assert_eq!((cylinder.positions.len(), cylinder.triangles.len()), (128, 252));
    assert!((volume(&cylinder) / (PI * r * r * l) - 1.0 + chord).abs() < 1e-12);
    let whole = PI * r * r * (l - 2.0 * r) + 4.0 / 3.0 * PI * r * r * r;
    let lost = |mesh: &TriMesh| 1.0 - volume(mesh) / whole;
    let [fine, coarse] = [64, 32].map(|n| lost(&generate::capsule_surface(r, l, n).unwrap()));
    assert!(fine > chord && fine < 2.0 * chord, "{fine} {chord}");
    assert!((coarse / fine - 4.0).abs() < 0.1, "second order: {coarse} {fine}");
    let capsule = generate::capsule_surface(r, l, 64).unwrap();
    let highest = capsule.positions.iter().map(|p| p.z).fold(0.0, f64::max);
    assert!((highest - 0.5 * l).abs() < 1e-15, "from tip to tip: {highest}");
    let size = Vector3::new(0.5, 0.4, 0.3);
    let inside = size.x * size.y * size.z;
    assert!((volume(&generate::open_box(size, 0.01).unwrap()) - (0.52 * 0.42 * 0.31 - inside)).abs() < 1e-15);
    assert!((volume(&generate::icosphere(r, 4).unwrap()) / (4.0 / 3.0 * PI * r * r * r) - 1.0).abs() < 3e-3);
}

#[test]
fn impossible_obstacles_are_refused_with_what_is_allowed() {
    let with = |shape: &str| format!("{BALL}[[obstacle]]\nname = \"o\"\n{shape}\n");
    for (shape, part) in [
        ("sphere = { radius = -1 }", "radius must be positive and finite, not -1"),
        ("capsule = { radius = 1, length = 2 }", "the capsule's length less twice its radius must be positive"),
        ("capsule = { radius = 1, length = 3, segments = 2 }", "the capsule's segments must be at least 3, not 2"),
        ("cylinder = { radius = 1, height = 1, segments = 100000000 }", "triangles"),
        ("open_box = { size = [1, 0, 1] }", "the open box's size in y must be positive and finite, not 0"),
        ("open_box = { size = [1, 1, 1], thickness = 0 }", "the open box's thickness must be positive"),
        ("sphere = { radius = 1, segments = 3 }", "unknown field `segments`"),
        ("plane = {}\nheight = 1", "a scale factor must be finite"),
    ] {
        let said = refusal(&with(shape), &[]);
        assert!(said.contains(part), "{shape}: {said}");
    }
}

/// Stiff, so that it does not give way itself.
const BALL: &str = r#"
contact = { friction = 0.5 }
[[body]]
name = "ball"
kind = "affine"
material = { youngs_modulus = 1e8 }
icosphere = { radius = 0.05, subdivisions = 2 }
"#;

/// Where the only body's centre is after each step.
fn path(built: &Built, steps: usize) -> Vec<Vector3<f64>> {
    let mut world = world(built);
    let mut simulation =
        Simulation::new(&mut world, built.start.clone(), built.integrator.build(), &built.plan, built.h).unwrap();
    (0..steps)
        .map(|step| {
            assert!(simulation.step().unwrap().solve.converged, "{step}");
            assert!(!intersects(&built.model, &simulation.state.x), "{step}");
            node_of(&simulation.state.x, 0)
        })
        .collect()
}

#[test]
fn a_ball_thrown_into_an_open_box_comes_to_rest_on_its_bottom() {
    let text = format!(
        "{BALL}[[obstacle]]\nname = \"bin\"\nopen_box = {{ size = [0.3, 0.25, 0.2] }}\ntranslate = [1, 0, 0.5]\n"
    );
    let built = scene(
        &text,
        &[
            "run.integrator=implicit-euler",
            "body.0.translate=[1,0,0.65]",
            "body.0.velocity={linear=[1,0.7,-1]}",
            "contact.restitution=0.5",
        ],
    );
    let path = path(&built, 240);
    for x in &path {
        assert!((x.x - 1.0).abs() < 0.11 && x.y.abs() < 0.085 && x.z > 0.545, "it is inside: {x}");
    }
    let [before, last] = [path[200], path[239]];
    // It may roll from facet to facet; it has its own radius and at most the barrier's reach below it.
    assert!((last - before).norm() < 5e-3 && last.z < 0.5 + 0.05 + 1e-3, "{before} {last}");
}

#[test]
fn a_ball_on_top_of_a_round_obstacle_does_not_sink_into_it() {
    for (shape, top) in [
        ("sphere = { radius = 0.2 }", 0.2),
        ("cylinder = { radius = 0.2, height = 0.3 }", 0.15),
        ("capsule = { radius = 0.1, length = 0.5 }", 0.25),
    ] {
        let text = format!("{BALL}[[obstacle]]\nname = \"round\"\n{shape}\n");
        let built =
            scene(&text, &["run.integrator=implicit-euler", &format!("body.0.translate=[0,0,{}]", top + 0.0512)]);
        let last = path(&built, 30)[29];
        // Flat spots of both: 1.1 % of the ball's radius between its vertices, 0.1 % of the obstacle's.
        let above = last.z - top - 0.05;
        assert!(above > -0.011 * 0.05 - 0.001 * 0.2 && above < 1e-3, "{shape}: {above}");
        assert!(last.xy().norm() < 2e-3, "{shape}: {last}");
    }
}

#[test]
fn obstacles_in_code_are_those_of_text() {
    let thick = Obstacle::new(OpenBoxShape { size: [1.0; 3], thickness: Some(0.2) });
    let scene = Scene::new("t").obstacle(thick).obstacle(Obstacle::sphere(0.2).height(0.3));
    let text = scene.to_toml().unwrap();
    assert!(text.contains("subdivisions = 4") && text.contains("thickness = 0.2"), "{text}");
    let shape = ObstacleShape::OpenBox(OpenBoxShape { size: [1.0, 0.5, 2.0], thickness: None });
    let ObstacleShape::OpenBox(inside) = &shape else { panic!() };
    assert_eq!((inside.wall(), shape.key()), (0.025, "open_box"));
}
