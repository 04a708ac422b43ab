//! A drawing as SVG: the same bytes for the same drawing.
use super::{Anchor, Drawing, Edge, Label, Marker, Point, RIM, Shape, Stroke, text};
use std::fmt::Write;

/// Ubuntu is what images are drawn with; a browser takes the first of these it has.
const FAMILIES: &str = "Ubuntu, Ubuntu Light, Helvetica, Arial, sans-serif";

impl Drawing {
    /// The drawing on white paper; `title` is what a browser tells of it.
    pub fn to_svg(&self, title: &str) -> String {
        let (w, h) = (px(self.size.0), px(self.size.1));
        let mut svg = Svg { out: String::new(), clips: 0 };
        svg.raw(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             font-family=\"{FAMILIES}\">"
        ));
        if !title.is_empty() {
            svg.raw(&format!("<title>{}</title>", escaped(title)));
        }
        svg.raw(&format!("<rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>"));
        svg.shapes(&self.shapes);
        svg.raw("</svg>");
        svg.out
    }
}

struct Svg {
    out: String,
    clips: usize,
}

impl Svg {
    fn raw(&mut self, markup: &str) {
        self.out += markup;
        self.out.push('\n');
    }

    fn shapes(&mut self, shapes: &[Shape]) {
        for shape in shapes {
            match shape {
                Shape::Rectangle { corner, size, fill, opacity } => {
                    let opacity = opacity_attribute("fill-opacity", *opacity);
                    self.raw(&format!("<rect {} fill=\"{fill}\"{opacity}/>", rectangle(*corner, *size)));
                }
                Shape::Lines { runs, stroke } => self.lines(runs, stroke),
                Shape::Markers { places, marker, fill, opacity } => {
                    let edge = marker_path(*marker);
                    let d: String = places.iter().map(|p| format!("M{} {}{edge}", px(p.0), px(p.1))).collect();
                    let opacity = opacity_attribute("fill-opacity", *opacity);
                    self.raw(&format!(
                        "<path d=\"{d}\" fill=\"{fill}\" stroke=\"#ffffff\" stroke-width=\"{RIM}\"{opacity}/>"
                    ));
                }
                Shape::Text(label) => self.text(label),
                Shape::Clipped { corner, size, shapes } => {
                    let (inside, id) = (rectangle(*corner, *size), self.clips);
                    self.clips += 1;
                    self.raw(&format!("<clipPath id=\"plot{id}\"><rect {inside}/></clipPath>"));
                    self.raw(&format!("<g clip-path=\"url(#plot{id})\">"));
                    self.shapes(shapes);
                    self.raw("</g>");
                }
            }
        }
    }

    fn lines(&mut self, runs: &[Vec<Point>], stroke: &Stroke) {
        let mut d = String::new();
        for run in runs {
            polyline(&mut d, run);
            // A lone point shows as a dot, thanks to the round cap.
            if run.len() == 1 {
                d += "h0";
            }
        }
        let Stroke { colour, width, dashes, round, opacity } = stroke;
        let look = match (round, dashes.is_empty()) {
            (true, true) => " stroke-linejoin=\"round\" stroke-linecap=\"round\"",
            (true, false) => " stroke-linejoin=\"round\" stroke-linecap=\"butt\"",
            (false, _) => "",
        };
        let lengths = dashes.iter().map(|&l| px(l)).collect::<Vec<_>>().join(" ");
        let dashes = if lengths.is_empty() { lengths } else { format!(" stroke-dasharray=\"{lengths}\"") };
        let opacity = opacity_attribute("stroke-opacity", *opacity);
        // A straight line has no inside to fill.
        let fill = if *round { " fill=\"none\"" } else { "" };
        self.raw(&format!(
            "<path d=\"{d}\"{fill} stroke=\"{colour}\" stroke-width=\"{width}\"{look}{dashes}{opacity}/>"
        ));
    }

    fn text(&mut self, label: &Label) {
        let (x, y) = (px(label.at.0), px(label.at.1));
        let turn = match label.turn {
            0.0 => String::new(),
            turn => format!(" transform=\"rotate({} {x} {y})\"", px(turn)),
        };
        let anchor = match label.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.raw(&format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{:.2}\" text-anchor=\"{anchor}\" fill=\"{2}\" stroke=\"{2}\" \
             stroke-width=\"{1:.2}\"{turn}>{3}</text>",
            label.size,
            label.weight(),
            label.fill,
            markup(&label.text, label.size),
        ));
    }
}

