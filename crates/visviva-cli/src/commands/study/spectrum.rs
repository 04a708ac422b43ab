//! `visviva study spectrum`.

use super::collision::case;
use crate::args::{self, Integrators, Sweep, step_label};
use crate::failure::OrUsage;
use crate::results::{ResultArgs, Results, csv_line};
use crate::table::Table;
use rayon::prelude::*;
use serde::Serialize;
use visviva::integrate::IntegratorSpec;
use visviva::study::collision::{Case, Setup};
use visviva::study::spectrum::{Modes, mean_spectrum};
use visviva::study::{Outcome, Tally};
use visviva_pictures::chart::{Axis, Chart, Figure, Series};

#[derive(Debug, clap::Args)]
pub struct SpectrumArgs {
    /// soft, medium, stiff, damped-soft
    #[arg(long, value_delimiter = ',', value_parser = case, default_value = "soft,medium,stiff,damped-soft")]
    cases: Vec<Case>,
    #[arg(long, value_parser = args::integrators, default_value = "bdf2,a-1,a-search")]
    integrators: Integrators,
    /// Time steps [s]
    #[arg(long, value_parser = args::sweep, default_value = "1/30,1/300,1/3000")]
    h: Sweep,
    #[command(flatten)]
    results: ResultArgs,
}

#[derive(Debug, Serialize)]
struct Row {
    case: Case,
    integrator: IntegratorSpec,
    h: f64,
    /// Angular frequency by mode [rad/s]
    frequencies: Vec<f64>,
    /// Mean energy by mode over the last second [J]; mode 0 is the rigid motion
    energies: Vec<f64>,
    outcome: Outcome,
    #[serde(flatten)]
    tally: Tally,
}

impl SpectrumArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let mut setups = Vec::new();
        for &case in &self.cases {
            for &h in &self.h.0 {
                for integrator in &self.integrators.0 {
                    let setup = Setup::new(case, integrator.clone(), h);
                    setup.check().or_usage()?;
                    setups.push(setup);
                }
            }
        }
        let rows = setups
            .par_iter()
            .map(|setup| {
                let (energies, result) = mean_spectrum(setup)?;
                Ok(Row {
                    case: setup.case,
                    integrator: setup.integrator.clone(),
                    h: setup.h,
                    frequencies: Modes::new(setup.case).frequencies,
                    energies,
                    outcome: result.outcome,
                    tally: result.tally,
                })
            })
            .collect::<anyhow::Result<Vec<Row>>>()?;
        let results = Results { stem: "spectrum", rows: &rows, text: text(&rows), csv: csv(&rows) };
        results.publish(&self.results, || self.figures(&rows))
    }

    fn figures(&self, rows: &[Row]) -> Vec<(String, Figure)> {
        let panel = |case: Case, h: f64| {
            let own = rows.iter().filter(|r| r.case == case && r.h == h);
            let series = own.map(|r| {
                let points = r.energies.iter().enumerate().map(|(k, &e)| (k as f64, e)).collect();
                Series::integrator(&r.integrator.to_string(), points).with_markers()
            });
            let axes = (Axis::linear("mode (0: rigid motion)"), Axis::log10("energy [J]").range(1e-8, 10.0));
            Chart::new(format!("{}, h = {} s", case.name(), step_label(h)), axes.0, axes.1, series.collect())
        };
        self.cases
            .iter()
            .map(|&case| {
                let panels: Vec<Chart> = self.h.0.iter().map(|&h| panel(case, h)).collect();
                let columns = panels.len().min(3);
                let rows = panels.len().div_ceil(columns);
                let title =
                    format!("Energy of the {} bar by eigenmode after the collision, mean over 4 to 5 s", case.name());
                let figure =
                    Figure::new(title, columns, panels).sized(360.0 * columns as f64, 90.0 + 300.0 * rows as f64);
                (format!("spectrum-{}", case.name()), figure)
            })
            .collect()
    }
}

fn text(rows: &[Row]) -> String {
    let mut table = Table::new(["case", "h [s]", "integrator", "rigid", "modes 1–5", "6–15", "16–23", "24–30", ""]);
    for r in rows {
        let sum = |from: usize, to: usize| format!("{:.4}", r.energies[from..=to].iter().sum::<f64>());
        table.row([
            r.case.name().to_owned(),
            step_label(r.h),
            r.integrator.to_string(),
            sum(0, 0),
            sum(1, 5),
            sum(6, 15),
            sum(16, 23),
            sum(24, 30),
            r.tally.remark(&r.outcome),
        ]);
    }
    format!("Energy by eigenmode after the collision, mean over 4 to 5 s [J]; the bar came in with 5 J\n\n{table}")
}

fn csv(rows: &[Row]) -> String {
    rows.iter().fold("case,integrator,h,mode,frequency,energy\n".to_owned(), |mut csv, r| {
        for (mode, energy) in r.energies.iter().enumerate() {
            let numbers = [r.h, mode as f64, r.frequencies[mode], *energy].map(|n| n.to_string());
            csv += &csv_line([r.case.name().to_owned(), r.integrator.to_string()].into_iter().chain(numbers));
        }
        csv
    })
}
