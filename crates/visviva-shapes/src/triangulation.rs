//! Polygons cut into triangles: a fan where that is right, else ears (Meisters 1975), judged exactly in the plane that shows the
//! polygon largest.

use crate::PolygonMesh;
use nalgebra::Vector3;
use robust::{Coord, orient2d};

/// The triangles of a surface. Corners of a polygon keep their order around it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Triangulation {
    pub triangles: Vec<[u32; 3]>,
    /// Which polygon each triangle is a part of
    pub polygon_of: Vec<u32>,
}

/// Comparisons of a possible ear with another corner, per corner: hardly any outline needs as many. Beyond, the rest is cut as
/// it comes, so that the time is bounded by the corners.
const COMPARISONS: usize = 300;

impl PolygonMesh {
    /// Cuts every polygon: one of n corners gives n − 2 triangles, one that crosses itself as well.
    pub fn triangulate(&self) -> Triangulation {
        let mut all = Triangulation::default();
        for (polygon, corners) in (0..).zip(self.polygons.iter()) {
            match corners {
                [] | [_] | [_, _] => {}
                &[a, b, c] => all.triangles.push([a, b, c]),
                _ => cut(corners, &self.positions, &mut all.triangles),
            }
            all.polygon_of.resize(all.triangles.len(), polygon);
        }
        all
    }
}

fn cut(corners: &[u32], positions: &[Vector3<f64>], triangles: &mut Vec<[u32; 3]>) {
    let outline = Outline::new(corners.iter().map(|&vertex| positions[vertex as usize]).collect());
    let fan = || (1..corners.len() - 1).map(|k| [0, k, k + 1]);
    let cut = if fan().all(|[a, b, c]| outline.turn(a, b, c) > 0.0) { fan().collect() } else { outline.ears() };
    triangles.extend(cut.into_iter().map(|triangle| triangle.map(|k| corners[k])));
}

/// A polygon seen along the axis nearest to its normal, counter-clockwise.
struct Outline {
    points: Vec<Coord<f64>>,
}

impl Outline {
    fn new(corners: Vec<Vector3<f64>>) -> Self {
        // Newell's normal, about the first corner for the sake of rounding.
        let next = |k: usize| corners[(k + 1) % corners.len()] - corners[0];
        let normal: Vector3<f64> = (0..corners.len()).map(|k| (corners[k] - corners[0]).cross(&next(k))).sum();
        let axis = normal.iamax();
        let (x, y) =
            if normal[axis] < 0.0 { ((axis + 2) % 3, (axis + 1) % 3) } else { ((axis + 1) % 3, (axis + 2) % 3) };
        Self { points: corners.iter().map(|corner| Coord { x: corner[x], y: corner[y] }).collect() }
    }

    /// Positive where three corners turn left.
    fn turn(&self, a: usize, b: usize, c: usize) -> f64 {
        orient2d(self.points[a], self.points[b], self.points[c])
    }

    /// Cuts off one ear after the other.
    fn ears(&self) -> Vec<[usize; 3]> {
        let count = self.points.len();
        let mut next: Vec<usize> = (1..count).chain([0]).collect();
        let mut previous: Vec<usize> = [count - 1].into_iter().chain(0..count - 1).collect();
        // Only corners that turn right when the cutting begins can ever lie in an ear.
        let mut hollow: Vec<usize> = (0..count).filter(|&k| self.turn(previous[k], k, next[k]) <= 0.0).collect();
        hollow.sort_by(|&a, &b| self.points[a].x.total_cmp(&self.points[b].x));
        let mut is_left = vec![true; count];
        let mut budget = COMPARISONS * count;
        let mut triangles = Vec::with_capacity(count - 2);
        let (mut tip, mut passed) = (0, 0);
        while triangles.len() < count - 2 {
            let ear = [previous[tip], tip, next[tip]];
            // After a whole round without an ear the polygon crosses itself, and any corner is as good as another.
            if passed > count - triangles.len() {
                budget = 0;
            }
            if budget == 0 || self.is_ear(ear, &hollow, &is_left, &mut budget) {
                triangles.push(ear);
                is_left[tip] = false;
                next[ear[0]] = ear[2];
                previous[ear[2]] = ear[0];
                passed = 0;
                // Not the neighbour: its triangles would become ever thinner.
                tip = next[ear[2]];
            } else {
                passed += 1;
                tip = next[tip];
            }
        }
        triangles
    }

