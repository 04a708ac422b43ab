//! How often, how long and where the energy could not be brought to its target: α as a meter of a step's error, in words.

use crate::energy::AlphaOutcome;
use crate::model::bodies::Model;
use serde::{Deserialize, Serialize};

/// What one search for α came to, of a scene or of a part of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// At the step's end `[s]`
    pub t: f64,
    /// The step's length `[s]`
    pub h: f64,
    pub outcome: AlphaOutcome,
    /// Total less target `[J]`
    pub gap: f64,
    /// The energy of motion, strain and contact `[J]`
    pub motion: f64,
    pub place: Place,
}

/// What was going on: surfaces are counted as contacts count them, bodies first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// Two touched, of all that did those that pressed hardest
    Contact([u32; 2]),
    /// Nothing but gravity acted: α has nothing to correct, and no step would help. None where it was several
    Flight(Option<u32>),
    /// Bodies moved and strained without touching anything. None where it was several
    Motion(Option<u32>),
}

/// Added up step by step.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct AlphaMeter {
    /// The largest energy of motion, strain and contact so far `[J]`: what a gap is compared with
    scale: f64,
    /// The last gap `[J]`
    gap: f64,
    missed: Vec<(Place, Missed)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Missed {
    steps: u64,
    /// In all `[s]`
    time: f64,
    /// The largest gap `[J]`
    worst: f64,
    now: Span,
    longest: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Span {
    /// `[s]`
    from: f64,
    to: f64,
}

/// The steps of one kind that missed the target, as they are told.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OffTarget {
    /// `contact`, `flight` or `motion`
    pub during: &'static str,
    /// Those that touched, or the one that moved; none where it was several
    pub bodies: Vec<String>,
    pub steps: u64,
    /// In all `[s]`
    pub time: f64,
    /// The longest stretch `[s]`
    pub longest_from: f64,
    pub longest: f64,
    /// Total less target where it was largest, as a part of the largest energy of motion so far
    pub worst: f64,
}

/// Of the energy of motion: what is nearer to its target is on it.
const NEAR: f64 = 1e-3;
/// The same: below this nobody sees it, and from the other one on it may show.
const SMALL: f64 = 0.02;
const LARGE: f64 = 0.1;
/// `[s]`: what is amiss for no longer is a collision, in which the energy is away for a moment and comes back.
const BRIEF: f64 = 0.05;
/// So many are told at the end of a run; summary.json holds all.
const TOLD: usize = 3;

impl AlphaMeter {
    pub fn add(&mut self, reading: Reading) {
        let Reading { t, h, outcome, gap, motion, place } = reading;
        self.scale = self.scale.max(motion);
        self.gap = gap;
        let met = matches!(outcome, AlphaOutcome::OnTarget | AlphaOutcome::Fixed);
        let is_flight = matches!(place, Place::Flight(_));
        if met || !is_flight && gap.abs() <= NEAR * self.scale {
            return;
        }
        let now = Span { from: t - h, to: t };
        let known = self.missed.iter_mut().find(|(of, _)| *of == place);
        let Some((_, known)) = known else {
            self.missed.push((place, Missed { steps: 1, time: h, worst: gap, now, longest: now }));
            return;
        };
        let goes_on = (known.now.to - now.from).abs() < 0.5 * h;
        known.now = if goes_on { Span { from: known.now.from, to: t } } else { now };
        if known.now.length() > known.longest.length() {
            known.longest = known.now;
        }
        known.steps += 1;
        known.time += h;
        known.worst = if gap.abs() > known.worst.abs() { gap } else { known.worst };
    }

