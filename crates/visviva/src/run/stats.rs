//! stats.csv: one row a step, columns found by name, numbers that read back exactly.

use super::error::{At, OutputError};
use super::inventory::Fingerprint;
use super::lines::{self, LineWriter};
use crate::energy::alpha::AlphaOutcome;
use serde::de::IntoDeserializer;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A value in a row; an empty cell is one that does not apply.
trait Cell: Sized {
    fn write(&self) -> String;
    fn read(text: &str) -> Option<Self>;
    fn number(&self) -> Option<f64>;
}

macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident: $kind:ty,)*) => {
        /// What a step did; row 0 is the state at the start.
        #[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
        pub struct StatsRow {
            $($(#[$doc])* pub $name: $kind,)*
        }

        /// The columns in the order they are written.
        pub const COLUMNS: &[&str] = &[$(stringify!($name)),*];

        impl StatsRow {
            fn line(&self) -> String {
                [$(self.$name.write()),*].join(",")
            }

            /// Takes each value from the cell of its column; an error is the name and content of the one it cannot be.
            fn from_cells<'a>(cell: impl Fn(&str) -> &'a str) -> Result<Self, (&'static str, &'a str)> {
                Ok(Self {
                    $($name: {
                        let text = cell(stringify!($name));
                        Cell::read(text).ok_or((stringify!($name), text))?
                    },)*
                })
            }

            /// A column's value as a number, where it is one and applies.
            pub fn number(&self, column: &str) -> Option<f64> {
                match column {
                    $(stringify!($name) => self.$name.number(),)*
                    _ => None,
                }
            }
        }
    };
}

columns! {
    step: u64,
    /// Time at the end of the step `[s]`
    t: f64,
    /// Length of the step `[s]`
    h: f64,
    /// Energies at the end of the step `[J]`
    kinetic: f64,
    elastic: Option<f64>,
    gravity: Option<f64>,
    barrier: Option<f64>,
    total: f64,
    /// The wanted total `[J]`
    target: Option<f64>,
    /// For methods that have an α
    alpha: Option<f64>,
    alpha_outcome: Option<AlphaOutcome>,
    /// What the step lost and gained by cause `[J]`
    friction_loss: f64,
    contact_loss: f64,
    damping_loss: f64,
    work: f64,
    integrator_gain: f64,
    alpha_energy: Option<f64>,
    ledger_residual: f64,
    /// Linear momentum `[kg m/s]`
    px: f64,
    py: f64,
    pz: f64,
    /// Angular momentum about the origin `[kg m²/s]`
    lx: f64,
    ly: f64,
    lz: f64,
    /// Newton iterations
    newton: u64,
    linear_iterations: u64,
    /// Line search halvings
    halvings: u64,
    /// Contact pairs within reach of the barrier
    active_pairs: Option<u64>,
    /// Least distance between surfaces `[m]`
    min_distance: Option<f64>,
    converged: bool,
    /// Wall-clock time of the step `[s]`
    wall_s: f64,
}

/// A whole file of rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Stats {
    pub rows: Vec<StatsRow>,
}

impl Stats {
    /// Reads all rows that are whole: a last line that was cut is left out. Columns may stand in any order, and others beside.
    pub fn read(path: &Path) -> Result<Self, OutputError> {
        let bytes = std::fs::read(path).at(path)?;
        let mut rows = Vec::new();
        scan(path, &bytes, |row, _| {
            rows.push(row);
            true
        })?;
        Ok(Self { rows })
    }

    /// The steps at which a column has a value, as (t, value).
    pub fn curve(&self, column: &str) -> Vec<(f64, f64)> {
        self.rows.iter().filter_map(|row| Some((row.t, row.number(column)?))).collect()
    }
}

/// Adds rows to a file; each is with the system when `write` returns.
#[derive(Debug)]
pub struct StatsWriter {
    lines: LineWriter,
}