    fn is_ear(&self, ear: [usize; 3], hollow: &[usize], is_left: &[bool], budget: &mut usize) -> bool {
        let [a, b, c] = ear;
        *budget = budget.saturating_sub(1);
        if self.turn(a, b, c) <= 0.0 {
            return false;
        }
        let xs = ear.map(|k| self.points[k].x);
        let (low, high) =
            (xs.iter().copied().fold(f64::INFINITY, f64::min), xs.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        let first = hollow.partition_point(|&k| self.points[k].x < low);
        let near = hollow[first..].iter().take_while(|&&k| self.points[k].x <= high);
        for &k in near.filter(|&&k| is_left[k] && !ear.contains(&k)) {
            *budget = budget.saturating_sub(1);
            let at_corner = ear.iter().any(|&corner| self.points[corner] == self.points[k]);
            if !at_corner && self.turn(a, b, k) >= 0.0 && self.turn(b, c, k) >= 0.0 && self.turn(c, a, k) >= 0.0 {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Polygons;

    fn polygon(points: &[[f64; 3]]) -> PolygonMesh {
        let mut polygons = Polygons::default();
        polygons.push(&(0..points.len() as u32).collect::<Vec<_>>());
        PolygonMesh { positions: points.iter().map(|&p| p.into()).collect(), polygons, ..PolygonMesh::default() }
    }

    fn areas(mesh: &PolygonMesh, normal: Vector3<f64>) -> Vec<f64> {
        let corner = |vertex: u32| mesh.positions[vertex as usize];
        let area = |&[a, b, c]: &[u32; 3]| {
            0.5 * (corner(b) - corner(a)).cross(&(corner(c) - corner(a))).dot(&normal.normalize())
        };
        mesh.triangulate().triangles.iter().map(area).collect()
    }

    #[test]
    fn convex_polygons_become_fans_and_triangles_stay() {
        let square = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        let mut mesh = polygon(&square);
        mesh.polygons.push(&[0, 2, 1]);
        let cut = mesh.triangulate();
        assert_eq!(cut.triangles, [[0, 1, 2], [0, 2, 3], [0, 2, 1]]);
        assert_eq!(cut.polygon_of, [0, 0, 1]);
    }

    #[test]
    fn concave_polygons_are_covered_once_whichever_way_they_lie() {
        // A comb of four teeth, of area 8 + 4 · 3.
        let mut comb = vec![[8.0, -1.0], [8.0, 0.0]];
        for tooth in (0..4).rev().map(|k| 2.0 * f64::from(k)) {
            comb.extend([[tooth + 1.5, 0.0], [tooth + 1.5, 3.0], [tooth + 0.5, 3.0], [tooth + 0.5, 0.0]]);
        }
        comb.extend([[0.0, 0.0], [0.0, -1.0]]);
        for axis in 0..3 {
            for mirrored in [1.0, -1.0] {
                let lifted: Vec<[f64; 3]> = comb
                    .iter()
                    .map(|&[x, y]| {
                        let mut point = [0.3 * x - 0.2 * y; 3];
                        point[(axis + 1) % 3] = mirrored * x;
                        point[(axis + 2) % 3] = y;
                        point
                    })
                    .collect();
                let mut normal = Vector3::repeat(0.0);
                normal[axis] = mirrored;
                normal[(axis + 1) % 3] = -0.3;
                normal[(axis + 2) % 3] = 0.2 * mirrored;
                let areas = areas(&polygon(&lifted), normal);
                assert_eq!(areas.len(), comb.len() - 2);
                assert!(areas.iter().all(|&area| area > 1e-9), "{areas:?}");
                let seen = areas.iter().sum::<f64>() * normal.normalize()[axis].abs();
                assert!((seen - 20.0).abs() < 1e-12, "{seen}");
            }
        }
    }

    #[test]
    fn a_corner_on_a_side_makes_no_triangle_without_area() {
        let points = [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        let areas = areas(&polygon(&points), Vector3::z());
        assert!(areas.iter().all(|&area| area > 0.1), "{areas:?}");
    }

    #[test]
    fn crossed_flat_and_repeated_corners_still_give_two_triangles_less_than_corners_in_bounded_time() {
        let bow_tie = polygon(&[[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        assert_eq!(bow_tie.triangulate().triangles.len(), 2);
        let mut flat = polygon(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
        flat.polygons = Polygons::default();
        flat.polygons.push(&[0, 1, 2].repeat(20_000));
        assert_eq!(flat.triangulate().triangles.len(), 59_998);
    }
}
