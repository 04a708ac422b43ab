//! Continuous collision detection: how far a pair may go on straight paths and keep a part of its gap.
//!
//! Additive CCD (Li et al. 2021, C-IPC) advances by gap over speed until little of the gap is left. Here the speed is the one along
//! the separating direction n of the moment: d(τ) ≥ min_ij n·(xᵢ − xⱼ)(τ) for any unit n, linear in τ and tight at the start. The bound is
//! never worse than that of the paper, needs no mean motion taken out, and a wrong n costs length, never safety.

use super::broad_phase::Candidates;
use super::distance::{Point, edge_edge, point_edge, point_point, point_triangle};
use super::surface::Surface;
use super::swept_gap::are_parted;
use super::turning_planes;
use rayon::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Separation {
    /// ξ `[m]`: the distance that counts as contact
    pub thickness: f64,
    /// s: the part of the gap d − ξ that must be left, in (0, 1)
    pub keep: f64,
}

impl Default for Separation {
    fn default() -> Self {
        Self { thickness: 0.0, keep: 0.1 }
    }
}

impl Separation {
    /// With the thickness of the two bodies that a candidate's first and last vertex belong to.
    pub(super) fn between(&self, surface: &Surface, stencil: [u32; 4]) -> Self {
        Self { thickness: self.thickness + surface.thickness(stencil[0], stencil[3]), ..*self }
    }
}

/// Advances of one pair at most; what was reached by then is safe.
const LIMIT: usize = 64;

/// Advances along fixed directions before planes that turn with the pair are tried.
const PATIENCE: usize = 4;

/// The largest safe part of the step dx of a vertex against a triangle (p, a, b, c), at most `most`.
pub fn point_triangle(x: &[Point; 4], dx: &[Point; 4], separation: &Separation, most: f64) -> f64 {
    advance::<_, 1>(x, dx, separation, most, |x| point_triangle::closest(x).between)
}

/// The same for two edges (a₀, a₁, b₀, b₁).
pub fn edge_edge(x: &[Point; 4], dx: &[Point; 4], separation: &Separation, most: f64) -> f64 {
    advance::<_, 2>(x, dx, separation, most, |x| edge_edge::closest(x).between)
}

/// The same for a point and an edge (p, a, b).
pub fn point_edge(x: &[Point; 3], dx: &[Point; 3], separation: &Separation, most: f64) -> f64 {
    advance::<_, 1>(x, dx, separation, most, |[p, a, b]| point_edge::closest(p, a, b).between)
}

/// The same for two points.
pub fn point_point(x: &[Point; 2], dx: &[Point; 2], separation: &Separation, most: f64) -> f64 {
    advance::<_, 1>(x, dx, separation, most, |[p, q]| point_point::closest(p, q).between)
}

/// How far a step of the whole surface may go, and who ends it there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit {
    /// The part that is safe, at most 1
    pub step: f64,
    /// A vertex on each side of the pair that allows no more; none where all of the step is safe
    pub sides: Option<[u32; 2]>,
}

impl Limit {
    /// All of the step is safe.
    pub const FREE: Self = Self { step: 1.0, sides: None };
}

/// The largest safe part of a step of the whole surface; of pairs that allow the same the first one is told.
pub fn largest_step(
    surface: &Surface,
    candidates: &Candidates,
    x: &[Point],
    dx: &[Point],
    separation: &Separation,
) -> Limit {
    const FREE: (f64, Option<[u32; 2]>) = (1.0, None);
    // A pair's answer does not depend on `most` where it is below it: the minimum is the same in any order.
    let smallest = |pairs: &[[u32; 2]], bound: &(dyn Fn(&[u32; 2], f64) -> f64 + Sync)| {
        let chunk = |chunk: &[[u32; 2]]| {
            chunk.iter().fold(FREE, |(most, by), pair| {
                let step = bound(pair, most);
                (step, if step < most { Some(*pair) } else { by })
            })
        };
        pairs.par_chunks(512).map(chunk).reduce(|| FREE, |first, next| if next.0 < first.0 { next } else { first })
    };
    let sweep = Sweep::new(surface, x, dx, separation);
    let by_vertices =
        smallest(&candidates.vertex_triangle, &|&pair, most| sweep.part::<1>(surface.vertex_triangle(pair), most));
    let by_edges = smallest(&candidates.edge_edge, &|&pair, most| sweep.part::<2>(surface.edge_edge(pair), most));
    match by_vertices.0 <= by_edges.0 {
        true => Limit {
            step: by_vertices.0,
            sides: by_vertices.1.map(|pair| surface.vertex_triangle(pair)).map(|s| [s[0], s[1]]),
        },
        false => {
            Limit { step: by_edges.0, sides: by_edges.1.map(|pair| surface.edge_edge(pair)).map(|s| [s[0], s[2]]) }
        }
    }
}

