//! Campaigns that the tests run a little of.

pub mod chance;
pub mod folders;
