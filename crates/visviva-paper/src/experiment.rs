//! Experiments as data: what is run, what is measured, and what the paper says of it. One TOML file each, carried by the program.

use crate::formula::{Check, Term, read_sentence};
use crate::{PaperError, Tier};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use visviva::readable::did_you_mean;

/// One experiment of the paper.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    #[serde(skip)]
    pub name: String,
    pub title: String,
    /// Where it stands in the paper
    #[serde(default)]
    pub place: String,
    pub about: String,
    /// Of all runs that name none
    #[serde(default)]
    pub scene: Option<String>,
    /// Changes of the scene in all runs
    #[serde(default)]
    pub set: Vec<String>,
    /// Further changes in the quick tier
    #[serde(default)]
    pub quick: Vec<String>,
    /// What the quick tier leaves out, in words
    #[serde(default)]
    pub quick_about: String,
    /// Measures that the table shows of every run
    #[serde(default)]
    pub columns: Vec<String>,
    /// Figures of all runs: energy, terms, angular-momentum, alpha, newton, distance; of small worlds spectrum, space-time, trace
    #[serde(default)]
    pub figures: Vec<String>,
    #[serde(default)]
    pub picture: Option<PictureSettings>,
    #[serde(default, rename = "run")]
    pub runs: Vec<RunSettings>,
    #[serde(default, rename = "claim")]
    pub claims: Vec<Claim>,
}

/// How runs are shown beside each other.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PictureSettings {
    /// By name; all where none is given
    #[serde(default)]
    pub runs: Vec<String>,
    /// Moments in each picture
    #[serde(default = "PictureSettings::one")]
    pub moments: usize,
    #[serde(default = "PictureSettings::unmagnified")]
    pub magnify: f64,
}

impl PictureSettings {
    fn one() -> usize {
        1
    }

    fn unmagnified() -> f64 {
        1.0
    }
}

/// One run, or with `over` one for every combination of values.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    pub name: String,
    #[serde(default)]
    pub world: World,
    #[serde(default)]
    pub scene: Option<String>,
    #[serde(default)]
    pub integrator: String,
    /// `[s]`, as a text: 1/120
    #[serde(default)]
    pub h: Option<String>,
    /// In the quick tier
    #[serde(default)]
    pub quick_h: Option<String>,
    #[serde(default)]
    pub set: Vec<String>,
    /// Of the bar thrown at a wall: soft, medium, stiff, damped-soft
    #[serde(default)]
    pub case: Option<String>,
    /// Of a small world: hbar, h, kappa, speed, drag
    #[serde(default)]
    pub parameters: BTreeMap<String, f64>,
    /// The least tier that it belongs to
    #[serde(default)]
    pub tier: Tier,
    /// Its step is found so that it takes as long as this run
    #[serde(default)]
    pub equal_time: Option<String>,
    /// About how long it takes on one core `[s]`
    #[serde(default)]
    pub seconds: f64,
    #[serde(default)]
    pub quick_seconds: Option<f64>,
    /// What the paper has for its measures
    #[serde(default)]
    pub paper: BTreeMap<String, f64>,
    /// Values that `{key}` stands for in the texts above
    #[serde(default)]
    pub over: BTreeMap<String, Vec<String>>,
}

/// Where a run takes place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum World {
    /// In space, into a run folder
    #[default]
    Scene,
    /// A bar thrown at a wall
    Collision,
    /// A particle thrown at a barrier
    Particle,
    /// One step on the harmonic oscillator
    Stability,
    /// The same of two-step methods
    TwoStep,
    /// The same of symplectic pairs of tables
    Partitioned,
    /// A mass on a spring with a strong drag
    Drag,
}

/// What the paper says, and by what it is judged.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    pub id: String,
    /// The paper's words
    pub says: String,
    /// All of these must hold
    #[serde(default)]
    pub check: Vec<String>,
    /// The least tier whose runs can decide it
    #[serde(default)]
    pub tier: Tier,
    /// Why nothing here decides it, and what would
    #[serde(default)]
    pub undecidable: Option<String>,
    /// What a reader should know, with values in braces
    #[serde(default)]
    pub remark: String,
}

