//! Many variants of one scene: planned from a sweep file, run on the cores there are or by a scheduler, gathered into one table.
//!
//! A [`Sweep`] is a plan: its points, each with its parameters, a folder and an identity. [`Sweep::run_point`] runs one of them
//! or goes on with it, from whatever process; a finished one is not run again. [`local`] runs all on this machine, [`slurm`]
//! writes what a scheduler needs, [`Table`] gathers parameters and measures, and [`figures`] draws them.

pub mod error;
pub mod figures;
pub mod identity;
pub mod keys;
pub mod local;
pub mod naming;
mod parquet_file;
mod point_run;
mod samples;
mod settings;
pub mod slurm;
mod standing;
mod sweep;
mod table;
mod values;

pub use error::SweepError;
pub use point_run::{Outcome, PointEnding, PointOptions};
pub use settings::{Method, SampleSettings, SlurmSettings, SweepSettings};
pub use standing::{Place, Standing};
pub use sweep::{Point, Sweep};
pub use table::{Cells, Column, Role, Table};
