//! Measures by name: `noise`, `total.last`, `ball.z.max`, `ball.rebound.1`, `drum.2-1.last`.

use super::MeasuredRun;
use super::bar_modes::{self, BarShape};
use super::drum::{self, ModeNumbers, mode_numbers};
use super::motion::Passage;
use super::sway::Span;
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
    /// Conjugate gradients in each of Newton's iterations
    LinearPerNewton,
    WallTime,
    /// How far it came `[s]`
    Time,
    /// 1 where a step could not be taken, otherwise 0
    Failed,
    /// Frames in which something intersects or is inverted, by exact arithmetic
    Faults,
    /// Part of the steps with an α in which it was cut to its interval
    AlphaClipped,
    /// … in which it had nothing to act on
    AlphaPowerless,
    /// A column of the statistics, over the steps
    Column {
        name: String,
        over: Over,
    },
    /// Of a body, over the frames
    Track {
        body: String,
        of: Coordinate,
        over: Over,
    },
    /// Of a body
    Body {
        body: String,
        of: BodyMeasure,
    },
    /// Kinetic energy in a mode of a clamped bar, over the frames `[J]`
    Bar {
        body: String,
        shape: BarShape,
        number: usize,
        over: Over,
    },
    /// Of a drum's mode in the first shell
    Drum {
        mode: ModeNumbers,
        of: DrumMeasure,
    },
}

