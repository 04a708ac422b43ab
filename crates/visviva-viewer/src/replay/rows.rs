//! The statistics of a run as columns, read on as they grow.

use serde_json::{Map, Value, json};
use visviva::run::{OutputError, StatsTail};

/// What a page plots and shows.
const COLUMNS: [&str; 18] = [
    "h",
    "kinetic",
    "elastic",
    "gravity",
    "barrier",
    "total",
    "target",
    "alpha",
    "friction_loss",
    "contact_loss",
    "damping_loss",
    "work",
    "integrator_gain",
    "alpha_energy",
    "newton",
    "active_pairs",
    "min_distance",
    "wall_s",
];
/// An answer holds no more rows: a screen is narrower.
const MOST: usize = 20_000;

#[derive(Debug)]
pub struct Rows {
    tail: StatsTail,
    /// `[s]`
    t: Vec<f64>,
    /// One after the other a row, not a number where a value does not apply; plots need no more digits
    values: Vec<[f32; COLUMNS.len()]>,
}

impl Rows {
    pub fn new(tail: StatsTail) -> Self {
        Self { tail, t: Vec::new(), values: Vec::new() }
    }

    /// Takes in what was written since the last look.
    pub fn read_on(&mut self) -> Result<usize, OutputError> {
        let (rows, anew) = self.tail.read_on()?;
        if anew {
            self.t.clear();
            self.values.clear();
        }
        for row in rows {
            self.t.push(row.t);
            self.values.push(COLUMNS.map(|column| row.number(column).map_or(f32::NAN, |value| value as f32)));
        }
        Ok(self.t.len())
    }

    /// Rows from one on, thinned where they are too many; the last is always among them.
    pub fn columns(&self, from: usize) -> Value {
        let count = self.t.len();
        let from = from.min(count);
        let every = (count - from).div_ceil(MOST).max(1);
        let last = count.checked_sub(1).filter(|last| *last >= from && !(last - from).is_multiple_of(every));
        let rows: Vec<usize> = (from..count).step_by(every).chain(last).collect();
        let mut columns = Map::new();
        columns.insert("t".into(), rows.iter().map(|&row| self.t[row]).collect());
        for (k, name) in COLUMNS.into_iter().enumerate() {
            let number = |row: &usize| {
                let value = self.values[*row][k];
                // The shortest digits of single precision: a third of the bytes.
                value.is_finite().then(|| value.to_string().parse::<f64>().unwrap_or_default())
            };
            let values: Vec<Option<f64>> = rows.iter().map(number).collect();
            if values.iter().any(Option::is_some) {
                columns.insert(name.into(), json!(values));
            }
        }
        json!({ "next": count, "columns": columns })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use visviva::run::{StatsRow, StatsWriter};

    #[test]
    fn columns_hold_the_rows_from_one_on_and_long_runs_are_thinned() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stats.csv");
        let mut writer = StatsWriter::create(&path).unwrap();
        let mut rows = Rows::new(StatsTail::new(&path));
        let mut write = |steps: std::ops::Range<u64>| {
            for step in steps {
                let row = StatsRow { step, t: step as f64 / 7.0, total: 0.1, alpha: None, ..StatsRow::default() };
                writer.write(&row).unwrap();
            }
        };
        write(0..3);
        assert_eq!(rows.read_on().unwrap(), 3);
        let told = rows.columns(1);
        assert_eq!((&told["next"], &told["columns"]["t"]), (&json!(3), &json!([1.0 / 7.0, 2.0 / 7.0])));
        assert_eq!((&told["columns"]["total"], told["columns"].get("alpha")), (&json!([0.1, 0.1]), None));
        assert_eq!(rows.columns(99)["columns"]["t"], json!([]));
        write(3..50_000);
        rows.read_on().unwrap();
        let told = rows.columns(0);
        let t = told["columns"]["t"].as_array().unwrap();
        assert!(t.len() <= MOST && told["next"] == 50_000, "{}", t.len());
        assert_eq!((&t[1], t.last().unwrap()), (&json!(3.0 / 7.0), &json!(49_999.0 / 7.0)));
    }
}
