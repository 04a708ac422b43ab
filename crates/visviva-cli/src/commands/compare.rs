//! `visviva compare`: one scene with several methods and steps, all in one table and one page.

use super::kept_runs::{RunsArgs, by_blame, check_out};
use super::paper::draw;
use crate::failure::{OrUsage, Usage};
use crate::gallery;
use crate::table::Table;
use std::path::{Path, PathBuf};
use std::time::Instant;
use visviva::integrate::IntegratorSpec;
use visviva::run::Measure;
use visviva::scene::Number;
use visviva_paper::report::{Report, ReportOptions};
use visviva_paper::{Experiment, Judge, PictureSettings, Plan, RunSettings, Tier};
use visviva_sweep::naming;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "METHOD is an integrator (`visviva integrators`), or INTEGRATOR@STEP: a-search, bdf2@1/600, a-search:max=2@1/240.
--equal-time tries steps of every other method until it takes as many seconds as the method named, each alone; the table says how near it came."
)]
pub struct CompareArgs {
    /// A scene file, or the name of a gallery scene
    scene: String,
    /// What to run it with, each beside the others
    #[arg(long, value_name = "METHOD", required = true)]
    with: Vec<Method>,
    /// What the others are compared with
    #[arg(long, value_name = "METHOD")]
    reference: Option<Method>,
    /// Run the other methods also with the step at which they take as long as this one
    #[arg(long, value_name = "METHOD")]
    equal_time: Option<Method>,
    /// Another duration [s]
    #[arg(long)]
    duration: Option<String>,
    /// Change any key of the scene
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Further measures in the table, such as ball.rebound.1
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    also: Vec<Measure>,
    /// Where the page and its JSON go; by default compare/SCENE
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    runs: RunsArgs,
}

/// An integrator, and a step where it is not the scene's.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    integrator: String,
    h: Option<String>,
}

impl std::str::FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (integrator, h) = text.split_once('@').map_or((text, None), |(integrator, h)| (integrator, Some(h)));
        integrator.parse::<IntegratorSpec>().map_err(|error| error.to_string())?;
        if let Some(h) = h {
            let number: Number = h.parse().map_err(|_| format!("`{h}` is no step: write METHOD@1/600"))?;
            if !(number.value > 0.0 && number.value.is_finite()) {
                return Err(format!("a step of {h} s: it must be positive and finite"));
            }
        }
        Ok(Self { integrator: integrator.to_owned(), h: h.map(str::to_owned) })
    }
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.integrator)?;
        self.h.iter().try_for_each(|h| write!(f, "@{h}"))
    }
}

impl Method {
    fn run(&self) -> RunSettings {
        RunSettings {
            name: self.to_string(),
            integrator: self.integrator.clone(),
            h: self.h.clone(),
            // Nothing is known of what it takes: shorter steps take longer.
            seconds: 1.0 / self.h.as_ref().and_then(|h| h.parse::<Number>().ok()).map_or(0.01, |h| h.value),
            ..RunSettings::default()
        }
    }
}

const COLUMNS: [&str; 10] = [
    "turns",
    "noise",
    "total.first",
    "total.last",
    "total.max",
    "off_target",
    "newton_iterations",
    "linear_per_newton",
    "unconverged",
    "wall_s",
];

