//! What this project is about: the energy the user wants, the α that meets it, and the books that show where each joule went.

pub mod alpha;
pub mod by_body;
pub mod curve_file;
pub mod ledger;
pub mod target;
mod target_text;

pub use alpha::{Alpha, AlphaInterval, AlphaOutcome, AlphaRule};
pub use by_body::{BodyGoals, BodyLevel, BodyPlan};
pub use ledger::Ledger;
pub use target::{EnergyPlan, Goal, Target};
