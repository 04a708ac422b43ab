//! Verdicts: computed from the values of runs, never typed in.

use crate::experiment::{Claim, Experiment};
use crate::formula::{Check, Wanted, read_sentence};
use crate::values::{Missing, Values};
use crate::{Cache, Plan, Tier};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Holds,
    Fails,
    NotDecidable,
}

impl Verdict {
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::NotDecidable => "not decidable",
        }
    }
}

/// A claim with its verdict.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Judged {
    pub experiment: String,
    pub id: String,
    pub says: String,
    pub verdict: Verdict,
    /// Why it cannot be decided at this tier
    pub reason: String,
    pub checks: Vec<JudgedCheck>,
    pub remark: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct JudgedCheck {
    pub text: String,
    /// The two sides
    pub left: Option<f64>,
    pub right: Option<f64>,
    pub holds: Option<bool>,
}

/// Whoever comes to a verdict.
#[derive(Debug)]
pub struct Judge<'a> {
    pub values: Values<'a>,
}

impl<'a> Judge<'a> {
    pub fn new(plan: &'a Plan, cache: &'a Cache) -> Self {
        Self { values: Values::new(plan, cache) }
    }

    /// On every claim of an experiment.
    pub fn verdicts(&self, experiment: &Experiment) -> Vec<Judged> {
        experiment.claims.iter().map(|claim| self.verdict(experiment, claim)).collect()
    }

    fn verdict(&self, experiment: &Experiment, claim: &Claim) -> Judged {
        let mut judged = Judged {
            experiment: experiment.name.clone(),
            id: claim.id.clone(),
            says: claim.says.clone(),
            verdict: Verdict::NotDecidable,
            reason: claim.undecidable.clone().unwrap_or_default(),
            checks: Vec::new(),
            remark: self.remark(experiment, claim),
        };
        if claim.undecidable.is_some() {
            return judged;
        }
        if claim.tier > self.values.plan.tier {
            judged.reason = format!("its runs are too small at the {} tier", Tier::Quick.name());
            return judged;
        }
        // The data was checked when it was read.
        let checks = claim.checks().unwrap_or_default();
        let wanted: Vec<&Wanted> = checks.iter().flat_map(Check::wanted).collect();
        let asks_whether_it_fails = |run: &str| wanted.iter().any(|w| w.run == run && w.measure == "failed");
        let runs: BTreeSet<&str> =
            wanted.iter().flat_map(|w| [Some(w.run.as_str()), w.versus.as_deref()]).flatten().collect();
        let expected_to_end = runs.into_iter().filter(|run| !asks_whether_it_fails(run));
        let failed = expected_to_end.filter_map(|run| self.values.failure(&experiment.name, run)).next();
        let mut missing: Option<Missing> = None;
        for check in &checks {
            let (mut found, why) = self.check(experiment, check);
            if failed.is_some() {
                found.holds = None;
            }
            missing = missing.or(failed.clone()).or(why);
            judged.checks.push(found);
        }
        judged.verdict = match () {
            _ if judged.checks.iter().any(|check| check.holds == Some(false)) => Verdict::Fails,
            _ if missing.is_none() => Verdict::Holds,
            _ => Verdict::NotDecidable,
        };
        if judged.verdict == Verdict::NotDecidable {
            judged.reason = missing.map_or(String::new(), |missing| missing.to_string());
        }
        judged
    }

    fn check(&self, experiment: &Experiment, check: &Check) -> (JudgedCheck, Option<Missing>) {
        let side = |term: &crate::formula::Term| term.value(&mut |wanted| self.values.of(&experiment.name, wanted));
        let (left, right) = (side(&check.left), side(&check.right));
        let missing = left.as_ref().err().or(right.as_ref().err()).cloned();
        let is_number = |side: &Result<f64, Missing>| side.as_ref().is_ok_and(|value| !value.is_nan());
        let missing =
            missing.or_else(|| (!is_number(&left) || !is_number(&right)).then(|| Missing::NoValue(check.text.clone())));
        let holds = match (&left, &right) {
            (Ok(left), Ok(right)) if missing.is_none() => Some(check.comparison.holds(*left, *right)),
            _ => None,
        };
        (JudgedCheck { text: check.text.clone(), left: left.ok(), right: right.ok(), holds }, missing)
    }

    /// Nothing where one of its values is missing.
    fn remark(&self, experiment: &Experiment, claim: &Claim) -> String {
        let mut sentence = String::new();
        for (words, term) in read_sentence(&claim.remark).unwrap_or_default() {
            sentence += &words;
            let Some(term) = term else { continue };
            match term.value(&mut |wanted| self.values.of(&experiment.name, wanted)) {
                Ok(value) => sentence += &readable(value),
                Err(_) => return String::new(),
            }
        }
        sentence
    }
}

/// Four digits, and no more than a reader wants.
pub fn readable(value: f64) -> String {
    let size = value.abs();
    match () {
        _ if value == 0.0 => "0".to_owned(),
        _ if !(1e-3..1e5).contains(&size) => format!("{value:.2e}"),
        _ if size >= 100.0 => format!("{value:.0}"),
        _ if size >= 10.0 => format!("{value:.1}"),
        _ if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}
