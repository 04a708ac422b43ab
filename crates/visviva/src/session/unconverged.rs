//! Steps that did not converge, by what held them: which bodies, which test, how much was left, and what can be done.

use super::Summary;
use crate::model::bodies::Model;
use crate::readable::length;
use crate::solve::{GivenUp, SolveReport, Unmet};
use serde::{Deserialize, Serialize};

/// Those held in one way; a step is counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Held {
    pub steps: u64,
    pub first_step: u64,
    /// Where most was left, compared with what may be
    pub worst_step: u64,
    /// Which of Newton's tests was not met; none where a method solves its stages together and tells no more
    pub unmet: Option<Unmet>,
    /// What was left in the worst step and what may be: `[m]` of a motion, a part of the largest force of a contact's
    pub left: f64,
    pub allowed: f64,
    /// Why the worst step was given up
    pub why: GivenUp,
}

impl Held {
    fn is_worse_than(&self, other: &Self) -> bool {
        self.left * other.allowed > other.left * self.allowed
    }
}

/// The same as it is told.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HeldSteps {
    /// One, or two that touch or would touch; the second may be an obstacle
    pub bodies: Vec<String>,
    #[serde(flatten)]
    pub held: Held,
    pub in_words: String,
    /// Any one of these may help
    pub what_to_do: Vec<String>,
}

/// By surfaces and test, in the order in which they came first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Unconverged {
    by_cause: Vec<([Option<u32>; 2], Held)>,
}

impl Unconverged {
    pub fn add(&mut self, step: u64, solve: &SolveReport) {
        if solve.converged {
            return;
        }
        let (surfaces, held) = cause(step, solve);
        let known = self.by_cause.iter_mut().find(|(of, known)| *of == surfaces && known.unmet == held.unmet);
        let Some((_, known)) = known else {
            self.by_cause.push((surfaces, held));
            return;
        };
        let (steps, first_step) = (known.steps + 1, known.first_step);
        *known = Held { steps, first_step, ..if held.is_worse_than(known) { held } else { *known } };
    }

    /// Most steps first.
    pub fn told(&self, model: &Model, max_iterations: usize) -> Vec<HeldSteps> {
        let mut causes = self.by_cause.clone();
        causes.sort_by_key(|(_, held)| std::cmp::Reverse(held.steps));
        let told = |(surfaces, held): ([Option<u32>; 2], Held)| {
            let bodies = names(model, surfaces);
            let in_words = in_words(&bodies, &held);
            HeldSteps { bodies, held, in_words, what_to_do: what_to_do(&held, max_iterations) }
        };
        causes.into_iter().map(told).collect()
    }
}

/// What held one step, in words; nothing where it converged.
pub fn what_held(model: &Model, solve: &SolveReport) -> Option<String> {
    let (surfaces, held) = (!solve.converged).then(|| cause(0, solve))?;
    Some(format!("{}: {}", who(&names(model, surfaces)), what(&held)))
}

fn cause(step: u64, solve: &SolveReport) -> ([Option<u32>; 2], Held) {
    let held = Held {
        steps: 1,
        first_step: step,
        worst_step: step,
        unmet: solve.stuck.map(|stuck| stuck.unmet),
        left: solve.stuck.map_or(0.0, |stuck| stuck.left),
        allowed: solve.stuck.map_or(1.0, |stuck| stuck.allowed),
        why: solve.stuck.map_or(GivenUp::IterationsSpent, |stuck| stuck.why),
    };
    let mut surfaces = solve.stuck.map_or([None; 2], |stuck| stuck.surfaces);
    // Obstacles are counted last, and so they are told last.
    surfaces.sort_by_key(|surface| (surface.is_none(), *surface));
    (surfaces, held)
}

fn names(model: &Model, surfaces: [Option<u32>; 2]) -> Vec<String> {
    surfaces.into_iter().flatten().map(|surface| model.surface_name(surface).to_owned()).collect()
}

fn who(bodies: &[String]) -> String {
    match bodies {
        [] => "the whole scene".to_owned(),
        [body] => format!("`{body}`"),
        [body, other] if body == other => format!("`{body}` and itself"),
        [body, other, ..] => format!("`{body}` and `{other}`"),
    }
}

fn what(held: &Held) -> String {
    let Held { left, allowed, .. } = *held;
    let percent = |part: f64| format!("{} %", significant(100.0 * part));
    let force = |what: &str| {
        format!("{} of {what} was still wrong (solver.gap_tolerance allows {})", percent(left), percent(allowed))
    };
    match held.unmet {
        Some(Unmet::Motion) => {
            let (left, allowed) = (length(left), length(allowed));
            format!("a part would still have moved by {left} (solver.tolerance allows {allowed} a step)")
        }
        Some(Unmet::ContactForce) => force("the force between them"),
        Some(Unmet::ContactLoss) => force("their friction or loss in contact"),
        Some(Unmet::Direction) => "too many contacts acted at once for the last correction to be found".to_owned(),
        None => "stages that are solved together were not solved".to_owned(),
    }
}

