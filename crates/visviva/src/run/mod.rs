//! What a run leaves behind.

pub mod checkpoint;
mod contacts;
mod error;
mod frames;
mod lines;
pub mod npy;
mod run_folder;
mod run_mesh;
pub mod stats;
mod verification;
pub mod whole_file;
mod wire_verification;

pub use error::OutputError;
pub use frames::{Frame, FrameInfo};
pub use run_folder::RunFolder;
pub use run_mesh::{RunBody, RunMesh};
pub use stats::{Stats, StatsRow, StatsWriter};
pub use verification::FrameFaults;