/// A step of a whole surface.
#[derive(Debug)]
pub(super) struct Sweep<'a> {
    surface: &'a Surface,
    x: &'a [Point],
    dx: &'a [Point],
    separation: &'a Separation,
    /// No less than what `advance` reckons with for any pair
    rounding: f64,
}

impl<'a> Sweep<'a> {
    pub fn new(surface: &'a Surface, x: &'a [Point], dx: &'a [Point], separation: &'a Separation) -> Self {
        // What is not a number must not be passed over: nothing is then done with early.
        let larger = |most: f64, size: f64| if size.is_finite() { most.max(size) } else { f64::INFINITY };
        let farthest = |y: &[Point]| y.iter().map(|p| p.abs().sum()).fold(0.0, larger);
        let rounding = 8.0 * f64::EPSILON * 4.0 * (farthest(x) + farthest(dx)) * (1.0 + 1e-12);
        Self { surface, x, dx, separation, rounding }
    }

    /// The largest safe part for a pair whose first primitive has `SPLIT` vertices, at most `most`.
    #[inline]
    pub fn part<const SPLIT: usize>(&self, stencil: [u32; 4], most: f64) -> f64 {
        let (x, dx) = (stencil.map(|v| self.x[v as usize]), stencil.map(|v| self.dx[v as usize]));
        let separation = self.separation.between(self.surface, stencil);
        // What `stays_apart` asks, more strictly and with less reckoning: most candidates are done with here.
        let gap = (x[SPLIT] - x[0]).norm();
        let Separation { thickness, keep } = separation;
        let enough = thickness + keep * gap * (1.0 + 1e-12) + 4.0 * self.rounding;
        let far = |apart: f64| apart > enough && 0.01 * (apart - thickness) > 2.0 * self.rounding;
        if are_parted::<4, SPLIT>(&x, &dx, far) {
            return most;
        }
        match SPLIT {
            1 => point_triangle(&x, &dx, &separation, most),
            _ => edge_edge(&x, &dx, &separation, most),
        }
    }
}

