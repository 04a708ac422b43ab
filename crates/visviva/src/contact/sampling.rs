//! Reproducible random numbers and finite differences for the tests of contact.

use super::barrier_pair::Barrier;
use super::broad_phase::{BroadPhase, Candidates};
use super::contact_set::ContactSet;
use super::distance::{Gradient, Point};
use super::surface::{Surface, SurfaceBody, SurfaceInput, edges_of_triangles};
use crate::math::splitmix::splitmix64;

/// A state of [`splitmix64`].
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        splitmix64(&mut self.0)
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// Uniform in [0, 1)
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// In the cube [−1, 1]³
    pub fn point(&mut self) -> Point {
        Point::from_fn(|_, _| self.between(-1.0, 1.0))
    }

    pub fn points(&mut self) -> [Point; 4] {
        std::array::from_fn(|_| self.point())
    }
}

/// Central differences with Richardson extrapolation.
pub fn numeric_gradient(points: &[Point; 4], step: f64, f: impl Fn(&[Point; 4]) -> f64) -> Gradient {
    Gradient::from_fn(|k, _| {
        let central = |h: f64| {
            let at = |offset: f64| {
                let mut moved = *points;
                moved[k / 3][k % 3] += offset;
                f(&moved)
            };
            (at(h) - at(-h)) / (2.0 * h)
        };
        (4.0 * central(0.5 * step) - central(step)) / 3.0
    })
}

/// Bodies of so many random triangles in the unit cube, one of them fixed, one that ignores another, one without self-contact.
pub fn random_surface(random: &mut Random, triangle_counts: &[usize]) -> (Surface, Vec<Point>) {
    let mut input = SurfaceInput::default();
    let mut x = vec![];
    for (body, &triangle_count) in (0..).zip(triangle_counts) {
        let first = x.len() as u32;
        // Two thirds as many vertices as triangles: most triangles have neighbours.
        for _ in 0..2 * triangle_count / 3 + 3 {
            x.push(random.point());
            input.vertex_body.push(body);
            input.vertex_fixed.push(body == 1);
        }
        let count = x.len() - first as usize;
        for _ in 0..triangle_count {
            let a = random.below(count);
            let near = |random: &mut Random| first + ((a + 1 + random.below(count - 1)) % count) as u32;
            let (b, c) = (near(random), near(random));
            if b != c {
                input.triangles.push([first + a as u32, b, c]);
            }
        }
        input.bodies.push(SurfaceBody {
            self_contact: body != 2,
            ignores: if body == 3 { vec![0] } else { vec![] },
            ..SurfaceBody::default()
        });
    }
    input.edges = edges_of_triangles(&input.triangles);
    input.edge_rest_squared =
        input.edges.iter().map(|&[a, b]| (x[a as usize] - x[b as usize]).norm_squared()).collect();
    (Surface::new(input).expect("a valid surface"), x)
}

/// A fixed plate, body 0, and a cube of two triangles a side above it, body 1, nearest at one millimetre.
pub struct Resting {
    pub surface: Surface,
    pub x: Vec<Point>,
    pub barrier: Barrier,
    pub set: ContactSet,
}

impl Resting {
    pub fn update(&mut self) {
        let mut candidates = Candidates::default();
        BroadPhase::default().near(&self.surface, &self.x, self.barrier.activation(), &mut candidates);
        self.set.update(&self.surface, &candidates, &self.x, &self.barrier);
    }
}

/// The cube is turned by an angle about the vertical and stands flat on the plate.
pub fn resting_bodies(angle: f64) -> Resting {
    let mut input =
        SurfaceInput { bodies: vec![SurfaceBody::default(), SurfaceBody::default()], ..SurfaceInput::default() };
    let mut x = vec![];
    for i in 0..5 {
        for j in 0..5 {
            x.push(Point::new(0.05 * i as f64 - 0.1, 0.05 * j as f64 - 0.1, 0.0));
            input.vertex_body.push(0);
        }
    }
    for i in 0..4 {
        for j in 0..4 {
            let [a, b, c, d] = [5 * i + j, 5 * i + j + 1, 5 * i + j + 6, 5 * i + j + 5];
            input.triangles.extend([[a, c, b], [a, d, c]]);
        }
    }
    let (sin, cos) = angle.sin_cos();
    for corner in 0..8 {
        let at = |bit: usize| if corner >> bit & 1 == 1 { 0.03 } else { -0.03 };
        x.push(Point::new(cos * at(0) - sin * at(1), sin * at(0) + cos * at(1), at(2) + 0.031));
        input.vertex_body.push(1);
    }
    for [a, b, c, d] in [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]] {
        input.triangles.extend([[25 + a, 25 + b, 25 + c], [25 + a, 25 + c, 25 + d]]);
    }
    input.vertex_fixed = input.vertex_body.iter().map(|&body| body == 0).collect();
    input.edges = edges_of_triangles(&input.triangles);
    input.edge_rest_squared =
        input.edges.iter().map(|&[a, b]| (x[a as usize] - x[b as usize]).norm_squared()).collect();
    let surface = Surface::new(input).expect("a valid surface");
    let barrier = Barrier { stiffness: 1e5, reach: 2e-3, thickness: 0.0 };
    let mut bodies = Resting { surface, x, barrier, set: ContactSet::default() };
    bodies.update();
    bodies
}
