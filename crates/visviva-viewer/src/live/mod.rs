//! Runs that go on in this process and can be steered: each has a thread of its own, which waits for no page.

mod branch;
mod live_run;
mod order;
mod parameters;
mod pilot;
mod progress;
mod start;
mod wishes;

pub use branch::branch;
pub use live_run::LiveRun;
pub use order::{Order, Reply};
pub use parameters::main_parameters;
pub use pilot::Pilot;
pub use progress::{Progress, State};
pub use start::start;
