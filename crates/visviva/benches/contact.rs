//! How fast contact is and how safe: nanoseconds a pair, milliseconds a broad phase, and continuous collision detection against
//! dense sampling over millions of random and degenerate queries.
//!
//!     cargo bench --bench contact -- [queries]

#[path = "../src/math/splitmix.rs"]
#[allow(dead_code)]
mod splitmix;

use splitmix::splitmix64;
use std::hint::black_box;
use std::time::Instant;
use visviva::contact::ccd::{self, Separation};
use visviva::contact::distance::{Corners, edge_edge, mollifier, point_triangle};
use visviva::contact::surface::{SurfaceBody, SurfaceInput, edges_of_triangles};
use visviva::contact::{
    Barrier, BroadPhase, Candidates, ContactSet, Kind, Pair, Point, Surface, barrier_pair, intersection,
};

/// A state of [`splitmix64`].
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        (splitmix64(&mut self.0) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn points(&mut self) -> [Point; 4] {
        std::array::from_fn(|_| Point::from_fn(|_, _| 2.0 * self.unit() - 1.0))
    }
}

fn main() {
    let queries = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(2_000_000);
    pair_times();
    for side in [70, 223] {
        surface_times(side);
    }
    ccd_safety(queries);
}

fn time_each<T>(what: &str, inputs: &[T], mut f: impl FnMut(&T)) {
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        inputs.iter().for_each(&mut f);
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / inputs.len() as f64);
    }
    println!("{what:<44} {best:8.0} ns");
}

fn pair_times() {
    let mut random = Random(1);
    let stencils: Vec<[Point; 4]> = (0..20_000).map(|_| random.points()).collect();
    time_each("point–triangle class and distance", &stencils, |x| {
        black_box(point_triangle::closest(x));
    });
    time_each("edge–edge class and distance", &stencils, |x| {
        black_box(edge_edge::closest(x));
    });
    let barrier = Barrier { stiffness: 1e5, reach: 3.0, thickness: 0.0 };
    let kinds = [
        Kind::PointPoint,
        Kind::PointEdge,
        Kind::PointTriangle,
        Kind::EdgeEdge,
        Kind::ParallelEdges(Corners(0b1111)),
        Kind::ParallelEdges(Corners(0b0111)),
    ];
    for kind in kinds {
        let with_pair = |x: &[Point; 4]| {
            let threshold = 2.0 * mollifier::cross_squared(x);
            (Pair { kind, vertices: [0, 1, 2, 3], weight: 1.0, threshold, thickness: 0.0 }, *x)
        };
        let inputs: Vec<_> = stencils.iter().map(with_pair).collect();
        time_each(&format!("{kind:?} energy"), &inputs, |(pair, x)| {
            black_box(barrier_pair::energy(&barrier, pair, x));
        });
        time_each(&format!("{kind:?} gradient"), &inputs, |(pair, x)| {
            black_box(barrier_pair::gradient(&barrier, pair, x));
        });
        time_each(&format!("{kind:?} Hessian"), &inputs, |(pair, x)| {
            black_box(barrier_pair::hessian(&barrier, pair, x));
        });
        time_each(&format!("{kind:?} projected Hessian"), &inputs, |(pair, x)| {
            let bend = barrier.curvature(pair.gap(x).distance) / barrier.stiffness;
            black_box(barrier_pair::projected_hessian(&barrier, pair, x, bend));
        });
    }
    let moving: Vec<_> = stencils.iter().map(|x| (*x, random.points())).collect();
    let separation = Separation::default();
    time_each("point–triangle CCD", &moving, |(x, dx)| {
        black_box(ccd::point_triangle(x, dx, &separation, 1.0));
    });
    time_each("edge–edge CCD", &moving, |(x, dx)| {
        black_box(ccd::edge_edge(x, dx, &separation, 1.0));
    });
}

