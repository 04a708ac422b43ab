//! Campaigns that the tests run a little of.

pub mod folders;
