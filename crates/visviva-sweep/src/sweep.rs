//! A sweep as a plan: every point with its parameters, its folder and its identity, all checked before anything is written.

use crate::identity::{KnownFiles, identity};
use crate::keys::{as_text, flattened};
use crate::settings::{SampleSettings, SweepSettings};
use crate::values::{Values, is_range};
use crate::{Place, SweepError, naming, samples};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use toml::Value;
use visviva::run::Measure;
use visviva::scene::{LoadError, Scene, SceneSource};

/// One variant of the scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    pub index: usize,
    /// Keys and values that are its own
    pub parameters: Vec<(String, Value)>,
    /// Of its folder
    pub name: String,
    /// Of the scene it is, in this version of the program
    pub identity: u64,
    pub steps: u64,
}

/// A scene and the points at which it is run.
#[derive(Debug, Clone)]
pub struct Sweep {
    pub settings: SweepSettings,
    pub source: SceneSource,
    /// Where everything goes
    pub folder: PathBuf,
    pub points: Vec<Point>,
    pub measures: Vec<Measure>,
    /// Keys that differ from point to point
    pub keys: Vec<String>,
}

/// More are a mistake in the file.
const MOST_POINTS: usize = 100_000;
/// Keys and values that go together.
type Row = Vec<(String, Value)>;

impl SweepSettings {
    /// From a sweep file; `name` is what messages call it.
    pub fn read(text: &str, name: &str) -> Result<Self, SweepError> {
        toml::from_str(text).map_err(|error: toml::de::Error| {
            let line = error.span().map_or(String::new(), |span| {
                let before = text.get(..span.start).unwrap_or(text);
                format!(":{}", before.matches('\n').count() + 1)
            });
            SweepError::File { file: format!("{name}{line}"), problem: error.message().to_owned() }
        })
    }
}

impl Sweep {
    /// Reads every point's scene and refuses what cannot be run; nothing is written.
    pub fn plan(settings: SweepSettings, source: SceneSource, folder: &Path) -> Result<Self, SweepError> {
        let measures = settings.measures.iter().map(|name| name.parse::<Measure>()).collect::<Result<Vec<_>, _>>()?;
        let set = flattened(&settings.set, |_| false);
        let rows = rows(&settings, &set)?;
        let keys: Vec<String> =
            rows.first().map_or(Vec::new(), |(row, _)| row.iter().map(|(key, _)| key.clone()).collect());
        let mut known = KnownFiles::default();
        let mut points = Vec::with_capacity(rows.len());
        for (index, (parameters, name)) in rows.into_iter().enumerate() {
            let fail = |problem: String| SweepError::Point { point: index, name: name.clone(), problem };
            let scene = parse(&source, &set, &parameters).map_err(|error| match error {
                LoadError::Set { assignment, message } => fail(format!("{assignment}: {message}")),
                other => other.into(),
            })?;
            if index == 0 {
                check_bodies(&measures, &scene)?;
            }
            let steps = scene.run.step_count();
            let identity = identity(scene, &mut known)?;
            points.push(Point { index, parameters, name, identity, steps });
        }
        let mut places = HashMap::new();
        for point in &points {
            // Some file systems do not tell capitals apart.
            if let Some(first) = places.insert(point.name.to_lowercase(), point.index) {
                return Err(SweepError::SameFolder { first, second: point.index, name: point.name.clone() });
            }
        }
        Ok(Self { settings, source, folder: folder.to_owned(), points, measures, keys })
    }

    pub fn point(&self, index: usize) -> Result<&Point, SweepError> {
        self.points.get(index).ok_or(SweepError::NoSuchPoint { index, last: self.points.len().saturating_sub(1) })
    }

    /// The scene of a point.
    pub fn scene(&self, point: &Point) -> Result<Scene, LoadError> {
        parse(&self.source, &flattened(&self.settings.set, |_| false), &point.parameters)
    }

    /// Where a point is kept.
    pub fn place<'a>(&'a self, point: &'a Point) -> Place<'a> {
        Place { root: &self.folder, name: &point.name, identity: point.identity }
    }

    /// The run folder of a point.
    pub fn point_folder(&self, point: &Point) -> PathBuf {
        self.place(point).folder()
    }
}

fn parse(source: &SceneSource, set: &Row, parameters: &Row) -> Result<Scene, LoadError> {
    let assignments: Vec<String> = set.iter().chain(parameters).map(|(key, value)| format!("{key}={value}")).collect();
    source.parse(&assignments)
}

