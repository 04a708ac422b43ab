//! Values as users write them: times as 0.01 or 1/120, lists with commas, sweeps as FROM:TO:COUNT.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use visviva::integrate::IntegratorSpec;
pub use visviva::readable::time_step as step_label;
use visviva::scene::Number;
use visviva_pictures::run::ColourBy;

/// A positive finite number, as a decimal or a fraction.
pub fn positive(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(format!("{text}: it must be positive and finite")) }
}

/// A number, as a decimal or a fraction.
pub fn number(text: &str) -> Result<f64, String> {
    text.parse::<Number>().map(|number| number.value)
}

/// What pictures show in colours, by its name.
pub fn colour_by() -> impl TypedValueParser<Value = ColourBy> {
    PossibleValuesParser::new(ColourBy::NAMES).try_map(|name| name.parse::<ColourBy>())
}

/// FROM:TO:COUNT, both ends included, or a list of numbers with commas.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep(pub Vec<f64>);

pub fn sweep(text: &str) -> Result<Sweep, String> {
    if !text.contains(':') {
        return text.split(',').map(number).collect::<Result<_, _>>().map(Sweep);
    }
    let parts: Vec<&str> = text.split(':').collect();
    let [from, to, count] = parts[..] else {
        return Err(format!("`{text}`: write FROM:TO:COUNT or numbers with commas"));
    };
    let (from, to) = (number(from)?, number(to)?);
    let count: u32 = count.parse().map_err(|_| format!("`{count}` is not a count"))?;
    if !(2..=100_000).contains(&count) {
        return Err(format!("a sweep of {count} values: from 2 to 100000 are allowed"));
    }
    Ok(Sweep((0..count).map(|i| from + (to - from) * f64::from(i) / f64::from(count - 1)).collect()))
}

/// Integrators with commas between them; a part with `=` belongs to the one before it: `bdf2,a-search:min=0.9,max=1.1`.
#[derive(Debug, Clone, PartialEq)]
pub struct Integrators(pub Vec<IntegratorSpec>);

pub fn integrators(text: &str) -> Result<Integrators, String> {
    let mut specs: Vec<String> = Vec::new();
    for part in text.split(',') {
        match specs.last_mut() {
            Some(last) if part.contains('=') && !part.contains(':') => {
                last.push(',');
                last.push_str(part);
            }
            _ => specs.push(part.to_owned()),
        }
    }
    specs.iter().map(|s| s.parse().map_err(|e| format!("{e}"))).collect::<Result<_, _>>().map(Integrators)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_be_fractions() {
        assert_eq!(positive("1/120"), Ok(1.0 / 120.0));
        assert_eq!(positive("2.5e-3"), Ok(2.5e-3));
        for bad in ["0", "-1", "1/0", "x", "1/2/3", ""] {
            assert!(positive(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_sweep_includes_both_ends() {
        assert_eq!(sweep("0:1:5").unwrap().0, [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(sweep("0.5,1/4").unwrap().0, [0.5, 0.25]);
        assert!(sweep("0:1").is_err() && sweep("0:1:1").is_err());
    }

    #[test]
    fn parameters_stay_with_their_integrator() {
        let list = integrators("bdf2,a-search:min=0.9,max=1.1,a-1").unwrap().0;
        let names: Vec<String> = list.iter().map(|s| s.to_string()).collect();
        assert_eq!(names, ["bdf2", "a-search:min=0.9,max=1.1", "a-1"]);
        assert!(integrators("bdf3").unwrap_err().contains("allowed are"));
    }
}
