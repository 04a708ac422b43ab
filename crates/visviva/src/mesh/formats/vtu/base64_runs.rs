//! Base64 as VTU files use it: several padded runs may follow one another, with white space between.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Bits that a last digit has too many are passed over, as VTK does.
const ENGINE: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

/// One padded run.
pub(super) fn encode(bytes: &[u8]) -> String {
    ENGINE.encode(bytes)
}

/// Reads bytes from runs of base64; padding ends a run and the next one begins.
pub(super) struct Decoder<'a> {
    text: &'a [u8],
    ready: Vec<u8>,
}

impl<'a> Decoder<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Decoder { text, ready: Vec::new() }
    }

    /// The next `count` bytes, or None when the text ends or is no base64.
    pub fn take(&mut self, count: usize) -> Option<Vec<u8>> {
        // Four characters give at most three bytes: refuse a lying count before it costs anything.
        if count > self.ready.len() + self.text.len() / 4 * 3 {
            return None;
        }
        while self.ready.len() < count {
            self.decode(count - self.ready.len())?;
        }
        let rest = self.ready.split_off(count);
        Some(std::mem::replace(&mut self.ready, rest))
    }

    /// Decodes this many bytes, up to two more, or up to the end of a run.
    fn decode(&mut self, count: usize) -> Option<()> {
        let wanted = 4 * count.div_ceil(3);
        let mut digits = Vec::with_capacity(wanted);
        while digits.len() < wanted && !(digits.len() % 4 == 0 && digits.ends_with(b"=")) {
            let (&c, rest) = self.text.split_first()?;
            self.text = rest;
            if !c.is_ascii_whitespace() {
                digits.push(c);
            }
        }
        self.ready.extend(ENGINE.decode(digits).ok()?);
        Some(())
    }
}
