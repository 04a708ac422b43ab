//! Targets as a command line writes them: `decay:half_life=2`, `rest:at=2.5`, `curve:0=1:ease-in,3=0.5`.

use super::curve_file;
use super::target::{Target, TargetError};
use crate::model::path::Keyframe;
use crate::model::{Easing, Path};
use std::str::FromStr;

/// All forms, as messages list them.
pub const FORMS: &str = "conserve; decay:tau=1,ground=0 or decay:half_life=0.7, with takes=vibration of vibration alone; schedule:T=TAU,…,ground=0; \
                         rest:at=2.5,from=0,ground=0; curve:T=FRACTION,… (of the start energy) or curve:file=FILE.csv; \
                         curve-joules:T=ENERGY,…; a keyframe may go on gently (curve:0=1:ease-in,2=0), or all of them (easing=smooth)";

/// What stands after the colon.
#[derive(Default)]
struct Words<'a> {
    named: Vec<(&'a str, &'a str)>,
    /// Time, value, and what stands after the value
    timed: Vec<(f64, f64, Option<&'a str>)>,
}

const NAMES: [&str; 8] = ["tau", "half_life", "takes", "ground", "at", "from", "file", "easing"];

impl<'a> Words<'a> {
    fn read(text: &'a str) -> Result<Self, String> {
        let mut words = Self::default();
        for entry in text.split(',').filter(|entry| !entry.trim().is_empty()) {
            let (key, value) = entry.split_once('=').ok_or_else(|| format!("`{entry}` is not key=value"))?;
            let (key, value) = (key.trim(), value.trim());
            if NAMES.contains(&key) {
                words.named.push((key, value));
            } else {
                let (value, easing) = value.split_once(':').map_or((value, None), |(v, easing)| (v, Some(easing)));
                words.timed.push((number(key)?, number(value)?, easing));
            }
        }
        Ok(words)
    }

    /// Takes out a number.
    fn number(&mut self, name: &str) -> Result<Option<f64>, String> {
        self.word(name).map(number).transpose()
    }

    /// Takes out a word.
    fn word(&mut self, name: &str) -> Option<&'a str> {
        let at = self.named.iter().position(|(key, _)| *key == name)?;
        Some(self.named.remove(at).1)
    }

    /// τ, given as it is or as a half-life.
    fn tau(&mut self) -> Result<f64, String> {
        match (self.number("tau")?, self.number("half_life")?) {
            (Some(tau), None) => Ok(tau),
            (None, Some(half_life)) => Ok(half_life / std::f64::consts::LN_2),
            (Some(_), Some(_)) => Err("give tau or half_life, not both".into()),
            (None, None) => Err("tau or half_life is missing".into()),
        }
    }

    /// Takes out whether vibration alone shall lose.
    fn takes_vibration(&mut self) -> Result<bool, String> {
        match self.word("takes") {
            None | Some("all") => Ok(false),
            Some("vibration") => Ok(true),
            Some(other) => Err(format!("`takes={other}`: it takes all or vibration")),
        }
    }

    /// Takes out (time, τ) pairs.
    fn pairs(&mut self) -> Result<Vec<(f64, f64)>, String> {
        let pair = |(time, value, easing): (f64, f64, Option<&str>)| match easing {
            None => Ok((time, value)),
            Some(easing) => Err(format!("`{easing}`: only curves are eased")),
        };
        self.timed.drain(..).map(pair).collect()
    }

    /// Takes out keyframes, given here or in a file.
    fn curve(&mut self) -> Result<Path, Problem> {
        let easing = self.word("easing").map_or(Ok(Easing::Linear), Easing::from_str)?;
        let own = |text: Option<&str>| text.map_or(Ok(easing), Easing::from_str);
        let keys: Vec<Keyframe> = match self.word("file") {
            Some(_) if !self.timed.is_empty() => return Err("give keyframes or a file, not both".to_owned().into()),
            Some(file) => curve_file::read(std::path::Path::new(file), easing).map_err(TargetError::from)?,
            None => {
                let key = |(time, value, text)| own(text).map(|easing| (time, value, easing));
                self.timed.drain(..).map(key).collect::<Result<_, _>>()?
            }
        };
        Ok(Path::eased(keys).map_err(TargetError::from)?)
    }

    /// Whether all of them were of use.
    fn are_used(&self) -> Result<(), String> {
        match (self.named.first(), self.timed.first()) {
            (Some((name, _)), _) => Err(format!("`{name}` has no use here")),
            (None, Some((time, value, _))) => Err(format!("`{time}={value}` has no use here")),
            (None, None) => Ok(()),
        }
    }
}

