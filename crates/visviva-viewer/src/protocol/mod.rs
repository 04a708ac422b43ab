//! What page and program say to each other: `PROTOCOL.md` beside this crate.

mod ask;
mod message;

pub use ask::{Ask, Asked, FrameOf, change_entry};
pub use message::{Kind, Message};