/// Every point's own keys and values, and its name.
fn rows(settings: &SweepSettings, set: &Row) -> Result<Vec<(Row, String)>, SweepError> {
    let grid = flattened(&settings.grid, is_range);
    let list = flattened(&settings.list, is_range);
    let over = settings.sample.as_ref().map_or(Vec::new(), |sample| flattened(&sample.over, is_range));
    let places: Vec<(&'static str, &str)> = [("set", set), ("grid", &grid), ("list", &list), ("sample.over", &over)]
        .into_iter()
        .flat_map(|(table, rows)| rows.iter().map(move |(key, _)| (table, key.as_str())))
        .collect();
    for (k, &(second, key)) in places.iter().enumerate() {
        if let Some(&(first, _)) = places[..k].iter().find(|place| place.1 == key) {
            return Err(SweepError::Twice { key: key.to_owned(), first, second });
        }
    }
    if grid.is_empty() && list.is_empty() && over.is_empty() {
        return Err(SweepError::Nothing);
    }
    let (listed, combined) = (list_rows(&list)?, grid_rows(&grid)?);
    let sampled = settings.sample.as_ref().map(|sample| sample_rows(sample, &over)).transpose()?;
    let count = [listed.len(), combined.len(), sampled.as_ref().map_or(1, Vec::len)]
        .iter()
        .fold(1usize, |n, &m| n.saturating_mul(m));
    if count > MOST_POINTS {
        return Err(SweepError::TooMany { count, most: MOST_POINTS });
    }
    let width = sampled.as_ref().map_or(0, |rows| rows.len().saturating_sub(1).to_string().len());
    let samples: Vec<(Row, Option<String>)> = match sampled {
        None => vec![(Vec::new(), None)],
        Some(rows) => rows.into_iter().enumerate().map(|(k, row)| (row, Some(format!("s{k:0width$}")))).collect(),
    };
    let mut rows = Vec::with_capacity(count);
    for list in &listed {
        for grid in &combined {
            let changes: Row = list.iter().chain(grid).cloned().collect();
            let texts: Vec<(String, String)> =
                changes.iter().map(|(key, value)| (key.clone(), as_text(value))).collect();
            for (sample, number) in &samples {
                // What is drawn has many digits: its number names it.
                let named = (!texts.is_empty()).then(|| naming::of_changes(&texts));
                let name = named.into_iter().chain(number.clone()).collect::<Vec<_>>().join(",");
                rows.push((changes.iter().chain(sample).cloned().collect(), name));
            }
        }
    }
    Ok(rows)
}

/// Row k holds the k-th value of every key.
fn list_rows(list: &Row) -> Result<Vec<Row>, SweepError> {
    let mut columns: Vec<(&String, Vec<Value>)> = Vec::new();
    for (key, value) in list {
        let values = Values::read(key, value)?.all(key)?;
        if let Some((other, known)) = columns.first()
            && known.len() != values.len()
        {
            let (count, other_count) = (values.len(), known.len());
            return Err(SweepError::Uneven { key: key.clone(), count, other: other.to_string(), other_count });
        }
        columns.push((key, values));
    }
    let count = columns.first().map_or(1, |(_, values)| values.len());
    Ok((0..count).map(|k| columns.iter().map(|(key, values)| (key.to_string(), values[k].clone())).collect()).collect())
}

/// Every combination; the last key changes first.
fn grid_rows(grid: &Row) -> Result<Vec<Row>, SweepError> {
    let mut rows: Vec<Row> = vec![Vec::new()];
    for (key, value) in grid {
        let values = Values::read(key, value)?.all(key)?;
        let count = rows.len().saturating_mul(values.len());
        if count > MOST_POINTS {
            return Err(SweepError::TooMany { count, most: MOST_POINTS });
        }
        let with =
            |row: &Row, value: &Value| row.iter().cloned().chain([(key.clone(), value.clone())]).collect::<Row>();
        rows = rows.iter().flat_map(|row| values.iter().map(move |value| with(row, value))).collect();
    }
    Ok(rows)
}

fn sample_rows(sample: &SampleSettings, over: &Row) -> Result<Vec<Row>, SweepError> {
    if sample.count == 0 || over.is_empty() {
        let problem = "a sample needs a `count` of at least 1 and keys in [sample.over]".to_owned();
        return Err(SweepError::Values { key: "sample".into(), problem });
    }
    if sample.count > MOST_POINTS {
        return Err(SweepError::TooMany { count: sample.count, most: MOST_POINTS });
    }
    let mut axes = Vec::new();
    for (key, value) in over {
        let values = Values::read(key, value)?;
        if values.has_count() {
            let problem = "`sample.count` says how many values are drawn; take `count` out here".to_owned();
            return Err(SweepError::Values { key: key.clone(), problem });
        }
        axes.push((key, values));
    }
    let places = samples::places(sample.method, sample.count, axes.len(), sample.seed);
    let row =
        |place: Vec<f64>| axes.iter().zip(place).map(|((key, values), at)| (key.to_string(), values.at(at))).collect();
    Ok(places.into_iter().map(row).collect())
}

/// A measure of a body that is not there is told before the first run, not after the last.
fn check_bodies(measures: &[Measure], scene: &Scene) -> Result<(), SweepError> {
    for measure in measures {
        let Some(body) = measure.body() else { continue };
        // What is made of a body, as a copy in an array, is called after it.
        if !scene.bodies.iter().any(|known| Measure::is_of(body, &known.name) || Measure::is_of(&known.name, body)) {
            let names: Vec<String> = scene.bodies.iter().map(|body| format!("`{}`", body.name)).collect();
            let (measure, body, bodies) = (measure.to_string(), body.to_owned(), names.join(", "));
            return Err(SweepError::NoSuchBody { measure, body, bodies });
        }
    }
    Ok(())
}
