//! Runs of the small worlds: what they find is a list of numbers, and curves to draw.

use crate::experiment::{RunSettings, World};
use crate::formula::{least, most};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Instant;
use visviva::integrate::IntegratorSpec;
use visviva::integrate::tableau::Tableau;
use visviva::scene::Number;
use visviva::study::collision::{self, Case, Setup};
use visviva::study::particle::{Barrier, Bounce, bounce};
use visviva::study::spectrum::mean_spectrum;
use visviva::study::{damping, partitioned, stability};

/// What a run of a small world found.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Findings {
    /// By the name of the measure; nothing where what was found is no number
    pub values: BTreeMap<String, Option<f64>>,
    pub curves: BTreeMap<String, Vec<(f64, f64)>>,
}

impl Findings {
    /// What is beyond all bounds stays so in a file that knows no infinity.
    fn set(&mut self, name: &str, value: f64) {
        let known = (!value.is_nan()).then(|| value.clamp(-f64::MAX, f64::MAX));
        self.values.insert(name.to_owned(), known);
    }

    /// Of several values the least, where the name ends so, or else the largest. Once one is no number, all of them are none.
    fn worst(&mut self, name: &str, value: f64) {
        let chosen = if name.ends_with(".min") { least } else { most };
        let before = self.values.get(name).map(|before| before.unwrap_or(f64::NAN));
        self.set(name, before.map_or(value, |before| chosen(before, value)));
    }

    /// `modes.5-15` is the sum of the modes' energies `[J]`; all else is there by its name.
    pub fn value(&self, measure: &str) -> Option<f64> {
        if let Some((from, to)) = measure.strip_prefix("modes.").and_then(|range| range.split_once('-')) {
            let (from, to): (usize, usize) = (from.parse().ok()?, to.parse().ok()?);
            return (from..=to).map(|mode| self.values.get(&format!("mode.{mode}")).copied().flatten()).sum();
        }
        self.values.get(measure).copied().flatten()
    }
}

/// Runs it. An error is a mistake in the data.
pub fn run(settings: &RunSettings) -> Result<Findings, String> {
    let begun = Instant::now();
    let mut found = within(settings)?;
    // JSON knows finite numbers alone.
    found.curves.values_mut().for_each(|curve| curve.retain(|(x, y)| x.is_finite() && y.is_finite()));
    found.set("wall_s", begun.elapsed().as_secs_f64());
    Ok(found)
}

fn within(settings: &RunSettings) -> Result<Findings, String> {
    match settings.world {
        World::Scene => Err("this run is one in space".to_owned()),
        World::Collision => of_bar(settings),
        World::Particle => of_particle(settings),
        World::Stability => of_oscillator(settings),
        World::TwoStep => of_two_steps(settings),
        World::Partitioned => of_pair(settings),
        World::Drag => of_drag(settings),
    }
}

fn integrator(settings: &RunSettings) -> Result<IntegratorSpec, String> {
    settings.integrator.parse().map_err(|error| format!("{error}"))
}

fn parameter(settings: &RunSettings, name: &str, default: f64) -> f64 {
    settings.parameters.get(name).copied().unwrap_or(default)
}

/// Nodes whose paths are kept, and samples of each.
const EVERY_NODE: usize = 3;
const SAMPLES: u64 = 250;

fn of_bar(settings: &RunSettings) -> Result<Findings, String> {
    let case = Case::ALL.into_iter().find(|case| Some(case.name()) == settings.case.as_deref());
    let case = case.ok_or_else(|| format!("no bar is `{}`", settings.case.as_deref().unwrap_or("")))?;
    let h: Number = settings.h.as_deref().unwrap_or("1/300").parse()?;
    let setup = Setup::new(case, integrator(settings)?, h.value);
    let (spectrum, result) = mean_spectrum(&setup).map_err(|error| error.to_string())?;
    let mut found = Findings::default();
    found.set("failed", f64::from(u8::from(!result.outcome.is_completed())));
    result.final_velocity.iter().for_each(|&v| found.set("final_velocity", v));
    result.final_energy.iter().for_each(|&e| found.set("final_energy", e));
    found.set("newton_iterations", result.tally.newton_iterations as f64);
    found.set("unconverged", result.tally.unconverged as f64);
    found.set("vibration", spectrum[1..].iter().sum());
    spectrum.iter().enumerate().for_each(|(mode, &energy)| found.set(&format!("mode.{mode}"), energy));
    let every = (setup.step_count() / SAMPLES).max(1);
    let (mut step, mut paths) = (0, BTreeMap::<usize, Vec<(f64, f64)>>::new());
    let _ = collision::run(&setup, |state, _| {
        if step % every == 0 {
            for node in (0..collision::NODE_COUNT).step_by(EVERY_NODE) {
                paths.entry(node).or_default().push((state.t, state.x[node]));
            }
        }
        step += 1;
    });
    found.curves.extend(paths.into_iter().map(|(node, path)| (format!("path.{node:02}"), path)));
    Ok(found)
}