/// Two wavy sheets of side² squares in all, their crests half a millimetre apart.
fn sheets(side: usize) -> (Surface, Vec<Point>) {
    let mut input = SurfaceInput::default();
    let mut x = vec![];
    let half = side / 2;
    for body in 0..2u32 {
        let first = x.len();
        for i in 0..=side {
            for j in 0..=half {
                let (u, v) = (i as f64 / side as f64, j as f64 / side as f64);
                let wave = 0.005 * (40.0 * u).sin() * (40.0 * v).cos();
                x.push(Point::new(u, v, if body == 0 { wave } else { 0.0105 - wave }));
                input.vertex_body.push(body);
                input.vertex_fixed.push(false);
            }
        }
        for i in 0..side {
            for j in 0..half {
                let at = |i: usize, j: usize| (first + i * (half + 1) + j) as u32;
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                input.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        input.bodies.push(SurfaceBody { self_contact: true, ..SurfaceBody::default() });
    }
    input.edges = edges_of_triangles(&input.triangles);
    input.edge_rest_squared =
        input.edges.iter().map(|&[a, b]| (x[a as usize] - x[b as usize]).norm_squared()).collect();
    (Surface::new(input).expect("sheets are a valid surface"), x)
}

fn surface_times(side: usize) {
    let (surface, x) = sheets(side);
    let spacing = 1.0 / side as f64;
    println!("{} triangles, {} edges", surface.triangles().len(), surface.edges().len());
    let mut random = Random(2);
    let dx: Vec<Point> = x.iter().map(|_| 0.3 * spacing * random.points()[0]).collect();
    let x1: Vec<Point> = x.iter().zip(&dx).map(|(x, dx)| x + dx).collect();
    let barrier = Barrier { stiffness: 1e5, reach: 1e-3, thickness: 0.0 };
    let (mut broad_phase, mut near, mut swept) = (BroadPhase::default(), Candidates::default(), Candidates::default());
    time("broad phase, first", 1, || broad_phase.near(&surface, &x, barrier.reach, &mut near));
    time("broad phase, refitted", 5, || broad_phase.near(&surface, &x, barrier.reach, &mut near));
    println!("    {} + {} candidates", near.vertex_triangle.len(), near.edge_edge.len());
    time("broad phase, swept", 5, || broad_phase.swept(&surface, &x, &x1, 0.0, &mut swept));
    println!("    {} + {} candidates", swept.vertex_triangle.len(), swept.edge_edge.len());
    let mut step = 0.0;
    time("largest step", 5, || step = ccd::largest_step(&surface, &swept, &x, &dx, &Separation::default()).step);
    println!("    {step}");
    let mut set = ContactSet::default();
    time("contact set", 5, || set.update(&surface, &near, &x, &barrier));
    let mut hessians = vec![];
    let bends = set.bends(&barrier);
    time("projected Hessians", 5, || set.hessians(&x, &barrier, &bends, &mut hessians));
    println!("    {} pairs, {} nearest", set.pairs().len(), set.min_distance());
    let mut crossing = vec![];
    time("intersections", 5, || crossing = intersection::intersections(&surface, &mut broad_phase, &x));
    println!("    {} crossing", crossing.len());
}

fn time(what: &str, rounds: usize, mut f: impl FnMut()) {
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        f();
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
    }
    println!("  {what:<42} {best:8.2} ms");
}

/// Counts queries that come nearer than they may at any of 40 times, and compares with the first such time where there is one.
fn ccd_safety(queries: usize) {
    let mut random = Random(3);
    let (mut unsafe_count, mut ratio, mut hits, mut timid) = (0, 0.0, 0, 0);
    let separation = Separation::default();
    for query in 0..queries {
        let (mut x, mut dx) = (random.points(), random.points().map(|p| 3.0 * p));
        match query / 2 % 8 {
            0 => x.iter_mut().chain(&mut dx).for_each(|p| p.z = 0.0),
            1 => x.iter_mut().chain(&mut dx).for_each(|p| (p.y, p.z) = (0.0, 0.0)),
            2 => (x[3], dx[1], dx[3]) = (x[2] + x[1] - x[0], dx[0], dx[2]),
            3 => x.iter_mut().for_each(|p| *p += Point::repeat(1e7)),
            4 => x.iter_mut().chain(&mut dx).for_each(|p| *p *= 1e-9),
            5 => (x[3], dx[3]) = (x[2], dx[2]),
            _ => {}
        }
        let edges = query % 2 == 1;
        let distance = |t: f64| {
            let at: [Point; 4] = std::array::from_fn(|i| x[i] + t * dx[i]);
            if edges { edge_edge::closest(&at).between.norm() } else { point_triangle::closest(&at).between.norm() }
        };
        let t = if edges {
            ccd::edge_edge(&x, &dx, &separation, 1.0)
        } else {
            ccd::point_triangle(&x, &dx, &separation, 1.0)
        };
        let rounding = 1e-14 * x.iter().chain(&dx).fold(0.0, |m: f64, p| m.max(p.amax()));
        let least = separation.keep * distance(0.0);
        unsafe_count += (0..=40).any(|k| distance(t * k as f64 / 40.0) < least - rounding) as usize;
        if query / 2 % 8 >= 6 {
            match (1..=400).map(|k| k as f64 / 400.0).find(|&s| distance(s) <= least) {
                Some(first) => {
                    hits += 1;
                    ratio += t / first;
                }
                None => timid += (t < 1.0) as usize,
            }
        }
    }
    println!(
        "{queries} CCD queries: {unsafe_count} unsafe; of ordinary ones that hit, {:.4} of the way",
        ratio / hits as f64
    );
    println!("    {hits} hit, {timid} stopped that sampling lets pass");
}