/// The first `SPLIT` points are one primitive, the others the second.
#[inline(always)]
fn advance<const N: usize, const SPLIT: usize>(
    x: &[Point; N],
    dx: &[Point; N],
    separation: &Separation,
    most: f64,
    between: impl Fn(&[Point; N]) -> Point,
) -> f64 {
    // Sums, which what is not a number makes one that is not either.
    let size = |points: &[Point; N]| points.iter().map(|p| p.abs().sum()).sum::<f64>();
    let (reach, motion) = (size(x), size(dx));
    if motion == 0.0 {
        return most;
    }
    // Relative to one of the points: distances near zero keep their digits far from the origin.
    let local: [Point; N] = std::array::from_fn(|i| x[i] - x[0]);
    if stays_apart::<N, SPLIT>(&local, dx, separation, reach, motion) {
        return most;
    }
    let start = between(&local);
    let gap = start.norm() - separation.thickness;
    // A step so long that its rounding eats into the gap is cut first; it depends on nothing but the pair.
    let unit = 8.0 * f64::EPSILON;
    let longest = (0.01 * gap / (unit * motion)).min(1.0);
    let most = most.min(longest);
    // What rounding can do to a distance here, and to the positions x + t dx that whoever asks will compute.
    let rounding = unit * (reach + longest * motion);
    let left = separation.thickness + separation.keep * gap + rounding;
    // Comparisons are made to be false for what is not a number, and false means no further.
    let has_room = gap * (1.0 - separation.keep) > rounding;
    if !has_room {
        return 0.0;
    }
    let mut t = 0.0;
    for turns in 0..LIMIT {
        let now: [Point; N] = std::array::from_fn(|i| local[i] + t * dx[i]);
        let r = if t == 0.0 { start } else { between(&now) };
        let d = r.norm();
        let worth_going_on = d > left + 1e-3 * separation.keep * gap;
        if !worth_going_on {
            break;
        }
        let n = r / d;
        let mut step = f64::INFINITY;
        for i in 0..SPLIT {
            for j in SPLIT..N {
                let slack = n.dot(&(now[i] - now[j])) - left;
                let approach = n.dot(&(dx[j] - dx[i]));
                if approach > 0.0 {
                    step = step.min(slack.max(0.0) / approach);
                }
            }
        }
        if turns >= PATIENCE {
            step = step.max(turning_planes::longest_step(&now, dx, SPLIT, left, longest - t));
        }
        t += step;
        if t >= most {
            return most;
        }
    }
    t
}

