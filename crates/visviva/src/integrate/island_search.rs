//! α island by island: each has a target of its own, what its bodies are to have, and one α that meets it.
//!
//! The free-fall debt: in flight implicit Euler loses ½ m g² h² a step, whatever the velocity becomes. An α that repaid it at once could
//! do so only as spin and vibration, and the next bounce would miss it. A body in flight owes it instead, D ← D + ½ m g² h², its island's
//! target is E − ΣD, and the first contact pays it back into the bounce.

use super::decoupled::{Velocities, choose};
use super::step::{BodyEnd, Correction, Step};
use crate::energy::alpha::{AlphaOutcome, AlphaRule, SideCount};
use crate::energy::by_body::{Holding, shared_levels};
use crate::energy::{Alpha, BodyGoals};
use crate::model::{Exchange, Hold, Mass, Part};
use crate::solve::Island;
use std::ops::Range;

/// What a search by island is given beside the velocities.
#[derive(Debug, Clone, Copy)]
pub struct Found<'a> {
    pub mass: &'a Mass,
    pub islands: &'a [Island],
    /// Of each body at the end of the step
    pub parts: &'a [Part],
    /// Of each body in the step
    pub exchanges: &'a [Exchange],
    /// What each body owes `[J]`
    pub debts: &'a [f64],
}

/// Debts after a step: those in flight owe more, all others nothing. `masses` are those of the nodes `[kg]`.
pub fn owe(debts: &mut Vec<f64>, islands: &[Island], masses: &[f64], fall: f64) {
    debts.resize(islands.iter().map(|island| island.bodies.len()).sum(), 0.0);
    for island in islands {
        let flies = island.hold == Hold::Free && !island.touches;
        for (&body, nodes) in island.bodies.iter().zip(&island.nodes) {
            let lost = 0.5 * masses[nodes.clone()].iter().sum::<f64>() * fall * fall;
            debts[body] = if flies { debts[body] + lost } else { 0.0 };
        }
    }
}

/// Finds each island's α, corrects v by it, and says what it did altogether; `ends` receives each body's level and α. Where α does not
/// reach the target, `turn_to` puts in what of the rest it can.
/// The α told of the whole is that of the island with most kinetic energy.
pub fn search(
    rule: AlphaRule,
    step: &Step<'_>,
    goals: BodyGoals<'_>,
    found: Found<'_>,
    velocities: Velocities<'_>,
    mut turn_to: impl FnMut(&Island, &mut [f64], f64) -> f64,
    v: &mut [f64],
    ends: &mut Vec<BodyEnd>,
) -> Correction {
    let Found { mass, islands, parts, exchanges, debts } = found;
    ends.clear();
    ends.resize(parts.len(), BodyEnd::default());
    let powerless = Alpha { value: 1.0, outcome: AlphaOutcome::Powerless };
    let mut whole = Correction { alpha: powerless, kinetic_before: 0.0, energy: 0.0 };
    let mut fastest = -1.0;
    for (at, island) in islands.iter().enumerate() {
        let sum = |of: &dyn Fn(usize) -> f64| island.bodies.iter().map(|&body| of(body)).sum::<f64>();
        let level = sum(&|body| {
            let exchange = &exchanges[body];
            goals.of(body, &step.goal).next_level(exchange.loss(), exchange.work)
        });
        let wanted = level - sum(&|body| debts[body]);
        let inner = |a: &[f64], b: &[f64]| island.nodes.iter().map(|nodes| mass.inner_of(nodes, a, b)).sum::<f64>();
        let kinetic_wanted = wanted - sum(&|body| parts[body].potential.total());
        let mut side = SideCount::default();
        let correction = choose(rule, &mut side, inner, velocities, kinetic_wanted, wanted);
        for i in island.nodes().flat_map(|node| 3 * node..3 * node + 3) {
            v[i] -= correction.alpha.value * velocities.delta[i];
        }
        whole.kinetic_before += correction.kinetic_before;
        whole.energy += correction.energy;
        let mut gap = correction.kinetic_before + correction.energy - kinetic_wanted;
        if correction.alpha.outcome != AlphaOutcome::OnTarget {
            let put_in = turn_to(island, v, -gap);
            whole.energy += put_in;
            gap += put_in;
        }
        if correction.kinetic_before > fastest {
            fastest = correction.kinetic_before;
            whole.alpha = correction.alpha;
        }
        let holding = |(&body, nodes): (&usize, &Range<usize>)| {
            let kinetic = 0.5 * mass.inner_of(nodes, v, v);
            Holding { total: kinetic + parts[body].potential.total(), kinetic, mass: goals.plans[body].share }
        };
        let holdings: Vec<Holding> = island.bodies.iter().zip(&island.nodes).map(holding).collect();
        for (&body, level) in island.bodies.iter().zip(shared_levels(level, &holdings)) {
            ends[body] = BodyEnd { level, debt: debts[body], alpha: Some(correction.alpha), island: at, gap };
        }
    }
    whole
}