macro_rules! experiments {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../experiments/", $name, ".toml")))),*]
    };
}

/// Names and texts, in the paper's order.
const EXPERIMENTS: &[(&str, &str)] = experiments![
    "stability",
    "particle",
    "collision-1d",
    "ablation-1d",
    "rotating-cube-soft",
    "rotating-cube-stiff",
    "twisted-bar",
    "suspended-armadillo",
    "ball-soft",
    "ball-medium",
    "ball-stiff",
    "ball-affine",
    "ablation-ball",
    "membrane",
    "dice",
    "stairs",
    "trampoline",
    "chain-net",
    "splash",
    "run-time",
];

impl Experiment {
    /// All of the paper's.
    pub fn of_paper() -> Result<Vec<Self>, PaperError> {
        EXPERIMENTS.iter().map(|(name, text)| Self::read(name, text)).collect()
    }

    /// Those of someone's own: the TOML files of a folder, by their names.
    pub fn of_folder(folder: &Path) -> Result<Vec<Self>, PaperError> {
        let fail = |problem| PaperError::Write { path: folder.to_owned(), problem };
        let mut files: Vec<PathBuf> = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(fail)? {
            files.push(entry.map_err(fail)?.path());
        }
        files.retain(|path| path.extension().is_some_and(|end| end == "toml"));
        files.sort();
        let read = |path: &PathBuf| {
            let text = std::fs::read_to_string(path).map_err(fail)?;
            Self::read(&path.file_stem().unwrap_or_default().to_string_lossy(), &text)
        };
        files.iter().map(read).collect()
    }

    /// Refuses names that none of them has.
    pub fn check_names(experiments: &[Self], names: &[String]) -> Result<(), PaperError> {
        let known: Vec<&str> = experiments.iter().map(|experiment| experiment.name.as_str()).collect();
        match names.iter().find(|name| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some(unknown) => {
                let near = did_you_mean(unknown, &known);
                Err(PaperError::UnknownExperiment { name: unknown.clone(), known: known.join(", "), near })
            }
        }
    }

    pub fn read(name: &str, text: &str) -> Result<Self, PaperError> {
        let fail = |problem: String| PaperError::Experiment { name: name.to_owned(), problem };
        let mut experiment: Self = toml::from_str(text).map_err(|error| fail(error.to_string()))?;
        experiment.name = name.to_owned();
        experiment.runs = experiment.runs.iter().flat_map(RunSettings::expanded).collect();
        experiment.check().map_err(fail)?;
        Ok(experiment)
    }

    /// A mistake in the data is found before anything runs.
    fn check(&self) -> Result<(), String> {
        let mut names = BTreeSet::new();
        if let Some(twice) = self.runs.iter().find(|run| !names.insert(&run.name)) {
            return Err(format!("two runs are called `{}`", twice.name));
        }
        let mut ids = BTreeSet::new();
        for claim in &self.claims {
            if !ids.insert(&claim.id) {
                return Err(format!("two claims are called `{}`", claim.id));
            }
            if claim.check.is_empty() == claim.undecidable.is_none() {
                return Err(format!("claim `{}`: give either what is checked or why nothing can be", claim.id));
            }
            for wanted in claim.parts()?.iter().flat_map(Term::wanted) {
                let runs = [Some(&wanted.run), wanted.versus.as_ref()];
                let own = runs.into_iter().flatten().filter(|run| !run.contains('/'));
                if let Some(unknown) = own.into_iter().find(|run| !names.contains(*run)) {
                    return Err(format!("claim `{}`: no run is called `{unknown}`", claim.id));
                }
            }
        }
        Ok(())
    }

    pub fn run(&self, name: &str) -> Option<&RunSettings> {
        self.runs.iter().find(|run| run.name == name)
    }
}

impl Claim {
    pub fn checks(&self) -> Result<Vec<Check>, String> {
        self.check.iter().map(|text| Check::read(text)).collect()
    }