/// Whether the two are so far apart on their ways that `advance` would go all the way: most candidates are, and this is cheap.
#[inline(always)]
fn stays_apart<const N: usize, const SPLIT: usize>(
    local: &[Point; N],
    dx: &[Point; N],
    separation: &Separation,
    reach: f64,
    motion: f64,
) -> bool {
    // An upper bound of the gap at the start
    let gap = (local[SPLIT] - local[0]).norm();
    let rounding = 8.0 * f64::EPSILON * (reach + motion);
    let enough = separation.thickness + separation.keep * gap + 2.0 * rounding;
    // With a lower bound of the distance on the way: what is left, twice the rounding, and a gap that the step's own rounding does
    // not eat into
    are_parted::<N, SPLIT>(local, dx, |apart| apart > enough && 0.01 * (apart - separation.thickness) > rounding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::sampling::Random;

    type Stencil = [Point; 4];

    fn moved(x: &Stencil, dx: &Stencil, t: f64) -> Stencil {
        std::array::from_fn(|i| x[i] + t * dx[i])
    }

    /// Times in [0, 1] at which the four points lie in one plane: roots of a cubic, isolated between its extrema.
    fn coplanar_times(x: &Stencil, dx: &Stencil) -> Vec<f64> {
        let volume = |t: f64| {
            let p = moved(x, dx, t);
            (p[1] - p[0]).cross(&(p[2] - p[0])).dot(&(p[3] - p[0]))
        };
        // Coefficients from values at −1, 0, 1 and 2.
        let (m, z, o, w) = (volume(-1.0), volume(0.0), volume(1.0), volume(2.0));
        let c3 = (w - 3.0 * o + 3.0 * z - m) / 6.0;
        let c2 = 0.5 * (o + m) - z;
        let c1 = o - z - c2 - c3;
        let discriminant = (c2 * c2 - 3.0 * c3 * c1).max(0.0).sqrt();
        let mut knots = vec![0.0, 1.0];
        knots.extend([(-c2 - discriminant) / (3.0 * c3), (-c2 + discriminant) / (3.0 * c3), -c1 / (2.0 * c2)]);
        knots.retain(|t| (0.0..=1.0).contains(t));
        knots.sort_by(f64::total_cmp);
        let mut roots = knots.clone();
        for pair in knots.windows(2) {
            let (mut low, mut high) = (pair[0], pair[1]);
            if volume(low) * volume(high) < 0.0 {
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    if volume(low) * volume(middle) <= 0.0 { high = middle } else { low = middle }
                }
                roots.push(low);
            }
        }
        roots
    }

    /// Ordinary pairs, and what breaks collision detection.
    fn sample(random: &mut Random, kind: usize) -> (Stencil, Stencil) {
        let (mut x, mut dx) = (random.points(), random.points().map(|p| 3.0 * p));
        match kind {
            // In one plane, on one line
            1 => x.iter_mut().chain(&mut dx).for_each(|p| p.z = 0.0),
            2 => x.iter_mut().chain(&mut dx).for_each(|p| (p.y, p.z) = (0.0, 0.0)),
            // Parallel edges (and a triangle whose sides they are), staying so
            3 => {
                x[3] = x[2] + random.between(-1.0, 1.0) * (x[1] - x[0]);
                dx[1] = dx[0];
                dx[3] = dx[2];
            }
            // Meeting in the middle of the step at one instant
            4 => {
                let (u, v) = (0.3, 0.4);
                let meeting = x[1] + u * (x[2] - x[1]) + v * (x[3] - x[1]);
                let drift = dx[1] + u * (dx[2] - dx[1]) + v * (dx[3] - dx[1]);
                dx[0] = drift + 2.0 * (meeting - x[0]);
            }
            // Far from the origin, or tiny, or tiny far from the origin
            5 => x.iter_mut().for_each(|p| *p += Point::repeat(1e6)),
            6 => x.iter_mut().chain(&mut dx).for_each(|p| *p *= 1e-7),
            7 => x.iter_mut().zip(&mut dx).for_each(|(p, d)| {
                *p = 1e-6 * *p + Point::new(1e3, -1e3, 1e3);
                *d *= 1e-6;
            }),
            // Near, sliding far; near, together
            8 | 9 => {
                x = [Point::new(0.2, 0.2, 1e-4), Point::zeros(), Point::x(), Point::y()];
                dx = [
                    Point::new(random.between(-0.3, 0.3), random.between(-0.3, 0.3), 1e-5),
                    Point::zeros(),
                    Point::zeros(),
                    Point::zeros(),
                ];
                if kind == 9 {
                    dx = [random.point(); 4];
                }
            }
            // Triangle without area, edge without length
            10 => x[3] = x[2],
            11 => (x[3], dx[3]) = (x[2], dx[2]),
            _ => {}
        }
        (x, dx)
    }

    #[derive(Clone, Copy)]
    enum Case {
        Triangle,
        Edges,
    }

    fn distance(case: Case, x: &Stencil) -> f64 {
        match case {
            Case::Triangle => point_triangle::closest(x).between.norm(),
            Case::Edges => edge_edge::closest(x).between.norm(),
        }
    }

    fn safe_step(case: Case, x: &Stencil, dx: &Stencil, separation: &Separation) -> f64 {
        match case {
            Case::Triangle => point_triangle(x, dx, separation, 1.0),
            Case::Edges => edge_edge(x, dx, separation, 1.0),
        }
    }

    #[test]
    fn no_pair_is_ever_let_through_in_two_hundred_thousand_ordinary_and_degenerate_queries() {
        let mut random = Random(61);
        for query in 0..200_000 {
            let (x, dx) = sample(&mut random, (query / 2) % 12);
            let case = if query % 2 == 0 { Case::Triangle } else { Case::Edges };
            let start = distance(case, &x);
            let separation =
                Separation { thickness: if query % 3 == 0 { 0.1 * start } else { 0.0 }, ..Separation::default() };
            let t = safe_step(case, &x, &dx, &separation);
            assert!((0.0..=1.0).contains(&t));
            let least = separation.thickness + separation.keep * (start - separation.thickness);
            let tolerance = 1e-14 * x.iter().chain(&dx).fold(0.0, |m: f64, p| m.max(p.amax()));
            let samples = (0..=12).map(|k| t * k as f64 / 12.0);
            for time in coplanar_times(&x, &dx).into_iter().filter(|&time| time <= t).chain(samples) {
                let d = distance(case, &moved(&x, &dx, time));
                assert!(d >= least - tolerance, "query {query}: {d} < {least} at {time} of {t}: {x:?} {dx:?}");
            }
        }
    }

    #[test]
    fn ordinary_steps_are_almost_as_long_as_they_may_be() {
        let mut random = Random(62);
        let (mut sum, mut count, mut shortened) = (0.0, 0.0, 0);
        let separation = Separation::default();
        for query in 0..4000 {
            let (x, dx) = sample(&mut random, 0);
            let case = if query % 2 == 0 { Case::Triangle } else { Case::Edges };
            let least = separation.keep * distance(case, &x);
            let t = safe_step(case, &x, &dx, &separation);
            let first = (1..=2000).map(|k| k as f64 / 2000.0).find(|&s| distance(case, &moved(&x, &dx, s)) <= least);
            match first {
                Some(first) => {
                    sum += t / first;
                    count += 1.0;
                }
                None => shortened += (t < 1.0) as usize,
            }
        }
        assert!(count > 500.0 && sum / count > 0.99, "mean ratio {}", sum / count);
        // Those pass between two samples.
        assert!(shortened < 10, "{shortened}");
    }

    #[test]
    fn standing_still_parting_and_sliding_pairs_are_free() {
        let (x, _) = sample(&mut Random(63), 8);
        let still = [Point::zeros(); 4];
        let separation = Separation::default();
        assert_eq!(point_triangle(&x, &still, &separation, 1.0), 1.0);
        assert_eq!(point_triangle(&x, &[Point::repeat(5.0); 4], &separation, 1.0), 1.0);
        let up = [Point::z(), Point::zeros(), Point::zeros(), Point::zeros()];
        assert_eq!(point_triangle(&x, &up, &separation, 1.0), 1.0);
        let aside = [Point::new(100.0, 7.0, 0.0), Point::zeros(), Point::zeros(), Point::zeros()];
        assert_eq!(point_triangle(&x, &aside, &separation, 1.0), 1.0);
        let down = up.map(|d| -1e-3 * d);
        assert!((point_triangle(&x, &down, &separation, 1.0) - 0.09).abs() < 1e-9);
    }

    #[test]
    fn a_step_of_any_length_may_begin() {
        let (x, _) = sample(&mut Random(63), 8);
        for length in [1.0, 1e6, 1e12, 1e20, 1e100] {
            let down = [-length * Point::z(), Point::zeros(), Point::zeros(), Point::zeros()];
            let t = point_triangle(&x, &down, &Separation::default(), 1.0);
            let left = x[0].z - t * length;
            assert!((1e-5..1.2e-5).contains(&left), "{length}: {left}");
        }
    }

    #[test]
    fn what_touches_already_or_is_not_a_number_does_not_move() {
        let (mut x, dx) = sample(&mut Random(64), 8);
        x[0].z = 0.0;
        assert_eq!(point_triangle(&x, &dx, &Separation::default(), 1.0), 0.0);
        assert_eq!(point_triangle(&x, &[Point::zeros(); 4], &Separation::default(), 1.0), 1.0);
        x[0].z = f64::NAN;
        assert_eq!(point_triangle(&x, &dx, &Separation::default(), 1.0), 0.0);
        x[0].z = 1.0;
        assert_eq!(point_triangle(&x, &[Point::new(0.0, 0.0, f64::NAN); 4], &Separation::default(), 1.0), 0.0);
    }

    #[test]
    fn points_and_edges_without_triangles_keep_apart_too() {
        let mut random = Random(65);
        let separation = Separation::default();
        for _ in 0..20_000 {
            let ([p, a, b, _], [dp, da, db, _]) = sample(&mut random, 0);
            // Straight at each other
            let dp = dp + 2.0 * (a.lerp(&b, 0.4) - p);
            let t = point_edge(&[p, a, b], &[dp, da, db], &separation, 1.0);
            let s = point_point(&[p, a], &[a - p, p - a], &separation, 1.0);
            assert!((s - 0.45).abs() < 1e-12);
            let start = point_edge::closest(&p, &a, &b).between.norm();
            for k in 0..=50 {
                let t = t * k as f64 / 50.0;
                let d = point_edge::closest(&(p + t * dp), &(a + t * da), &(b + t * db)).between.norm();
                assert!(d >= 0.1 * start - 1e-14);
            }
        }
    }
}
