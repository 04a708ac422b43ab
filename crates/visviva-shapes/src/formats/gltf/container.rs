//! Where a glTF file keeps its bytes: in chunks (GLB), in `data:` URIs, or in files beside it.

use super::document::Buffer;
use crate::formats::{Place, ReadError, excerpt};
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::borrow::Cow;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

pub(super) fn is_glb(data: &[u8]) -> bool {
    data.starts_with(b"glTF")
}

/// The JSON of a GLB and its binary chunk, if it has one.
pub(super) fn chunks(data: &[u8]) -> Result<(&[u8], Option<&[u8]>), ReadError> {
    let word = |at: usize, expected: &str| match data.get(at..at + 4) {
        Some(&[a, b, c, d]) => Ok(u32::from_le_bytes([a, b, c, d])),
        _ => Err(ReadError::Truncated { place: Place::Byte(data.len()), expected: expected.into() }),
    };
    let version = word(4, "the version")?;
    if version != 2 {
        return Err(super::other_version(Place::Byte(4), &version.to_string()));
    }
    word(8, "the length of the file")?;
    let (mut json, mut binary, mut at) = (None, None, 12);
    while at < data.len() {
        let length = word(at, "the length of a chunk")? as usize;
        let kind = word(at + 4, "the type of a chunk")?;
        let chunk = data.get(at + 8..(at + 8).saturating_add(length)).ok_or_else(|| ReadError::Truncated {
            place: Place::Byte(data.len()),
            expected: format!("the end of the chunk of {length} bytes from byte {at}"),
        })?;
        match &kind.to_le_bytes() {
            b"JSON" if json.is_none() => json = Some(chunk),
            b"BIN\0" if binary.is_none() => binary = Some(chunk),
            _ => {}
        }
        at += 8 + length;
    }
    let missing = || ReadError::Truncated { place: Place::Byte(data.len()), expected: "a JSON chunk".into() };
    Ok((json.ok_or_else(missing)?, binary))
}

/// The bytes of a buffer, at least as many as it says.
pub(super) fn buffer<'a>(
    number: usize,
    buffer: &Buffer,
    binary: Option<&'a [u8]>,
    path: &Path,
) -> Result<Cow<'a, [u8]>, ReadError> {
    let place = Place::Item("buffer", number);
    let bytes = match &buffer.uri {
        Some(uri) if uri.starts_with("data:") => Cow::Owned(embedded(uri, place)?),
        Some(uri) => Cow::Owned(beside(uri, buffer.byte_length, path, place)?),
        None if number == 0 && binary.is_some() => Cow::Borrowed(binary.unwrap_or(&[])),
        None => {
            let found = "no uri, and no binary chunk in the file".into();
            return Err(ReadError::Syntax { place, expected: "its bytes".into(), found });
        }
    };
    if bytes.len() < buffer.byte_length {
        let (what, declared, actual) = ("its byteLength".into(), buffer.byte_length as u64, bytes.len() as u64);
        return Err(ReadError::Count { place, what, declared, actual });
    }
    Ok(bytes)
}

fn embedded(uri: &str, place: Place) -> Result<Vec<u8>, ReadError> {
    let wrong = |found: String| ReadError::Syntax { place, expected: "a data URI in base64".into(), found };
    let (_, text) = uri.split_once(";base64,").ok_or_else(|| wrong(format!("{:?}", excerpt(uri.as_bytes()))))?;
    LENIENT.decode(text).map_err(|error| wrong(error.to_string()))
}

fn beside(uri: &str, length: usize, path: &Path, place: Place) -> Result<Vec<u8>, ReadError> {
    let refused = |reason: String| ReadError::Beside { place, file: excerpt(uri.as_bytes()), reason };
    let name = path_of(uri).ok_or_else(|| refused("it is no path relative to the file".into()))?;
    let file = path.parent().unwrap_or(Path::new("")).join(name);
    let found = std::fs::metadata(&file).map_err(|error| refused(error.to_string()))?;
    if !found.is_file() {
        return Err(refused("it is no file".into()));
    }
    let mut bytes = Vec::new();
    let read = std::fs::File::open(&file).and_then(|file| file.take(length as u64).read_to_end(&mut bytes));
    read.map_err(|error| refused(error.to_string()))?;
    Ok(bytes)
}

/// A relative URI as a path, its `%20` and such decoded.
fn path_of(uri: &str) -> Option<PathBuf> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let code = || u8::from_str_radix(std::str::from_utf8(tail.get(..2)?).ok()?, 16).ok();
        let (byte, left) = if first == b'%' { (code()?, &tail[2..]) } else { (first, tail) };
        bytes.push(byte);
        rest = left;
    }
    let path = PathBuf::from(String::from_utf8(bytes).ok()?);
    let is_plain = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir | Component::ParentDir);
    (!uri.contains(':') && !uri.contains('\0') && path.components().all(is_plain)).then_some(path)
}