/// Phases at which a particle meets the barrier.
const PHASES: usize = 40;
/// Of the speed: more is a gain or a loss.
const CHANGED: f64 = 1e-3;

impl Findings {
    /// What is stuck has no speed left and never comes to the end of its steps: no claim passes over it.
    fn add_bounce(&mut self, bounce: &Bounce) {
        let exit = bounce.exit_velocity.unwrap_or(0.0);
        let is_stuck = bounce.exit_velocity.is_none();
        let steps = if is_stuck { f64::INFINITY } else { bounce.velocities.len() as f64 };
        let slow = bounce.velocities.iter().filter(|v| v.abs() < 1.0 - CHANGED).count();
        for (name, value) in [
            ("exit.min", exit),
            ("exit.max", exit),
            ("exit_off", (exit - 1.0).abs()),
            ("steps.min", steps),
            ("steps.max", steps),
            ("losing_steps.max", if is_stuck { f64::INFINITY } else { slow as f64 }),
        ] {
            self.worst(name, value);
        }
        if let Some(theory) = &bounce.theory {
            let off = bounce.velocities.iter().zip(theory).map(|(v, theory)| (v - theory).abs()).fold(0.0, most);
            let is_whole = !is_stuck && theory.len() == bounce.velocities.len();
            self.worst("theory_off", if is_whole { off } else { f64::INFINITY });
        }
        if let [_, second, third, ..] = bounce.velocities[..] {
            // The paper's v₃ = 1 + v₂.
            self.worst("third_off", (third - (1.0 + second)).abs());
        }
    }
}

fn of_particle(settings: &RunSettings) -> Result<Findings, String> {
    let barrier = match settings.parameters.get("kappa") {
        Some(&kappa) => Barrier::Ipc { h: parameter(settings, "h", 1e4), kappa },
        None => Barrier::Quadratic { hbar: parameter(settings, "hbar", 1e8) },
    };
    barrier.check().map_err(|error| error.to_string())?;
    let (method, speed) = (integrator(settings)?, parameter(settings, "speed", 1.0));
    let mut found = Findings::default();
    let (mut gains, mut stuck, mut exits) = (0.0, 0.0, Vec::new());
    for k in 0..PHASES {
        // Between the ends, where a step would touch the barrier by rounding alone.
        let phase = (k as f64 + 0.5) / PHASES as f64;
        let bounce = bounce(barrier, &method, phase, speed).map_err(|error| error.to_string())?;
        found.add_bounce(&bounce);
        exits.extend(bounce.exit_velocity.map(|exit| (phase, exit)));
        stuck += f64::from(u8::from(bounce.exit_velocity.is_none()));
        gains += f64::from(u8::from(bounce.exit_velocity.is_some_and(|exit| exit > 1.0 + CHANGED)));
    }
    found.set("gains", gains / PHASES as f64);
    found.set("stuck", stuck);
    found.curves.insert("exit".to_owned(), exits);
    Ok(found)
}

/// h²k/m from 1e-4 to 1e8.
fn stiffnesses() -> impl Iterator<Item = f64> {
    const COUNT: i32 = 481;
    (0..COUNT).map(|k| 10f64.powf(-4.0 + 12.0 * f64::from(k) / f64::from(COUNT - 1)))
}

/// More than rounding.
const UNSTABLE: f64 = 1.0 + 1e-7;

/// Of the matrices of one step, stiffness by stiffness.
fn of_steps(steps: impl Iterator<Item = (f64, f64, f64)>) -> Findings {
    let mut found = Findings::default();
    let (mut lowest, mut unstable, mut traces) = ((f64::INFINITY, 0.0), Vec::new(), Vec::new());
    for (hbar, det, trace) in steps {
        let discriminant = trace * trace - 4.0 * det;
        let radius = match () {
            _ if discriminant.is_nan() => f64::NAN,
            _ if discriminant > 0.0 => 0.5 * trace.abs() + 0.5 * discriminant.sqrt(),
            _ => det.max(0.0).sqrt(),
        };
        found.worst("det_off", (det - 1.0).abs());
        found.worst("radius.max", radius);
        found.worst("discriminant.max", discriminant);
        found.worst("trace.min", trace);
        found.worst("trace.max", trace);
        found.worst("unstable", if radius.is_nan() { radius } else { f64::from(u8::from(radius > UNSTABLE)) });
        found.set("trace.end", trace);
        found.set("radius.end", radius);
        if trace < lowest.0 {
            lowest = (trace, hbar);
        }
        if radius > UNSTABLE {
            unstable.push(hbar);
        }
        traces.push((hbar, trace));
    }
    found.set("trace.min_at", if found.value("trace.min").is_some() { lowest.1 } else { f64::NAN });
    unstable.first().zip(unstable.last()).iter().for_each(|(from, to)| {
        found.set("unstable.from", **from);
        found.set("unstable.to", **to);
    });
    found.curves.insert("trace".to_owned(), traces);
    found
}

