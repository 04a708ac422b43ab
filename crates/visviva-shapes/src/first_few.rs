//! Long lists of indices in short messages.

use std::fmt;

/// The first three of some indices, shown as `4, 7, 9, …`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstFew {
    pub first: Vec<usize>,
    pub count: usize,
}

impl FirstFew {
    pub fn of(indices: impl IntoIterator<Item = usize>) -> Self {
        let mut all = indices.into_iter();
        let first: Vec<usize> = all.by_ref().take(3).collect();
        let count = first.len() + all.count();
        FirstFew { first, count }
    }
}

impl fmt::Display for FirstFew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: Vec<String> = self.first.iter().map(|i| i.to_string()).collect();
        write!(f, "{}{}", shown.join(", "), if self.count > self.first.len() { ", …" } else { "" })
    }
}
