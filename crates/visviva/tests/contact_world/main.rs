//! Bodies that touch: what contact must never do, and what friction must.

mod bounces;
mod fast;
mod friction;
mod messages;
mod momentum;
mod moving;
mod nasty;
mod repeatable;
mod rolling;
mod safety;
mod settled;
mod squeeze;
mod watch;

use visviva::contact::{BroadPhase, Point, intersection};
use visviva::model::State;
use visviva::model::bodies::Model;
use visviva::scene::{BuildError, Built, SceneSource};
use visviva::simulation::Simulation;
use visviva::solve::BodiesSolver;
use visviva::solve::contact::surface_of;

/// A soft cube of 3×3×3 cells over a plane; other bodies and changed keys go in as further lines of TOML.
const CUBE: &str = r#"
[[material]]
name = "rubber"
youngs_modulus = 1e5

[[body]]
name = "cube"
material = "rubber"
box = { size = [0.1, 0.1, 0.1], cells = [3, 3, 3] }
"#;

const GROUND: &str = r#"
[[obstacle]]
name = "ground"
plane = { size = 4 }
"#;

fn try_scene(text: &str, changes: &[&str]) -> Result<Built, BuildError> {
    let text = format!("title = \"test\"\nrun = {{ h = \"1/120\", duration = 1 }}\n{text}");
    let source = SceneSource { name: "test".into(), text, folder: Default::default() };
    let changes: Vec<String> = changes.iter().map(|&change| change.to_owned()).collect();
    let scene = source.parse(&changes).unwrap_or_else(|e| panic!("{e}"));
    scene.build()
}

fn scene(text: &str, changes: &[&str]) -> Built {
    try_scene(text, changes).unwrap_or_else(|e| panic!("{e}"))
}

fn world(built: &Built) -> BodiesSolver {
    BodiesSolver::new(built.model.clone(), built.solver).unwrap()
}

fn simulation<'a>(built: &Built, world: &'a mut BodiesSolver, state: State) -> Simulation<&'a mut BodiesSolver> {
    Simulation::new(world, state, built.integrator.build(), &built.plan, built.h).unwrap()
}

/// Decided by exact arithmetic, independently of distances and of collision detection.
fn intersects(bodies: &Model, x: &[f64]) -> bool {
    let (surface, vertices) = surface_of(bodies, false, |node| bodies.mass.is_pinned(node)).unwrap();
    let points: Vec<Point> = vertices.iter().map(|vertex| vertex.of(x)).collect();
    !intersection::intersections(&surface, &mut BroadPhase::default(), &points).is_empty()
}

fn inverted(bodies: &Model, x: &[f64]) -> bool {
    let volume = |tet: usize| visviva::mesh::signed_volume(&bodies.tets.corners(tet, x));
    (0..bodies.tets.len()).any(|tet| volume(tet) <= 0.0)
}

/// Mean velocity of the free nodes, by mass.
fn mean_velocity(bodies: &Model, state: &State) -> Point {
    let free: f64 = (0..bodies.node_count()).filter(|&i| !bodies.mass.is_pinned(i)).map(|i| bodies.node_mass[i]).sum();
    bodies.momenta(&state.x, &state.v).0 / free
}
