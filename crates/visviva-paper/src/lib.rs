//! The paper's experiments and claims: run, measured, judged.
//!
//! An [`Experiment`] is data: runs, measures, and [`Claim`]s with what they say of the measures. [`Plan`] makes runs of it, [`Cache`]
//! keeps them by what they are, [`Judge`] asks them for values and comes to a [`Verdict`], and [`report`] writes one page and one
//! JSON file. `visviva compare` uses the same for anyone's scene.

mod cache;
mod code;
mod equal_time;
mod error;
mod experiment;
mod formula;
mod judge;
mod plan;
pub mod report;
mod small_world;
mod tier;
mod values;

pub use cache::{Cache, CachedRun};
pub use error::PaperError;
pub use experiment::{Claim, Experiment, PictureSettings, RunSettings, World};
pub use formula::{Check, Wanted};
pub use judge::{Judge, Judged, Verdict, readable};
pub use plan::{Job, Options, Order, Plan, Work};
pub use tier::Tier;
