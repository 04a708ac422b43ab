//! What a run leaves behind.

mod affine_verification;
mod body_stats;
mod built_mesh;
pub mod checkpoint;
mod checkpoint_pair;
mod condition;
mod contacts;
mod create;
mod damage;
mod error;
pub mod export;
mod frames;
mod history;
mod inputs;
mod inventory;
mod kept_checkpoints;
mod lines;
mod measures;
mod mending;
pub mod npy;
mod run_folder;
mod run_mesh;
mod shown_bodies;
mod shown_frames;
mod sole_writer;
pub mod stats;
mod stats_tail;
mod verification;
pub mod whole_file;
mod wire_verification;

pub use body_stats::{BodyRow, BodyStatsWriter};
pub use condition::Condition;
pub use create::NewRun;
pub use damage::{Damage, Harm};
pub use error::OutputError;
pub use frames::{Frame, FrameInfo};
pub use history::History;
pub use inputs::InputFile;
pub use inventory::{Fingerprint, FrameRecord, Inventory};
pub use measures::{AlphaCounts, Measure, MeasureError, MeasuredRun, alpha, drum, running_mean};
pub(crate) use run_folder::RUN;
pub use run_folder::RunFolder;
pub use run_mesh::{RunBody, RunMesh};
pub use shown_bodies::ShownBody;
pub use shown_frames::{ShownFrame, evenly};
pub(crate) use sole_writer::SoleWriter;
pub use stats::{Stats, StatsRow, StatsWriter};
pub use stats_tail::StatsTail;
pub use verification::FrameFaults;

// Within a run's folder
const FRAMES: &str = "frames";
const CONTACTS: &str = "contacts";
const KEPT: &str = "checkpoints";
const TIMES: &str = "frames/times.csv";
