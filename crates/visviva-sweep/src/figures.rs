//! What a sweep found, drawn: measures over a parameter as lines or points, heat maps over two, energies over time.
//!
//! Colours stand for the second parameter, so that two hundred points need no legend.

use crate::table::{Column, Role, Table};
use crate::{Outcome, PointEnding, Sweep};
use std::collections::BTreeMap;
use visviva::run::Stats;
use visviva_pictures::chart::{Axis, Chart, ColourScale, Figure, Mark, Scale, Series};
use visviva_pictures::colour::{BODY_COLOURS, Colour, body_colour};

/// One colour for all where only one parameter changes.
const PLAIN: Colour = BODY_COLOURS[4];
const ENERGIES: [&str; 6] = ["kinetic", "elastic", "gravity", "barrier", "total", "target"];

/// All figures that the table has values for, each with the name of its file.
pub fn of_table(table: &Table) -> Vec<(String, Figure)> {
    let parameters = varying(table);
    let measures = table.columns.iter().filter(|column| column.role == Role::Measure);
    let mut figures = Vec::new();
    for measure in measures.filter(|measure| rows(table).any(|row| measure.number(row).is_some())) {
        let stem = |kind: &str| format!("{}-{kind}", crate::naming::plain(&measure.name));
        if let [first, others @ ..] = &parameters[..] {
            let is_grid = Levels::of(table, first).count() < table.row_count() || others.is_empty();
            let figure = over_parameter(table, measure, first, others, is_grid);
            figures.push((stem(if is_grid { "lines" } else { "scatter" }), figure));
        }
        if let [first, second] = &parameters[..]
            && let Some(figure) = heat_map(table, measure, first, second)
        {
            figures.push((stem("map"), figure));
        }
    }
    figures
}

/// A column of the statistics over time, a line for each point that was run, coloured by the parameter with most values.
pub fn over_time(sweep: &Sweep, table: &Table, outcomes: &[Outcome], column: &str) -> Option<(String, Figure)> {
    let parameter = *varying(table).first()?;
    let paint = Paint::of(table, Some(parameter));
    let series: Vec<Series> = outcomes
        .iter()
        .enumerate()
        .filter(|(_, outcome)| outcome.ending == PointEnding::Completed)
        .filter_map(|(row, outcome)| {
            let path = sweep.point_folder(sweep.points.get(outcome.index)?).join("stats.csv");
            let points = Stats::read(&path).ok()?.curve(column);
            Some(paint.dress(Series::line("", PLAIN, points).width(1.2), row))
        })
        .collect();
    if series.is_empty() {
        return None;
    }
    let unit = if ENERGIES.contains(&column) { " [J]" } else { "" };
    let chart = Chart::new(
        format!("{column} of every point"),
        Axis::linear("time [s]"),
        Axis::linear(format!("{column}{unit}")),
        series,
    );
    Some((format!("{column}-over-time"), paint.finish(Figure::single(chart).sized(720.0, 460.0))))
}

fn rows(table: &Table) -> std::ops::Range<usize> {
    0..table.row_count()
}

/// Parameters that take more than one value, those with most first; numbers before words.
fn varying(table: &Table) -> Vec<&Column> {
    let parameters = table.columns.iter().filter(|column| column.role == Role::Parameter);
    let mut found: Vec<(usize, &Column)> =
        parameters.map(|column| (Levels::of(table, column).count(), column)).collect();
    found.retain(|(count, _)| *count > 1);
    let is_text = |column: &Column| column.number(0).is_none();
    found.sort_by_key(|(count, column)| (is_text(column), usize::MAX - count));
    found.into_iter().map(|(_, column)| column).collect()
}

/// The values a column takes, in their order: numbers by size, words by the alphabet.
struct Levels(Vec<String>);

impl Levels {
    fn of(table: &Table, column: &Column) -> Self {
        let mut values: Vec<(f64, String)> =
            rows(table).map(|row| (column.number(row).unwrap_or(f64::NAN), column.text(row))).collect();
        values.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
        values.dedup_by(|a, b| a.1 == b.1);
        Self(values.into_iter().map(|(_, text)| text).collect())
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    fn place(&self, text: &str) -> usize {
        self.0.iter().position(|level| level == text).unwrap_or(0)
    }
}

/// How a parameter is shown in colours: a scale of numbers, or a colour for each word.
struct Paint<'a> {
    column: Option<&'a Column>,
    scale: Option<ColourScale>,
    levels: Levels,
}