impl StatsWriter {
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        let mut lines = LineWriter::create(path)?;
        lines.write(&COLUMNS.join(","))?;
        Ok(Self { lines })
    }

    /// Goes on after `last_step`; says which step the last row is of. Later rows, and one that was cut, stay until `cut`.
    pub fn resume(path: &Path, last_step: u64) -> Result<(Self, Option<u64>), OutputError> {
        let bytes = if path.exists() { std::fs::read(path).at(path)? } else { Vec::new() };
        let Some((_, header)) = lines::complete(&bytes).next() else { return Ok((Self::create(path)?, None)) };
        if header != Some(COLUMNS.join(",").as_str()) {
            let problem = "other columns than this program writes; its rows cannot be added to".to_owned();
            return Err(OutputError::Line { path: path.to_owned(), line: 1, problem });
        }
        let mut length = COLUMNS.join(",").len() as u64 + 1;
        let mut last = None;
        scan(path, &bytes, |row, end| {
            if row.step <= last_step {
                (length, last) = (end, Some(row.step));
            }
            row.step <= last_step
        })?;
        Ok((Self { lines: LineWriter::go_on(path, length)? }, last))
    }

    /// Goes on after the bytes that a checkpoint knows; what follows stays until `cut`.
    pub fn go_on(path: &Path, known: &Fingerprint) -> Result<Self, OutputError> {
        Ok(Self { lines: LineWriter::go_on_below(path, &COLUMNS.join(","), known.length)? })
    }

    pub fn write(&mut self, row: &StatsRow) -> Result<(), OutputError> {
        self.lines.write(&row.line())
    }

    /// Takes off what follows the rows known to this.
    pub fn cut(&self) -> Result<(), OutputError> {
        self.lines.cut()
    }

    /// All rows are on the disk when this returns; they are told by a hash.
    pub fn sync(&self) -> Result<Fingerprint, OutputError> {
        self.lines.sync()?;
        Ok(self.lines.fingerprint())
    }
}

/// Hands over row after row with the byte it ends at, until told to stop.
pub(super) fn scan(path: &Path, bytes: &[u8], mut take: impl FnMut(StatsRow, u64) -> bool) -> Result<(), OutputError> {
    let wrong = |line, problem| OutputError::Line { path: path.to_owned(), line, problem };
    let mut header: Vec<&str> = Vec::new();
    let mut end = 0;
    for (line, text) in lines::complete(bytes) {
        end += bytes[end..].iter().position(|&b| b == b'\n').map_or(0, |at| at + 1);
        let text = text.ok_or_else(|| wrong(line, "not text".into()))?;
        let cells: Vec<&str> = text.split(',').collect();
        if line == 1 {
            header = cells;
            if !header.contains(&"step") {
                return Err(wrong(1, "a header with the columns step, t, h, … is missing".into()));
            }
            continue;
        }
        if cells.len() != header.len() {
            return Err(wrong(line, format!("{} cells where the header has {}", cells.len(), header.len())));
        }
        let cell = |name: &str| header.iter().position(|h| *h == name).map_or("", |k| cells[k]);
        let row = StatsRow::from_cells(cell).map_err(|(column, found)| {
            let problem = match header.contains(&column) {
                true => format!("{column} cannot be {found:?}; repair the line, or cut the file before it"),
                false => format!("there is no column {column}"),
            };
            wrong(line, problem)
        })?;
        if !take(row, end as u64) {
            break;
        }
    }
    Ok(())
}

impl Cell for f64 {
    // The shortest digits that read back as the same number.
    fn write(&self) -> String {
        format!("{self:?}")
    }
    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
    fn number(&self) -> Option<f64> {
        Some(*self)
    }
}

impl Cell for u64 {
    fn write(&self) -> String {
        self.to_string()
    }
    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
    fn number(&self) -> Option<f64> {
        Some(*self as f64)
    }
}

impl Cell for bool {
    fn write(&self) -> String {
        self.to_string()
    }
    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
    fn number(&self) -> Option<f64> {
        Some(f64::from(u8::from(*self)))
    }
}

impl Cell for AlphaOutcome {
    fn write(&self) -> String {
        serde_json::to_value(self).ok().and_then(|name| Some(name.as_str()?.to_owned())).unwrap_or_default()
    }
    fn read(text: &str) -> Option<Self> {
        let name: serde::de::value::StrDeserializer<'_, serde::de::value::Error> = text.into_deserializer();
        Self::deserialize(name).ok()
    }
    fn number(&self) -> Option<f64> {
        None
    }
}

