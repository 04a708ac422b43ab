//! How a value goes from one keyframe to the next: a part u of the time gone, it has gone f(u) of the way.
//!
//! linear u,  ease-in u²,  ease-out 1 − (1 − u)²,  ease-in-out u²(3 − 2u),  hold 0

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Easing {
    #[default]
    Linear,
    /// Begins gently
    EaseIn,
    /// Ends gently
    EaseOut,
    /// Begins and ends gently; also called `smooth`
    #[serde(alias = "smooth")]
    EaseInOut,
    /// Stays, and jumps at the next keyframe
    Hold,
}

/// As users write them; `smooth` is `ease-in-out`.
pub const EASINGS: [(&str, Easing); 6] = [
    ("linear", Easing::Linear),
    ("ease-in", Easing::EaseIn),
    ("ease-out", Easing::EaseOut),
    ("ease-in-out", Easing::EaseInOut),
    ("smooth", Easing::EaseInOut),
    ("hold", Easing::Hold),
];

impl Easing {
    /// f(u), for u from 0 to 1
    pub fn at(self, u: f64) -> f64 {
        match self {
            Self::Linear => u,
            Self::EaseIn => u * u,
            Self::EaseOut => u * (2.0 - u),
            Self::EaseInOut => u * u * (3.0 - 2.0 * u),
            Self::Hold => 0.0,
        }
    }

    /// The largest f′
    pub fn steepest(self) -> f64 {
        match self {
            Self::Linear => 1.0,
            Self::EaseIn | Self::EaseOut => 2.0,
            Self::EaseInOut => 1.5,
            Self::Hold => f64::INFINITY,
        }
    }
}

impl std::str::FromStr for Easing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = EASINGS.iter().find(|(name, _)| *name == text).map(|(_, easing)| *easing);
        let names = EASINGS.map(|(name, _)| name).join(", ");
        found.ok_or_else(|| format!("`{text}` is no easing; there are {names}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_easing_but_hold_goes_all_the_way_and_never_back_nor_steeper_than_it_says() {
        for (name, easing) in EASINGS.into_iter().filter(|(name, _)| *name != "hold") {
            assert_eq!((easing.at(0.0), easing.at(1.0)), (0.0, 1.0), "{name}");
            for step in 0..100 {
                let rise = 100.0 * (easing.at(0.01 * f64::from(step + 1)) - easing.at(0.01 * f64::from(step)));
                assert!(rise >= 0.0 && rise <= easing.steepest() * (1.0 + 1e-12), "{name}: {rise}");
            }
        }
    }

    #[test]
    fn a_wrong_word_is_answered_with_the_right_ones() {
        let message = "bounce".parse::<Easing>().unwrap_err();
        assert!(message.contains("`bounce`") && message.contains("ease-in-out"), "{message}");
        assert_eq!("smooth".parse(), Ok(Easing::EaseInOut));
    }
}
