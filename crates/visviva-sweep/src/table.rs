//! All points in one table: parameters, how each ended, measures. As CSV and as Parquet.

use crate::keys::{as_number, as_text};
use crate::{Outcome, PointEnding, Sweep, SweepError, parquet_file};
use std::path::{Path, PathBuf};
use visviva::run::whole_file;

/// Rows are points in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    pub columns: Vec<Column>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub name: String,
    pub role: Role,
    pub cells: Cells,
}

/// What a column says of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Parameter,
    Ending,
    Measure,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Cells {
    Numbers(Vec<Option<f64>>),
    Texts(Vec<String>),
}

impl Table {
    /// Of outcomes, in the order of their points.
    pub fn of(sweep: &Sweep, outcomes: &[Outcome]) -> Self {
        let points: Vec<_> = outcomes.iter().filter_map(|outcome| sweep.points.get(outcome.index)).collect();
        let texts = |name: &str, role, texts| Column { name: name.to_owned(), role, cells: Cells::Texts(texts) };
        let numbers = |name: String, role, numbers| Column { name, role, cells: Cells::Numbers(numbers) };
        let mut columns = vec![
            numbers("point".into(), Role::Ending, points.iter().map(|point| Some(point.index as f64)).collect()),
            texts("folder", Role::Ending, points.iter().map(|point| format!("points/{}", point.name)).collect()),
        ];
        for (k, key) in sweep.keys.iter().enumerate() {
            let values = || points.iter().filter_map(|point| point.parameters.get(k).map(|(_, value)| value));
            // As numbers where all are: 1/60 too.
            let found: Vec<Option<f64>> = values().map(as_number).collect();
            columns.push(if found.iter().all(Option::is_some) {
                numbers(key.clone(), Role::Parameter, found)
            } else {
                texts(key, Role::Parameter, values().map(as_text).collect())
            });
        }
        let reason = |outcome: &Outcome| match &outcome.ending {
            PointEnding::Failed(reason) => reason.clone(),
            _ => String::new(),
        };
        columns.push(texts("ending", Role::Ending, outcomes.iter().map(|o| o.ending.name().to_owned()).collect()));
        columns.push(texts("reason", Role::Ending, outcomes.iter().map(reason).collect()));
        for (k, measure) in sweep.measures.iter().enumerate() {
            let values = outcomes.iter().map(|outcome| outcome.measured.get(k).copied().flatten()).collect();
            columns.push(numbers(measure.to_string(), Role::Measure, values));
        }
        if !sweep.settings.measures.iter().any(|name| name == "wall_s") {
            columns.push(numbers(
                "wall_s".into(),
                Role::Ending,
                outcomes.iter().map(|outcome| outcome.wall_s).collect(),
            ));
        }
        Self { columns }
    }

    pub fn row_count(&self) -> usize {
        self.columns.first().map_or(0, |column| column.len())
    }

    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    pub fn to_csv(&self) -> String {
        let quoted = |cell: String| {
            if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
        };
        let line = |cells: Vec<String>| cells.into_iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
        let header = line(self.columns.iter().map(|column| column.name.clone()).collect());
        let rows = (0..self.row_count()).map(|row| line(self.columns.iter().map(|column| column.text(row)).collect()));
        header + &rows.collect::<String>()
    }

    /// Writes table.csv and table.parquet, each whole or not at all.
    pub fn write(&self, folder: &Path) -> Result<[PathBuf; 2], SweepError> {
        let paths = ["table.csv", "table.parquet"].map(|name| folder.join(name));
        let fail = |path: &Path| {
            let path = path.to_owned();
            move |problem| SweepError::Write { path, problem }
        };
        let parquet = parquet_file::bytes(self).map_err(|error| fail(&paths[1])(std::io::Error::other(error)))?;
        whole_file::write(&paths[0], self.to_csv().as_bytes()).map_err(fail(&paths[0]))?;
        whole_file::write(&paths[1], &parquet).map_err(fail(&paths[1]))?;
        Ok(paths)
    }
}

impl Column {
    fn len(&self) -> usize {
        match &self.cells {
            Cells::Numbers(numbers) => numbers.len(),
            Cells::Texts(texts) => texts.len(),
        }
    }

    /// As CSV has it; empty where there is no value.
    pub fn text(&self, row: usize) -> String {
        match &self.cells {
            Cells::Numbers(numbers) => {
                numbers.get(row).copied().flatten().map_or(String::new(), |number| number.to_string())
            }
            Cells::Texts(texts) => texts.get(row).cloned().unwrap_or_default(),
        }
    }

    pub fn number(&self, row: usize) -> Option<f64> {
        match &self.cells {
            Cells::Numbers(numbers) => numbers.get(row).copied().flatten(),
            Cells::Texts(_) => None,
        }
    }
}
