//! Runs told apart by a parameter of their scenes: a scale of colours for numbers, a colour each for words.

use super::run::Run;
use crate::failure::Usage;
use visviva_pictures::chart::ColourScale;
use visviva_pictures::colour::body_colour;
use visviva_sweep::keys::{as_number, as_text, look_up};

/// Colours the runs and puts them into the parameter's order; the scale is to be shown beside them.
pub fn colour(runs: &mut [Run], key: &str) -> anyhow::Result<Option<ColourScale>> {
    let mut values = Vec::new();
    for run in runs.iter() {
        let value = look_up(&run.scene, key).ok_or_else(|| {
            let folder = &run.folder;
            Usage(format!("--by {key}: the run.toml of {folder} has no such key; write it as for --set, such as run.h"))
        })?;
        values.push((as_number(value), as_text(value)));
    }
    let numbers: Option<Vec<f64>> = values.iter().map(|value| value.0).collect();
    let scale = numbers.and_then(|numbers| ColourScale::over(key, numbers));
    let mut words: Vec<&String> = values.iter().map(|value| &value.1).collect();
    words.sort();
    words.dedup();
    for (run, (number, text)) in runs.iter_mut().zip(&values) {
        run.label.clone_from(text);
        run.is_listed = scale.is_none();
        run.colour = Some(match &scale {
            Some(scale) => scale.colour(number.unwrap_or(f64::NAN)),
            // Orange and yellow last: lines of them are the least easily seen.
            None => body_colour(words.iter().position(|word| *word == text).unwrap_or(0) + 4),
        });
    }
    let number = |run: &Run| look_up(&run.scene, key).and_then(as_number).unwrap_or(f64::NAN);
    runs.sort_by(|a, b| number(a).total_cmp(&number(b)).then_with(|| a.label.cmp(&b.label)));
    Ok(scale)
}
