//! Colours: of bodies, which stay apart without colour vision, and of fields.
mod palette;
mod ramp;

pub use palette::{BODY_COLOURS, body_colour};
pub use ramp::{field_colour, oklch};

use std::fmt;

/// An sRGB colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// Mixed with white (`amount` above 0) or black (below).
    pub fn shaded(self, amount: f64) -> Colour {
        let target = if amount > 0.0 { 255.0 } else { 0.0 };
        let mix = |c: u8| (c as f64 + amount.abs().min(1.0) * (target - c as f64)).round() as u8;
        Colour(mix(self.0), mix(self.1), mix(self.2))
    }

    pub fn rgb(self) -> [u8; 3] {
        [self.0, self.1, self.2]
    }
}

/// As SVG writes it: `#d55e00`.
impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// How colours look, for tests that judge them.
#[cfg(test)]
pub(crate) mod sight {
    use super::Colour;

    pub fn linear(colour: Colour) -> [f64; 3] {
        colour.rgb().map(|c| {
            let c = c as f64 / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        })
    }

    pub fn oklab([r, g, b]: [f64; 3]) -> [f64; 3] {
        let l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b).max(0.0).cbrt();
        let m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b).max(0.0).cbrt();
        let s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b).max(0.0).cbrt();
        [
            0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
        ]
    }
}
