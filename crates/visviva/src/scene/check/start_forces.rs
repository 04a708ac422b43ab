//! What pushes at the start: bodies that begin within the barrier's reach, and the force that they will feel.

use crate::contact::barrier_pair;
use crate::contact::{Barrier, BroadPhase, Candidates, ContactSet, Point, Surface};
use crate::model::ContactSettings;
use crate::model::bodies::Model;
use crate::readable::{force, length};
use std::collections::BTreeMap;

/// Of the reach: what is hardly nearer is hardly pushed.
const NEAR: f64 = 0.99;
/// Pairs of surfaces told one by one.
const TOLD: usize = 3;

/// How two surfaces begin.
#[derive(Default)]
struct Meeting {
    /// `[m]`
    gap: f64,
    /// On the first of them `[N]`
    force: Point,
    /// All forces without their directions `[N]`
    squeeze: f64,
}

/// One line for each two surfaces that repel each other at the start, the nearest first.
pub fn start_forces(model: &Model, surface: &Surface, points: &[Point], settings: &ContactSettings) -> Vec<String> {
    let barrier = Barrier::from(settings);
    let (mut candidates, mut set) = (Candidates::default(), ContactSet::default());
    let radius = settings.reach + surface.largest_thickness();
    BroadPhase::default().near(surface, points, radius, &mut candidates);
    set.update(surface, &candidates, points, &barrier);
    let mut meetings: BTreeMap<[u32; 2], Meeting> = BTreeMap::new();
    for (pair, distance) in set.pairs().iter().zip(set.distances()) {
        let (count, stencil) = (pair.kind.first_count(), pair.stencil());
        let [a, b] = [stencil[0], stencil[count]].map(|vertex| surface.body_of(vertex));
        let gradient = barrier_pair::gradient(&barrier, pair, &pair.points(points));
        let on_first: Point = (0..count).map(|i| -Point::from(gradient.fixed_rows::<3>(3 * i))).sum();
        let fresh = Meeting { gap: f64::INFINITY, ..Meeting::default() };
        let meeting = meetings.entry([a.min(b), a.max(b)]).or_insert(fresh);
        meeting.gap = meeting.gap.min(distance - pair.thickness);
        meeting.force += if a <= b { on_first } else { -on_first };
        meeting.squeeze += on_first.norm();
    }
    let is_near = |(_, meeting): &([u32; 2], Meeting)| meeting.gap < NEAR * settings.reach;
    let mut all: Vec<([u32; 2], Meeting)> = meetings.into_iter().filter(is_near).collect();
    all.sort_by(|a, b| a.1.gap.total_cmp(&b.1.gap));
    let mut told: Vec<String> =
        all.iter().take(TOLD).map(|(pair, meeting)| tell(model, settings, *pair, meeting)).collect();
    if all.len() > TOLD {
        told.push(format!("… and {} more pairs of surfaces start within contact.reach", all.len() - TOLD));
    }
    told
}

fn tell(model: &Model, settings: &ContactSettings, [a, b]: [u32; 2], meeting: &Meeting) -> String {
    let (first, second) = (model.surface_name(a), model.surface_name(b));
    let (gap, reach) = (length(meeting.gap), length(settings.reach));
    if a == b {
        let squeeze = force(meeting.squeeze);
        return format!(
            "`{first}` starts {gap} from itself, within contact.reach ({reach}): the barrier pushes with {squeeze}"
        );
    }
    let weight = model.bodies.get(a as usize).map_or(0.0, |body| {
        let mass: f64 = model.node_mass[body.nodes.clone()].iter().sum();
        mass * model.gravity.norm()
    });
    let push = meeting.force.norm();
    let compared =
        if weight > 0.0 { format!(", {:.2} of the weight of `{first}`", push / weight) } else { String::new() };
    let push = force(push);
    format!(
        "`{first}` starts {gap} from `{second}`, within contact.reach ({reach}): the barrier pushes with {push}{compared}"
    )
}
