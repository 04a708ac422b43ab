//! `visviva study stability`.

use crate::args::{self, Integrators};
use crate::failure::{OrUsage, Usage};
use crate::results::{ResultArgs, Results, csv_line};
use crate::table::Table;
use serde::Serialize;
use visviva::integrate::{IntegratorSpec, METHODS};
use visviva::study::stability::{self, Row, TwoStepRow};
use visviva_pictures::chart::{Axis, Chart, Figure, Series};

#[derive(Debug, clap::Args)]
pub struct StabilityArgs {
    /// By default every method that is linear on linear problems, and A-search at fixed α
    #[arg(long, value_parser = args::integrators)]
    integrators: Option<Integrators>,
    /// Least ħ = h²k/m
    #[arg(long, value_parser = args::positive, default_value = "1e-3")]
    from: f64,
    /// Greatest ħ
    #[arg(long, value_parser = args::positive, default_value = "1e6")]
    to: f64,
    /// How many values of ħ, evenly on a logarithmic scale
    #[arg(long, default_value = "181", value_parser = clap::value_parser!(u32).range(2..=10_000))]
    points: u32,
    #[command(flatten)]
    results: ResultArgs,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum AnyRow {
    OneStep(Row),
    TwoStep(TwoStepRow),
}

impl StabilityArgs {
    fn integrators(&self) -> anyhow::Result<Vec<IntegratorSpec>> {
        if let Some(Integrators(given)) = &self.integrators {
            let adaptive = given.iter().find(|i| stability::measured_matrix(i, 1.0).is_none() && i.name() != "bdf2");
            return match adaptive {
                Some(i) => Err(Usage(format!(
                    "{i} picks its mix by the energy, so it is not linear; give a fixed α: decoupled:tableau=implicit-euler,alpha=0.9"
                ))
                .into()),
                None => Ok(given.clone()),
            };
        }
        let linear =
            METHODS.iter().filter(|m| !["bdf2", "dirk", "decoupled"].contains(&m.name)).map(|m| m.name.to_owned());
        let fixed = [0.5, 0.9, 1.1].map(|alpha| format!("decoupled:tableau=implicit-euler,alpha={alpha}"));
        let all = linear.chain(fixed).map(|name| name.parse::<IntegratorSpec>().or_usage());
        let all: Vec<_> = all.collect::<Result<_, _>>()?;
        Ok(all.into_iter().filter(|i| stability::measured_matrix(i, 1.0).is_some()).collect())
    }