/// What is one number of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyMeasure {
    /// About itself: ∫ |ω| dt / 2π
    Turns,
    /// Of all bodies of the name
    Bounces,
    /// Height after the so-manieth landing, counted from 1, as a part of the first fall; zero where it does not come to that
    Rebound(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrumMeasure {
    /// Greatest amplitude over the first fifth of the time `[m]`
    First,
    /// … over the last fifth `[m]`
    Last,
    /// Part of the kinetic energy that the mode has over the last fifth
    Share,
    /// Part of what is displaced, squared, that it has not over the last fifth
    Wrinkles,
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

/// Of a body in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coordinate {
    /// Of the mass centre `[m]`
    X,
    Y,
    Z,
    /// `[m/s]`
    Speed,
    /// Of the rigid motion that fits best `[rad/s]`
    Spin,
    /// Where the energy is `[J]`
    Translation,
    Rotation,
    Vibration,
    Height,
    /// How far the node swings that swings farthest `[m]`
    Tip,
    /// … nodes swing, a mean by mass `[m]`
    Sway,
}

const PLAIN: [(&str, Measure); 12] = [
    ("turns", Measure::Turns),
    ("noise", Measure::Noise),
    ("off_target", Measure::OffTarget),
    ("newton_iterations", Measure::NewtonIterations),
    ("unconverged", Measure::Unconverged),
    ("linear_per_newton", Measure::LinearPerNewton),
    ("wall_s", Measure::WallTime),
    ("time", Measure::Time),
    ("failed", Measure::Failed),
    ("faults", Measure::Faults),
    ("alpha_clipped", Measure::AlphaClipped),
    ("alpha_powerless", Measure::AlphaPowerless),
];
const DRUM: [(&str, DrumMeasure); 4] = [
    ("first", DrumMeasure::First),
    ("last", DrumMeasure::Last),
    ("share", DrumMeasure::Share),
    ("wrinkles", DrumMeasure::Wrinkles),
];
const BARS: [(&str, BarShape); 2] = [("bend", BarShape::Bend), ("twist", BarShape::Twist)];
const OVER: [(&str, Over); 6] = [
    ("first", Over::First),
    ("last", Over::Last),
    ("min", Over::Min),
    ("max", Over::Max),
    ("mean", Over::Mean),
    ("sum", Over::Sum),
];
const COORDINATES: [(&str, Coordinate); 11] = [
    ("x", Coordinate::X),
    ("y", Coordinate::Y),
    ("z", Coordinate::Z),
    ("speed", Coordinate::Speed),
    ("spin", Coordinate::Spin),
    ("translation", Coordinate::Translation),
    ("rotation", Coordinate::Rotation),
    ("vibration", Coordinate::Vibration),
    ("height", Coordinate::Height),
    ("tip", Coordinate::Tip),
    ("sway", Coordinate::Sway),
];

#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    #[error(
        "no measure is called `{name}`: there are {}; COLUMN.OVER of stats.csv, such as total.last; BODY.OF.OVER of a body, such as \
         ball.z.max (of: {}; over: first, last, min, max, mean, sum); BODY.turns, BODY.bounces, BODY.rebound.1; of a bar's modes \
         BODY.bend-1.mean and BODY.twist-1.mean; and of a drum's mode drum.2-1.last (or first, share, wrinkles){near}",
        PLAIN.map(|plain| plain.0).join(", "),
        COORDINATES.map(|coordinate| coordinate.0).join(", ")
    )]
    Unknown { name: String, near: String },
    #[error("{run}: there is no body `{body}`")]
    NoSuchBody { run: String, body: String },
    #[error("{run}: {problem}")]
    Drum { run: String, problem: String },
    #[error("{run}: {problem}")]
    Bar { run: String, problem: String },
    #[error(
        "{run} has {nodes} nodes and {reference} has {reference_nodes}: only runs of the same bodies can be compared"
    )]
    OtherBodies { run: String, nodes: usize, reference: String, reference_nodes: usize },
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
            if let Some((mode, of)) = name.strip_prefix("drum.").and_then(|rest| rest.split_once('.')) {
                return Some(Self::Drum { mode: mode_numbers(mode).ok()?, of: find(&DRUM, of)? });
            }
            if let Some(number) = of.strip_suffix(".rebound").zip(over.parse().ok().filter(|number| *number > 0)) {
                return Some(Self::Body { body: number.0.to_owned(), of: BodyMeasure::Rebound(number.1) });
            }
            match over {
                "turns" => return Some(Self::Body { body: of.to_owned(), of: BodyMeasure::Turns }),
                "bounces" => return Some(Self::Body { body: of.to_owned(), of: BodyMeasure::Bounces }),
                _ => {}
            }
            let over = find(&OVER, over)?;
            if let Some((body, mode)) = of.rsplit_once('.')
                && let Some((shape, number)) = mode.rsplit_once('-')
                && let Some(shape) = find(&BARS, shape)
                && let Some(number) = number.parse().ok().filter(|number| (1..=bar_modes::MOST).contains(number))
            {
                return Some(Self::Bar { body: body.to_owned(), shape, number, over });
            }
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
            Self::Body { body, of: BodyMeasure::Turns } => write!(f, "{body}.turns"),
            Self::Body { body, of: BodyMeasure::Bounces } => write!(f, "{body}.bounces"),
            Self::Body { body, of: BodyMeasure::Rebound(number) } => write!(f, "{body}.rebound.{number}"),
            Self::Bar { body, shape, number, over } => {
                write!(f, "{body}.{}-{number}.{}", name_of(&BARS, shape), name_of(&OVER, over))
            }
            Self::Drum { mode, of } => write!(f, "drum.{mode}.{}", name_of(&DRUM, of)),
            plain => f.write_str(name_of(&PLAIN, plain)),
        }
    }
}

impl Measure {
    /// Whether a body of this name, or one made from it, is meant; `*` means all.
    pub fn is_of(body: &str, name: &str) -> bool {
        body == "*" || name.strip_prefix(body).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }

    /// The body it is of, where it is of one.
    pub fn body(&self) -> Option<&str> {
        match self {
            Self::Track { body, .. } | Self::Body { body, .. } | Self::Bar { body, .. } => Some(body),
            _ => None,
        }
    }