    /// All terms of its checks and of its remark.
    pub fn parts(&self) -> Result<Vec<Term>, String> {
        let checks = self.checks()?.into_iter().flat_map(|check| [check.left, check.right]);
        let remarked = read_sentence(&self.remark)?.into_iter().filter_map(|(_, term)| term);
        Ok(checks.chain(remarked).collect())
    }
}

impl RunSettings {
    /// One for every combination of the values in `over`.
    fn expanded(&self) -> Vec<Self> {
        let mut all = vec![Self { over: BTreeMap::new(), ..self.clone() }];
        for (key, values) in &self.over {
            let filled = |run: &Self, value: &str| {
                let fill = |text: &String| text.replace(&format!("{{{key}}}"), value);
                Self {
                    name: fill(&run.name),
                    scene: run.scene.as_ref().map(fill),
                    integrator: fill(&run.integrator),
                    h: run.h.as_ref().map(fill),
                    case: run.case.as_ref().map(fill),
                    set: run.set.iter().map(fill).collect(),
                    ..run.clone()
                }
            };
            all = all.iter().flat_map(|run| values.iter().map(|value| filled(run, value))).collect();
        }
        all
    }

    pub fn is_in(&self, tier: Tier) -> bool {
        self.tier <= tier
    }

    /// About how long it takes on one core `[s]`.
    pub fn cost(&self, tier: Tier) -> f64 {
        if tier == Tier::Quick { self.quick_seconds.unwrap_or(self.seconds) } else { self.seconds }
    }

    /// `[s]`, as it is written.
    pub fn step(&self, tier: Tier) -> Option<&String> {
        self.quick_h.as_ref().filter(|_| tier == Tier::Quick).or(self.h.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_experiments_are_sound_and_no_claim_is_there_twice() {
        let all = Experiment::of_paper().unwrap();
        let claims: Vec<&str> = all.iter().flat_map(|e| e.claims.iter().map(|claim| claim.id.as_str())).collect();
        assert!(claims.len() >= 68, "{} claims", claims.len());
        assert_eq!(claims.iter().collect::<BTreeSet<_>>().len(), claims.len());
        for experiment in &all {
            for wanted in experiment.claims.iter().flat_map(|claim| claim.parts().unwrap()) {
                for wanted in wanted.wanted() {
                    let elsewhere = [Some(&wanted.run), wanted.versus.as_ref()];
                    for (other, run) in elsewhere.into_iter().flatten().filter_map(|run| run.split_once('/')) {
                        let known = all.iter().find(|e| e.name == other).and_then(|e| e.run(run));
                        assert!(known.is_some(), "{}: {wanted}", experiment.name);
                    }
                }
            }
        }
    }

    #[test]
    fn combinations_are_runs_of_their_own() {
        let text = "title = 't'\nabout = ''\n[[run]]\nname = '{m} {h}'\nintegrator = '{m}'\nh = '1/{h}'\n\
                    over = { m = ['bdf2', 'a-1'], h = ['30', '300'] }";
        let runs = Experiment::read("x", text).unwrap().runs;
        assert_eq!(runs.len(), 4);
        assert!(runs.iter().any(|run| run.name == "a-1 300" && run.h.as_deref() == Some("1/300")));
    }

    #[test]
    fn mistakes_in_the_data_are_told() {
        let head = "title = 't'\nabout = ''\n";
        for (text, part) in [
            ("[[run]]\nname = 'a'\n[[run]]\nname = 'a'", "two runs are called `a`"),
            ("[[claim]]\nid = 'c'\nsays = ''\ncheck = ['{b: turns} > 1']", "no run is called `b`"),
            ("[[claim]]\nid = 'c'\nsays = ''", "either what is checked"),
            ("[[claim]]\nid = 'c'\nsays = ''\ncheck = ['1']", "comparison"),
            ("moon = 1", "moon"),
        ] {
            let message = Experiment::read("x", &format!("{head}{text}")).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
        let all = Experiment::of_paper().unwrap();
        let message = Experiment::check_names(&all, &["membran".into()]).unwrap_err().to_string();
        assert!(message.contains("`membran`") && message.contains("did you mean `membrane`"), "{message}");
    }
}
