//! Runs in a browser: a page that this program serves on loopback, to watch runs, to steer them while they go, and to keep one
//! as a single file.
//!
//! A page pulls: it asks for what it wants to show, and is told nothing unasked but that there is more. So a slow or stuck page
//! costs a run nothing, and the program holds at most one answer for each page. `PROTOCOL.md` has the words of both sides.
//!
//! ```no_run
//! use visviva_viewer::{Viewer, ViewerOptions};
//!
//! let viewer = Viewer::start(ViewerOptions::default())?;
//! viewer.show("runs/drop-a-search".as_ref())?;
//! println!("{}", viewer.address());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access;
mod connection;
mod error;
mod live;
mod page;
mod protocol;
mod replay;
mod server;
mod shelf;
mod static_page;

pub use error::AskError;
pub use live::Pilot;
pub use server::{Viewer, ViewerError, ViewerOptions};
pub use shelf::OfferedScene;
pub use static_page::{StaticPage, static_page};