    /// The longest time first.
    pub fn told(&self, model: &Model) -> Vec<OffTarget> {
        let name = |surface: u32| model.surface_name(surface).to_owned();
        let told = |(place, missed): &(Place, Missed)| {
            let (during, bodies) = match *place {
                Place::Contact(pair) => ("contact", pair.map(name).to_vec()),
                Place::Flight(body) => ("flight", body.map(name).into_iter().collect()),
                Place::Motion(body) => ("motion", body.map(name).into_iter().collect()),
            };
            OffTarget {
                during,
                bodies,
                steps: missed.steps,
                time: missed.time,
                longest_from: missed.longest.from,
                longest: missed.longest.length(),
                worst: missed.worst / self.scale.max(f64::MIN_POSITIVE),
            }
        };
        let mut all: Vec<OffTarget> = self.missed.iter().map(told).collect();
        all.sort_by(|a, b| b.time.total_cmp(&a.time));
        all
    }

    /// Sentences for people: what was missed, whether to worry, and what to do. `shorter` is the setting to try, such as
    /// `run.h = 1/240`.
    pub fn in_words(&self, model: &Model, steps: u64, shorter: &str) -> Vec<String> {
        let told = self.told(model);
        let (flights, missed): (Vec<&OffTarget>, Vec<&OffTarget>) = told.iter().partition(|off| off.during == "flight");
        let missed: Vec<&OffTarget> = missed.into_iter().filter(|off| off.worst.abs() > NEAR).collect();
        let mut lines: Vec<String> = missed.iter().take(TOLD).map(|off| off.in_words(steps)).collect();
        if missed.len() > TOLD {
            lines.push(format!("and so between {} more pairs (`off_target` in summary.json)", missed.len() - TOLD));
        }
        if let Some(last) = lines.last_mut() {
            last.push_str(&self.verdict(&missed, shorter));
        }
        lines.extend(flights.first().map(|flight| flight.flight_in_words(steps)));
        lines
    }

    fn verdict(&self, missed: &[&OffTarget], shorter: &str) -> String {
        let worst = missed.iter().map(|off| off.worst.abs()).fold(0.0, f64::max);
        let lasting = missed.iter().filter(|off| off.longest > BRIEF).map(|off| off.worst.abs()).fold(0.0, f64::max);
        let left = self.gap.abs() / self.scale.max(f64::MIN_POSITIVE);
        let end = match left {
            left if left <= NEAR => "By the end it was back on its target.".to_owned(),
            left => format!("At the end {} is still {}.", percent(left), amiss(self.gap)),
        };
        match lasting.max(left) {
            _ if worst < SMALL => " Nobody sees that: nothing need be done.".to_owned(),
            lasting if lasting < LARGE && worst >= LARGE => format!(
                " {end} Within a collision so short that is usual, and harmless for a picture; to resolve it take {shorter}."
            ),
            lasting if lasting < LARGE => {
                format!(" {end} Harmless for a picture; to follow the target more closely take {shorter}.")
            }
            _ => format!(
                " {end} That may show: compare with a run at {shorter} (`visviva plot` draws both). Where they differ \
                 take that step, let the target change more slowly, or give α more room (`:max=1.5` after the \
                 integrator's name)."
            ),
        }
    }
}

impl Span {
    fn length(&self) -> f64 {
        self.to - self.from
    }
}

impl OffTarget {
    fn in_words(&self, steps: u64) -> String {
        let during = match (&self.bodies[..], self.during) {
            ([a, b], _) if a == b => format!("while `{a}` touched itself"),
            ([a, b], _) => format!("while `{a}` touched `{b}`"),
            ([body], _) => format!("while `{body}` moved without touching anything"),
            _ => "while nothing touched".to_owned(),
        };
        format!(
            "In {} of {steps} steps (longest {:.3} s, from t = {:.3} s, {during}) the energy could not be brought to its target: \
             at worst {} of the motion's energy was {}.",
            self.steps,
            self.longest,
            self.longest_from,
            percent(self.worst.abs()),
            amiss(self.worst)
        )
    }

