//! Who may ask: those that know the token, from a page that this program served.

mod guard;
mod token;

pub use guard::{Guard, Refusal, site};
pub use token::Token;