fn of_oscillator(settings: &RunSettings) -> Result<Findings, String> {
    let method = integrator(settings)?;
    let mut rows = Vec::new();
    for hbar in stiffnesses() {
        let row =
            stability::measure(&method, hbar).ok_or_else(|| format!("{method} is not a linear one-step method"))?;
        rows.push(row.map_err(|error| error.to_string())?);
    }
    // Far beyond 1 the measured matrix has lost its digits to cancellation: the formula goes on where it agrees before that.
    let measured = |row: &&stability::Row| row.hbar <= 1e4;
    let off = |row: &stability::Row| most((row.det - row.theory_det).abs(), (row.trace - row.theory_trace).abs());
    let worst = rows.iter().filter(measured).map(off).fold(0.0, most);
    let mut found = of_steps(rows.iter().map(|row| (row.hbar, row.theory_det, row.theory_trace)));
    found.set("theory_off", worst);
    Ok(found)
}

fn of_two_steps(settings: &RunSettings) -> Result<Findings, String> {
    let row = match settings.integrator.as_str() {
        "bdf2" => stability::bdf2,
        "decoupled-bdf2" => stability::decoupled_bdf2,
        other => return Err(format!("`{other}` is no two-step method")),
    };
    let mut found = Findings::default();
    let rows: Vec<_> = stiffnesses().map(row).collect();
    found.set("radius.start", rows.first().map_or(f64::NAN, |row| row.spectral_radius));
    found.set("radius.max", rows.iter().map(|row| row.spectral_radius).fold(0.0, most));
    // Determinants of large entries cancel beyond this.
    let calm = rows.iter().filter(|row| row.hbar < 1e3);
    found.set("det_off", calm.map(|row| (row.det - 1.0).abs()).fold(0.0, most));
    Ok(found)
}

fn of_pair(settings: &RunSettings) -> Result<Findings, String> {
    let name = &settings.integrator;
    let tableau = Tableau::by_name(name).ok_or_else(|| format!("no table is called `{name}`"))?;
    let matrices = stiffnesses().map(|hbar| Some((hbar, partitioned::matrix(&tableau, hbar)?)));
    let matrices = matrices.collect::<Option<Vec<_>>>().ok_or("the pair of tables has no step")?;
    Ok(of_steps(matrices.iter().map(|(hbar, q)| (*hbar, q.determinant(), q.trace()))))
}

fn of_drag(settings: &RunSettings) -> Result<Findings, String> {
    let (drag, hbar) = (parameter(settings, "drag", 10.0), parameter(settings, "hbar", 1.0));
    let growth = damping::growth(&integrator(settings)?, drag, hbar).map_err(|error| error.to_string())?;
    let mut found = Findings::default();
    found.set("implicit", growth.implicit);
    found.set("explicit", growth.explicit);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_particle_leaves_as_the_theory_says() {
        let run = |integrator: &str| {
            run(&RunSettings { world: World::Particle, integrator: integrator.into(), ..RunSettings::default() })
                .unwrap()
        };
        let a1 = run("a-1");
        let of = |found: &Findings, name: &str| found.value(name).unwrap();
        assert!(of(&a1, "exit_off") < 1e-4 && of(&a1, "theory_off") < 1e-4 && of(&a1, "steps.max") == 4.0);
        let trapezoidal = run("trapezoidal");
        assert!((of(&trapezoidal, "gains") - 0.75).abs() < 0.03, "{:?}", trapezoidal.values);
    }

    #[test]
    fn a_particle_that_is_stuck_is_not_passed_over() {
        let mut found = Findings::default();
        let left = bounce(Barrier::Quadratic { hbar: 1e8 }, &"a-1".parse().unwrap(), 0.3, 1.0).unwrap();
        found.add_bounce(&left);
        assert!(found.value("exit_off") < Some(1e-3) && found.value("steps.max") == Some(4.0), "{found:?}");
        found.add_bounce(&Bounce { exit_velocity: None, ..left });
        assert_eq!((found.value("exit_off"), found.value("exit.min")), (Some(1.0), Some(0.0)));
        assert_eq!(found.value("steps.max"), Some(f64::MAX));
    }

    #[test]
    fn what_is_no_number_spoils_all_that_it_belongs_to() {
        let found = of_steps([(1.0, 1.0, 0.5), (2.0, f64::NAN, 0.5), (3.0, 1.0, 1.0)].into_iter());
        for name in ["det_off", "radius.max", "discriminant.max", "unstable"] {
            assert_eq!(found.value(name), None, "{name}");
        }
        assert_eq!((found.value("trace.min"), found.value("trace.min_at")), (Some(0.5), Some(1.0)));
        let written = serde_json::to_string(&found).unwrap();
        assert_eq!(serde_json::from_str::<Findings>(&written).unwrap(), found, "{written}");
    }

    #[test]
    fn modes_are_added_up() {
        let values = (0..4).map(|k| (format!("mode.{k}"), Some(f64::from(k)))).collect();
        let found = Findings { values, ..Findings::default() };
        assert_eq!(
            (found.value("modes.1-3"), found.value("mode.2"), found.value("modes.2-9")),
            (Some(6.0), Some(2.0), None)
        );
    }
}
