//! Text: its width, its wrapping, its escaping and its raised exponents.

/// Advance widths of Ubuntu Light from the blank on, in thousandths of the font size.
#[rustfmt::skip]
const WIDTHS: [u16; 95] = [
    228, 274, 392, 653, 564, 831, 648, 240, 310, 310, 472, 564, 246, 282, 246, 359, 564, 564, 564, 564, 564, 564, 564, 564,
    564, 564, 246, 246, 564, 564, 564, 380, 940, 641, 630, 609, 702, 555, 520, 658, 692, 248, 487, 599, 502, 865, 709, 774,
    592, 774, 618, 517, 548, 680, 624, 921, 608, 569, 560, 310, 359, 310, 564, 490, 376, 509, 583, 460, 583, 548, 376, 573,
    569, 237, 237, 495, 255, 863, 569, 582, 583, 583, 374, 428, 387, 569, 480, 775, 499, 474, 455, 319, 262, 319, 564,
];
/// Size of raised and lowered text against the text it stands on, and how far it moves.
const SMALL: f64 = 0.72;
const RAISED_BY: f64 = 0.36;
const LOWERED_BY: f64 = 0.2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Base,
    Raised,
    Lowered,
}

/// Pieces of a text: `m s^-2` is `m s` and a raised `−2`; `E_{0}` an `E` and a lowered `0`.
fn pieces(text: &str) -> Vec<(String, Level)> {
    // The font lacks the double bar, and one missing sign would set the whole label in another font.
    let text = text.replace('‖', "||");
    let mut pieces = Vec::new();
    let (mut plain, mut rest) = (String::new(), text.as_str());
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let moved = match c {
            '^' => braced(after).or_else(|| exponent(after)).map(|found| (Level::Raised, found)),
            '_' => braced(after).map(|found| (Level::Lowered, found)),
            _ => None,
        };
        match moved {
            Some((level, (inner, tail))) => {
                pieces.push((std::mem::take(&mut plain), Level::Base));
                pieces.push((inner.replace('-', "−"), level));
                rest = tail;
            }
            None => {
                plain.push(c);
                rest = after;
            }
        }
    }
    pieces.push((plain, Level::Base));
    pieces.retain(|piece| !piece.0.is_empty());
    pieces
}

fn braced(after: &str) -> Option<(&str, &str)> {
    after.strip_prefix('{')?.split_once('}')
}

/// Digits with or without a minus sign, and what follows them.
fn exponent(after: &str) -> Option<(&str, &str)> {
    let digits = after.strip_prefix('-').unwrap_or(after);
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    (count > 0).then(|| after.split_at(after.len() - digits.len() + count))
}

/// Width [px] at this font size, near enough for other fonts too.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let advance = |c: char| match (c as usize).checked_sub(32).and_then(|k| WIDTHS.get(k)) {
        Some(&thousandths) => thousandths as f64,
        None => 600.0,
    };
    let piece_width = |(piece, level): (String, Level)| {
        piece.chars().map(advance).sum::<f64>() * if level == Level::Base { 1.0 } else { SMALL }
    };
    pieces(text).into_iter().map(piece_width).sum::<f64>() * size / 1000.0
}

/// The font size, at most `size`, at which the text is no wider than `room`; never too small to read.
pub(crate) fn fitting_size(text: &str, size: f64, room: f64) -> f64 {
    (size * (room / width(text, size).max(1e-9)).min(1.0)).max(7.0)
}

/// Lines no wider than `room`, broken at blanks.
pub(crate) fn wrap(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// The inside of an SVG text element.
pub(crate) fn markup(text: &str, size: f64) -> String {
    let mut out = String::new();
    let mut height = 0.0;
    for (piece, level) in pieces(text) {
        let (new_height, small) = match level {
            Level::Base => (0.0, false),
            Level::Raised => (-RAISED_BY * size, true),
            Level::Lowered => (LOWERED_BY * size, true),
        };
        let piece = escaped(&piece);
        out += &match (new_height != height, small) {
            (_, true) => {
                let (shift, small) = (new_height - height, SMALL * size);
                format!("<tspan dy=\"{shift:.2}\" font-size=\"{small:.2}\">{piece}</tspan>")
            }
            (true, false) => format!("<tspan dy=\"{:.2}\">{piece}</tspan>", new_height - height),
            (false, false) => piece,
        };
        height = new_height;
    }
    out
}

/// Markup signs written out; characters that XML does not allow become blanks.
pub(crate) fn escaped(text: &str) -> String {
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
    fn exponents_are_raised_indices_lowered_and_lone_signs_stay() {
        assert_eq!(markup("a_1 ^ b_", 10.0), "a_1 ^ b_");
        assert_eq!(markup("E_{0}", 10.0), "E<tspan dy=\"2.00\" font-size=\"7.20\">0</tspan>");
        assert_eq!(markup("a ^ b", 10.0), "a ^ b");
        assert_eq!(markup("10^-3", 10.0), "10<tspan dy=\"-3.60\" font-size=\"7.20\">−3</tspan>");
        assert!(markup("x^{n+1} [m]", 10.0).ends_with("n+1</tspan><tspan dy=\"3.60\"> [m]</tspan>"));
    }

    #[test]
    fn wrapped_lines_fit_and_lose_no_word() {
        let text = "energy of the block as the step grows, for six integrators";
        let lines = wrap(text, 12.0, 120.0);
        assert!(lines.len() > 2 && lines.iter().all(|line| width(line, 12.0) <= 120.0));
        assert_eq!(lines.join(" "), text);
    }
}
