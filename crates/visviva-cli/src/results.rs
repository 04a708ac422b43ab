//! Where a study's results go: a table or JSON on standard output, and with `--out` CSV, JSON and figures in a folder.

use anyhow::Context;
use serde::Serialize;
use std::path::{Path, PathBuf};
use visviva::run::whole_file;
use visviva_pictures::chart::Figure;

#[derive(Debug, Clone, clap::Args)]
pub struct ResultArgs {
    /// Print machine-readable results instead of a table
    #[arg(long)]
    pub json: bool,
    /// Write CSV, JSON and plots (SVG and PNG) into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Rows of one study.
#[derive(Debug)]
pub struct Results<'a, R> {
    /// Names the files
    pub stem: &'a str,
    pub rows: &'a [R],
    /// What a person reads
    pub text: String,
    pub csv: String,
}

impl<R: Serialize> Results<'_, R> {
    /// Figures are drawn only where they are wanted.
    pub fn publish(&self, args: &ResultArgs, figures: impl FnOnce() -> Vec<(String, Figure)>) -> anyhow::Result<()> {
        let json = serde_json::to_string_pretty(self.rows)?;
        if let Some(folder) = &args.out {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
            write(&folder.join(format!("{}.json", self.stem)), &json)?;
            write(&folder.join(format!("{}.csv", self.stem)), &self.csv)?;
            for (stem, figure) in figures() {
                figure.write(folder, &stem)?;
            }
            eprintln!("results and plots are in {}", folder.display());
        }
        if args.json {
            println!("{json}");
        } else {
            print!("{}", self.text);
        }
        Ok(())
    }
}

fn write(path: &Path, content: &str) -> anyhow::Result<()> {
    whole_file::write(path, content.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// A CSV line; a cell with a comma or a quote is quoted.
pub fn csv_line(cells: impl IntoIterator<Item = String>) -> String {
    let quote = |cell: String| {
        if cell.contains([',', '"', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
    };
    cells.into_iter().map(quote).collect::<Vec<_>>().join(",") + "\n"
}

/// A number, or nothing.
pub fn optional(value: Option<f64>) -> String {
    value.map_or(String::new(), |v| v.to_string())
}
