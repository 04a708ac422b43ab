//! What holds of every model: one piece, on its feet, nowhere thinner than it says.

use super::{BLUEPRINTS, Model, Part, Shape, by_name};
use crate::Field;
use crate::stuffing::{Grading, stuff};
use nalgebra::Vector3;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Distances at the points of a grid that goes a little beyond a model.
struct Grid {
    model: Model,
    low: Vector3<f64>,
    spacing: f64,
    counts: [usize; 3],
    distances: Vec<f64>,
}

/// A piece that is left of what is 0.3 of the least thickness across holds a point of a grid as wide as that.
const SPACING: f64 = 0.3;

static GRIDS: LazyLock<Vec<Grid>> = LazyLock::new(|| {
    let models = BLUEPRINTS.iter().map(|blueprint| by_name(blueprint.name).expect("it is listed"));
    models.map(Grid::new).collect()
});

impl Grid {
    fn new(model: Model) -> Self {
        let spacing = SPACING * model.blueprint.thinnest;
        let [low, high] = model.bounds();
        let low = low.add_scalar(-1.5 * spacing);
        let counts = [0, 1, 2].map(|axis| ((high[axis] - low[axis]) / spacing).ceil() as usize + 2);
        let mut grid = Self { model, low, spacing, counts, distances: Vec::new() };
        let size = counts.iter().product::<usize>();
        grid.distances = (0..size).into_par_iter().map(|k| grid.model.distance(&grid.point(k))).collect();
        grid
    }

    fn place(&self, k: usize) -> [usize; 3] {
        let [nx, ny, _] = self.counts;
        [k % nx, k / nx % ny, k / (nx * ny)]
    }

    fn point(&self, k: usize) -> Vector3<f64> {
        self.low + Vector3::from(self.place(k).map(|n| n as f64 * self.spacing))
    }

    fn inside(&self) -> impl Iterator<Item = Vector3<f64>> {
        (0..self.distances.len()).filter(|&k| self.distances[k] <= 0.0).map(|k| self.point(k))
    }

    /// How many pieces the points make that a test picks, neighbours also over corners.
    fn pieces(&self, picked: impl Fn(f64) -> bool) -> usize {
        let mut left: Vec<bool> = self.distances.iter().map(|&d| picked(d)).collect();
        let (mut pieces, mut next) = (0, Vec::new());
        while let Some(first) = left.iter().position(|&l| l) {
            pieces += 1;
            left[first] = false;
            next.push(first);
            while let Some(k) = next.pop() {
                for neighbour in self.neighbours(k) {
                    if std::mem::take(&mut left[neighbour]) {
                        next.push(neighbour);
                    }
                }
            }
        }
        pieces
    }

    fn neighbours(&self, k: usize) -> impl Iterator<Item = usize> {
        let (place, [nx, ny, _]) = (self.place(k), self.counts);
        let [xs, ys, zs] =
            [0, 1, 2].map(|axis| place[axis].saturating_sub(1)..(place[axis] + 2).min(self.counts[axis]));
        zs.flat_map(move |z| ys.clone().map(move |y| (y, z)))
            .flat_map(move |(y, z)| xs.clone().map(move |x| x + nx * (y + ny * z)))
    }
}

#[test]
fn every_model_is_one_piece_without_hollows() {
    for grid in GRIDS.iter() {
        let name = grid.model.blueprint.name;
        assert_eq!(grid.pieces(|distance| distance <= 0.0), 1, "{name}");
        assert_eq!(grid.pieces(|distance| distance > 0.0), 1, "the air around {name}");
        let peeled = -0.2 * grid.model.blueprint.thinnest;
        assert_eq!(
            grid.pieces(|distance| distance <= peeled),
            1,
            "{name} with a fifth of the least thickness peeled off"
        );
    }
}

#[test]
fn every_model_stands_on_its_feet_and_is_a_metre_high() {
    for grid in GRIDS.iter() {
        let name = grid.model.blueprint.name;
        let [low, high] = grid.model.bounds();
        // Bounds stand off by 1/256 of the longest side.
        assert!(low.z.abs() < 0.005 && (high.z - 1.0).abs() < 0.01, "{name} reaches from {} to {}", low.z, high.z);
        assert!(grid.inside().all(|p| p.z >= 0.0), "{name} is above the floor");
        let sum: Vector3<f64> = grid.inside().sum();
        let balance = sum.y / grid.inside().count() as f64;
        let soles: Vec<f64> = grid.inside().filter(|p| p.z < 0.02).map(|p| p.y).collect();
        assert!(
            soles.iter().any(|&y| y < balance - 0.05) && soles.iter().any(|&y| y > balance + 0.05),
            "{name} falls over"
        );
    }
}

