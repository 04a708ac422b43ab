//! Seconds of a solid's parts on one thread: the surface's tree, the stuffing with its distances, embedding, the report.
//!
//! `cargo bench -p visviva-shapes --bench stuffing -- [surface.obj [tets]]`; without a file, a bumpy ball of 32k triangles.

#[path = "../tests/stuffing/fields.rs"]
#[allow(dead_code)]
mod fields;

use nalgebra::Vector3;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;
use visviva_shapes::field::TriangleField;
use visviva_shapes::stuffing::{Grading, stuff};
use visviva_shapes::{Field, Likeness, Quality, embed};

/// Counts what it is asked and the time that takes.
struct Watched<'a> {
    field: &'a TriangleField,
    asked: AtomicU64,
    nanoseconds: AtomicU64,
}

impl Field for Watched<'_> {
    fn distance(&self, point: &Vector3<f64>) -> f64 {
        let start = Instant::now();
        let distance = self.field.distance(point);
        self.asked.fetch_add(1, Relaxed);
        self.nanoseconds.fetch_add(start.elapsed().as_nanos() as u64, Relaxed);
        distance
    }
    fn bounds(&self) -> [Vector3<f64>; 2] {
        self.field.bounds()
    }
}

fn timed<R>(what: &str, work: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = work();
    println!("  {what}: {:.2} s", start.elapsed().as_secs_f64());
    result
}

fn bumpy_ball() -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
    let (positions, triangles) = fields::triangle_ball(6);
    let bump = |p: Vector3<f64>| p * (1.0 + 0.2 * (5.0 * p.x).sin() * (7.0 * p.y).cos() * (6.0 * p.z).sin());
    (positions.into_iter().map(bump).collect(), triangles)
}

/// Vertices and triangles of an OBJ file; what else it holds is left out.
fn read(path: &str) -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
    let text = std::fs::read_to_string(path).unwrap();
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["v", x, y, z] => positions.push(Vector3::from([x, y, z].map(|c| c.parse().unwrap()))),
            ["f", a, b, c] => {
                triangles.push([a, b, c].map(|v| v.split('/').next().unwrap().parse::<u32>().unwrap() - 1))
            }
            _ => {}
        }
    }
    (positions, triangles)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let (positions, triangles) = words.first().map_or_else(bumpy_ball, |path| read(path));
    let tets = words.get(1).map_or(1e6, |count| count.parse().unwrap());
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    one.install(|| {
        let field = timed("tree of the surface", || TriangleField::new(&positions, &triangles));
        // Twelve tets fill a cell.
        let cell = (12.0 * field.volume().abs() / tets).cbrt();
        for grading in [Grading::Uniform, Grading::Graded { doublings: 3 }] {
            println!("{} triangles, cells of {cell:.4}, {grading:?}", triangles.len());
            let watched = Watched { field: &field, asked: 0.into(), nanoseconds: 0.into() };
            let solid = timed("stuffing", || stuff(&watched, cell, grading).unwrap());
            let seconds = watched.nanoseconds.into_inner() as f64 * 1e-9;
            println!("    of that {seconds:.2} s in {} distances", watched.asked.into_inner());
            timed("embedding the surface", || embed(&solid, &positions));
            println!("  {:?}", timed("quality", || Quality::of(&solid)));
            println!("  {:?}", timed("likeness", || Likeness::of(&solid, &field, cell)));
        }
    });
}
