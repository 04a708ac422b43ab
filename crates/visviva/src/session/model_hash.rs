//! One number for all that is fixed about the bodies: shapes, elements, masses, materials, pins, obstacles, contact.

use crate::model::bodies::Model;
use std::fmt::{self, Write};
use xxhash_rust::xxh3::Xxh3;

struct Hashed(Xxh3);

impl Write for Hashed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

/// XXH3 of the model's debug form, which has every field and tells any two numbers apart: nothing can be forgotten.
pub fn model_hash(model: &Model) -> u64 {
    let mut hashed = Hashed(Xxh3::new());
    // Writing into a hash cannot fail.
    let _ = write!(hashed, "{model:?}");
    hashed.0.digest()
}
