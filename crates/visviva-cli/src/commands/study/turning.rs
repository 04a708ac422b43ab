//! `visviva study turning`.

use crate::args::{self, Sweep};
use crate::results::{ResultArgs, Results, csv_line};
use crate::table::Table;
use visviva::study::rotor::{Rotor, Steadiness};
use visviva_pictures::chart::{Axis, Chart, Figure, Series};
use visviva_pictures::colour::Colour;

#[derive(Debug, clap::Args)]
#[command(after_help = "ringing: what a step leaves of vibration in steady rotation, as a part of the rim's speed
determinant, radius: of the step about that rotation; below 1 a vibration dies out
turn: of a step, over what it should be")]
pub struct TurningArgs {
    /// Turns a step [rad]: FROM:TO:COUNT or numbers with commas
    #[arg(long, value_parser = args::sweep, default_value = "0.1,0.3,0.6,1")]
    turns: Sweep,
    /// Stiffnesses h²k/m
    #[arg(long, value_parser = args::sweep, default_value = "4,30,1000")]
    stiffnesses: Sweep,
    /// Parts of the correction
    #[arg(long, value_parser = args::sweep, default_value = "0.9,1,1.1")]
    alphas: Sweep,
    #[command(flatten)]
    results: ResultArgs,
}

impl TurningArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let mut rows = Vec::new();
        for &alpha in &self.alphas.0 {
            for &stiffness in &self.stiffnesses.0 {
                let of = |&turn: &f64| Rotor { turn, stiffness, alpha }.steadiness();
                rows.extend(self.turns.0.iter().filter_map(of));
            }
        }
        let results = Results { stem: "turning", rows: &rows, text: text(&rows), csv: csv(&rows) };
        results.publish(&self.results, || vec![("turning".to_owned(), figure(&rows))])
    }
}

fn cells(row: &Steadiness) -> [String; 7] {
    let Rotor { turn, stiffness, alpha } = row.rotor;
    [
        format!("{alpha}"),
        format!("{stiffness}"),
        format!("{turn}"),
        format!("{:.5}", row.ringing),
        format!("{:.5}", row.determinant),
        format!("{:.5}", row.spectral_radius),
        format!("{:.5}", row.turn_ratio),
    ]
}

fn text(rows: &[Steadiness]) -> String {
    let mut table = Table::new(["α", "h²k/m", "turn a step [rad]", "ringing", "determinant", "radius", "turn"]);
    rows.iter().for_each(|row| table.row(cells(row)));
    format!("A mass on a spring goes round: one step of a-spin at a fixed α\n\n{table}")
}

fn csv(rows: &[Steadiness]) -> String {
    let header = "alpha,stiffness,turn,ringing,determinant,spectral_radius,turn_ratio\n".to_owned();
    rows.iter().fold(header, |csv, row| csv + &csv_line(cells(row)))
}

fn figure(rows: &[Steadiness]) -> Figure {
    const COLOURS: [Colour; 4] = [Colour(31, 119, 180), Colour(214, 95, 40), Colour(60, 150, 80), Colour(120, 90, 160)];
    let groups = rows.chunk_by(|a, b| (a.rotor.alpha, a.rotor.stiffness) == (b.rotor.alpha, b.rotor.stiffness));
    let series = groups.enumerate().map(|(at, group)| {
        let name = format!("α = {}, h²k/m = {}", group[0].rotor.alpha, group[0].rotor.stiffness);
        Series::markers(&name, COLOURS[at % 4], group.iter().map(|row| (row.rotor.turn, row.spectral_radius)).collect())
    });
    let axes = (Axis::linear("turn a step [rad]"), Axis::linear("spectral radius"));
    Figure::single(Chart::new(
        "A mass on a spring goes round: what becomes of its vibration",
        axes.0,
        axes.1,
        series.collect(),
    ))
}
