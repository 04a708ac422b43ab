//! `visviva study ablation`.

use crate::args::{self, Integrators, Sweep, step_label};
use crate::failure::OrUsage;
use crate::results::{ResultArgs, Results, csv_line, optional};
use crate::table::Table;
use rayon::prelude::*;
use visviva::integrate::IntegratorSpec;
use visviva::study::ablation::{self, Row, VARIANTS};
use visviva::study::collision::{Case, Setup};
use visviva_pictures::chart::{Axis, Chart, Figure, Series};

#[derive(Debug, clap::Args)]
pub struct AblationArgs {
    /// Time steps [s]
    #[arg(long, value_parser = args::sweep, default_value = "1/300,1/3000")]
    h: Sweep,
    /// By default A-1, A-search with three intervals, and its sparse variant
    #[arg(long, value_parser = args::integrators)]
    integrators: Option<Integrators>,
    #[command(flatten)]
    results: ResultArgs,
}

impl AblationArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let variants: Vec<IntegratorSpec> = match &self.integrators {
            Some(Integrators(given)) => given.clone(),
            None => VARIANTS.iter().map(|v| v.parse().or_usage()).collect::<Result<_, _>>()?,
        };
        let mut jobs = Vec::new();
        for &h in &self.h.0 {
            for variant in &variants {
                Setup::new(Case::Medium, variant.clone(), h).check().or_usage()?;
                jobs.push((variant.clone(), h));
            }
        }
        let rows = jobs.par_iter().map(|(variant, h)| ablation::run(variant, *h));
        let rows = rows.collect::<Result<Vec<Row>, _>>()?;
        let results = Results { stem: "ablation", rows: &rows, text: text(&rows), csv: csv(&rows) };
        results.publish(&self.results, || vec![("ablation".to_owned(), self.figure(&rows))])
    }

    fn figure(&self, rows: &[Row]) -> Figure {
        let panels: Vec<Chart> = self
            .h
            .0
            .iter()
            .map(|&h| {
                let series = rows.iter().filter(|r| r.h == h).map(|r| {
                    let points = r.spectrum.iter().enumerate().map(|(k, &e)| (k as f64, e)).collect();
                    Series::integrator(&r.integrator.to_string(), points)
                });
                let axes = (Axis::linear("mode (0: rigid motion)"), Axis::log10("energy [J]").range(1e-7, 10.0));
                Chart::new(format!("h = {} s", step_label(h)), axes.0, axes.1, series.collect())
            })
            .collect();
        let columns = panels.len().min(2);
        Figure::new(
            "Variants of the search on the medium bar: energy by eigenmode, mean over 4 to 5 s",
            columns,
            panels,
        )
    }
}

fn text(rows: &[Row]) -> String {
    let header = ["integrator", "h [s]", "rebound [m/s]", "modes 16–23 [J]", "modes 24–30 [J]", "α clipped", ""];
    let mut table = Table::new(header);
    for r in rows {
        table.row([
            r.integrator.to_string(),
            step_label(r.h),
            r.final_velocity.map_or("failed".to_owned(), |v| format!("{v:.4}")),
            format!("{:.4}", r.energy_modes_16_to_23),
            format!("{:.4}", r.energy_modes_24_to_30),
            format!("{} of {}", r.tally.alpha_clipped, r.tally.steps),
            r.tally.remark(&r.outcome),
        ]);
    }
    format!(
        "The medium bar thrown at a wall: rebound, and the noise left in high modes (mean over 4 to 5 s)\n\n{table}"
    )
}

fn csv(rows: &[Row]) -> String {
    let header = "integrator,h,final_velocity,energy_modes_16_to_23,energy_modes_24_to_30,alpha_clipped,steps\n";
    rows.iter().fold(header.to_owned(), |csv, r| {
        csv + &csv_line([
            r.integrator.to_string(),
            r.h.to_string(),
            optional(r.final_velocity),
            r.energy_modes_16_to_23.to_string(),
            r.energy_modes_24_to_30.to_string(),
            r.tally.alpha_clipped.to_string(),
            r.tally.steps.to_string(),
        ])
    })
}
