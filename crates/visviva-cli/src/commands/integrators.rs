//! `visviva integrators`: every method and what to know about it.

use crate::table::Table;
use visviva::integrate::{METHODS, tableau::TABLEAUX};

#[derive(Debug, clap::Args)]
pub struct IntegratorsArgs {
    /// Print machine-readable results
    #[arg(long)]
    json: bool,
}

impl IntegratorsArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        if self.json {
            let rows: Vec<_> = METHODS
                .iter()
                .map(|m| {
                    let parameters = m.parameters.iter().map(|p| (p.name.to_owned(), p.default.into()));
                    serde_json::json!({
                        "name": m.name, "order": m.order, "keeps_linear_momentum": m.keeps_linear_momentum,
                        "energy": m.energy, "symplectic_on_linear": m.symplectic_on_linear, "cost": m.cost,
                        "when": m.when, "parameters": parameters.collect::<serde_json::Map<_, _>>(),
                    })
                })
                .collect();
            println!("{}", serde_json::to_string_pretty(&rows)?);
            return Ok(());
        }
        let yes = |b: bool| if b { "yes" } else { "no" };
        let mut table = Table::new(["integrator", "order", "momentum", "symplectic*", "cost a step", "energy"]);
        for m in METHODS {
            let (momentum, symplectic) = (yes(m.keeps_linear_momentum), yes(m.symplectic_on_linear));
            table.row([m.name, m.order, momentum, symplectic, m.cost, m.energy]);
        }
        print!("{table}");
        println!("\n* on linear problems: keeps areas of phase space and, where stable, the energy");
        println!("\nWhen to use which:");
        let mut table = Table::new(["integrator", "use it for", "parameters (defaults)"]);
        for m in METHODS {
            let parameters: Vec<_> = m.parameters.iter().map(|p| format!("{}={}", p.name, p.default)).collect();
            table.row([m.name, m.when, &parameters.join(", ")]);
        }
        print!("{table}");
        let tables: Vec<_> = TABLEAUX.iter().map(|t| t.name).collect();
        println!("\nParameters follow a colon: a-search:min=0.9,max=1.1");
        println!("Tables for dirk and decoupled: {}", tables.join(", "));
        Ok(())
    }
}
