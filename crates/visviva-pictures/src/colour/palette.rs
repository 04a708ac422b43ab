//! Colours of bodies: M. Okabe, K. Ito, "Color Universal Design", 2008.
use super::Colour;

/// Okabe and Ito's order, black last: a body is filled, and black would hide its edges.
pub const BODY_COLOURS: [Colour; 8] = [
    Colour(0xE6, 0x9F, 0x00),
    Colour(0x56, 0xB4, 0xE9),
    Colour(0x00, 0x9E, 0x73),
    Colour(0xF0, 0xE4, 0x42),
    Colour(0x00, 0x72, 0xB2),
    Colour(0xD5, 0x5E, 0x00),
    Colour(0xCC, 0x79, 0xA7),
    Colour(0x00, 0x00, 0x00),
];

/// The colour of body `index`, starting over after eight.
pub fn body_colour(index: usize) -> Colour {
    BODY_COLOURS[index % BODY_COLOURS.len()]
}
