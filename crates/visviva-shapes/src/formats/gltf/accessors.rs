//! Numbers of a glTF file: an accessor looks at a part of a buffer.

use super::container;
use super::document::Document;
use crate::formats::{Place, ReadError, Scalar};
use std::borrow::Cow;
use std::path::Path;

pub(super) struct Accessors<'a> {
    pub document: &'a Document,
    pub binary: Option<&'a [u8]>,
    pub path: &'a Path,
    /// Those that were needed so far
    pub buffers: Vec<Option<Cow<'a, [u8]>>>,
    /// Of the file and these buffers `[bytes]`
    pub length: usize,
}

impl Accessors<'_> {
    /// The tuples of an accessor, as numbers: normalised integers become fractions.
    pub fn reals<const N: usize>(&mut self, number: usize) -> Result<Vec<[f64; N]>, ReadError> {
        let is_normalized = self.document.accessors.get(number).is_some_and(|accessor| accessor.normalized);
        let (scalar, bytes, stride) = self.bytes(number, N)?;
        let size = scalar.bytes();
        let real = |bytes: &[u8]| {
            let value = scalar.real(bytes, false);
            if is_normalized { fraction(scalar, value) } else { value }
        };
        let tuple = |start: &[u8]| std::array::from_fn(|k| real(&start[k * size..(k + 1) * size]));
        Ok(bytes.chunks(stride).map(tuple).collect())
    }

    pub fn indices(&mut self, number: usize) -> Result<Vec<u32>, ReadError> {
        let (scalar, bytes, stride) = self.bytes(number, 1)?;
        if !matches!(scalar, Scalar::U8 | Scalar::U16 | Scalar::U32) {
            let (expected, found) = ("indices without sign".into(), format!("{scalar:?}"));
            return Err(ReadError::Syntax { place: Place::Item("accessor", number), expected, found });
        }
        let size = scalar.bytes();
        Ok(bytes.chunks(stride).map(|start| scalar.integer(&start[..size], false) as u32).collect())
    }

    /// The number type, the bytes from the first tuple to the end of the last, and the way from each tuple to the next.
    fn bytes(&mut self, number: usize, components: usize) -> Result<(Scalar, &[u8], usize), ReadError> {
        let place = Place::Item("accessor", number);
        let document = self.document;
        let syntax = |expected: &str, found: String| ReadError::Syntax { place, expected: expected.into(), found };
        let accessor = document.accessors.get(number).ok_or_else(|| syntax("one that exists", "none".into()))?;
        let unsupported =
            |what: &str, advice: &str| Err(ReadError::Unsupported { place, what: what.into(), advice: advice.into() });
        if accessor.sparse.is_some() {
            return unsupported("a sparse accessor", "export without sparse accessors");
        }
        let Some(view_number) = accessor.buffer_view else {
            return unsupported("an accessor without a bufferView", "export without compression");
        };
        let scalar = match accessor.component_type {
            5120 => Scalar::I8,
            5121 => Scalar::U8,
            5122 => Scalar::I16,
            5123 => Scalar::U16,
            5125 => Scalar::U32,
            5126 => Scalar::F32,
            other => return Err(syntax("a componentType from 5120 to 5126", other.to_string())),
        };
        let kind = ["SCALAR", "VEC2", "VEC3"][components - 1];
        if accessor.kind != kind {
            return Err(syntax(kind, format!("{:?}", accessor.kind)));
        }
        let missing = || syntax("a bufferView that exists", view_number.to_string());
        let view = document.buffer_views.get(view_number).ok_or_else(missing)?;
        let size = components * scalar.bytes();
        let stride = view.byte_stride.unwrap_or(size);
        if stride < size {
            return Err(syntax(&format!("a byteStride of {size} at least"), stride.to_string()));
        }
        let length = accessor.count.checked_sub(1).map_or(Some(0), |gaps| gaps.checked_mul(stride)?.checked_add(size));
        let end = length.and_then(|length| accessor.byte_offset.checked_add(length));
        let bytes = self.view(view_number)?;
        let range = end.filter(|&end| end <= bytes.len()).map(|end| accessor.byte_offset.min(end)..end);
        let range = range.ok_or_else(|| {
            let needed = format!("{} tuples of {size} bytes", accessor.count);
            syntax(&needed, format!("a bufferView of {} bytes", bytes.len()))
        })?;
        Ok((scalar, &bytes[range], stride))
    }

    fn view(&mut self, number: usize) -> Result<&[u8], ReadError> {
        let view = &self.document.buffer_views[number];
        let place = Place::Item("bufferView", number);
        let syntax = |expected: &str, found: String| ReadError::Syntax { place, expected: expected.into(), found };
        let buffer = self.document.buffers.get(view.buffer);
        let buffer = buffer.ok_or_else(|| syntax("a buffer that exists", view.buffer.to_string()))?;
        if self.buffers[view.buffer].is_none() {
            let bytes = container::buffer(view.buffer, buffer, self.binary, self.path)?;
            self.length += bytes.len();
            self.buffers[view.buffer] = Some(bytes);
        }
        let bytes = self.buffers[view.buffer].as_deref().unwrap_or(&[]);
        let range = view.byte_offset..view.byte_offset.saturating_add(view.byte_length);
        let outside = || syntax(&format!("a range within its buffer of {} bytes", bytes.len()), format!("{range:?}"));
        bytes.get(range.clone()).ok_or_else(outside)
    }
}

/// A normalised integer, of which the largest means one.
fn fraction(scalar: Scalar, value: f64) -> f64 {
    match scalar {
        Scalar::I8 => (value / 127.0).max(-1.0),
        Scalar::U8 => value / 255.0,
        Scalar::I16 => (value / 32767.0).max(-1.0),
        Scalar::U16 => value / 65535.0,
        _ => value,
    }
}
