//! A value over time: keyframes, joined by straight lines or more gently, held before the first and after the last.

use super::easing::Easing;
use serde::{Deserialize, Serialize};

/// Time `[s]`, value, and how it goes on to the next one.
pub type Keyframe = (f64, f64, Easing);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Keyframe>", into = "Vec<Keyframe>")]
pub struct Path {
    keys: Vec<Keyframe>,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PathError {
    #[error("no keyframes: give at least one as [time, value]")]
    Empty,
    #[error("keyframe {index} ({time}, {value}) is not finite")]
    NotFinite { index: usize, time: f64, value: f64 },
    #[error(
        "keyframe {index} at t = {time} s does not come after the one before it at t = {previous} s: sort the keyframes by time"
    )]
    OutOfOrder { index: usize, time: f64, previous: f64 },
}

impl Path {
    /// (time `[s]`, value) pairs with strictly increasing times, joined by straight lines.
    pub fn new(keys: Vec<(f64, f64)>) -> Result<Self, PathError> {
        Self::eased(keys.into_iter().map(|(time, value)| (time, value, Easing::Linear)).collect())
    }

    /// Each keyframe with the way it goes on from there.
    pub fn eased(keys: Vec<Keyframe>) -> Result<Self, PathError> {
        if keys.is_empty() {
            return Err(PathError::Empty);
        }
        for (index, &(time, value, _)) in keys.iter().enumerate() {
            if !time.is_finite() || !value.is_finite() {
                return Err(PathError::NotFinite { index, time, value });
            }
            if index > 0 && time <= keys[index - 1].0 {
                return Err(PathError::OutOfOrder { index, time, previous: keys[index - 1].0 });
            }
        }
        Ok(Self { keys })
    }

    pub fn constant(value: f64) -> Self {
        Self { keys: vec![(0.0, value, Easing::Linear)] }
    }

    /// The largest rate of change, by the second
    pub fn steepest(&self) -> f64 {
        let rate = |two: &[Keyframe]| {
            let change = (two[1].1 - two[0].1).abs();
            if change > 0.0 { two[0].2.steepest() * change / (two[1].0 - two[0].0) } else { 0.0 }
        };
        self.keys.windows(2).map(rate).fold(0.0, f64::max)
    }

    pub fn at(&self, t: f64) -> f64 {
        let after = self.keys.partition_point(|&(time, ..)| time <= t);
        if after == 0 {
            return self.keys[0].1;
        }
        let (t0, y0, easing) = self.keys[after - 1];
        match self.keys.get(after) {
            None => y0,
            // As straight lines always were, to the last bit.
            Some(&(t1, y1, _)) if easing == Easing::Linear => y0 + (y1 - y0) * (t - t0) / (t1 - t0),
            Some(&(t1, y1, _)) => y0 + (y1 - y0) * easing.at((t - t0) / (t1 - t0)),
        }
    }
}

impl TryFrom<Vec<Keyframe>> for Path {
    type Error = PathError;
    fn try_from(keys: Vec<Keyframe>) -> Result<Self, PathError> {
        Self::eased(keys)
    }
}

impl From<Path> for Vec<Keyframe> {
    fn from(path: Path) -> Self {
        path.keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_joins_keyframes_by_lines_and_holds_the_ends() {
        let path = Path::new(vec![(1.0, 10.0), (2.0, 20.0), (4.0, 0.0)]).unwrap();
        for (t, expected) in [(-1.0, 10.0), (1.0, 10.0), (1.5, 15.0), (2.0, 20.0), (3.0, 10.0), (4.0, 0.0), (9.0, 0.0)]
        {
            assert_eq!(path.at(t), expected, "at {t}");
        }
    }

    #[test]
    fn a_keyframe_says_how_it_goes_on_to_the_next() {
        let keys = vec![(0.0, 8.0, Easing::EaseIn), (2.0, 4.0, Easing::Hold), (3.0, 1.0, Easing::EaseInOut)];
        let path = Path::eased(keys).unwrap();
        for (t, expected) in [(1.0, 7.0), (2.0, 4.0), (2.9, 4.0), (3.0, 1.0), (9.0, 1.0)] {
            assert_eq!(path.at(t), expected, "at {t}");
        }
        assert_eq!(Path::eased(vec![(0.0, 0.0, Easing::EaseOut), (2.0, 3.0, Easing::Hold)]).unwrap().steepest(), 3.0);
    }

    #[test]
    fn keyframes_out_of_order_are_named() {
        let error = Path::new(vec![(0.0, 1.0), (2.0, 1.0), (1.0, 1.0)]).unwrap_err();
        assert_eq!(error, PathError::OutOfOrder { index: 2, time: 1.0, previous: 2.0 });
        assert!(Path::new(vec![(0.0, f64::NAN)]).is_err());
        assert_eq!(Path::new(vec![]).unwrap_err(), PathError::Empty);
    }
}
