//! Whether a point lies inside a closed surface: how often a way out of it goes through, decided exactly (Shewchuk 1997).

use super::distance::Point;
use super::intersection::orient3d;

/// Ways that are tried before one meets no edge and no corner; the next direction turns by the golden angle.
const TRIES: usize = 64;

/// Whether p lies inside; the surface is closed and does not hold p itself. Not where a coordinate is not finite.
pub fn closed_surface_holds(triangles: &[[u32; 3]], x: &[Point], p: &Point) -> bool {
    let corners = || triangles.iter().map(|triangle| triangle.map(|vertex| x[vertex as usize]));
    let extent = corners().flatten().map(|corner| (corner - p).amax()).fold(0.0, f64::max);
    if !extent.is_finite() || corners().flatten().any(|corner| !corner.iter().all(|c| c.is_finite())) {
        return false;
    }
    let ways = (0..TRIES).map(|k| {
        let (turn, height) = (2.399963229728653 * k as f64, (k as f64 + 0.5) / TRIES as f64);
        let radius = (1.0 - height * height).sqrt();
        p + 4.0 * extent * Point::new(radius * turn.cos(), radius * turn.sin(), height)
    });
    let counts = ways.map(|out| corners().map(|corners| crossing(p, &out, &corners)).sum::<Option<usize>>());
    counts.flatten().next().is_some_and(|count| count % 2 == 1)
}

/// How often the way goes through the triangle; none where it meets its rim or lies in its plane.
fn crossing(p: &Point, out: &Point, [a, b, c]: &[Point; 3]) -> Option<usize> {
    let sides = [orient3d(a, b, c, p), orient3d(a, b, c, out)];
    if sides[0] * sides[1] > 0 {
        return Some(0);
    }
    let turns = [orient3d(p, out, a, b), orient3d(p, out, b, c), orient3d(p, out, c, a)];
    if turns.contains(&1) && turns.contains(&-1) {
        return Some(0);
    }
    (!turns.contains(&0) && !sides.contains(&0)).then_some(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::sampling::Random;
    use crate::mesh::generate;

    #[test]
    fn points_of_a_box_are_told_from_those_beside_it() {
        let surface = generate::cuboid(Point::new(2.0, 2.0, 2.0), [2, 2, 2]).unwrap().surface();
        let holds = |p: Point| closed_surface_holds(&surface.triangles, &surface.positions, &p);
        let mut random = Random(71);
        for _ in 0..500 {
            let p = 2.0 * random.point();
            assert_eq!(holds(p), p.amax() < 1.0, "{p}");
        }
        // Straight ways out of these meet edges and corners.
        assert!(holds(Point::zeros()) && holds(Point::new(0.5, 0.0, 0.5)));
        assert!(!holds(Point::new(0.0, 0.0, 1.0 + 1e-15)) && holds(Point::new(0.0, 0.0, 1.0 - 1e-15)));
        assert!(!holds(Point::repeat(f64::NAN)));
    }

    #[test]
    fn a_flat_surface_holds_nothing() {
        let mut surface = generate::cuboid(Point::new(2.0, 2.0, 2.0), [1, 1, 1]).unwrap().surface();
        surface.positions.iter_mut().for_each(|x| x.z = 0.0);
        assert!(!closed_surface_holds(&surface.triangles, &surface.positions, &Point::new(0.1, 0.2, 0.3)));
    }
}
