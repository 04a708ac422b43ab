//! What a run leaves behind.

mod affine_verification;
mod body_stats;
mod built_mesh;
pub mod checkpoint;
mod contacts;
mod create;
mod error;
pub mod export;
mod frames;
mod inputs;
mod lines;
pub mod npy;
mod run_folder;
mod run_mesh;
pub mod stats;
mod verification;
pub mod whole_file;
mod wire_verification;

pub use body_stats::BodyStatsWriter;
pub use create::NewRun;
pub use error::OutputError;
pub use frames::{Frame, FrameInfo};
pub use inputs::InputFile;
pub use run_folder::RunFolder;
pub use run_mesh::{RunBody, RunMesh};
pub use stats::{Stats, StatsRow, StatsWriter};
pub use verification::FrameFaults;
