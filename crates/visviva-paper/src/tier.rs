//! How much is run: what takes minutes, or what the paper ran.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// Minutes: coarser bodies, shorter runs, longer steps of references
    #[default]
    Quick,
    /// Hours: the paper's own parameters
    Full,
}

impl Tier {
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }
}

impl std::str::FromStr for Tier {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        [Self::Quick, Self::Full]
            .into_iter()
            .find(|tier| tier.name() == name)
            .ok_or_else(|| format!("`{name}` is no tier: there are quick and full"))
    }
}
