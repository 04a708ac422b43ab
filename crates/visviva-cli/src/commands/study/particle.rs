//! `visviva study particle`.

use crate::args::{self, Integrators, Sweep};
use crate::failure::OrUsage;
use crate::results::{ResultArgs, Results, csv_line, optional};
use crate::table::Table;
use visviva::study::particle::{Barrier, Bounce, SetupError, bounce};
use visviva_pictures::chart::{Axis, Chart, Figure, Series};
use visviva_pictures::colour::Colour;

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum BarrierKind {
    Quadratic,
    Ipc,
}

#[derive(Debug, clap::Args)]
pub struct ParticleArgs {
    #[arg(long, value_enum, default_value = "quadratic")]
    barrier: BarrierKind,
    /// ħ = h²k/m of the quadratic barrier
    #[arg(long, value_parser = args::positive, default_value = "1e8")]
    hbar: f64,
    /// Time step before the IPC barrier, in units of d̂/|v|
    #[arg(long, value_parser = args::positive, default_value = "1000")]
    h: f64,
    /// Stiffness of the IPC barrier, in units of m v²
    #[arg(long, value_parser = args::positive, default_value = "1")]
    kappa: f64,
    /// Parts of a step's way between start and barrier: FROM:TO:COUNT or numbers with commas
    #[arg(long, value_parser = args::sweep, default_value = "0.05:0.95:19")]
    phases: Sweep,
    #[arg(long, value_parser = args::integrators, default_value = "implicit-euler,bdf2,trapezoidal,a-1,a-search")]
    integrators: Integrators,
    /// The speed V that the energy target assumes (1: the true one)
    #[arg(long, value_parser = args::positive, default_value = "1")]
    assumed_speed: f64,
    #[command(flatten)]
    results: ResultArgs,
}

impl ParticleArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let barrier = match self.barrier {
            BarrierKind::Quadratic => Barrier::Quadratic { hbar: self.hbar },
            BarrierKind::Ipc => Barrier::Ipc { h: self.h, kappa: self.kappa },
        };
        barrier.check().or_usage()?;
        if let Some(&phase) = self.phases.0.iter().find(|p| !(0.0..=1.0).contains(*p)) {
            return Err(SetupError::Phase(phase)).or_usage();
        }
        let mut rows = Vec::new();
        for integrator in &self.integrators.0 {
            for &phase in &self.phases.0 {
                rows.push(bounce(barrier, integrator, phase, self.assumed_speed)?);
            }
        }
        let results = Results { stem: "particle", rows: &rows, text: self.text(&rows), csv: csv(&rows) };
        results.publish(&self.results, || vec![("particle".to_owned(), self.figure(&rows))])
    }

    fn text(&self, rows: &[Bounce]) -> String {
        let mut text = String::from("Velocities after each step, up to the one that leaves the barrier (1 came in)\n");
        for group in rows.chunks(self.phases.0.len()) {
            let mut table = Table::new(["phase", "leaves at", "velocities", "theory for a stiff barrier", ""]);
            for row in group {
                let list = |v: &[f64]| {
                    let shown: Vec<String> = v.iter().take(6).map(|v| format!("{v:.4}")).collect();
                    shown.join(" ") + if v.len() > 6 { " …" } else { "" }
                };
                table.row([
                    format!("{:.3}", row.phase),
                    row.exit_velocity.map_or("stays".to_owned(), |v| format!("{v:.4}")),
                    list(&row.velocities),
                    row.theory.as_deref().map_or(String::new(), list),
                    row.tally.remark(&row.outcome),
                ]);
            }
            text += &format!("\n{}\n{table}", group[0].integrator);
        }
        text
    }

    fn figure(&self, rows: &[Bounce]) -> Figure {
        let measured = rows.chunks(self.phases.0.len()).map(|group| {
            let points = group.iter().filter_map(|row| row.exit_velocity.map(|v| (row.phase, v))).collect();
            Series::integrator(&group[0].integrator.to_string(), points).with_markers()
        });
        let theory = rows.iter().filter_map(|row| row.theory.as_ref()?.last().map(|&v| (row.phase, v)));
        let theory = Series::markers("theory for a stiff barrier", Colour(0, 0, 0), theory.collect()).opacity(0.4);
        let axes = (Axis::linear("phase of the collision β"), Axis::linear("outgoing / incoming speed"));
        Figure::single(Chart::new(
            "A particle against a barrier that no step resolves",
            axes.0,
            axes.1,
            measured.chain([theory]).collect(),
        ))
    }
}

fn csv(rows: &[Bounce]) -> String {
    rows.iter().fold("integrator,phase,exit_velocity,velocities,remark\n".to_owned(), |csv, r| {
        let velocities: Vec<String> = r.velocities.iter().map(|v| v.to_string()).collect();
        csv + &csv_line([
            r.integrator.to_string(),
            r.phase.to_string(),
            optional(r.exit_velocity),
            velocities.join(" "),
            r.tally.remark(&r.outcome),
        ])
    })
}
