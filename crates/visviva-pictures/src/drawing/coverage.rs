//! From polygons to how much of each pixel they cover: the non-zero rule, on eight lines a row, exact along each line.
use super::Point;

/// Lines a pixel row.
const LINES: usize = 8;

/// A part of an image that is drawn on; its border may cut pixels `[px]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Window {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Window {
    pub fn intersection(&self, other: &Window) -> Window {
        Window {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }
}

/// Edges of closed polygons; what is wound round at all is inside.
#[derive(Debug, Default)]
pub(super) struct Polygons {
    edges: Vec<Edge>,
}

/// A side of a polygon, its upper end first.
#[derive(Debug, Clone, Copy)]
struct Edge {
    top: f64,
    bottom: f64,
    x: f64,
    slope: f64,
    /// 1 where the polygon goes down along it, −1 where it goes up.
    winding: i32,
}

impl Edge {
    fn crosses(&self, line: f64) -> bool {
        self.top <= line && line < self.bottom
    }

    fn at(&self, line: f64) -> f64 {
        self.x + self.slope * (line - self.top)
    }
}

impl Polygons {
    pub fn add(&mut self, corners: &[Point]) {
        for (k, &a) in corners.iter().enumerate() {
            let b = corners[(k + 1) % corners.len()];
            let (winding, upper, lower) = if a.1 < b.1 { (1, a, b) } else { (-1, b, a) };
            let slope = (lower.0 - upper.0) / (lower.1 - upper.1);
            if slope.is_finite() {
                self.edges.push(Edge { top: upper.1, bottom: lower.1, x: upper.0, slope, winding });
            }
        }
    }

    /// Hands each row that is touched to `paint`: its number, its first pixel and the covered part of each from there on.
    pub fn cover(mut self, window: Window, mut paint: impl FnMut(usize, usize, &[f32])) {
        self.edges.retain(|edge| edge.bottom > window.top && edge.top < window.bottom);
        self.edges.sort_by(|a, b| a.top.total_cmp(&b.top));
        let window = window.intersection(&self.bounds());
        if !(window.left < window.right && window.top < window.bottom) {
            return;
        }
        let rows = window.top.floor() as usize..window.bottom.ceil() as usize;
        let (first, last) = (window.left.floor() as usize, window.right.ceil() as usize);
        let mut covered = vec![0.0; last - first];
        let (mut next, mut active, mut crossings) = (0, Vec::new(), Vec::new());
        for row in rows {
            while next < self.edges.len() && self.edges[next].top < (row + 1) as f64 {
                active.push(self.edges[next]);
                next += 1;
            }
            active.retain(|edge| edge.bottom > row as f64);
            covered.fill(0.0);
            for k in 0..LINES {
                let line = row as f64 + (k as f64 + 0.5) / LINES as f64;
                if line < window.top || line >= window.bottom {
                    continue;
                }
                crossings.clear();
                crossings.extend(active.iter().filter(|e| e.crosses(line)).map(|e| (e.at(line), e.winding)));
                crossings.sort_by(|a: &(f64, i32), b| a.0.total_cmp(&b.0));
                let (mut winding, mut start) = (0, 0.0);
                for &(x, change) in &crossings {
                    if winding == 0 {
                        start = x;
                    }
                    winding += change;
                    if winding == 0 {
                        let (from, to) = (start.max(window.left), x.min(window.right));
                        add(&mut covered, from - first as f64, to - first as f64);
                    }
                }
            }
            paint(row, first, &covered);
        }
    }

    fn bounds(&self) -> Window {
        let (most, least) = (f64::INFINITY, f64::NEG_INFINITY);
        self.edges.iter().fold(Window { left: most, top: most, right: least, bottom: least }, |all, edge| {
            let ends = (edge.x, edge.at(edge.bottom));
            Window {
                left: all.left.min(ends.0.min(ends.1)),
                top: all.top.min(edge.top),
                right: all.right.max(ends.0.max(ends.1)),
                bottom: all.bottom.max(edge.bottom),
            }
        })
    }
}

/// Adds a line's share of each pixel between two places.
fn add(covered: &mut [f32], from: f64, to: f64) {
    if from >= to {
        return;
    }
    const SHARE: f32 = 1.0 / LINES as f32;
    let (first, last) = (from as usize, (to as usize).min(covered.len() - 1));
    if first == last {
        covered[first] += (to - from) as f32 * SHARE;
        return;
    }
    covered[first] += ((first + 1) as f64 - from) as f32 * SHARE;
    covered[first + 1..last].iter_mut().for_each(|pixel| *pixel += SHARE);
    covered[last] += (to - last as f64) as f32 * SHARE;
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Window = Window { left: 0.0, top: 0.0, right: 40.0, bottom: 30.0 };

    fn area(polygons: &[&[Point]], window: Window) -> f64 {
        let mut all = Polygons::default();
        polygons.iter().for_each(|corners| all.add(corners));
        let mut sum = 0.0;
        all.cover(window, |_, _, covered| sum += covered.iter().map(|&c| f64::from(c)).sum::<f64>());
        sum
    }

    fn square(low: f64, high: f64) -> [Point; 4] {
        [(low, low), (high, low), (high, high), (low, high)]
    }

    #[test]
    fn a_polygon_covers_its_area_wherever_it_lies_among_the_pixels() {
        // A right angle of 9.6 by 10: within half a line along its level side.
        for shift in [0.0, 0.13, 0.5, 0.77] {
            let corners = [(3.0 + shift, 4.0 + shift), (12.6 + shift, 4.0 + shift), (3.0 + shift, 14.0 + shift)];
            let found = area(&[&corners], ALL);
            assert!((found - 48.0).abs() < 0.5 * 9.6 / LINES as f64, "{found} at {shift}");
        }
    }

    #[test]
    fn overlaps_count_once_and_a_contour_turned_round_cuts_a_hole() {
        let (outer, inner) = (square(2.0, 12.0), square(4.0, 6.0));
        assert!((area(&[&outer, &inner], ALL) - 100.0).abs() < 1e-4);
        let mut hole = inner;
        hole.reverse();
        assert!((area(&[&outer, &hole], ALL) - 96.0).abs() < 1e-4);
    }

    #[test]
    fn nothing_is_drawn_outside_the_window() {
        let window = Window { left: 5.5, top: 3.0, right: 20.25, bottom: 8.0 };
        assert!((area(&[&square(-1e6, 1e6)], window) - 14.75 * 5.0).abs() < 1e-4);
        assert_eq!(area(&[&square(30.0, 39.0)], window), 0.0);
        assert_eq!(area(&[&[(f64::NAN, 1.0), (3.0, f64::INFINITY), (9.0, 9.0)]], window), 0.0);
        assert_eq!(area(&[], window), 0.0);
    }
}