#[test]
fn bounds_are_as_large_as_the_model() {
    for grid in GRIDS.iter() {
        let [low, high] = grid.model.bounds();
        for axis in 0..3 {
            let (least, most) = grid.inside().fold((f64::MAX, f64::MIN), |(a, b), p| (a.min(p[axis]), b.max(p[axis])));
            // Grid points miss up to a spacing at each end.
            let missed = (least - low[axis]).max(high[axis] - most);
            assert!(missed < grid.spacing + 0.01, "{}, axis {axis}: {missed} m", grid.model.blueprint.name);
            assert!(low[axis] <= least && most <= high[axis]);
        }
    }
}

/// The middle of a part, and the ends of a limb.
fn middles(part: &Part) -> Vec<Vector3<f64>> {
    match part.shape {
        Shape::Limb { ends: [from, to], .. } => vec![from.into(), to.into()],
        Shape::Ball { centre, .. } | Shape::Egg { centre, .. } | Shape::Block { centre, .. } => vec![centre.into()],
    }
}

#[test]
fn every_part_has_room_for_a_ball_of_the_least_thickness() {
    for grid in GRIDS.iter() {
        let blueprint = grid.model.blueprint;
        assert!(blueprint.thinnest > 1.5 * blueprint.cell, "{} is thinner than its cells resolve", blueprint.name);
        let step = blueprint.thinnest / 10.0;
        for part in blueprint.parts.iter().filter(|part| !part.carves) {
            for middle in middles(part) {
                let around = (0..11 * 11 * 11).map(|k| {
                    let offset = Vector3::new((k % 11) as f64, (k / 11 % 11) as f64, (k / 121) as f64).add_scalar(-5.0);
                    grid.model.distance(&(middle + offset * step))
                });
                // The deepest sample is within a step of the ball's middle.
                let room = -around.fold(f64::INFINITY, f64::min);
                assert!(room > blueprint.thinnest / 2.0 - step, "{} of the {}: {room} m", part.name, blueprint.name);
            }
        }
    }
}

#[test]
fn distances_of_models_have_no_jumps_and_are_the_same_every_time() {
    for grid in GRIDS.iter() {
        let again = by_name(grid.model.blueprint.name).expect("it is listed");
        let step = Vector3::new(0.6, -0.48, 0.64) * (0.5 * grid.spacing);
        for k in (0..grid.distances.len()).step_by(7) {
            let point = grid.point(k);
            assert_eq!(again.distance(&point), grid.distances[k]);
            let change = again.distance(&(point + step)) - grid.distances[k];
            assert!(change.abs() <= step.norm() + 1e-10, "{} at {point}", grid.model.blueprint.name);
        }
    }
}

#[test]
fn what_is_not_listed_is_no_model() {
    assert!(by_name("unicorn").is_none());
    let names: BTreeSet<_> = BLUEPRINTS.iter().map(|blueprint| blueprint.name).collect();
    assert_eq!(names.len(), BLUEPRINTS.len());
}

/// 2V − F of a closed surface of triangles without handles.
const SPHERE: usize = 4;

#[test]
fn a_model_of_its_own_cells_has_the_nodes_it_says_and_one_closed_surface() {
    for grid in GRIDS.iter() {
        let blueprint = grid.model.blueprint;
        let solid = stuff(&grid.model, blueprint.cell, Grading::Uniform).expect("it is thick enough");
        let nodes = solid.positions.len() as f64;
        assert!((nodes / blueprint.nodes as f64 - 1.0).abs() < 0.05, "{}: {nodes} nodes", blueprint.name);
        let faces = solid.boundary();
        let vertices: BTreeSet<u32> = faces.iter().flatten().copied().collect();
        assert_eq!(2 * vertices.len() - faces.len(), SPHERE, "{}", blueprint.name);
    }
}

#[test]
fn a_skin_is_closed_and_lies_on_the_model() {
    let rabbit = by_name("rabbit").expect("it is listed");
    let skin = rabbit.skin().expect("it is thick enough");
    assert_eq!(2 * skin.positions.len() - skin.polygons.len(), SPHERE);
    let farthest = skin.positions.iter().map(|point| rabbit.distance(point).abs()).fold(0.0, f64::max);
    // Where an edge of the lattice meets the surface is found to a part of its length.
    assert!(farthest < 0.05 * rabbit.blueprint.skin_cell, "{farthest} m");
}