impl<T: Cell> Cell for Option<T> {
    fn write(&self) -> String {
        self.as_ref().map_or(String::new(), T::write)
    }
    fn read(text: &str) -> Option<Self> {
        if text.is_empty() { Some(None) } else { T::read(text).map(Some) }
    }
    fn number(&self) -> Option<f64> {
        self.as_ref().and_then(T::number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn row(step: u64) -> StatsRow {
        StatsRow {
            step,
            t: step as f64 / 3.0,
            h: 1.0 / 3.0,
            kinetic: 5e-324,
            elastic: Some(0.1 + 0.2),
            total: -0.0,
            target: Some(1e300),
            alpha: Some(1.1),
            alpha_outcome: Some(AlphaOutcome::LeastEnergy),
            ledger_residual: f64::INFINITY,
            newton: step,
            min_distance: None,
            active_pairs: Some(0),
            converged: true,
            ..StatsRow::default()
        }
    }

    fn file(rows: u64) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stats.csv");
        let mut writer = StatsWriter::create(&path).unwrap();
        (0..rows).for_each(|step| writer.write(&row(step)).unwrap());
        (folder, path)
    }

    #[test]
    fn rows_read_back_exactly() {
        let (_folder, path) = file(4);
        let text = fs::read_to_string(&path).unwrap();
        let header = "step,t,h,kinetic,elastic,gravity,barrier,total,target,alpha,alpha_outcome,friction_loss,contact_loss,damping_loss,\
                      work,integrator_gain,alpha_energy,ledger_residual,px,py,pz,lx,ly,lz,newton,linear_iterations,halvings,\
                      active_pairs,min_distance,converged,wall_s";
        assert_eq!(text.lines().next(), Some(header));
        assert!(text.contains(",least-energy,") && text.contains("0.30000000000000004,,,-0.0,"));
        let stats = Stats::read(&path).unwrap();
        assert_eq!(stats.rows, (0..4).map(row).collect::<Vec<_>>());
        assert!(stats.rows[0].total.is_sign_negative());
        assert_eq!(stats.curve("newton"), [0.0, 1.0, 2.0, 3.0].map(|n| (n / 3.0, n)));
        assert!(stats.curve("gravity").is_empty() && stats.curve("nonsense").is_empty());
    }

    #[test]
    fn a_cut_last_line_is_left_out_wherever_it_is_cut() {
        let (_folder, path) = file(3);
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let rows = Stats::read(&path).unwrap().rows;
            let breaks = whole[..length].iter().filter(|&&b| b == b'\n').count();
            assert_eq!(rows.len(), breaks.saturating_sub(1), "{length}");
        }
    }

    #[test]
    fn columns_are_found_by_name() {
        let (_folder, path) = file(2);
        let text = fs::read_to_string(&path).unwrap();
        let turned: Vec<String> = text
            .lines()
            .map(|line| line.split(',').rev().chain([if line.contains("step") { "mood" } else { "good" }]))
            .map(|cells| cells.collect::<Vec<_>>().join(",") + "\n")
            .collect();
        fs::write(&path, turned.concat()).unwrap();
        assert_eq!(Stats::read(&path).unwrap().rows, [row(0), row(1)]);
        fs::write(&path, text.replace(",newton,", ",nwtn,")).unwrap();
        assert!(Stats::read(&path).unwrap_err().to_string().contains("no column newton"));
    }

    #[test]
    fn garbage_is_an_error_with_its_line() {
        let (_folder, path) = file(3);
        let whole = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = whole.lines().collect();
        let bad = [
            ("1,2,3", "3 cells"),
            (&*lines[2].replacen("0.3333333333333333", "soon", 1), "t cannot be \"soon\""),
            (&*lines[2].replace("least-energy", "luck"), "alpha_outcome cannot be \"luck\""),
            (&*lines[2].replace("true", ""), "converged cannot be \"\""),
            ("", "1 cells"),
        ];
        for (line, part) in bad {
            fs::write(&path, [lines[0], lines[1], line, lines[3], ""].join("\n")).unwrap();
            let message = Stats::read(&path).unwrap_err().to_string();
            assert!(message.contains("stats.csv, line 3") && message.contains(part), "{message}");
            assert!(StatsWriter::resume(&path, 9).is_err(), "nor is it added to");
        }
        fs::write(&path, b"step,t\n\xff\xfe\n").unwrap();
        assert!(Stats::read(&path).unwrap_err().to_string().contains("line 2"));
    }

    #[test]
    fn a_resumed_file_is_the_same_as_an_uninterrupted_one() {
        let (_folder, path) = file(6);
        let whole = fs::read(&path).unwrap();
        for (last, cut) in [(3, whole.len()), (3, whole.len() - 20), (5, whole.len()), (0, whole.len())] {
            fs::write(&path, &whole[..cut]).unwrap();
            let (mut writer, found) = StatsWriter::resume(&path, last).unwrap();
            writer.cut().unwrap();
            let rows = whole[..cut].iter().filter(|&&b| b == b'\n').count() as u64 - 1;
            assert_eq!(found, Some(last.min(rows - 1)));
            (last + 1..6).for_each(|step| writer.write(&row(step)).unwrap());
            assert_eq!(fs::read(&path).unwrap(), whole, "after step {last}, cut at {cut}");
        }
        fs::write(&path, "step,t,h\n1,2,3\n").unwrap();
        assert!(StatsWriter::resume(&path, 3).unwrap_err().to_string().contains("other columns"));
    }
}
