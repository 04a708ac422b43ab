//! `visviva study collision-1d`.

use crate::args::{self, Integrators, Sweep, step_label};
use crate::failure::OrUsage;
use crate::results::{ResultArgs, Results, csv_line, optional};
use crate::table::Table;
use rayon::prelude::*;
use serde::Serialize;
use visviva::energy::{EnergyPlan, Target};
use visviva::integrate::IntegratorSpec;
use visviva::study::collision::{self, Case, Setup, paper_value};
use visviva::study::{Outcome, Tally};
use visviva_pictures::chart::{Axis, Chart, Figure, Series, integrator_style};

#[derive(Debug, clap::Args)]
pub struct CollisionArgs {
    /// soft, medium, stiff, damped-soft
    #[arg(long, value_delimiter = ',', value_parser = case, default_value = "soft,medium,stiff,damped-soft")]
    pub cases: Vec<Case>,
    /// Names with commas, parameters after a colon (`visviva integrators` lists them)
    #[arg(long, value_parser = args::integrators, default_value = "bdf2,a-1,a-search")]
    pub integrators: Integrators,
    /// Time steps [s]
    #[arg(long, value_parser = args::sweep, default_value = "1/30,1/300,1/3000,1/30000")]
    pub h: Sweep,
    /// Start distance to the wall [m]
    #[arg(long, value_parser = args::positive, default_value = "1.5")]
    pub gap: f64,
    /// [s]
    #[arg(long, value_parser = args::positive, default_value = "5")]
    pub duration: f64,
    /// conserve; decay:tau=1,ground=0 or decay:half_life=0.7; schedule:T=TAU,…; rest:at=2.5; curve:T=FRACTION,… or curve:file=FILE.csv;
    /// curve-joules:T=ENERGY,…
    #[arg(long, default_value = "conserve")]
    pub target: String,
    /// E₀ = this times H₀
    #[arg(long, value_parser = args::positive, default_value = "1")]
    pub start_scale: f64,
    #[command(flatten)]
    pub results: ResultArgs,
}

pub fn case(text: &str) -> Result<Case, String> {
    let names: Vec<_> = Case::ALL.iter().map(|c| c.name()).collect();
    let found = Case::ALL.into_iter().find(|c| c.name() == text.trim());
    found.ok_or_else(|| format!("unknown case `{text}`; allowed are {}", names.join(", ")))
}

#[derive(Debug, Serialize)]
struct Row {
    case: Case,
    integrator: IntegratorSpec,
    h: f64,
    final_velocity: Option<f64>,
    paper: Option<f64>,
    final_energy: Option<f64>,
    outcome: Outcome,
    #[serde(flatten)]
    tally: Tally,
}

impl CollisionArgs {
    fn setups(&self) -> anyhow::Result<Vec<Setup>> {
        let target: Target = self.target.parse().or_usage()?;
        if matches!(target, Target::Vibration { .. }) {
            return Err("--target: takes=vibration is for bodies in space").or_usage();
        }
        let plan = EnergyPlan::new(target, self.start_scale).or_usage()?;
        let mut setups = Vec::new();
        for &case in &self.cases {
            for &h in &self.h.0 {
                for integrator in &self.integrators.0 {
                    let (integrator, plan) = (integrator.clone(), plan.clone());
                    let setup = Setup { case, gap: self.gap, duration: self.duration, h, integrator, plan };
                    setup.check().or_usage()?;
                    setups.push(setup);
                }
            }
        }
        Ok(setups)
    }

    pub fn run(&self) -> anyhow::Result<()> {
        let setups = self.setups()?;
        let progress = super::progress(setups.iter().map(Setup::step_count).sum());
        let rows = setups
            .par_iter()
            .map(|setup| {
                let result = collision::run(setup, |_, _| progress.inc(1))?;
                Ok(Row {
                    case: setup.case,
                    integrator: setup.integrator.clone(),
                    h: setup.h,
                    final_velocity: result.final_velocity,
                    // The paper's entries are for this set-up and no other.
                    paper: (self.gap == 1.5 && self.duration == 5.0 && setup.plan == EnergyPlan::default())
                        .then(|| paper_value(setup.case, &setup.integrator.to_string(), setup.h))
                        .flatten(),
                    final_energy: result.final_energy,
                    outcome: result.outcome,
                    tally: result.tally,
                })
            })
            .collect::<anyhow::Result<Vec<Row>>>()?;
        progress.finish_and_clear();
        let results = Results { stem: "collision-1d", rows: &rows, text: self.text(&rows), csv: csv(&rows) };
        results.publish(&self.results, || self.figures(&rows, &setups))
    }

