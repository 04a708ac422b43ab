//! Why an ask is not answered as it stands, in words for whoever looks at the page.

use std::sync::PoisonError;
use visviva::run::OutputError;
use visviva::scene::{BuildError, LoadError};
use visviva::session::SessionError;

#[derive(Debug, thiserror::Error)]
pub enum AskError {
    #[error("there is no run `{0}` here; load the page again to see those that are")]
    NoSuchRun(String),
    #[error("there is no scene `{0}` here; `list` tells those that are")]
    NoSuchScene(String),
    #[error("there is no frame {index}: the run has {count} so far, counted from 0")]
    NoSuchFrame { index: usize, count: usize },
    #[error("there is nothing called `{0}` to colour by: there are speed, displacement and energy")]
    NoSuchField(String),
    #[error("this run did not write its contacts: run it again with run.contacts = true")]
    NoContacts,
    #[error("this run is over or goes on elsewhere, and cannot be steered from here; branch from it instead")]
    NotLive,
    #[error("{what}: {allowed}")]
    Value { what: String, allowed: String },
    #[error("{0}")]
    Words(String),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// Whoever held it before fell over; what it held may be half done.
impl<T> From<PoisonError<T>> for AskError {
    fn from(_: PoisonError<T>) -> Self {
        Self::Words("something went wrong in the program before; start `visviva view` again".to_owned())
    }
}
