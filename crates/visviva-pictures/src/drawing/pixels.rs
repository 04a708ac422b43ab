//! A drawing laid over an image.
use super::coverage::{Polygons, Window};
use super::outline::{Pen, circle, trace};
use super::{Anchor, Drawing, Edge, Label, Marker, PAPER, Point, RIM, Shape, Stroke, font, text};
use crate::colour::Colour;
use crate::image::Image;

impl Drawing {
    /// Lays the drawing over an image with its corner at a place `[px]`, `scale` pixels to one of its own.
    pub fn lay_over(&self, image: &mut Image, corner: (usize, usize), scale: f64) {
        let (left, top) = (corner.0 as f64, corner.1 as f64);
        let paper = Window { left, top, right: left + self.size.0 * scale, bottom: top + self.size.1 * scale };
        let whole = Window { left: 0.0, top: 0.0, right: image.width as f64, bottom: image.height as f64 };
        let mut canvas = Canvas { image, corner: (left, top), scale, window: whole.intersection(&paper) };
        canvas.shapes(&self.shapes);
    }
}

/// Shades between paper and ink: with sixteen a PNG is a third smaller than with all, and looks the same.
const LEVELS: f32 = 16.0;

struct Canvas<'a> {
    image: &'a mut Image,
    corner: Point,
    scale: f64,
    window: Window,
}

