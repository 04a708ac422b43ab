//! NumPy's .npy, version 1.0: f64 and u32, little-endian, in C order.
//!
//! <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>: magic, version, a u16 header length, a Python
//! dictionary padded so that the data start at a multiple of 64 bytes, the data.

use super::error::{At, OutputError};
use std::path::Path;

const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// An array of any shape; the last index runs fastest.
#[derive(Debug, Clone, PartialEq)]
pub struct Array<T> {
    pub shape: Vec<usize>,
    pub values: Vec<T>,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NpyError {
    #[error("not a .npy file: it begins with {begins:?}")]
    Magic { begins: String },
    #[error(".npy version {major}.{minor}; only 1.0 is read, save it again with numpy.save")]
    Version { major: u8, minor: u8 },
    #[error("the file ends after {actual} bytes where {expected} are needed; it is truncated")]
    Truncated { expected: usize, actual: usize },
    #[error("the header's {what} cannot be read: {header:?}")]
    Header { what: &'static str, header: String },
    #[error("values of type {found}; {wanted} is needed")]
    Type { found: String, wanted: &'static str },
    #[error("the array is in Fortran order; save numpy.ascontiguousarray(array)")]
    FortranOrder,
    #[error("shape {shape:?} needs {expected} bytes of data, but {actual} follow the header")]
    Length { shape: Vec<usize>, expected: u128, actual: usize },
}

/// A number that can be stored.
pub trait Element: Copy {
    const TYPE: &'static str;
    const SIZE: usize;
    fn put(self, out: &mut Vec<u8>);
    /// From exactly `SIZE` bytes.
    fn get(bytes: &[u8]) -> Self;
}

macro_rules! element {
    ($t:ty, $name:literal) => {
        impl Element for $t {
            const TYPE: &'static str = $name;
            const SIZE: usize = size_of::<$t>();

            fn put(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            fn get(bytes: &[u8]) -> Self {
                Self::from_le_bytes(std::array::from_fn(|i| bytes[i]))
            }
        }
    };
}
element!(f64, "<f8");
element!(u32, "<u4");

/// The bytes of a file whose values are the parts one after the other; panics if they do not fill the shape.
pub fn encode<T: Element>(shape: &[usize], parts: &[&[T]]) -> Vec<u8> {
    let count: usize = parts.iter().map(|part| part.len()).sum();
    assert_eq!(count, shape.iter().product::<usize>(), "the values fill the shape {shape:?}");
    let mut out = header::<T>(shape);
    out.reserve(count * T::SIZE);
    parts.iter().flat_map(|part| part.iter()).for_each(|value| value.put(&mut out));
    out
}

/// What stands before the values.
pub fn header<T: Element>(shape: &[usize]) -> Vec<u8> {
    let sizes: Vec<String> = shape.iter().map(|n| n.to_string()).collect();
    // Python's tuple of one has a comma.
    let comma = if sizes.len() == 1 { "," } else { "" };
    let mut header =
        format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{comma}), }}", T::TYPE, sizes.join(", "));
    let padding = 63 - (10 + header.len()) % 64;
    header.extend(std::iter::repeat_n(' ', padding));
    header.push('\n');
    let mut out = Vec::with_capacity(10 + header.len());
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&[1, 0]);
    out.extend_from_slice(&(header.len() as u16).to_le_bytes());
    out.extend_from_slice(header.as_bytes());
    out
}

/// Reads the bytes of a file; what the header says must be what follows it.
pub fn decode<T: Element>(bytes: &[u8]) -> Result<Array<T>, NpyError> {
    if !bytes.starts_with(MAGIC) {
        if MAGIC.starts_with(bytes) {
            return Err(NpyError::Truncated { expected: 10, actual: bytes.len() });
        }
        let begins = String::from_utf8_lossy(&bytes[..bytes.len().min(8)]).into_owned();
        return Err(NpyError::Magic { begins });
    }
    let &[major, minor, low, high] = bytes[6..].first_chunk().ok_or(truncated(10, bytes))?;
    if (major, minor) != (1, 0) {
        return Err(NpyError::Version { major, minor });
    }
    let start = 10 + usize::from(u16::from_le_bytes([low, high]));
    let header = bytes.get(10..start).ok_or(truncated(start, bytes))?;
    let Header { element, fortran, shape } = parse_header(&String::from_utf8_lossy(header))?;
    if element != T::TYPE {
        return Err(NpyError::Type { found: element, wanted: T::TYPE });
    }
    if fortran {
        return Err(NpyError::FortranOrder);
    }
    let data = &bytes[start..];
    // Saturated, a lying shape cannot match any length.
    let expected = shape.iter().fold(T::SIZE as u128, |n, &size| n.saturating_mul(size as u128));
    if expected != data.len() as u128 {
        return Err(NpyError::Length { shape, expected, actual: data.len() });
    }
    Ok(Array { shape, values: data.chunks_exact(T::SIZE).map(T::get).collect() })
}

pub fn read<T: Element>(path: &Path) -> Result<Array<T>, OutputError> {
    decode(&std::fs::read(path).at(path)?).map_err(|error| OutputError::Npy { path: path.to_owned(), error })
}

fn truncated(expected: usize, bytes: &[u8]) -> NpyError {
    NpyError::Truncated { expected, actual: bytes.len() }
}

struct Header {
    element: String,
    fortran: bool,
    shape: Vec<usize>,
}