/// A problem of the text, or one that says all itself.
enum Problem {
    Text(String),
    Whole(TargetError),
}

impl From<String> for Problem {
    fn from(problem: String) -> Self {
        Self::Text(problem)
    }
}

impl From<TargetError> for Problem {
    fn from(error: TargetError) -> Self {
        Self::Whole(error)
    }
}

fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| format!("`{text}` is not a number"))
}

fn target(kind: &str, words: &mut Words<'_>) -> Result<Target, Problem> {
    let target = match kind.trim() {
        "conserve" => Target::Conserve,
        "decay" if words.takes_vibration()? => Target::Vibration { from: vec![(0.0, words.tau()?)] },
        "schedule" if words.takes_vibration()? => Target::Vibration { from: words.pairs()? },
        "decay" => Target::Decay { tau: words.tau()?, ground: words.number("ground")?.unwrap_or(0.0) },
        "schedule" => Target::Schedule { from: words.pairs()?, ground: words.number("ground")?.unwrap_or(0.0) },
        "rest" => Target::Rest {
            at: words.number("at")?.ok_or_else(|| "at is missing, the time of rest [s]".to_owned())?,
            from: words.number("from")?.unwrap_or(0.0),
            ground: words.number("ground")?.unwrap_or(0.0),
        },
        "curve" => Target::RelativeCurve { fraction: words.curve()? },
        "curve-joules" => Target::Curve { energy: words.curve()? },
        _ => return Err("not understood".to_owned().into()),
    };
    words.are_used()?;
    target.check()?;
    Ok(target)
}

impl FromStr for Target {
    type Err = TargetError;

    /// A file of keyframes is read at once, from the current folder.
    fn from_str(text: &str) -> Result<Self, TargetError> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let parsed = Words::read(rest).map_err(Problem::from).and_then(|mut words| target(kind, &mut words));
        parsed.map_err(|error| match error {
            Problem::Text(problem) => TargetError::Syntax { text: text.to_owned(), problem },
            Problem::Whole(error) => error,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_life_is_a_tau() {
        let target: Target = "decay:half_life=3,ground=-1".parse().unwrap();
        let Target::Decay { tau, ground } = target else { panic!("{target:?}") };
        assert!((0.5f64.powf(2.0) - (-6.0 / tau).exp()).abs() < 1e-15 && ground == -1.0, "two half-lives: a quarter");
    }

    #[test]
    fn keyframes_are_eased_one_by_one_or_all_alike_and_read_from_files() {
        let keys = vec![(0.0, 1.0, Easing::EaseIn), (2.0, 0.5, Easing::EaseInOut), (3.0, 0.0, Easing::EaseInOut)];
        let wanted = Target::RelativeCurve { fraction: Path::eased(keys).unwrap() };
        assert_eq!("curve:0=1:ease-in,2=0.5,3=0,easing=smooth".parse(), Ok(wanted.clone()));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("drawn.csv");
        std::fs::write(&file, "t,E\n0,1,ease-in\n2,0.5\n3,0\n").unwrap();
        assert_eq!(format!("curve:file={},easing=smooth", file.display()).parse(), Ok(wanted));
    }

    #[test]
    fn impossible_targets_are_refused_with_the_value() {
        for (text, part) in [
            ("decay:tau=0", "τ = 0"),
            ("decay:tau=-1", "τ = -1"),
            ("decay:half_life=-1", "τ = -1.44"),
            ("decay", "tau or half_life is missing"),
            ("decay:tau=1,half_life=1", "not both"),
            ("decay:tau=1,takes=spin", "it takes all or vibration"),
            ("decay:tau=1,takes=vibration,ground=1", "`ground` has no use here"),
            ("decay:tau=1,at=2", "`at` has no use here"),
            ("conserve:0=1", "`0=1` has no use here"),
            ("rest", "at is missing"),
            ("rest:at=0", "rest at t = 0 s"),
            ("rest:at=1,from=2", "come after 2 s"),
            ("rest:at=inf", "finite"),
            ("curve:1=1,0=2", "t = 0 s does not come after"),
            ("curve", "no keyframes"),
            ("curve:0=1:bounce", "`bounce` is no easing"),
            ("curve:0=1,file=x.csv", "keyframes or a file, not both"),
            ("curve:file=nowhere.csv", "cannot read nowhere.csv"),
            ("schedule:1=1,1=2", "entry 1 at t = 1"),
            ("schedule:1=1:hold", "only curves are eased"),
            ("curve:0=x", "`x` is not a number"),
            ("forever", "conserve; decay"),
        ] {
            let message = text.parse::<Target>().unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