impl CompareArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let begun = Instant::now();
        let experiment = self.experiment()?;
        let plan = Plan::new(vec![experiment], Tier::Full, &gallery::find, None).map_err(by_blame)?;
        let cache = self.runs.cache();
        let out = self.out.clone().unwrap_or_else(|| Path::new("compare").join(naming::plain(&self.stem())));
        check_out(&out)?;
        let stopped = self.runs.carry_out(&plan, &cache, &[])?;
        let judge = Judge::new(&plan, &cache);
        let options = ReportOptions {
            title: format!("{}, compared", self.stem()),
            command: self.in_words(),
            experiment_command: None,
            wall_s: begun.elapsed().as_secs_f64(),
            draw: &draw,
            kept: None,
            reference: self.reference.as_ref().map(Method::to_string),
        };
        let report = Report::new(&judge, &[], &options)?;
        self.print(&report, &judge, &plan);
        for path in report.write(&out)? {
            println!("{}", path.display());
        }
        stopped.told()
    }

    fn stem(&self) -> String {
        Path::new(&self.scene).file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn experiment(&self) -> anyhow::Result<Experiment> {
        let mut runs: Vec<RunSettings> = Vec::new();
        let everything = self.with.iter().chain(&self.equal_time).chain(&self.reference);
        for method in everything {
            if !runs.iter().any(|run| run.name == method.to_string()) {
                runs.push(method.run());
            }
        }
        if let Some(partner) = &self.equal_time {
            let others = self.with.iter().filter(|method| method.integrator != partner.integrator);
            let mut seen: Vec<&String> = Vec::new();
            for method in others {
                if seen.contains(&&method.integrator) {
                    continue;
                }
                seen.push(&method.integrator);
                runs.push(RunSettings {
                    name: format!("{}, as long as {partner}", method.integrator),
                    equal_time: Some(partner.to_string()),
                    ..Method { h: None, ..method.clone() }.run()
                });
            }
            if seen.is_empty() {
                return Err(Usage(format!("--equal-time {partner}: name another method with --with")).into());
            }
        }
        let also = self.also.iter().map(Measure::to_string);
        let set = self.duration.iter().map(|duration| format!("run.duration={duration}"));
        // A mistake in the scene or in a change is told with its own words.
        let set: Vec<String> = set.chain(self.set.iter().cloned()).collect();
        let scene = gallery::find(&self.scene).or_usage()?.parse(&set).or_usage()?;
        Ok(Experiment {
            name: self.stem(),
            title: scene.title.clone(),
            about: String::new(),
            scene: Some(self.scene.clone()),
            set,
            columns: COLUMNS.map(str::to_owned).into_iter().chain(also).collect(),
            figures: ["energy", "terms", "height", "angular-momentum", "alpha", "newton", "distance"]
                .map(str::to_owned)
                .into(),
            picture: Some(PictureSettings { runs: Vec::new(), moments: 12, magnify: 1.0 }),
            runs,
            ..Experiment::default()
        })
    }

    fn print(&self, report: &Report, judge: &Judge<'_>, plan: &Plan) {
        let reference = self.reference.as_ref().map(Method::to_string);
        let off = |run: &str, measure: &str| {
            let versus = reference.clone()?;
            let wanted =
                visviva_paper::Wanted { run: run.to_owned(), measure: measure.to_owned(), versus: Some(versus) };
            judge.values.of(&plan.experiments.first()?.name, &wanted).ok()
        };
        for experiment in &report.experiments {
            let head = ["run", "h [s]"].into_iter().chain(experiment.columns.iter().map(String::as_str));
            let mut table = Table::new(head.chain(["distance [m]", "L off", ""]));
            for run in &experiment.runs {
                let cell = |value: &Option<f64>| value.map_or(String::new(), visviva_paper::readable);
                let cells = [run.name.clone(), run.h.clone()].into_iter().chain(run.values.iter().map(cell));
                let offs = ["distance", "angular_momentum_off"].map(|measure| cell(&off(&run.name, measure)));
                table.row(cells.chain(offs).chain([run.note.clone()]));
            }
            print!("{table}");
        }
    }

    fn in_words(&self) -> String {
        let mut words = format!("visviva compare {}", self.scene);
        let with = self.with.iter().map(|method| format!(" --with {method}"));
        let others = [("reference", &self.reference), ("equal-time", &self.equal_time)];
        let others = others.into_iter().filter_map(|(flag, method)| Some(format!(" --{flag} {}", method.as_ref()?)));
        let duration = self.duration.iter().map(|duration| format!(" --duration {duration}"));
        let set = self.set.iter().map(|set| format!(" --set {set}"));
        with.chain(others).chain(duration).chain(set).for_each(|part| words += &part);
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_read_as_they_are_written() {
        for text in ["a-search", "bdf2@1/600", "a-search:min=0.9,max=2@1/240"] {
            assert_eq!(text.parse::<Method>().unwrap().to_string(), text);
        }
        for (wrong, part) in [("a-serch", "a-search"), ("bdf2@soon", "METHOD@1/600"), ("bdf2@-1", "positive")] {
            assert!(wrong.parse::<Method>().unwrap_err().contains(part), "{wrong}");
        }
    }
}