    fn flight_in_words(&self, steps: u64) -> String {
        let who = self.bodies.first().map_or("bodies".to_owned(), |body| format!("`{body}`"));
        let much = percent(self.worst.abs());
        let owed = match self.worst {
            worst if worst.abs() < SMALL => String::new(),
            worst if worst < 0.0 => format!(
                " What a flight owes meanwhile (at most {much} of the motion's energy) is given back when something touches; half \
                 the step owes half."
            ),
            _ => format!(
                " A target that falls meanwhile (by at most {much} of the motion's energy) is met when something touches."
            ),
        };
        format!(
            "In {} of {steps} steps (longest {:.3} s, from t = {:.3} s) {who} flew freely or rested: where gravity alone acts \
             there is nothing to correct, and nothing is wrong.{owed}",
            self.steps, self.longest, self.longest_from
        )
    }
}

fn amiss(gap: f64) -> &'static str {
    if gap < 0.0 { "missing" } else { "too much" }
}

fn percent(part: f64) -> String {
    let percent = 100.0 * part;
    if percent < 9.95 { format!("{percent:.1} %") } else { format!("{percent:.0} %") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNCE: Place = Place::Contact([0, 1]);

    /// Steps of 0.1 s with a gap each, all of 1 J of motion.
    fn meter(readings: &[(AlphaOutcome, f64, Place)]) -> AlphaMeter {
        let mut meter = AlphaMeter::default();
        for (step, &(outcome, gap, place)) in (1..).zip(readings) {
            meter.add(Reading { t: 0.1 * f64::from(step), h: 0.1, outcome, gap, motion: 1.0, place });
        }
        meter
    }

    #[test]
    fn steps_are_gathered_by_place_with_the_longest_stretch_and_the_worst_gap() {
        use AlphaOutcome::{Clipped, LeastEnergy, OnTarget, Powerless};
        let flight = Place::Flight(Some(0));
        let meter = meter(&[
            (Powerless, -1e-9, flight),
            (Clipped, -0.02, BOUNCE),
            (OnTarget, 0.0, BOUNCE),
            (Clipped, -0.01, BOUNCE),
            (LeastEnergy, -0.05, BOUNCE),
            (Clipped, 1e-6, BOUNCE),
            (Clipped, 0.2, Place::Contact([0, 2])),
        ]);
        let [(_, free), (_, first), (_, second)] = &meter.missed[..] else { panic!("{meter:?}") };
        assert_eq!((free.steps, first.steps, second.steps), (1, 3, 1), "a gap of a millionth is none");
        assert_eq!((first.worst, second.worst), (-0.05, 0.2));
        assert!((first.longest.from - 0.3).abs() < 1e-12 && (first.longest.length() - 0.2).abs() < 1e-12, "{first:?}");
    }

    #[test]
    fn the_verdict_grows_with_what_is_missing_and_for_how_long() {
        let off = |worst: f64, longest: f64| OffTarget {
            during: "contact",
            bodies: Vec::new(),
            steps: 1,
            time: longest,
            longest_from: 0.0,
            longest,
            worst,
        };
        let back = AlphaMeter { scale: 1.0, ..AlphaMeter::default() };
        let verdict = |worst: f64, longest: f64| back.verdict(&[&off(worst, longest)], "run.h = 1/240");
        assert!(verdict(-0.01, 1.0).contains("nothing need be done"));
        let harmless = verdict(-0.05, 1.0);
        assert!(harmless.contains("Harmless for a picture") && harmless.contains("take run.h = 1/240"), "{harmless}");
        let shows = verdict(0.3, 1.0);
        assert!(shows.contains("That may show") && shows.contains("back on its target"), "{shows}");
        assert!(verdict(-0.9, 0.02).contains("usual"), "a collision");
        let lost = AlphaMeter { scale: 1.0, gap: -0.3, ..AlphaMeter::default() };
        let said = lost.verdict(&[&off(-0.3, 0.02)], "run.h = 1/240");
        assert!(said.contains("At the end 30 % is still missing") && said.contains("That may show"), "{said}");
    }
}
