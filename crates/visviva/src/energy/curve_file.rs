//! An energy drawn elsewhere: a CSV file with a time, a value and, where it is wanted, an easing a line.

use crate::model::Easing;
use crate::model::path::Keyframe;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CurveFileError {
    #[error("cannot read {}: {problem}", path.display())]
    Read { path: PathBuf, problem: String },
    #[error("{}:{line}: {problem}", path.display())]
    Line { path: PathBuf, line: usize, problem: String },
    #[error("{} holds no keyframes: write lines such as 0.5, 0.8", path.display())]
    Empty { path: PathBuf },
}

/// The keyframes of a file; those that name no easing have this one. Values are parted by commas, semicolons, tabs or blanks; a first
/// line of names and lines that begin with # are passed over.
pub fn read(path: &Path, easing: Easing) -> Result<Vec<Keyframe>, CurveFileError> {
    let unreadable = |problem: std::io::Error| CurveFileError::Read { path: path.into(), problem: problem.to_string() };
    let text = std::fs::read_to_string(path).map_err(unreadable)?;
    parse(&text, easing, path)
}

fn parse(text: &str, easing: Easing, path: &Path) -> Result<Vec<Keyframe>, CurveFileError> {
    // Spreadsheets put a mark at the beginning.
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim).enumerate();
    let mut keys = Vec::new();
    let mut may_be_names = true;
    for (index, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let cells: Vec<&str> = cells(line);
        let is_names = may_be_names && cells.iter().all(|cell| cell.parse::<f64>().is_err());
        may_be_names = false;
        if !is_names {
            let fail = |problem| CurveFileError::Line { path: path.into(), line: index + 1, problem };
            keys.push(keyframe(&cells, easing).map_err(fail)?);
        }
    }
    if keys.is_empty() { Err(CurveFileError::Empty { path: path.into() }) } else { Ok(keys) }
}

fn cells(line: &str) -> Vec<&str> {
    let separator = [';', '\t', ','].into_iter().find(|&separator| line.contains(separator));
    match separator {
        Some(separator) => line.split(separator).map(|cell| cell.trim().trim_matches('"')).collect(),
        None => line.split_whitespace().collect(),
    }
}

fn keyframe(cells: &[&str], easing: Easing) -> Result<Keyframe, String> {
    let number = |text: &str| {
        let hint = if text.contains(',') { ": write the decimal point as a point" } else { "" };
        text.parse::<f64>().map_err(|_| format!("`{text}` is not a number{hint}"))
    };
    match *cells {
        [time, value] | [time, value, ""] => Ok((number(time)?, number(value)?, easing)),
        [time, value, easing] => Ok((number(time)?, number(value)?, easing.parse()?)),
        _ => Err(format!("{} values: give a time, a value and, if you like, an easing", cells.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Vec<Keyframe>, String> {
        parse(text, Easing::Linear, Path::new("drawn.csv")).map_err(|error| error.to_string())
    }

    #[test]
    fn whatever_parts_the_values_they_are_read() {
        let expected = vec![(0.0, 1.0, Easing::Linear), (1.5, 0.25, Easing::Hold), (2.0, 0.0, Easing::Linear)];
        for text in [
            "0,1\n1.5,0.25,hold\n2,0,\n",
            "\u{feff}time,energy,easing\r\n0, 1\r\n1.5, 0.25, hold\r\n2, 0\r\n",
            "# drawn by hand\n0;1\n\n1.5;0.25;hold\n2;0\n",
            "t\tE\n0\t1\n1.5\t0.25\thold\n2\t0",
            "0 1\n1.5 0.25 hold\n2 0",
            "\"t\",\"E\"\n\"0\",\"1\"\n\"1.5\",\"0.25\",\"hold\"\n2,0",
        ] {
            assert_eq!(parsed(text), Ok(expected.clone()), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, part) in [
            ("0,1\n1,half\n", "drawn.csv:2: `half` is not a number"),
            ("0,1\n2,0.5,bouncy\n", "drawn.csv:2: `bouncy` is no easing"),
            ("0;1\n0,5;1\n", "drawn.csv:2: `0,5` is not a number: write the decimal point as a point"),
            ("1\n", "1 values"),
            ("time,energy\n", "holds no keyframes"),
            ("", "holds no keyframes"),
        ] {
            let message = parsed(text).unwrap_err();
            assert!(message.contains(part), "{text}: {message}");
        }
        let missing = read(Path::new("nowhere.csv"), Easing::Linear).unwrap_err().to_string();
        assert!(missing.starts_with("cannot read nowhere.csv"), "{missing}");
    }
}
