//! Text before it is drawn: its pieces, its width and its lines.
//!
//! `m s^-2` raises an exponent, `x^{n+1}` a group; `E_{0}` lowers an index.
use super::font;

/// A part of a text on one level.
#[derive(Debug, PartialEq)]
pub(super) struct Piece {
    pub text: String,
    pub level: Level,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Base,
    Raised,
    Lowered,
}

impl Level {
    /// Size against the text it stands on.
    pub fn scale(self) -> f64 {
        if self == Level::Base { 1.0 } else { 0.72 }
    }

    /// Downwards, as part of the font size.
    pub fn shift(self) -> f64 {
        match self {
            Level::Base => 0.0,
            Level::Raised => -0.36,
            Level::Lowered => 0.2,
        }
    }
}

/// `m s^-2` is `m s` and a raised `−2`; `E_{0}` an `E` and a lowered `0`.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    // The light font lacks the double bar, and the other font's is too heavy beside it.
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
                pieces.push(Piece { text: std::mem::take(&mut plain), level: Level::Base });
                pieces.push(Piece { text: inner.replace('-', "−"), level });
                rest = tail;
            }
            None => {
                plain.push(c);
                rest = after;
            }
        }
    }
    pieces.push(Piece { text: plain, level: Level::Base });
    pieces.retain(|piece| !piece.text.is_empty());
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

/// Width `[px]` at this font size, near enough for a browser's fonts too.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let ems: f64 = pieces(text).iter().map(|piece| piece.level.scale() * font::width(&piece.text)).sum();
    ems * size
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_lines_fit_and_lose_no_word() {
        let text = "energy of the block as the step grows, for six integrators";
        let lines = wrap(text, 12.0, 120.0);
        assert!(lines.len() > 2 && lines.iter().all(|line| width(line, 12.0) <= 120.0));
        assert_eq!(lines.join(" "), text);
    }

    #[test]
    fn a_fitted_text_is_as_wide_as_its_room() {
        let text = "error ‖x − x^{*}‖ [m s^-2]";
        let size = fitting_size(text, 30.0, 100.0);
        assert!((width(text, size) - 100.0).abs() < 1e-9 && size > 7.0);
        assert_eq!(fitting_size(text, 12.0, 1e4), 12.0);
    }
}
