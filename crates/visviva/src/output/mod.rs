//! What a run leaves behind.

pub mod whole_file;
