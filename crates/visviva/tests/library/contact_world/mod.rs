//! Bodies that touch: what contact must never do, and what friction must.

mod bounces;
mod ends;
mod fast;
mod flat_faces;
mod friction;
mod losses;
mod messages;
mod momentum;
mod moving;
mod nasty;
mod nearest;
mod opening;
mod parts;
mod repeatable;
mod rolling;
mod safety;
mod self_contact;
mod settled;
mod squeeze;
mod watch;

use crate::scenes::{intersects, scene, try_scene, world};
use visviva::contact::Point;
use visviva::model::State;
use visviva::model::bodies::Model;
use visviva::scene::Built;
use visviva::simulation::Simulation;
use visviva::solve::BodiesSolver;

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

fn simulation<'a>(built: &Built, world: &'a mut BodiesSolver, state: State) -> Simulation<&'a mut BodiesSolver> {
    Simulation::new(world, state, built.integrator.build(), &built.plan, built.h).unwrap()
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
