//! Letters: their advances, their kerning and their outlines, from fonts carried along, so that all machines draw alike.
use super::Point;
use std::sync::LazyLock;
use ttf_parser::gpos::{PairAdjustment, PositioningSubtable};
use ttf_parser::opentype_layout::LayoutTable;
use ttf_parser::{Face, GlyphId, OutlineBuilder, Tag};

/// Ubuntu Light, and Hack for the signs it lacks.
static FONTS: LazyLock<Vec<Font>> = LazyLock::new(|| {
    let files = [epaint_default_fonts::UBUNTU_LIGHT, epaint_default_fonts::HACK_REGULAR];
    files.iter().filter_map(|bytes| Font::read(bytes)).collect()
});

struct Font {
    face: Face<'static>,
    /// Font units to one em.
    units: f64,
    kerning: Vec<PairAdjustment<'static>>,
}

impl Font {
    fn read(bytes: &'static [u8]) -> Option<Font> {
        let face = Face::parse(bytes, 0).ok()?;
        let kerning = face.tables().gpos.and_then(kerning).unwrap_or_default();
        Some(Font { units: face.units_per_em().into(), face, kerning })
    }

    /// By how much a letter stands nearer to the one before it `[font units]`.
    fn kern(&self, first: GlyphId, second: GlyphId) -> Option<i16> {
        self.kerning.iter().find_map(|pairs| {
            let index = pairs.coverage().get(first)?;
            let (adjusted, _) = match pairs {
                PairAdjustment::Format1 { sets, .. } => sets.get(index)?.get(second)?,
                PairAdjustment::Format2 { classes, matrix, .. } => {
                    matrix.get((classes.0.get(first), classes.1.get(second)))?
                }
            };
            Some(adjusted.x_advance)
        })
    }
}

/// The pairs of the first feature `kern`: those of the other scripts are the same.
fn kerning(table: LayoutTable<'static>) -> Option<Vec<PairAdjustment<'static>>> {
    let feature = table.features.into_iter().find(|feature| feature.tag == Tag::from_bytes(b"kern"))?;
    let lookups = feature.lookup_indices.into_iter().filter_map(|index| table.lookups.get(index));
    let subtables = lookups.flat_map(|lookup| lookup.subtables.into_iter::<PositioningSubtable>());
    let pairs = subtables.filter_map(|subtable| match subtable {
        PositioningSubtable::Pair(pairs) => Some(pairs),
        _ => None,
    });
    Some(pairs.collect())
}

/// A letter's font and number, and where it starts `[em]`.
struct Placed {
    font: &'static Font,
    glyph: GlyphId,
    start: f64,
}

/// The letters of a text side by side, and its width `[em]`.
fn place(text: &str) -> (Vec<Placed>, f64) {
    let mut placed: Vec<Placed> = Vec::with_capacity(text.len());
    let mut pen = 0.0;
    for c in text.chars() {
        let of = |font: &'static Font| Some((font, font.face.glyph_index(c)?));
        // The first font's number 0 is its sign for what no font has.
        let missing = FONTS.first().map(|font| (font, GlyphId(0)));
        let Some((font, glyph)) = FONTS.iter().find_map(of).or(missing) else { continue };
        if let Some(last) = placed.last().filter(|last| std::ptr::eq(last.font, font)) {
            pen += f64::from(font.kern(last.glyph, glyph).unwrap_or(0)) / font.units;
        }
        placed.push(Placed { font, glyph, start: pen });
        pen += f64::from(font.face.glyph_hor_advance(glyph).unwrap_or(0)) / font.units;
    }
    (placed, pen)
}

/// `[em]`
pub(super) fn width(text: &str) -> f64 {
    place(text).1
}

/// The closed contours of a text `[em]`, from its start on the baseline, y downwards.
pub(super) fn contours(text: &str) -> Vec<Vec<Point>> {
    let mut all = Vec::new();
    for Placed { font, glyph, start } in place(text).0 {
        let mut pen = Pen { start, units: font.units, contours: &mut all };
        font.face.outline_glyph(glyph, &mut pen);
    }
    all
}

/// Straight pieces in place of each curve: at 64 pixels to the em none is off by a tenth.
const PIECES: usize = 8;

/// Collects a glyph's contours.
struct Pen<'a> {
    start: f64,
    units: f64,
    contours: &'a mut Vec<Vec<Point>>,
}

impl Pen<'_> {
    fn point(&self, x: f32, y: f32) -> Point {
        (self.start + f64::from(x) / self.units, -f64::from(y) / self.units)
    }

    /// A Bézier curve from the last point on, by de Casteljau's algorithm.
    fn curve<const N: usize>(&mut self, to: [Point; N]) {
        let Some(contour) = self.contours.last_mut() else { return };
        let Some(&from) = contour.last() else { return };
        for k in 1..=PIECES {
            let t = k as f64 / PIECES as f64;
            let between = |a: Point, b: Point| (a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1));
            let mut points: Vec<Point> = std::iter::once(from).chain(to).collect();
            while points.len() > 1 {
                points = points.windows(2).map(|pair| between(pair[0], pair[1])).collect();
            }
            contour.push(points[0]);
        }
    }
}

impl OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.contours.push(vec![self.point(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let point = self.point(x, y);
        if let Some(contour) = self.contours.last_mut() {
            contour.push(point);
        }
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.curve([self.point(x1, y1), self.point(x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.curve([self.point(x1, y1), self.point(x2, y2), self.point(x, y)]);
    }

    fn close(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_the_project_writes_has_a_letter_of_its_own() {
        assert_eq!(FONTS.len(), 2);
        for c in "azAZ09 −×·°±|‖≤≥≈∇∂√∞→←↑↓…–“”αβγδεζηθλμνξπρστφχψωΔΣΩℓ²³₀₁⊗".chars()
        {
            let (placed, width) = place(&c.to_string());
            assert!(placed[0].glyph != GlyphId(0) && width > 0.1, "{c}");
            assert!(c == ' ' || !contours(&c.to_string()).is_empty(), "{c}");
        }
        assert_eq!(place("\u{10ffff}").0[0].glyph, GlyphId(0), "what no font has is shown as missing");
    }

    #[test]
    fn letters_are_kerned() {
        assert!(width("AV") < width("A") + width("V") - 0.02);
        assert_eq!(width("nn"), 2.0 * width("n"));
    }
}
