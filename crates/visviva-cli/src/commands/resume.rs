//! `visviva resume DIR`: goes on with a run, for longer if asked to, or branches from it.

use super::run::{CommonArgs, conclude};
use crate::args::number;
use crate::runner;
use std::path::{Path, PathBuf};
use visviva::scene::Number;
use visviva::session::Branch;

#[derive(Debug, clap::Args)]
pub struct ResumeArgs {
    /// The run folder
    dir: PathBuf,
    /// Run for so long in all [s]: a finished run goes on
    #[arg(long, value_name = "T")]
    duration: Option<Number>,
    /// Branch from this time on [s], into a new folder; DIR stays as it is
    #[arg(long, value_name = "T", value_parser = number)]
    from: Option<f64>,
    /// What the branch does otherwise: a key of the scene that may change under way, such as energy.tau=0.5, gravity=[0,0,0] or
    /// run.integrator=bdf2
    #[arg(long, value_name = "PATH=VALUE", requires = "from")]
    set: Vec<String>,
    /// The branch's folder; by default DIR-from-T with what is set
    #[arg(long, value_name = "DIR", requires = "from")]
    out: Option<PathBuf>,
    /// Replace an older run in that folder
    #[arg(long, requires = "from")]
    overwrite: bool,
    /// Go on although files were altered or lost, as long as the scene gives the same bodies; what is replaced is kept beside it
    /// as NAME.damaged
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    common: CommonArgs,
}

impl ResumeArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        self.common.use_threads()?;
        if let Some(from) = self.from {
            return self.branch(from);
        }
        let options = self.common.options(self.dir.clone(), false)?;
        match runner::resume(&self.dir, self.force, self.duration.as_ref(), &options)? {
            Some(summary) => conclude(&summary, &options),
            None => {
                println!("{} is complete: nothing is left to do", self.dir.display());
                Ok(())
            }
        }
    }

    fn branch(&self, from: f64) -> anyhow::Result<()> {
        let folder = self.out.clone().unwrap_or_else(|| branch_folder(&self.dir, from, &self.set));
        let options = self.common.options(folder, self.overwrite)?;
        let (set, duration) = (self.set.clone(), self.duration.clone());
        let branch = Branch { from, set, duration, despite_damage: self.force };
        let summary = runner::branch(&self.dir, &branch, &options)?;
        conclude(&summary, &options)
    }
}

/// Beside the run, with a name that says what was set.
fn branch_folder(run: &Path, from: f64, set: &[String]) -> PathBuf {
    const LONGEST: usize = 60;
    let key = |assignment: &String| {
        let (path, value) = assignment.split_once('=').unwrap_or((assignment, ""));
        format!("-{}-{value}", path.rsplit('.').next().unwrap_or(path))
    };
    let plain = |c: char| if c.is_alphanumeric() || "-.".contains(c) { c } else { '_' };
    let told: String = set.iter().map(key).collect::<String>().chars().map(plain).take(LONGEST).collect();
    // `runs/a/` and `.` have names as well.
    let run = run.canonicalize().unwrap_or_else(|_| run.to_owned());
    let name = run.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let above = run.parent().unwrap_or(Path::new(""));
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    above.strip_prefix(here).unwrap_or(above).join(format!("{name}-from-{from}{told}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_is_called_after_its_run_its_time_and_what_is_set() {
        let set = ["energy.target=decay", "energy.tau=1/2", "gravity=[0, 0, 0]"].map(str::to_owned);
        assert_eq!(
            branch_folder(Path::new("nowhere/ball"), 1.5, &set[..2]),
            Path::new("nowhere/ball-from-1.5-target-decay-tau-1_2")
        );
        assert_eq!(
            branch_folder(Path::new("nowhere/ball/"), 2.0, &set[2..]),
            Path::new("nowhere/ball-from-2-gravity-_0__0__0_")
        );
    }
}
