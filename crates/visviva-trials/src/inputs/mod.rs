//! Good input files are spoiled, read and checked: no panic, hang, unbounded memory or silent acceptance.

mod formats;
mod memory;
mod meshes;
mod scenes;
mod spoiling;
mod surfaces;
mod watch;

use anyhow::Result;
use formats::{Format, Verdict};
use spoiling::spoiled;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use visviva_trials::chance::Chance;
use watch::{LONGEST, Watch, kept, processor_time};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Spoiled inputs of each format
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// Where the random numbers begin; the same seed gives the same inputs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where offending inputs are kept
    #[arg(long, default_value = "trials")]
    keep: PathBuf,
    /// Only this format
    #[arg(long)]
    format: Option<String>,
}

/// What an input may take beside a thousand times its own length `[bytes]`.
const MEMORY: usize = 128 << 20;

/// How the inputs of a format went.
#[derive(Debug, Default)]
struct Tally {
    refused: u64,
    accepted: u64,
    /// Sound, but larger than it is worth building
    large: u64,
    offences: Vec<String>,
    slowest: Duration,
    /// `[bytes]`
    most_memory: usize,
}

/// Whether every input was read or refused as it must be.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let Arguments { count, seed, keep, format } = arguments;
    println!("{count} inputs a format, seed {seed}; offenders are kept in {}", keep.display());
    println!(
        "{:<12}{:>10}{:>10}{:>10}{:>8}{:>9}{:>13}{:>13}",
        "format", "inputs", "refused", "accepted", "large", "offences", "slowest [ms]", "most [MiB]"
    );
    // Panics are caught and told in our own words.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let watch = Watch::begin(keep)?;
    let mut held = true;
    for known in formats::all()?.iter().filter(|known| format.as_ref().is_none_or(|wanted| known.name == wanted)) {
        let tally = try_format(known, arguments, &watch)?;
        let slowest = 1e3 * tally.slowest.as_secs_f64();
        println!(
            "{:<12}{count:>10}{:>10}{:>10}{:>8}{:>9}{slowest:>13.1}{:>13.1}",
            known.name,
            tally.refused,
            tally.accepted,
            tally.large,
            tally.offences.len(),
            tally.most_memory as f64 / f64::from(1 << 20)
        );
        tally.offences.iter().for_each(|offence| println!("  {offence}"));
        held &= tally.offences.is_empty();
    }
    std::panic::set_hook(usual);
    Ok(held)
}

fn try_format(format: &Format, arguments: &Arguments, watch: &Watch) -> Result<Tally> {
    let others: Vec<&[u8]> = format.samples.iter().map(|(_, data)| data.as_slice()).collect();
    let mut tally = Tally::default();
    for index in 0..arguments.count {
        // Each input has its own beginning, so that one can be tried again alone.
        let mut chance = Chance::new(arguments.seed.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ index);
        let (sample, good) = &format.samples[chance.below(format.samples.len())];
        let input = spoiled(good, &others, &mut chance);
        let name = format!("{}-{index}-{sample}", format.name);
        watch.try_now(&name, &input)?;
        let (before, begun, worked) = (memory::begin(), Instant::now(), processor_time());
        let verdict = catch_unwind(AssertUnwindSafe(|| (format.attempt)(sample, &input)));
        let (passed, memory) = (begun.elapsed(), memory::most().saturating_sub(before));
        let taken = processor_time().zip(worked).map_or(passed, |(now, then)| (now - then).min(passed));
        watch.done();
        tally.slowest = tally.slowest.max(taken);
        tally.most_memory = tally.most_memory.max(memory);
        let problem = match verdict {
            Err(panic) => Some(("panic", message(&*panic))),
            Ok(Verdict::Wrong(what)) => Some(("accepted", what)),
            Ok(_) if taken > LONGEST => Some(("hang", format!("{:.1} s", taken.as_secs_f64()))),
            Ok(_) if memory > MEMORY + 1000 * input.len() => Some(("memory", format!("{} MiB", memory >> 20))),
            Ok(Verdict::Refused) => {
                tally.refused += 1;
                None
            }
            Ok(Verdict::Accepted) => {
                tally.accepted += 1;
                None
            }
            Ok(Verdict::Large) => {
                tally.large += 1;
                None
            }
        };
        if let Some((problem, what)) = problem {
            let path = kept(&arguments.keep, &name, problem, &input)?;
            tally.offences.push(format!("{problem}: {what}: {}", path.display()));
        }
    }
    Ok(tally)
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_spoiled_inputs_of_every_format_are_refused_or_sound() {
        let keep = tempfile::tempdir().unwrap();
        let arguments = Arguments { count: 200, seed: 7, keep: keep.path().to_owned(), format: None };
        assert!(run(&arguments).unwrap());
    }

    #[test]
    fn good_inputs_are_accepted() {
        for format in formats::all().unwrap() {
            for (name, data) in &format.samples {
                let verdict = (format.attempt)(name, data);
                assert!(matches!(verdict, Verdict::Accepted), "{} {name}: {verdict:?}", format.name);
            }
        }
    }
}