fn in_words(bodies: &[String], held: &Held) -> String {
    let (who, what) = (who(bodies), what(held));
    let Held { steps, first_step, worst_step, .. } = held;
    match steps {
        1 => format!("{who} in step {first_step}: {what}"),
        _ => format!("{who} in {steps} steps from step {first_step} on: in step {worst_step}, the worst, {what}"),
    }
}

/// Two digits, and no power of ten where people need none.
fn significant(number: f64) -> String {
    match number {
        n if n >= 10.0 => format!("{n:.0}"),
        n if n >= 0.095 => format!("{n:.1}"),
        n => format!("{n:.1e}"),
    }
}

/// Any one of them may help.
fn what_to_do(held: &Held, max_iterations: usize) -> Vec<String> {
    let mut remedies = vec!["take shorter steps (run.h)".to_owned()];
    if held.why == GivenUp::NoStepLowers {
        let why = "where gaps are so small that rounding decides, more iterations do not help";
        remedies.push(format!("take a larger contact.reach: {why}"));
        return remedies;
    }
    remedies.push(format!("allow more iterations (solver.max_iterations, now {max_iterations})"));
    if held.unmet == Some(Unmet::ContactLoss) {
        remedies.push("let friction fade earlier (a larger contact.friction_speed)".to_owned());
    }
    if matches!(held.unmet, Some(Unmet::ContactForce | Unmet::ContactLoss)) {
        remedies.push("raise solver.gap_tolerance, where contact forces need not be so exact".to_owned());
    }
    remedies
}

/// So many causes are told at the end of a run; summary.json holds all.
const TOLD: usize = 3;

impl Summary {
    /// What to say of steps that did not converge, line by line; nothing where all did.
    pub fn unconverged_in_words(&self) -> Vec<String> {
        let count = self.tally.unconverged_steps;
        if count == 0 {
            return Vec::new();
        }
        let steps = self.tally.steps;
        let mut lines = vec![format!(
            "warning: {count} of {steps} steps did not converge (column `converged` of stats.csv). They stand, but are less exact \
             than asked for. What held them:"
        )];
        let told = &self.unconverged[..self.unconverged.len().min(TOLD)];
        lines.extend(told.iter().map(|held| format!("  {}", held.in_words)));
        if self.unconverged.len() > TOLD {
            let others = &self.unconverged[TOLD..];
            let steps: u64 = others.iter().map(|held| held.held.steps).sum();
            lines.push(format!("  and {} more, in {steps} steps (`unconverged` in summary.json)", others.len()));
        }
        let mut remedies: Vec<&str> = Vec::new();
        for remedy in told.iter().flat_map(|held| &held.what_to_do) {
            if !remedies.contains(&remedy.as_str()) {
                remedies.push(remedy);
            }
        }
        lines.push(format!("  What to do: {}", remedies.join("; or ")));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Energies;
    use crate::solve::Stuck;

    fn unsolved(left: f64, surfaces: [Option<u32>; 2]) -> SolveReport {
        let stuck = Stuck {
            node: 0,
            wanted: 1.0,
            is_far: true,
            unmet: Unmet::ContactForce,
            left,
            allowed: 1e-3,
            surfaces,
            why: GivenUp::IterationsSpent,
        };
        SolveReport { converged: false, stuck: Some(stuck), ..SolveReport::explicit(Energies::default()) }
    }

    #[test]
    fn steps_are_gathered_by_pair_with_the_first_and_the_worst() {
        let mut unconverged = Unconverged::default();
        unconverged.add(1, &SolveReport::explicit(Energies::default()));
        unconverged.add(3, &unsolved(0.01, [Some(1), Some(0)]));
        unconverged.add(4, &unsolved(0.5, [Some(0), Some(1)]));
        unconverged.add(5, &unsolved(0.2, [Some(1), Some(0)]));
        unconverged.add(6, &unsolved(0.2, [Some(0), Some(2)]));
        let [(pair, held), (other, once)] = unconverged.by_cause[..] else { panic!("{unconverged:?}") };
        assert_eq!((pair, held.steps, held.first_step, held.worst_step), ([Some(0), Some(1)], 3, 3, 4));
        assert_eq!((other, once.steps, once.first_step), ([Some(0), Some(2)], 1, 6));
        let said = in_words(&["a".into(), "b".into()], &held);
        assert_eq!(
            said,
            "`a` and `b` in 3 steps from step 3 on: in step 4, the worst, 50 % of the force between them was still wrong \
             (solver.gap_tolerance allows 0.1 %)"
        );
        assert!(what_to_do(&held, 7)[1].contains("solver.max_iterations, now 7"));
    }
}
