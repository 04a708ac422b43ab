//! Shapes with distances in closed form, and the first as triangles.

use nalgebra::{Rotation3, Vector3};
use visviva_shapes::Field;

pub struct Ball(pub Vector3<f64>, pub f64);

impl Field for Ball {
    fn distance(&self, point: &Vector3<f64>) -> f64 {
        (point - self.0).norm() - self.1
    }
    fn bounds(&self) -> [Vector3<f64>; 2] {
        [self.0.add_scalar(-self.1), self.0.add_scalar(self.1)]
    }
}

/// Half its sides, turned about the origin.
pub struct Cuboid(pub Vector3<f64>, pub Rotation3<f64>);

impl Field for Cuboid {
    fn distance(&self, point: &Vector3<f64>) -> f64 {
        let beyond = (self.1.inverse() * point).abs() - self.0;
        beyond.map(|b| b.max(0.0)).norm() + beyond.max().min(0.0)
    }
    fn bounds(&self) -> [Vector3<f64>; 2] {
        let reach = self.1.matrix().abs() * self.0;
        [-reach, reach]
    }
}

/// Radius of the ring and of its tube, about z.
pub struct Torus(pub f64, pub f64);

impl Field for Torus {
    fn distance(&self, p: &Vector3<f64>) -> f64 {
        (p.xy().norm() - self.0).hypot(p.z) - self.1
    }
    fn bounds(&self) -> [Vector3<f64>; 2] {
        let high = Vector3::new(self.0 + self.1, self.0 + self.1, self.1);
        [-high, high]
    }
}

/// Both of two shapes, with a crease where they meet.
pub struct Both<A, B>(pub A, pub B);

impl<A: Field, B: Field> Field for Both<A, B> {
    fn distance(&self, point: &Vector3<f64>) -> f64 {
        self.0.distance(point).min(self.1.distance(point))
    }
    fn bounds(&self) -> [Vector3<f64>; 2] {
        let ([a, b], [c, d]) = (self.0.bounds(), self.1.bounds());
        [a.inf(&c), b.sup(&d)]
    }
}

/// The unit ball as an octahedron whose triangles are split so often, corners on the sphere.
pub fn triangle_ball(splits: usize) -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
    let mut positions = vec![Vector3::x(), Vector3::y(), -Vector3::x(), -Vector3::y(), Vector3::z(), -Vector3::z()];
    let mut triangles: Vec<[u32; 3]> = (0..4u32).flat_map(|k| [[k, (k + 1) % 4, 4], [(k + 1) % 4, k, 5]]).collect();
    for _ in 0..splits {
        let mut middles = std::collections::HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                positions.push((positions[a as usize] + positions[b as usize]).normalize());
                positions.len() as u32 - 1
            })
        };
        let split = |&[a, b, c]: &[u32; 3]| {
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        triangles = triangles.iter().flat_map(split).collect();
    }
    (positions, triangles)
}

/// A gyroid in the unit ball: walls and tunnels everywhere, so many waves across; its slope is at most one.
pub struct Gyroid(pub f64);

impl Field for Gyroid {
    fn distance(&self, p: &Vector3<f64>) -> f64 {
        let [x, y, z] = [p.x, p.y, p.z].map(|c| c * self.0);
        let wave = x.sin() * y.cos() + y.sin() * z.cos() + z.sin() * x.cos();
        (wave / (3f64.sqrt() * self.0)).max(p.norm() - 1.0)
    }
    fn bounds(&self) -> [Vector3<f64>; 2] {
        [Vector3::repeat(-1.0), Vector3::repeat(1.0)]
    }
}
