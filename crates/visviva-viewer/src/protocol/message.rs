//! A binary message: sixteen bytes that say what it answers and what it holds, then numbers, little-endian.

use bytes_of::LittleEndian;

/// What a message holds; the page knows them by these numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Mesh = 1,
    Frame = 2,
    Contacts = 3,
    Field = 4,
    Tets = 5,
}

#[derive(Debug, Clone)]
pub struct Message {
    bytes: Vec<u8>,
}

impl Message {
    /// `a` and `b` mean something else for each kind; `size` is what will follow, in bytes.
    pub fn new(id: u32, kind: Kind, a: usize, b: usize, size: usize) -> Self {
        let mut message = Self { bytes: Vec::with_capacity(16 + size + 3) };
        message.put(&[id, kind as u32, a as u32, b as u32]);
        message
    }

    pub fn put<T: LittleEndian>(&mut self, numbers: &[T]) {
        numbers.iter().for_each(|number| number.append_to(&mut self.bytes));
    }

    /// Filled up to a multiple of four: so many can lie one after the other.
    pub fn finish(mut self) -> Vec<u8> {
        let length = self.bytes.len().next_multiple_of(4);
        self.bytes.resize(length, 0);
        self.bytes
    }
}

mod bytes_of {
    pub trait LittleEndian: Copy {
        fn append_to(self, bytes: &mut Vec<u8>);
    }

    macro_rules! little_endian {
        ($($number:ty),*) => {
            $(impl LittleEndian for $number {
                fn append_to(self, bytes: &mut Vec<u8>) {
                    bytes.extend_from_slice(&self.to_le_bytes());
                }
            })*
        };
    }

    little_endian!(u16, u32, f32, f64);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_begins_with_what_it_answers_and_ends_on_four_bytes() {
        let mut message = Message::new(7, Kind::Frame, 3, 16, 2);
        message.put(&[0x1234u16]);
        let bytes = message.finish();
        assert_eq!(bytes, [7, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 16, 0, 0, 0, 0x34, 0x12, 0, 0]);
    }
}