impl Canvas<'_> {
    fn place(&self, p: Point) -> Point {
        (self.corner.0 + self.scale * p.0, self.corner.1 + self.scale * p.1)
    }

    fn shapes(&mut self, shapes: &[Shape]) {
        for shape in shapes {
            match shape {
                Shape::Rectangle { corner, size, fill, opacity } => {
                    let mut polygons = Polygons::default();
                    let (a, b) = (self.place(*corner), self.place((corner.0 + size.0, corner.1 + size.1)));
                    polygons.add(&[a, (b.0, a.1), b, (a.0, b.1)]);
                    self.paint(polygons, *fill, *opacity);
                }
                Shape::Lines { runs, stroke } => self.lines(runs, stroke),
                Shape::Markers { places, marker, fill, opacity } => self.markers(places, *marker, *fill, *opacity),
                Shape::Text(label) => self.text(label),
                Shape::Clipped { corner, size, shapes } => {
                    let (a, b) = (self.place(*corner), self.place((corner.0 + size.0, corner.1 + size.1)));
                    let inside = Window { left: a.0, top: a.1, right: b.0, bottom: b.1 };
                    let outer = self.window;
                    self.window = outer.intersection(&inside);
                    self.shapes(shapes);
                    self.window = outer;
                }
            }
        }
    }

    fn lines(&mut self, runs: &[Vec<Point>], stroke: &Stroke) {
        let dashes: Vec<f64> = stroke.dashes.iter().map(|length| length * self.scale).collect();
        let pen = Pen { width: stroke.width * self.scale, dashes: &dashes, round: stroke.round };
        let mut polygons = Polygons::default();
        for run in runs {
            let run: Vec<Point> = run.iter().map(|&p| self.place(p)).collect();
            trace(&run, &pen, self.window, &mut polygons);
        }
        self.paint(polygons, stroke.colour, stroke.opacity);
    }

    fn markers(&mut self, places: &[Point], marker: Marker, fill: Colour, opacity: f64) {
        let (mut inside, mut rims) = (Polygons::default(), Polygons::default());
        for &place in places {
            let centre = self.place(place);
            let corners = match marker.edge() {
                Edge::Circle { radius } => circle(centre, radius * self.scale),
                Edge::Corners(corners) => {
                    corners.iter().map(|c| (centre.0 + self.scale * c.0, centre.1 + self.scale * c.1)).collect()
                }
            };
            inside.add(&corners);
            self.trace_closed(corners, RIM * self.scale, &mut rims);
        }
        self.paint(inside, fill, opacity);
        self.paint(rims, PAPER, 1.0);
    }

    fn text(&mut self, label: &Label) {
        let before = match label.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5,
            Anchor::End => 1.0,
        };
        let (sin, cos) = label.turn.to_radians().sin_cos();
        let mut start = -before * text::width(&label.text, label.size);
        let (mut inside, mut edges) = (Polygons::default(), Polygons::default());
        for piece in text::pieces(&label.text) {
            let (size, drop) = (piece.level.scale() * label.size, piece.level.shift() * label.size);
            for contour in font::contours(&piece.text) {
                let turned = |p: Point| {
                    let (x, y) = (start + size * p.0, drop + size * p.1);
                    self.place((label.at.0 + cos * x - sin * y, label.at.1 + sin * x + cos * y))
                };
                let contour: Vec<Point> = contour.into_iter().map(turned).collect();
                inside.add(&contour);
                self.trace_closed(contour, label.weight() * self.scale, &mut edges);
            }
            start += size * font::width(&piece.text);
        }
        self.paint(inside, label.fill, 1.0);
        self.paint(edges, label.fill, 1.0);
    }

    fn trace_closed(&self, mut corners: Vec<Point>, width: f64, polygons: &mut Polygons) {
        corners.extend(corners.first().copied());
        trace(&corners, &Pen { width, dashes: &[], round: true }, self.window, polygons);
    }

    fn paint(&mut self, polygons: Polygons, colour: Colour, opacity: f64) {
        let (ink, opacity, image) = (colour.rgb().map(f32::from), opacity.clamp(0.0, 1.0) as f32, &mut *self.image);
        polygons.cover(self.window, |row, first, covered| {
            let pixels = &mut image.pixels[row * image.width + first..][..covered.len()];
            for (pixel, &covered) in pixels.iter_mut().zip(covered).filter(|(_, covered)| **covered > 0.0) {
                let share = opacity * (covered.min(1.0) * LEVELS).round() / LEVELS;
                let mix = |k: usize| f32::from(pixel[k]) + share * (ink[k] - f32::from(pixel[k]));
                *pixel = [0, 1, 2].map(|k| mix(k).round() as u8);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::INK;

    fn dark(image: &Image) -> Vec<(usize, usize)> {
        let places = (0..image.pixels.len()).filter(|&k| image.pixels[k][0] < 128);
        places.map(|k| (k % image.width, k / image.width)).collect()
    }

    fn drawn(draw: impl FnOnce(&mut Drawing)) -> Image {
        let mut drawing = Drawing::new((100.0, 60.0));
        draw(&mut drawing);
        let mut image = Image::new(200, 120, [255; 3]).unwrap();
        drawing.lay_over(&mut image, (0, 0), 2.0);
        image
    }

    #[test]
    fn text_stands_at_its_anchor_and_turns_about_it() {
        for (anchor, low, high) in [(Anchor::Start, 100, 200), (Anchor::Middle, 50, 150), (Anchor::End, 0, 101)] {
            let image = drawn(|drawing| drawing.text(Label::new("HHHH", (50.0, 30.0), 12.0, anchor)));
            let inked = dark(&image);
            assert!(inked.len() > 100 && inked.iter().all(|p| p.0 >= low && p.0 <= high), "{anchor:?}");
            // Capitals stand on the baseline at 60 px and reach up by about two thirds of 24 px.
            assert!(inked.iter().all(|p| p.1 < 61 && p.1 > 40), "{anchor:?}");
            let up = Label { turn: -90.0, ..Label::new("HHHH", (50.0, 30.0), 12.0, anchor) };
            let inked = dark(&drawn(|drawing| drawing.text(up)));
            assert!(inked.iter().all(|p| p.0 < 101 && p.0 > 80), "{anchor:?} turned");
        }
    }

    #[test]
    fn raised_pieces_stand_higher_and_lowered_ones_lower() {
        let lowest = |text: &str| {
            let image = drawn(|drawing| drawing.text(Label::new(text, (50.0, 30.0), 12.0, Anchor::Start)));
            let rows: Vec<usize> = dark(&image).iter().map(|p| p.1).collect();
            (*rows.iter().min().unwrap(), *rows.iter().max().unwrap())
        };
        let (base, raised, lowered) = (lowest("H"), lowest("^{H}"), lowest("_{H}"));
        assert!(raised.0 < base.0 && raised.1 < base.1, "{raised:?} against {base:?}");
        assert!(lowered.0 > base.0 && lowered.1 > base.1, "{lowered:?} against {base:?}");
    }

    #[test]
    fn opacity_does_not_add_up_where_a_line_crosses_itself() {
        let runs = vec![vec![(10.0, 30.0), (90.0, 30.0)], vec![(50.0, 10.0), (50.0, 50.0)]];
        let stroke = Stroke { opacity: 0.5, ..Stroke::plain(Colour(0, 0, 0), 4.0) };
        let image = drawn(|drawing| drawing.lines(runs, stroke));
        let at = |x: usize, y: usize| image.pixels[y * image.width + x][0];
        assert_eq!((at(100, 60), at(40, 60), at(100, 30)), (128, 128, 128));
        assert_eq!(at(40, 30), 255);
    }

    #[test]
    fn what_is_clipped_is_seen_inside_only() {
        let image = drawn(|drawing| {
            drawing.clipped((20.0, 10.0), (30.0, 20.0), |inner| inner.rectangle((0.0, 0.0), (99.0, 59.0), INK, 1.0));
            drawing.rectangle((0.0, 50.0), (10.0, 10.0), INK, 1.0);
        });
        let inside = |p: &(usize, usize)| (40..100).contains(&p.0) && (20..60).contains(&p.1);
        assert_eq!(dark(&image).len(), 60 * 40 + 20 * 20);
        assert!(dark(&image).iter().all(|p| inside(p) || p.1 >= 100), "the clip ends with what it holds");
    }

    #[test]
    fn what_passes_the_image_is_left_out() {
        let mut drawing = Drawing::new((50.0, 50.0));
        drawing.rectangle((-10.0, -10.0), (200.0, 200.0), INK, 1.0);
        let mut image = Image::new(40, 30, [255; 3]).unwrap();
        drawing.lay_over(&mut image, (25, 20), 1.0);
        assert_eq!(dark(&image).len(), 15 * 10);
        drawing.lay_over(&mut image, (400, 300), 1.0);
        assert_eq!(dark(&image).len(), 15 * 10);
    }
}
