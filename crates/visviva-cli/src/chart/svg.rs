//! A plain SVG writer: the few shapes a figure needs, the same bytes for the same figure.
use super::palette::{Colour, Dash, Marker};
use super::text;
use std::fmt::Write;

pub(crate) const INK: &str = "#262626";
pub(crate) const SOFT_INK: &str = "#5f5f5f";
/// Ubuntu is drawn from the fonts carried along; a browser takes the first of these it has.
const FAMILIES: &str = "Ubuntu, Ubuntu Light, Helvetica, Arial, sans-serif";

#[derive(Debug)]
pub(crate) struct Svg {
    out: String,
}

/// A line of text; `turn` is in degrees about its anchor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Label<'a> {
    pub text: &'a str,
    pub at: (f64, f64),
    pub size: f64,
    /// `start`, `middle` or `end`.
    pub anchor: &'a str,
    pub fill: &'a str,
    pub bold: bool,
    pub turn: f64,
}

impl<'a> Label<'a> {
    pub fn new(text: &'a str, at: (f64, f64), size: f64, anchor: &'a str) -> Self {
        Label { text, at, size, anchor, fill: INK, bold: false, turn: 0.0 }
    }
}

/// A tenth of a pixel, without trailing zero or negative zero.
pub(crate) fn px(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    let (sign, whole, part) = (if tenths < 0 { "-" } else { "" }, tenths.abs() / 10, tenths.abs() % 10);
    if part == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
}

impl Svg {
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        let (w, h) = (px(width), px(height));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             font-family=\"{FAMILIES}\">\n"
        );
        if !title.is_empty() {
            let _ = writeln!(out, "<title>{}</title>", text::escaped(title));
        }
        let _ = writeln!(out, "<rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>");
        Svg { out }
    }

    /// Without paper, to be laid over a picture.
    pub fn overlay(width: f64, height: f64) -> Self {
        let (w, h) = (px(width), px(height));
        let size = format!("width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\"");
        Svg { out: format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {size} font-family=\"{FAMILIES}\">\n") }
    }

    pub fn finish(mut self) -> String {
        self.out += "</svg>\n";
        self.out
    }

    pub fn raw(&mut self, markup: &str) {
        self.out += markup;
        self.out.push('\n');
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: &str, width: f64) {
        let d = format!("M{} {}L{} {}", px(from.0), px(from.1), px(to.0), px(to.1));
        self.raw(&format!("<path d=\"{d}\" stroke=\"{stroke}\" stroke-width=\"{width}\"/>"));
    }

    pub fn rect(&mut self, corner: (f64, f64), size: (f64, f64), fill: Colour, opacity: f64) {
        let (x, y, w, h) = (px(corner.0), px(corner.1), px(size.0), px(size.1));
        let opacity = opacity_attribute("fill-opacity", opacity);
        self.raw(&format!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"{fill}\"{opacity}/>"));
    }

    /// Connected points, one stroke for all runs.
    pub fn strokes(&mut self, runs: &[Vec<(f64, f64)>], colour: Colour, dash: Dash, width: f64, opacity: f64) {
        let mut d = String::new();
        for run in runs {
            for (k, p) in run.iter().enumerate() {
                let _ = write!(d, "{}{} {}", ["M", "L"][(k > 0) as usize], px(p.0), px(p.1));
            }
            // A lone point shows as a dot, thanks to the round cap.
            if run.len() == 1 {
                d += "h0";
            }
        }
        if d.is_empty() {
            return;
        }
        let lengths = dash.pattern(width).iter().map(|&l| px(l)).collect::<Vec<_>>().join(" ");
        let cap = if lengths.is_empty() { "round" } else { "butt" };
        let dashes = if lengths.is_empty() { lengths } else { format!(" stroke-dasharray=\"{lengths}\"") };
        let opacity = opacity_attribute("stroke-opacity", opacity);
        self.raw(&format!(
            "<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" \
             stroke-linecap=\"{cap}\"{dashes}{opacity}/>"
        ));
    }

    /// Markers with a thin white rim, all in one path.
    pub fn markers(&mut self, places: &[(f64, f64)], shape: Marker, colour: Colour, opacity: f64) {
        let outline = match shape {
            Marker::Circle => "m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z",
            Marker::Square => "m-2.9-2.9h5.8v5.8h-5.8z",
            Marker::Triangle => "m0-4l3.7 6.4h-7.4z",
            Marker::Diamond => "m0-4.2l3.6 4.2l-3.6 4.2l-3.6-4.2z",
        };
        let d: String = places.iter().map(|p| format!("M{} {}{outline}", px(p.0), px(p.1))).collect();
        if !d.is_empty() {
            let opacity = opacity_attribute("fill-opacity", opacity);
            self.raw(&format!("<path d=\"{d}\" fill=\"{colour}\" stroke=\"#ffffff\" stroke-width=\"0.6\"{opacity}/>"));
        }
    }

    pub fn text(&mut self, label: Label) {
        if label.text.is_empty() {
            return;
        }
        let (x, y) = (px(label.at.0), px(label.at.1));
        let turn = if label.turn == 0.0 {
            String::new()
        } else {
            format!(" transform=\"rotate({} {x} {y})\"", px(label.turn))
        };
        // A hairline of its own colour: the font is a light one.
        let weight = label.size * if label.bold { 0.05 } else { 0.012 };
        self.raw(&format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{:.2}\" text-anchor=\"{}\" fill=\"{2}\" stroke=\"{2}\" \
             stroke-width=\"{weight:.2}\"{turn}>{3}</text>",
            label.size,
            label.anchor,
            label.fill,
            text::markup(label.text, label.size),
        ));
    }
}

fn opacity_attribute(name: &str, opacity: f64) -> String {
    if opacity >= 1.0 { String::new() } else { format!(" {name}=\"{:.2}\"", opacity.max(0.0)) }
}
