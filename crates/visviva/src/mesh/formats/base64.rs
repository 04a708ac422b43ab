//! Base64 (RFC 4648) as VTU files use it: several padded runs may follow one another, with white space between.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// One padded run.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| chunk.get(i).copied().unwrap_or(0) as u32;
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let digit = ALPHABET[(bits >> (18 - 6 * i) & 63) as usize] as char;
            text.push(if i <= chunk.len() { digit } else { '=' });
        }
    }
    text
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
            self.quantum()?;
        }
        let rest = self.ready.split_off(count);
        Some(std::mem::replace(&mut self.ready, rest))
    }

    fn quantum(&mut self) -> Option<()> {
        let (mut bits, mut digits, mut padding) = (0u32, 0, 0);
        while digits < 4 {
            let (&c, rest) = self.text.split_first()?;
            self.text = rest;
            let value = match c {
                b'A'..=b'Z' => c - b'A',
                b'a'..=b'z' => c - b'a' + 26,
                b'0'..=b'9' => c - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                b'=' => 0,
                _ if c.is_ascii_whitespace() => continue,
                _ => return None,
            };
            padding += (c == b'=') as usize;
            bits = bits << 6 | value as u32;
            digits += 1;
        }
        let bytes = [(bits >> 16) as u8, (bits >> 8) as u8, bits as u8];
        self.ready.extend_from_slice(&bytes[..3usize.checked_sub(padding)?]);
        Some(())
    }
}
