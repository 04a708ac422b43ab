//! A place in a file's bytes, read as text or as binary numbers by the same calls.

use super::{Place, ReadError, excerpt};
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Text,
    Little,
    Big,
}

#[derive(Debug)]
pub struct Cursor<'a> {
    data: &'a [u8],
    pub pos: usize,
    pub encoding: Encoding,
    /// Bytes of a binary `size`: 8 or 4.
    pub size_bytes: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(data: &'a [u8]) -> Self {
        Cursor { data, pos: 0, encoding: Encoding::Text, size_bytes: 8 }
    }

    pub fn rest(&self) -> &'a [u8] {
        self.data.get(self.pos..).unwrap_or(&[])
    }

    /// Lines for text, bytes for binary. Counts the lines anew, so only errors should ask.
    pub fn place_at(&self, pos: usize) -> Place {
        match self.encoding {
            Encoding::Text => Place::Line(1 + self.data.iter().take(pos).filter(|&&b| b == b'\n').count()),
            _ => Place::Byte(pos),
        }
    }

    pub fn syntax(&self, pos: usize, expected: &str, found: impl Into<String>) -> ReadError {
        ReadError::Syntax { place: self.place_at(pos), expected: expected.into(), found: found.into() }
    }

    pub fn truncated(&self, expected: &str) -> ReadError {
        ReadError::Truncated { place: self.place_at(self.data.len()), expected: expected.into() }
    }

    /// The next line without its end, or None at the end of the file.
    pub fn line(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest();
        if rest.is_empty() {
            return None;
        }
        let length = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        self.pos += (length + 1).min(rest.len());
        Some(rest[..length].trim_ascii_end())
    }

    /// The next word on any line.
    pub fn token(&mut self, expected: &str) -> Result<&'a str, ReadError> {
        self.pos += self.rest().len() - self.rest().trim_ascii_start().len();
        self.word(expected)
    }

    /// The next word on this line: a record that lacks a number must not take the next record's.
    pub fn token_here(&mut self, expected: &str) -> Result<&'a str, ReadError> {
        self.pos += self.rest().iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count();
        if self.rest().first() == Some(&b'\n') {
            return Err(self.syntax(self.pos, expected, "the end of the line"));
        }
        self.word(expected)
    }

    fn word(&mut self, expected: &str) -> Result<&'a str, ReadError> {
        let rest = self.rest();
        let length = rest.iter().position(|b| b.is_ascii_whitespace()).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.truncated(expected));
        }
        let start = self.pos;
        self.pos += length;
        std::str::from_utf8(&rest[..length]).map_err(|_| self.syntax(start, expected, "bytes that are not text"))
    }

    pub fn parse<T: FromStr>(&mut self, expected: &str) -> Result<T, ReadError> {
        let word = self.token(expected)?;
        word.parse()
            .map_err(|_| self.syntax(self.pos - word.len(), expected, format!("{:?}", excerpt(word.as_bytes()))))
    }

    /// A number on this line.
    pub fn parse_here<T: FromStr>(&mut self, expected: &str) -> Result<T, ReadError> {
        let word = self.token_here(expected)?;
        word.parse()
            .map_err(|_| self.syntax(self.pos - word.len(), expected, format!("{:?}", excerpt(word.as_bytes()))))
    }

    /// Exactly `count` bytes, or an error before anything of that size is allocated.
    pub fn bytes(&mut self, count: usize, expected: &str) -> Result<&'a [u8], ReadError> {
        let found = self.rest().get(..count).ok_or_else(|| self.truncated(expected))?;
        self.pos += count;
        Ok(found)
    }

    fn array<const N: usize>(&mut self, expected: &str) -> Result<[u8; N], ReadError> {
        let mut little = [0; N];
        little.copy_from_slice(self.bytes(N, expected)?);
        if self.encoding == Encoding::Big {
            little.reverse();
        }
        Ok(little)
    }

    /// A 4-byte integer, or one on this line.
    pub fn int(&mut self, expected: &str) -> Result<i64, ReadError> {
        match self.encoding {
            Encoding::Text => self.parse_here(expected),
            _ => Ok(i32::from_le_bytes(self.array(expected)?) as i64),
        }
    }

    /// An integer of `size_bytes`, or one on this line.
    pub fn size(&mut self, expected: &str) -> Result<i64, ReadError> {
        match (self.encoding, self.size_bytes) {
            (Encoding::Text, _) => self.parse_here(expected),
            (_, 4) => Ok(u32::from_le_bytes(self.array(expected)?) as i64),
            _ => Ok(i64::from_le_bytes(self.array(expected)?)),
        }
    }

    /// An 8-byte float, or one on this line.
    pub fn real(&mut self, expected: &str) -> Result<f64, ReadError> {
        match self.encoding {
            Encoding::Text => self.parse_here(expected),
            _ => Ok(f64::from_le_bytes(self.array(expected)?)),
        }
    }

    /// A count that must not be negative.
    pub fn count(&self, value: i64, what: &str) -> Result<usize, ReadError> {
        usize::try_from(value).map_err(|_| self.syntax(self.pos, what, value.to_string()))
    }

    /// Starts a record: in text, moves to the next line that holds something.
    pub fn begin_record(&mut self) {
        if self.encoding == Encoding::Text {
            self.pos += self.rest().len() - self.rest().trim_ascii_start().len();
        }
    }

    /// Ends a record: in text, the line must hold no more.
    pub fn end_record(&mut self) -> Result<(), ReadError> {
        if self.encoding != Encoding::Text {
            return Ok(());
        }
        let start = self.pos;
        match self.line() {
            Some(left) if !left.trim_ascii().is_empty() => {
                Err(self.syntax(start, "the end of the line", format!("{:?}", excerpt(left.trim_ascii()))))
            }
            _ => Ok(()),
        }
    }

    /// How many records of at least `least` bytes can still follow: a lying count must not reserve memory.
    pub fn capacity(&self, count: usize, least: usize) -> usize {
        count.min(self.rest().len() / least)
    }

    /// Moves behind the next `needle`; false, and no move, when there is none.
    pub fn skip_past(&mut self, needle: &[u8]) -> bool {
        let found = self.rest().windows(needle.len()).position(|w| w == needle);
        self.pos += found.map_or(0, |at| at + needle.len());
        found.is_some()
    }
}