    pub fn run(&self) -> anyhow::Result<()> {
        if self.from >= self.to {
            return Err(Usage(format!("--from {} must lie below --to {}", self.from, self.to)).into());
        }
        let ratio = (self.to / self.from).ln() / f64::from(self.points - 1);
        let sweep: Vec<f64> = (0..self.points).map(|i| self.from * (ratio * f64::from(i)).exp()).collect();
        let mut groups: Vec<Vec<Row>> = Vec::new();
        for integrator in self.integrators()? {
            let rows = sweep.iter().filter_map(|&hbar| stability::measure(&integrator, hbar));
            let rows = rows.collect::<Result<Vec<_>, _>>()?;
            if !rows.is_empty() {
                groups.push(rows);
            }
        }
        let two_step: Vec<TwoStepRow> =
            sweep.iter().flat_map(|&hbar| [stability::bdf2(hbar), stability::decoupled_bdf2(hbar)]).collect();
        let text = text(&groups, &two_step);
        let figure = figures(&groups, &two_step);
        let rows: Vec<AnyRow> = groups
            .into_iter()
            .flatten()
            .map(AnyRow::OneStep)
            .chain(two_step.into_iter().map(AnyRow::TwoStep))
            .collect();
        let results = Results { stem: "stability", csv: csv(&rows), rows: &rows, text };
        results.publish(&self.results, || figure)
    }
}

fn text(groups: &[Vec<Row>], two_step: &[TwoStepRow]) -> String {
    let header = ["integrator", "max |λ|", "at ħ", "|λ| at the end", "least trace", "det − 1 (max)", "off theory"];
    let mut table = Table::new(header);
    let max_by = |rows: &[Row], f: &dyn Fn(&Row) -> f64| rows.iter().map(f).fold(f64::NEG_INFINITY, f64::max);
    for rows in groups {
        let worst = rows.iter().max_by(|a, b| a.spectral_radius.total_cmp(&b.spectral_radius));
        let worst = worst.expect("groups are not empty");
        let off = |r: &Row| {
            let scale = 1.0 + r.theory_det.abs() + r.theory_trace.abs();
            (r.det - r.theory_det).abs().max((r.trace - r.theory_trace).abs()) / scale
        };
        table.row([
            rows[0].integrator.to_string(),
            format!("{:.6}", worst.spectral_radius),
            format!("{:.3e}", worst.hbar),
            format!("{:.6}", rows[rows.len() - 1].spectral_radius),
            format!("{:.4}", -max_by(rows, &|r| -r.theory_trace)),
            format!("{:.1e}", max_by(rows, &|r| (r.theory_det - 1.0).abs())),
            format!("{:.0e}", max_by(rows, &off)),
        ]);
    }
    let mut text = format!(
        "One step on ẍ = −ħx, h = 1. Stable: |λ| ≤ 1; symplectic: det = 1; stable and symplectic: |trace| ≤ 2\n\n{table}"
    );
    let mut table = Table::new(["two-step method", "max |λ|", "|λ| as ħ → 0", "det at the start"]);
    for name in ["bdf2", "decoupled-bdf2"] {
        let rows: Vec<_> = two_step.iter().filter(|r| r.method == name).collect();
        let max = rows.iter().map(|r| r.spectral_radius).fold(0.0, f64::max);
        let (start, det) = rows.first().map_or((f64::NAN, f64::NAN), |r| (r.spectral_radius, r.det));
        table.row([name.to_owned(), format!("{max:.4}"), format!("{start:.4}"), format!("{det:.4}")]);
    }
    text += &format!(
        "\n{table}\ndecoupled-bdf2 is symplectic on two steps, but its parasitic root 3 makes it useless: not zero-stable.\n"
    );
    text
}

fn figures(groups: &[Vec<Row>], two_step: &[TwoStepRow]) -> Vec<(String, Figure)> {
    let hbar = || Axis::log10("ħ = h^{2} k/m");
    let curves = |value: &dyn Fn(&Row) -> f64| -> Vec<Series> {
        groups
            .iter()
            .map(|rows| {
                Series::integrator(&rows[0].integrator.to_string(), rows.iter().map(|r| (r.hbar, value(r))).collect())
            })
            .collect()
    };
    let trace = Chart::new("Trace of one step", hbar(), Axis::linear("trace").range(-3.0, 2.2), curves(&|r| r.trace))
        .guide_y(2.0, "2")
        .guide_y(-2.0, "−2");
    let mut radii = curves(&|r| r.spectral_radius);
    for name in ["bdf2", "decoupled-bdf2"] {
        let points = two_step.iter().filter(|r| r.method == name).map(|r| (r.hbar, r.spectral_radius)).collect();
        radii.push(Series::integrator(name, points));
    }
    let radius = Chart::new("Amplification of one step", hbar(), Axis::linear("max |λ|").range(0.0, 1.8), radii)
        .guide_y(1.0, "1");
    let both = Figure::new("Linear stability", 1, vec![trace, radius]).sized(900.0, 1100.0).legend_right();
    vec![("stability".to_owned(), both)]
}

fn csv(rows: &[AnyRow]) -> String {
    rows.iter().fold("integrator,hbar,det,trace,spectral_radius,theory_det,theory_trace\n".to_owned(), |csv, row| {
        csv + &match row {
            AnyRow::OneStep(r) => {
                let numbers = [r.hbar, r.det, r.trace, r.spectral_radius, r.theory_det, r.theory_trace];
                csv_line([r.integrator.to_string()].into_iter().chain(numbers.map(|n| n.to_string())))
            }
            AnyRow::TwoStep(r) => {
                let numbers = [r.hbar.to_string(), r.det.to_string(), String::new(), r.spectral_radius.to_string()];
                csv_line([r.method.to_owned()].into_iter().chain(numbers).chain([String::new(), String::new()]))
            }
        }
    })
}
