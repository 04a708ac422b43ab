//! Wires to facets: a segment is a strip on the screen, as wide everywhere, and shares the depth of the triangles.
use super::facet::{Facet, NOTHING};
use crate::render::surface::Surface;
use crate::render::view::View;

/// Nearly black, so that a line of one pixel is seen on all bodies.
pub(super) const COLOUR: [u8; 3] = [0x24, 0x26, 0x2A];

/// Half the width of a wire `[px]`: 0.75 in an image 1080 high; below half a pixel it would fade.
fn half_width(height: usize) -> f64 {
    0.75 * (height as f64 / 1080.0).clamp(0.67, 4.0)
}

/// Appends the strips of a surface's wires that can be seen.
pub(crate) fn wire_facets(
    surface: &Surface,
    index: u32,
    mask: bool,
    view: &View,
    size: (usize, usize),
    out: &mut Vec<Facet>,
) {
    let half = half_width(size.1);
    for wire in &surface.wires {
        let mut ends = wire.map(|v| surface.seen[v as usize]);
        let behind = ends.map(|end| end.z < view.near);
        if behind == [true, true] {
            continue;
        }
        if behind[0] != behind[1] {
            let [a, b] = ends;
            ends[if behind[0] { 0 } else { 1 }] = a + (b - a) * ((view.near - a.z) / (b.z - a.z));
        }
        // A rod of the width drawn: its front is half of that nearer, and a surface it lies on does not cut it.
        let [a, b] = ends.map(|mut end| {
            let [x, y, _] = view.to_screen(&end);
            end.z -= half * view.pixel(end.z);
            [x, y, view.to_screen(&end)[2]]
        });
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let length = dx.hypot(dy);
        // Seen end on it is a dot.
        let (dx, dy) = if length > 1e-6 { (half * dx / length, half * dy / length) } else { (half, 0.0) };
        // Longer by half its width at both ends, so that neighbours leave no notch.
        let corner = |end: [f64; 3], along: f64, across: f64| {
            [end[0] + along * dx - across * dy, end[1] + along * dy + across * dx, end[2]]
        };
        let [p, q, r, s] = [corner(a, -1.0, -1.0), corner(b, 1.0, -1.0), corner(b, 1.0, 1.0), corner(a, -1.0, 1.0)];
        let strip = [[p, q, r], [p, r, s]].into_iter().filter_map(|corners| Facet::new(corners, size));
        out.extend(strip.map(|mut facet| {
            (facet.surface, facet.triangle, facet.mask) = (index, NOTHING, mask);
            facet
        }));
    }
}
