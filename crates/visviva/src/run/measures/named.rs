//! Measures by name: `noise`, `total.last`, `ball.z.max`.

use super::MeasuredRun;
use super::motion::Passage;
use crate::readable::did_you_mean;
use crate::run::OutputError;
use crate::run::stats::COLUMNS;
use std::fmt;
use std::str::FromStr;

/// One number of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Measure {
    Turns,
    Noise,
    OffTarget,
    NewtonIterations,
    Unconverged,
    WallTime,
    /// A column of the statistics, over the steps
    Column {
        name: String,
        over: Over,
    },
    /// Of a body's mass centre, over the frames
    Track {
        body: String,
        of: Coordinate,
        over: Over,
    },
}

/// What is made of many values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    First,
    Last,
    Min,
    Max,
    Mean,
    Sum,
}

/// `[m]`, or `[m/s]` of the speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coordinate {
    X,
    Y,
    Z,
    Speed,
}

const PLAIN: [(&str, Measure); 6] = [
    ("turns", Measure::Turns),
    ("noise", Measure::Noise),
    ("off_target", Measure::OffTarget),
    ("newton_iterations", Measure::NewtonIterations),
    ("unconverged", Measure::Unconverged),
    ("wall_s", Measure::WallTime),
];
const OVER: [(&str, Over); 6] = [
    ("first", Over::First),
    ("last", Over::Last),
    ("min", Over::Min),
    ("max", Over::Max),
    ("mean", Over::Mean),
    ("sum", Over::Sum),
];
const COORDINATES: [(&str, Coordinate); 4] =
    [("x", Coordinate::X), ("y", Coordinate::Y), ("z", Coordinate::Z), ("speed", Coordinate::Speed)];

#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    #[error(
        "no measure is called `{name}`: there are {}; COLUMN.OVER of stats.csv, such as total.last; and BODY.OF.OVER of a \
         body's mass centre, such as ball.z.max (of: x, y, z, speed; over: first, last, min, max, mean, sum){near}",
        PLAIN.map(|plain| plain.0).join(", ")
    )]
    Unknown { name: String, near: String },
    #[error("{run}: there is no body `{body}`")]
    NoSuchBody { run: String, body: String },
    #[error(transparent)]
    Output(#[from] OutputError),
}

fn find<T: Clone>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|row| row.0 == name).map(|row| row.1.clone())
}

fn name_of<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> &'static str {
    table.iter().find(|row| row.1 == *value).map_or("", |row| row.0)
}

impl FromStr for Measure {
    type Err = MeasureError;

    fn from_str(name: &str) -> Result<Self, MeasureError> {
        let parts = || {
            let (of, over) = name.rsplit_once('.')?;
            let over = find(&OVER, over)?;
            if COLUMNS.contains(&of) {
                return Some(Self::Column { name: of.to_owned(), over });
            }
            let (body, of) = of.rsplit_once('.')?;
            Some(Self::Track { body: body.to_owned(), of: find(&COORDINATES, of)?, over })
        };
        find(&PLAIN, name).or_else(parts).ok_or_else(|| {
            let near = did_you_mean(name, &PLAIN.map(|plain| plain.0));
            MeasureError::Unknown { name: name.to_owned(), near }
        })
    }
}

/// As it was asked for.
impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Column { name, over } => write!(f, "{name}.{}", name_of(&OVER, over)),
            Self::Track { body, of, over } => {
                write!(f, "{body}.{}.{}", name_of(&COORDINATES, of), name_of(&OVER, over))
            }
            plain => f.write_str(name_of(&PLAIN, plain)),
        }
    }
}

impl Measure {
    /// Whether a body of this name, or one made from it, is meant.
    pub fn is_of(body: &str, name: &str) -> bool {
        name.strip_prefix(body).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }

    /// Nothing where the run has no value for it.
    pub fn of(&self, run: &MeasuredRun) -> Result<Option<f64>, MeasureError> {
        Ok(Some(match self {
            Self::Turns => run.turns()?,
            Self::Noise => run.noise()?,
            Self::OffTarget => run.off_target(),
            Self::NewtonIterations => run.newton_iterations() as f64,
            Self::Unconverged => run.unconverged() as f64,
            Self::WallTime => run.wall_s(),
            Self::Column { name, over } => return Ok(over.all(run.stats.curve(name).into_iter().map(|point| point.1))),
            Self::Track { body, of, over } => {
                let wanted = |name: &str| Self::is_of(body, name);
                if !run.has_body(wanted)? {
                    let run = run.folder.path().display().to_string();
                    return Err(MeasureError::NoSuchBody { run, body: body.clone() });
                }
                return Ok(over.all(run.passages(wanted)?.iter().map(|passage| of.value(passage))));
            }
        }))
    }
}

impl Coordinate {
    fn value(self, passage: &Passage) -> f64 {
        match self {
            Self::X => passage.place.x,
            Self::Y => passage.place.y,
            Self::Z => passage.place.z,
            Self::Speed => passage.velocity.norm(),
        }
    }
}

impl Over {
    fn all(self, values: impl Iterator<Item = f64>) -> Option<f64> {
        let values: Vec<f64> = values.collect();
        let (&first, &last) = (values.first()?, values.last()?);
        Some(match self {
            Self::First => first,
            Self::Last => last,
            Self::Min => values.iter().copied().fold(first, f64::min),
            Self::Max => values.iter().copied().fold(first, f64::max),
            Self::Mean => values.iter().sum::<f64>() / values.len() as f64,
            Self::Sum => values.iter().sum(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_read_as_they_are_written() {
        for name in ["noise", "wall_s", "total.last", "min_distance.min", "ball.z.max", "net.node-0-1.speed.mean"] {
            assert_eq!(name.parse::<Measure>().unwrap().to_string(), name);
        }
        for wrong in ["noize", "total", "total.end", "ball.w.max", ""] {
            assert!(wrong.parse::<Measure>().is_err(), "{wrong}");
        }
        assert!("noize".parse::<Measure>().unwrap_err().to_string().ends_with("did you mean `noise`?"));
    }

    #[test]
    fn a_name_means_its_copies_too() {
        assert!(Measure::is_of("die", "die") && Measure::is_of("die", "die.0-0-1") && !Measure::is_of("die", "dies"));
    }

    #[test]
    fn values_are_taken_together() {
        let all = OVER.map(|(_, over)| over.all([2.0, -1.0, 5.0].into_iter()).unwrap());
        assert_eq!(all, [2.0, 5.0, -1.0, 5.0, 2.0, 6.0]);
        assert_eq!(Over::Max.all([].into_iter()), None);
    }
}