fn parse_header(text: &str) -> Result<Header, NpyError> {
    let wrong = |what| NpyError::Header { what, header: text.trim().chars().take(120).collect() };
    let inner = text.trim().strip_prefix('{').and_then(|t| t.strip_suffix('}')).ok_or_else(|| wrong("dictionary"))?;
    let (mut element, mut fortran, mut shape) = (None, None, None);
    let mut rest = inner.trim();
    while !rest.is_empty() {
        let (key, after) = quoted(rest).ok_or_else(|| wrong("keys"))?;
        let value = after.trim_start().strip_prefix(':').ok_or_else(|| wrong("keys"))?.trim_start();
        let known = match key {
            "descr" => quoted(value).map(|(v, tail)| (element.replace(v.to_owned()).is_none(), tail)),
            "fortran_order" => boolean(value).map(|(v, tail)| (fortran.replace(v).is_none(), tail)),
            "shape" => tuple(value).map(|(v, tail)| (shape.replace(v).is_none(), tail)),
            _ => return Err(wrong("keys")),
        };
        let tail = match (known, key) {
            (Some((true, tail)), _) => tail.trim_start(),
            (_, "descr") => return Err(wrong("descr")),
            (_, "shape") => return Err(wrong("shape")),
            _ => return Err(wrong("fortran_order")),
        };
        rest = match tail.strip_prefix(',') {
            Some(tail) => tail.trim_start(),
            None if tail.is_empty() => tail,
            None => return Err(wrong("dictionary")),
        };
    }
    match (element, fortran, shape) {
        (Some(element), Some(fortran), Some(shape)) => Ok(Header { element, fortran, shape }),
        _ => Err(wrong("keys")),
    }
}

fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| ['\'', '"'].contains(c))?;
    text[1..].split_once(quote)
}

fn boolean(text: &str) -> Option<(bool, &str)> {
    let no = text.strip_prefix("False").map(|tail| (false, tail));
    no.or_else(|| text.strip_prefix("True").map(|tail| (true, tail)))
}

fn tuple(text: &str) -> Option<(Vec<usize>, &str)> {
    let (inner, tail) = text.strip_prefix('(')?.split_once(')')?;
    let inner = inner.trim();
    let sizes = inner.strip_suffix(',').unwrap_or(inner);
    if inner.is_empty() {
        return Some((Vec::new(), tail));
    }
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    let sizes: Option<Vec<usize>> =
        sizes.split(',').map(|s| s.trim().parse().ok().filter(|_| digits(s.trim()))).collect();
    // (3) is a number in Python, (3,) a tuple.
    sizes.filter(|_| inner.contains(',')).map(|sizes| (sizes, tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_reads_back_bit_for_bit() {
        let odd = [f64::NAN, -0.0, f64::MIN_POSITIVE / 4.0, f64::INFINITY, 1.0 / 3.0, 1e300];
        for shape in [vec![6], vec![2, 3], vec![1, 2, 3], vec![6, 1, 1, 1]] {
            let bytes = encode(&shape, &[&odd[..2], &odd[2..]]);
            let array = decode::<f64>(&bytes).unwrap();
            assert_eq!(array.shape, shape);
            assert!(array.values.iter().zip(&odd).all(|(a, b)| a.to_bits() == b.to_bits()));
            assert_eq!((bytes.len() - 48) % 64, 0, "the data are aligned");
        }
        assert_eq!(decode::<u32>(&encode(&[], &[&[u32::MAX]])).unwrap().values, [u32::MAX]);
        assert_eq!(decode::<u32>(&encode::<u32>(&[0, 4], &[])).unwrap().shape, [0, 4]);
    }

    #[test]
    fn truncation_anywhere_is_an_error() {
        let whole = encode(&[2, 1, 3], &[&[1.0; 6]]);
        for length in 0..whole.len() {
            assert!(decode::<f64>(&whole[..length]).is_err(), "{length}");
        }
        assert!(matches!(decode::<f64>(&whole[..100]), Err(NpyError::Truncated { expected: 128, actual: 100 })));
        assert!(decode::<f64>(&[whole, vec![0]].concat()).is_err(), "nor may anything follow");
    }

    #[test]
    fn lying_headers_are_refused() {
        let with = |header: &str| {
            let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
            bytes.extend((header.len() as u16).to_le_bytes());
            bytes.extend(header.bytes());
            bytes.extend([0; 48]);
            decode::<f64>(&bytes)
        };
        assert_eq!(with("{ \"shape\":(2,3) ,'fortran_order': False,'descr':'<f8'}\n").unwrap().shape, [2, 3]);
        assert_eq!(with("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }"), Err(NpyError::FortranOrder));
        assert!(matches!(
            with("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 6), }"),
            Err(NpyError::Type { .. })
        ));
        let shapes = ["(2, 2)", "(3)", "(6", "(-6,)", "(+6,)", "(,)", "(6.0,)", "6", "('6',)", "(2,,3)"];
        let huge = ["(18446744073709551615, 18446744073709551615, 18446744073709551615)", "(99999999999999999999,)"];
        for shape in shapes.iter().chain(&huge) {
            let result = with(&format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}"));
            assert!(matches!(result, Err(NpyError::Length { .. } | NpyError::Header { .. })), "{shape}: {result:?}");
        }
        for header in [
            "",
            "{}",
            "{'descr': '<f8'}",
            "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (6,)}",
            "{'é': 1}",
            "{'descr'}",
            "{'descr': é",
            "{'descr': 'é",
            "{'descr': '<f8' 'fortran_order': False, 'shape': (6,)}",
        ] {
            assert!(matches!(with(header), Err(NpyError::Header { .. })), "{header}");
        }
        assert!(matches!(decode::<f64>(b"PK\x03\x04 a zip file"), Err(NpyError::Magic { .. })));
        assert!(matches!(decode::<f64>(b"\x93NUMPY\x02\x00\x00\x00\x00\x00"), Err(NpyError::Version { major: 2, .. })));
    }
}