    fn text(&self, rows: &[Row]) -> String {
        let header = ["case".to_owned(), "h [s]".to_owned()];
        let names = self.integrators.0.iter().map(|i| i.to_string());
        let mut table = Table::new(header.into_iter().chain(names));
        let mut remarks = Vec::new();
        for group in rows.chunks(self.integrators.0.len()) {
            let cells = group.iter().map(|row| {
                let remark = row.tally.remark(&row.outcome);
                if !remark.is_empty() {
                    remarks.push(format!("{} {} h = {}: {remark}", row.case.name(), row.integrator, step_label(row.h)));
                }
                let value = row.final_velocity.map_or("failed".to_owned(), |v| format!("{v:.4}"));
                row.paper.map_or(value.clone(), |paper| format!("{value} ({paper:.3})"))
            });
            let head = [group[0].case.name().to_owned(), step_label(group[0].h)];
            table.row(head.into_iter().chain(cells.collect::<Vec<_>>()));
        }
        let mut text = format!(
            "Mean velocity {} s after a bar was thrown at a wall at 1 m/s [m/s]; the paper's value in brackets\n\n{table}",
            self.duration
        );
        if self.cases.contains(&Case::DampedSoft) {
            text += "\ndamped-soft: the paper does not give its damping law; this one is fitted to its table and acts on\n\
                     absolute velocities, per element ½ c m (W″(F)/E)/(1 + r) [[1, r], [r, 1]], c = 0.05 /s, r = −½.\n";
        }
        for remark in remarks {
            text += &format!("\n{remark}");
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }

    fn figures(&self, rows: &[Row], setups: &[Setup]) -> Vec<(String, Figure)> {
        let mut figures = Vec::new();
        if self.h.0.len() > 1 {
            figures.push(("final-velocity".to_owned(), self.velocity_figure(rows)));
        }
        for &case in &self.cases {
            figures.push((format!("space-time-{}", case.name()), self.space_time_figure(case, setups)));
        }
        figures
    }

    fn velocity_figure(&self, rows: &[Row]) -> Figure {
        let panel = |case: Case| {
            let series = self.integrators.0.iter().map(|integrator| {
                let own = rows.iter().filter(|r| r.case == case && r.integrator == *integrator);
                let points = own.filter_map(|r| r.final_velocity.map(|v| (r.h, v))).collect();
                Series::integrator(&integrator.to_string(), points).with_markers()
            });
            let (x, y) = (Axis::log10("time step h [s]"), Axis::linear("rebound velocity [m/s]"));
            Chart::new(case.name(), x, y, series.collect())
        };
        let panels: Vec<Chart> = self.cases.iter().map(|&case| panel(case)).collect();
        let columns = panels.len().min(2);
        Figure::new("A bar thrown at a wall at 1 m/s: mean velocity afterwards", columns, panels)
    }

    /// Paths of all nodes, a panel for each integrator at the two longest steps.
    fn space_time_figure(&self, case: Case, setups: &[Setup]) -> Figure {
        let mut steps = self.h.0.clone();
        steps.sort_by(|a, b| b.total_cmp(a));
        steps.truncate(2);
        let wanted = setups.iter().filter(|s| s.case == case && steps.contains(&s.h));
        let panels = wanted.map(|setup| {
            let mut paths = vec![Vec::new(); collision::NODE_COUNT];
            let every = (setup.step_count() / 1500).max(1);
            let mut step = 0;
            // What a failed run did before it failed is drawn; the table says that it failed.
            let _ = collision::run(setup, |state, _| {
                if step % every == 0 {
                    paths.iter_mut().zip(&state.x).for_each(|(path, &x)| path.push((state.t, x)));
                }
                step += 1;
            });
            let (colour, _) = integrator_style(&setup.integrator.to_string());
            let series = paths.into_iter().map(|path| Series::line("", colour, path).width(0.7).unlisted()).collect();
            let axes = (Axis::linear("time [s]"), Axis::linear("position [m]").range(0.0, self.gap + 3.0));
            Chart::new(format!("{}, h = {} s", setup.integrator, step_label(setup.h)), axes.0, axes.1, series)
                .guide_y(0.0, "wall")
        });
        let panels: Vec<Chart> = panels.collect();
        let columns = self.integrators.0.len().min(3);
        let rows = panels.len().div_ceil(columns);
        Figure::new(format!("Space and time of the {} bar's nodes", case.name()), columns, panels)
            .sized(330.0 * columns as f64, 60.0 + 280.0 * rows as f64)
    }
}

fn csv(rows: &[Row]) -> String {
    let header = "case,integrator,h,final_velocity,paper,final_energy,steps,newton_iterations,unconverged,remark\n";
    rows.iter().fold(header.to_owned(), |csv, r| {
        csv + &csv_line([
            r.case.name().to_owned(),
            r.integrator.to_string(),
            r.h.to_string(),
            optional(r.final_velocity),
            optional(r.paper),
            optional(r.final_energy),
            r.tally.steps.to_string(),
            r.tally.newton_iterations.to_string(),
            r.tally.unconverged.to_string(),
            r.tally.remark(&r.outcome),
        ])
    })
}