    /// Nothing where the run has no value for it.
    pub fn of(&self, run: &MeasuredRun) -> Result<Option<f64>, MeasureError> {
        let wanted = |name: &str| self.body().is_some_and(|body| Self::is_of(body, name));
        if let Some(body) = self.body()
            && !run.has_body(wanted)?
        {
            let run = run.folder.path().display().to_string();
            return Err(MeasureError::NoSuchBody { run, body: body.to_owned() });
        }
        Ok(match self {
            Self::Turns => Some(run.turns()?),
            Self::Noise => Some(run.noise()?),
            Self::OffTarget => Some(run.off_target()),
            Self::NewtonIterations => Some(run.newton_iterations() as f64),
            Self::Unconverged => Some(run.unconverged() as f64),
            Self::LinearPerNewton => Some(run.linear_per_newton()),
            Self::WallTime => Some(run.wall_s()),
            Self::Time => Some(run.time()),
            Self::Failed => Some(f64::from(u8::from(run.has_failed()?))),
            Self::Faults => Some(run.faulty_frames()? as f64),
            Self::AlphaClipped => run.alpha_counts().part(run.alpha_counts().clipped),
            Self::AlphaPowerless => run.alpha_counts().part(run.alpha_counts().powerless),
            Self::Column { name, over } => over.all(run.stats.curve(name).into_iter().map(|point| point.1)),
            Self::Track { of: of @ (Coordinate::Tip | Coordinate::Sway), over, .. } => {
                let model = run.model()?;
                let nodes = model.bodies.iter().filter(|body| wanted(&body.name)).flat_map(|body| body.nodes.clone());
                let (sway, span) = (run.sway()?, over.span());
                Some(if *of == Coordinate::Tip {
                    sway.tip(span, nodes)
                } else {
                    sway.mean(span, &model.node_mass, nodes)
                })
            }
            Self::Track { of, over, .. } => over.all(run.passages(wanted)?.iter().map(|passage| of.value(passage))),
            Self::Body { of: BodyMeasure::Turns, .. } => Some(run.turns_of(wanted)?),
            Self::Body { of: BodyMeasure::Bounces, .. } => {
                Some(run.rebounds(wanted)?.iter().map(Vec::len).sum::<usize>() as f64)
            }
            Self::Body { of: BodyMeasure::Rebound(number), .. } => {
                let bodies = run.rebounds(wanted)?;
                let heights = bodies.iter().map(|apexes| apexes.get(number - 1).copied().unwrap_or(0.0));
                Over::Mean.all(heights)
            }
            Self::Bar { shape, number, over, .. } => over.all(run.bar_mode(wanted, *shape, *number)?.into_iter()),
            Self::Drum { mode, of } => {
                let moments = run.drum(*mode)?;
                let [first, last] = drum::first_and_last(&moments);
                Some(match of {
                    DrumMeasure::First => first,
                    DrumMeasure::Last => last,
                    DrumMeasure::Share => drum::share(&moments),
                    DrumMeasure::Wrinkles => drum::wrinkles(&moments),
                })
            }
        })
    }
}

impl Coordinate {
    fn value(self, passage: &Passage) -> f64 {
        match self {
            Self::X => passage.place.x,
            Self::Y => passage.place.y,
            Self::Z => passage.place.z,
            Self::Speed => passage.velocity.norm(),
            Self::Spin => passage.spin,
            Self::Translation => passage.motion.translation,
            Self::Rotation => passage.motion.rotation,
            Self::Vibration => passage.motion.vibration,
            Self::Height => passage.height,
            // Ways of nodes, not of a moment: `Measure::of` knows them.
            Self::Tip | Self::Sway => f64::NAN,
        }
    }
}

impl Over {
    /// What swings is looked at over a fifth of the run, or over all of it.
    fn span(self) -> Span {
        match self {
            Self::First => Span::First,
            Self::Last => Span::Last,
            Self::Min | Self::Max | Self::Mean | Self::Sum => Span::All,
        }
    }

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
        let plain = ["noise", "wall_s", "alpha_clipped", "total.last", "min_distance.min"];
        let of_bodies =
            ["ball.z.max", "net.node-0-1.speed.mean", "ball.turns", "ball.bounces", "a.b.rebound.2", "bar.tip.last"];
        for name in plain.into_iter().chain(of_bodies).chain(["drum.2-1.last", "drum.0-1.wrinkles", "bar.bend-2.mean"])
        {
            assert_eq!(name.parse::<Measure>().unwrap().to_string(), name);
        }
        for wrong in ["noize", "total", "total.end", "ball.w.max", "ball.rebound.0", "drum.2.last", ""] {
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
