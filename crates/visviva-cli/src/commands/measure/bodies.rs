//! What each body of a run did, and what became of α.

use super::Measured;
use crate::table::Table;
use serde::Serialize;
use visviva::readable::energy;
use visviva::run::{AlphaCounts, Measure, MeasuredRun};
use visviva::session::Whereabouts;

/// Of one of the scene's bodies, with all its copies and pieces.
#[derive(Debug, Serialize)]
pub struct BodyMeasured {
    body: String,
    /// About itself, of the rigid motion that fits best
    turns: f64,
    /// Of all its copies
    bounces: usize,
    /// After each landing, as parts of the first fall; of the first copy
    rebounds: Vec<f64>,
    /// Where its energy is at the end [J], where the run has come to one
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<Whereabouts>,
}

pub fn measured(run: &MeasuredRun) -> anyhow::Result<Vec<BodyMeasured>> {
    let told = run.folder.summary()?.map(|summary| summary["whereabouts"].clone());
    let ends: Vec<Whereabouts> = told.and_then(|told| serde_json::from_value(told).ok()).unwrap_or_default();
    let names = run.scene.bodies.iter().map(|body| body.name.clone());
    let of = |name: String| {
        let wanted = |body: &str| Measure::is_of(&name, body);
        let rebounds = run.rebounds(wanted)?;
        Ok(BodyMeasured {
            turns: run.turns_of(wanted)?,
            bounces: rebounds.iter().map(Vec::len).sum(),
            rebounds: rebounds.into_iter().next().unwrap_or_default(),
            end: ends.iter().find(|end| end.body == name).cloned(),
            body: name,
        })
    };
    names.map(of).collect()
}

/// Nothing where the runs have other bodies or no frames at the same times.
pub fn mean_distance(run: &MeasuredRun, reference: &MeasuredRun) -> Option<f64> {
    let distances = run.distance_to(reference).ok().filter(|distances| !distances.is_empty())?;
    Some(distances.iter().map(|(_, away)| away).sum::<f64>() / distances.len() as f64)
}

/// A row a run and body.
pub fn in_words(rows: &[Measured]) -> Table {
    let energies = ["flight", "spin", "vibration", "height", "strain", "contact"];
    let head = ["run", "body", "turns", "bounces", "rebounds"];
    let mut table = Table::new(head.into_iter().chain(energies));
    for row in rows {
        for body in &row.bodies {
            let rebounds: Vec<String> = body.rebounds.iter().take(4).map(|part| format!("{part:.2}")).collect();
            let cells = [
                row.run.clone(),
                body.body.clone(),
                format!("{:.2}", body.turns),
                body.bounces.to_string(),
                rebounds.join(" "),
            ];
            let end = body.end.as_ref().map_or([const { String::new() }; 6], |end| {
                let motion = end.motion;
                [motion.translation, motion.rotation, motion.vibration, end.height, end.elastic, end.contact]
                    .map(energy)
            });
            table.row(cells.into_iter().chain(end));
        }
    }
    table
}

/// A row a run: parts of its steps, and how many lay in each tenth.
pub fn alpha_in_words(rows: &[Measured]) -> Table {
    let used = |bin: &usize| rows.iter().any(|row| row.alpha.histogram.get(*bin).is_some_and(|count| *count > 0));
    let bins: Vec<usize> = (0..visviva::run::alpha::BINS).filter(used).collect();
    let head = ["run", "steps with α", "clipped", "powerless", "least energy"].map(str::to_owned);
    let middles = bins.iter().map(|bin| format!("α {:.1}", AlphaCounts::middle(*bin)));
    let mut table = Table::new(head.into_iter().chain(middles));
    for row in rows {
        let counts = &row.alpha;
        let part = |count: u64| counts.part(count).map_or(String::new(), |part| format!("{:.1} %", 100.0 * part));
        let parts = [part(counts.clipped), part(counts.powerless), part(counts.least_energy)];
        let cells = [row.run.clone(), counts.steps.to_string()].into_iter().chain(parts);
        table.row(cells.chain(bins.iter().map(|bin| counts.histogram[*bin].to_string())));
    }
    table
}