/// The first point, and how far it is from each to the next: half as long as the points themselves.
fn polyline(d: &mut String, points: &[Point]) {
    let mut before: Option<[i64; 2]> = None;
    for point in points {
        let here = [tenths(point.0), tenths(point.1)];
        match before {
            None => {
                let _ = write!(d, "M{} {}l", of_tenths(here[0]), of_tenths(here[1]));
            }
            Some(before) => {
                for step in [here[0] - before[0], here[1] - before[1]] {
                    // A sign parts two numbers as well as a blank does.
                    let blank = if step < 0 || d.ends_with('l') { "" } else { " " };
                    let _ = write!(d, "{blank}{}", of_tenths(step));
                }
            }
        }
        before = Some(here);
    }
    if points.len() == 1 {
        d.pop();
    }
}

/// A tenth of a pixel, without trailing zero or negative zero.
fn px(value: f64) -> String {
    of_tenths(tenths(value))
}

fn tenths(value: f64) -> i64 {
    (value * 10.0).round() as i64
}

fn of_tenths(tenths: i64) -> String {
    let (sign, whole, part) = (if tenths < 0 { "-" } else { "" }, tenths.abs() / 10, tenths.abs() % 10);
    match (whole, part) {
        (_, 0) => format!("{sign}{whole}"),
        (0, _) => format!("{sign}.{part}"),
        _ => format!("{sign}{whole}.{part}"),
    }
}

fn rectangle(corner: Point, size: Point) -> String {
    let (x, y, w, h) = (px(corner.0), px(corner.1), px(size.0), px(size.1));
    format!("x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"")
}

fn opacity_attribute(name: &str, opacity: f64) -> String {
    if opacity >= 1.0 { String::new() } else { format!(" {name}=\"{:.2}\"", opacity.max(0.0)) }
}

/// From a marker's place round its edge.
fn marker_path(marker: Marker) -> String {
    match marker.edge() {
        Edge::Circle { radius } => {
            let (r, across) = (px(radius), px(2.0 * radius));
            format!("m-{r} 0a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0-{across} 0z")
        }
        Edge::Corners(corners) => {
            let mut path = String::new();
            let mut last = (0.0, 0.0);
            for (k, corner) in corners.iter().enumerate() {
                let _ =
                    write!(path, "{}{} {}", ["m", "l"][(k > 0) as usize], px(corner.0 - last.0), px(corner.1 - last.1));
                last = *corner;
            }
            path + "z"
        }
    }
}

/// The inside of a text element.
fn markup(text: &str, size: f64) -> String {
    let mut out = String::new();
    let mut height = 0.0;
    for piece in text::pieces(text) {
        let (own, text) = (piece.level.shift() * size, escaped(&piece.text));
        let shift = own - height;
        out += &match (shift != 0.0, piece.level.scale()) {
            (false, 1.0) => text,
            (true, 1.0) => format!("<tspan dy=\"{shift:.2}\">{text}</tspan>"),
            (_, scale) => format!("<tspan dy=\"{shift:.2}\" font-size=\"{:.2}\">{text}</tspan>", scale * size),
        };
        height = own;
    }
    out
}

/// Markup signs written out; characters that XML does not allow become blanks.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_by_their_steps_and_end_where_they_should() {
        let mut d = String::new();
        polyline(&mut d, &[(10.0, 0.04), (10.46, 0.0), (9.5, 3.0), (9.5, 3.25)]);
        assert_eq!(d, "M10 0l.5 0-1 3 0 .3");
        d.clear();
        polyline(&mut d, &[(1.0, -0.5)]);
        assert_eq!(d, "M1 -.5");
    }

    #[test]
    fn exponents_are_raised_indices_lowered_and_lone_signs_stay() {
        assert_eq!(markup("a_1 ^ b_", 10.0), "a_1 ^ b_");
        assert_eq!(markup("E_{0}", 10.0), "E<tspan dy=\"2.00\" font-size=\"7.20\">0</tspan>");
        assert_eq!(markup("a ^ b", 10.0), "a ^ b");
        assert_eq!(markup("10^-3", 10.0), "10<tspan dy=\"-3.60\" font-size=\"7.20\">−3</tspan>");
        assert!(markup("x^{n+1} [m]", 10.0).ends_with("n+1</tspan><tspan dy=\"3.60\"> [m]</tspan>"));
    }
}
