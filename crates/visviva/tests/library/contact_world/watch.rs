//! Runs a scene step by step and judges every state by exact predicates, independently of distances and collision detection.

use super::{simulation, world};
pub use crate::scenes::scene_in;
use robust::{Coord3D, orient3d};
use std::path::Path;
use visviva::contact::{BroadPhase, Point, intersection};
use visviva::integrate::StepReport;
use visviva::mesh::TetMesh;
use visviva::model::bodies::{Model, node_of};
use visviva::scene::Built;
use visviva::simulation::Simulation;
use visviva::solve::{BodiesSolver, contact::surface_of};

/// What a whole run came to.
#[derive(Debug, Default)]
pub struct Tally {
    pub steps: usize,
    pub newton: usize,
    /// Newton iterations of the worst step
    pub most: usize,
    pub unconverged: usize,
    /// Steps that ended in contact
    pub touching: usize,
    /// `[m]`
    pub min_distance: f64,
}

/// Every step must end without an intersection, an inverted element, or an unconverged solve.
pub fn watch(name: &str, built: &Built, steps: usize) -> (Tally, visviva::model::State) {
    let (tally, state) = watch_each(name, built, steps, |_, _| {});
    assert!(tally.touching > 0, "{name}: nothing ever touched");
    assert_eq!(tally.unconverged, 0, "{name}: {tally:?}");
    (tally, state)
}

/// The same without asking for convergence or contact: the tally counts both.
pub fn watch_each(
    name: &str,
    built: &Built,
    steps: usize,
    mut each: impl FnMut(&Simulation<&mut BodiesSolver>, &StepReport),
) -> (Tally, visviva::model::State) {
    let mut world = world(built);
    let mut simulation = simulation(built, &mut world, built.start.clone());
    let mut tally = Tally { min_distance: f64::INFINITY, ..Tally::default() };
    let clock = std::time::Instant::now();
    for step in 0..steps {
        let report = simulation.step().unwrap_or_else(|e| panic!("{name}, step {step}: {e}"));
        tally.steps += 1;
        tally.newton += report.solve.newton_iterations;
        tally.most = tally.most.max(report.solve.newton_iterations);
        tally.unconverged += usize::from(!report.solve.converged);
        let contact = simulation.evaluation().contact_state();
        tally.touching += usize::from(contact.active_pairs > 0);
        tally.min_distance = tally.min_distance.min(contact.min_distance.unwrap_or(f64::INFINITY));
        assert!(report.ledger.total.is_finite());
        assert!(report.inadmissible.is_none());
        assert_clean(&format!("{name}, step {step}"), &built.model, &simulation.state.x);
        each(&simulation, &report);
    }
    println!("{name}: {tally:?}, {:.1} s", clock.elapsed().as_secs_f64());
    (tally, simulation.state.clone())
}

/// Nothing is left out: bodies against themselves and obstacles against obstacles count as well.
pub fn assert_clean(name: &str, bodies: &Model, x: &[f64]) {
    let (surface, vertices) = surface_of(bodies, |_| true, |_| false).unwrap();
    let points: Vec<Point> = vertices.iter().map(|vertex| vertex.of(x)).collect();
    let crossings = intersection::intersections(&surface, &mut BroadPhase::default(), &points);
    assert!(crossings.is_empty(), "{name}: edges through triangles: {crossings:?}");
    let at = |p: Point| Coord3D { x: p.x, y: p.y, z: p.z };
    for (tet, nodes) in bodies.tets.nodes.iter().enumerate() {
        let [a, b, c, d] = nodes.map(|node| at(node_of(x, node as usize)));
        // Shewchuk's sign is the opposite of a positive tet's volume.
        assert!(orient3d(a, b, c, d) < 0.0, "{name}: tet {tet} is inverted or flat");
    }
}

pub fn write_mesh(path: &Path, mesh: &TetMesh) {
    visviva::mesh::write_mesh(path, &mesh.clone().into()).unwrap();
}

/// Counts from one, as OBJ does.
pub fn write_obj(path: &Path, vertices: &[[f64; 3]], faces: &[&[usize]]) {
    let mut text: String = vertices.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    for face in faces {
        let corners: Vec<String> = face.iter().map(usize::to_string).collect();
        text += &format!("f {}\n", corners.join(" "));
    }
    std::fs::write(path, text).unwrap();
}
