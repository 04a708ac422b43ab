//! `visviva scenes` and `visviva schema`.

use crate::failure::{OrUsage, Usage};
use crate::gallery::{SCENES, others};
use crate::table::Table;

#[derive(Debug, clap::Args)]
pub struct ScenesArgs {
    /// Show what this one is about
    name: Option<String>,
    /// Print the scene file itself, to start one of your own from
    #[arg(long, requires = "name")]
    toml: bool,
}

impl ScenesArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let Some(name) = &self.name else {
            let mut table = Table::new(["scene", "what it shows"]);
            for scene in SCENES {
                table.row([scene.name.to_owned(), scene.source().parse(&[]).or_usage()?.title]);
            }
            print!("{table}");
            println!("\nRun one with `visviva run NAME`, read about it with `visviva scenes NAME`.");
            return Ok(());
        };
        let Some(scene) = SCENES.iter().find(|s| s.name == name) else {
            return Err(Usage(format!("no gallery scene is called `{name}`{}", others(name))).into());
        };
        if self.toml {
            // The schema's place is right in our folder only.
            let schema = |line: &&str| line.starts_with("#:schema");
            scene.text.lines().filter(|line| !schema(line)).for_each(|line| println!("{line}"));
        } else {
            let parsed = scene.source().parse(&[]).or_usage()?;
            println!("{}\n\n{}", parsed.title, parsed.description.trim());
        }
        Ok(())
    }
}
