//! `visviva materials`: what bodies may be made of by name.

use crate::failure::Usage;
use crate::table::Table;
use visviva::readable::length;
use visviva::scene::{EVERYDAY, Material, STIFF, suggestion};

#[derive(Debug, clap::Args)]
pub struct MaterialsArgs {
    /// Show this one alone
    name: Option<String>,
    /// Print it as a scene file writes it, to change it there
    #[arg(long, requires = "name", conflicts_with = "json")]
    toml: bool,
    /// Print machine-readable results
    #[arg(long)]
    json: bool,
}

impl MaterialsArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let wanted: Vec<_> = EVERYDAY.iter().filter(|row| self.name.as_deref().is_none_or(|n| n == row.name)).collect();
        if let (Some(name), true) = (&self.name, wanted.is_empty()) {
            let names: Vec<&str> = EVERYDAY.iter().map(|row| row.name).collect();
            let near = suggestion(name, &names).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            return Err(Usage(format!("no everyday material is called `{name}`{near}")).into());
        }
        if self.toml {
            for row in wanted {
                print!("[[material]]\n{}", toml::to_string(&Material::from(row))?);
            }
            return Ok(());
        }
        if self.json {
            let rows: Vec<_> = wanted
                .iter()
                .map(|row| {
                    serde_json::json!({
                        "name": row.name, "youngs_modulus": row.youngs_modulus, "poisson_ratio": row.poisson_ratio,
                        "density": row.density, "thickness": row.sheet.map(|sheet| sheet.thickness),
                        "bending_modulus": row.sheet.map(|sheet| sheet.bending_modulus), "friction": row.friction,
                        "restitution": row.restitution, "about": row.about, "stiff": row.youngs_modulus >= STIFF,
                    })
                })
                .collect();
            println!("{}", serde_json::to_string_pretty(&rows)?);
            return Ok(());
        }
        let mut table = Table::new([
            "material",
            "E [Pa]",
            "ν",
            "density [kg/m³]",
            "thickness",
            "bending E [Pa]",
            "friction",
            "restitution",
            "like",
        ]);
        for row in wanted {
            let of_sheet = |text: Option<String>| text.unwrap_or("–".to_owned());
            table.row([
                row.name.to_owned(),
                format!("{:e}", row.youngs_modulus),
                row.poisson_ratio.to_string(),
                row.density.to_string(),
                of_sheet(row.sheet.map(|sheet| length(sheet.thickness))),
                of_sheet(row.sheet.map(|sheet| format!("{:e}", sheet.bending_modulus))),
                row.friction.to_string(),
                row.restitution.to_string(),
                row.about.to_owned(),
            ]);
        }
        print!("{table}");
        println!("\nIn a scene: material = \"rubber\". Thickness and bending serve shells alone; solids ignore them.");
        println!(
            "What is stiffer than {STIFF:e} Pa hardly deforms: as kind = \"affine\" it is as good and far quicker."
        );
        println!("For numbers of your own: visviva materials rubber --toml >> scene.toml");
        Ok(())
    }
}