impl<'a> Paint<'a> {
    fn of(table: &Table, column: Option<&'a Column>) -> Self {
        let scale = column.and_then(|column| {
            ColourScale::over(column.name.clone(), rows(table).filter_map(|row| column.number(row)))
        });
        let levels = column.map_or(Levels(Vec::new()), |column| Levels::of(table, column));
        Self { column, scale, levels }
    }

    fn dress(&self, series: Series, row: usize) -> Series {
        match (self.column, &self.scale) {
            (Some(column), Some(scale)) => {
                Series { colour: scale.colour(column.number(row).unwrap_or(f64::NAN)), in_legend: false, ..series }
            }
            (Some(column), None) => {
                let text = column.text(row);
                Series { colour: body_colour(self.levels.place(&text) + 4), label: text, ..series }
            }
            (None, _) => Series { in_legend: false, ..series },
        }
    }

    fn finish(self, figure: Figure) -> Figure {
        match self.scale {
            Some(scale) => figure.coloured(scale),
            None => figure,
        }
    }
}

/// Along a parameter: on its own scale where it has numbers, by name else.
fn axis(table: &Table, column: &Column) -> (Axis, Vec<f64>) {
    let numbers: Option<Vec<f64>> = rows(table).map(|row| column.number(row)).collect();
    match numbers {
        Some(numbers) => {
            let scale = ColourScale::over("", numbers.iter().copied()).map_or(Scale::Linear, |scale| scale.scale);
            (Axis { scale, ..Axis::linear(column.name.clone()) }, numbers)
        }
        None => by_name(table, column),
    }
}

fn by_name(table: &Table, column: &Column) -> (Axis, Vec<f64>) {
    let levels = Levels::of(table, column);
    let places = rows(table).map(|row| levels.place(&column.text(row)) as f64).collect();
    (Axis::linear(column.name.clone()).named(levels.0.into_iter().map(short)), places)
}

/// Numbers as an axis has room for them: three digits, and steps as fractions.
fn short(text: String) -> String {
    let Ok(number) = text.parse::<f64>() else { return text };
    let inverse = (1.0 / number).round();
    if inverse >= 10.0 && (number * inverse - 1.0).abs() < 1e-12 && text.len() > 5 {
        return format!("1/{inverse}");
    }
    let rounded: f64 = format!("{number:.2e}").parse().unwrap_or(number);
    crate::naming::of_number(rounded)
}

/// Points of one line differ in the first parameter alone.
fn over_parameter(table: &Table, measure: &Column, first: &Column, others: &[&Column], is_grid: bool) -> Figure {
    let (x, places) = axis(table, first);
    let paint = Paint::of(table, others.first().copied());
    type Line = (usize, Vec<(f64, f64)>);
    let mut lines: BTreeMap<Vec<String>, Line> = BTreeMap::new();
    for row in rows(table) {
        let Some(value) = measure.number(row) else { continue };
        let key = if is_grid { others.iter().map(|other| other.text(row)).collect() } else { vec![row.to_string()] };
        lines.entry(key).or_insert((row, Vec::new())).1.push((places[row], value));
    }
    let series = lines.into_values().map(|(row, mut points)| {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mark = if is_grid { Mark::LineAndMarkers } else { Mark::Markers };
        paint.dress(Series { mark, ..Series::line("", PLAIN, points).width(1.4) }, row)
    });
    let title = format!("{} over {}", measure.name, first.name);
    let chart = Chart::new(title, x, Axis::linear(measure.name.clone()), series.collect());
    paint.finish(Figure::single(chart).sized(720.0, 460.0))
}

/// None where two points would share a tile: samples have no grid.
fn heat_map(table: &Table, measure: &Column, first: &Column, second: &Column) -> Option<Figure> {
    let tiles = Levels::of(table, first).count() * Levels::of(table, second).count();
    if tiles > 4 * table.row_count() || tiles < table.row_count() {
        return None;
    }
    let colours = ColourScale::over(measure.name.clone(), rows(table).filter_map(|row| measure.number(row)))?;
    let ((x, across), (y, up)) = (by_name(table, first), by_name(table, second));
    let tile =
        |row: usize| measure.number(row).map(|value| Series::tile(colours.colour(value), (across[row], up[row])));
    let title = format!("{} over {} and {}", measure.name, first.name, second.name);
    let chart = Chart::new(title, x, y, rows(table).filter_map(tile).collect());
    Some(Figure::single(chart).sized(720.0, 520.0).coloured(colours))
}
