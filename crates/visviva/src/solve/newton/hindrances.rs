//! Notes what hinders a stage's solve while it goes on: nothing in the solve depends on them.

use super::StageObjective;
use crate::solve::evaluation::Evaluation;
use crate::solve::hindrance::{Blocker, GivenUp, ShortStep, Stuck, Unmet};

#[derive(Debug, Default)]
pub struct Hindrances {
    /// What the present direction ran into first
    limit: Option<ShortStep>,
    /// Of all steps taken
    pub shortest: Option<ShortStep>,
    /// Where Newton last gave up
    pub stuck: Option<Stuck>,
}

impl Hindrances {
    pub fn begin_direction(&mut self) {
        self.limit = None;
    }

    /// Hears that a step may be taken by a part of it alone, which is returned; elements end it where no surfaces do.
    pub fn limited(&mut self, part: f64, surfaces: Option<[u32; 2]>) -> f64 {
        if part < 1.0 {
            let by = Some(surfaces.map_or(Blocker::Elements, Blocker::Surfaces));
            self.limit = ShortStep::shorter(self.limit, Some(ShortStep { part, by }));
        }
        part
    }

    /// Hears which part of a direction was taken.
    pub fn moved(&mut self, part: f64) {
        if part < 1.0 {
            let by = self.limit.and_then(|limit| limit.by);
            self.shortest = ShortStep::shorter(self.shortest, Some(ShortStep { part, by }));
        }
    }
}

impl StageObjective<'_> {
    /// Notes what is left undone of the direction d, which was sought at a position, as Newton gives up.
    pub fn note_stuck(&mut self, at: &Evaluation, d: &[f64], why: GivenUp) {
        if why == GivenUp::NoStepLowers {
            self.hindrances.moved(0.0);
        }
        // With no iteration allowed there is no direction, nor a place it was sought at.
        if at.x.len() != d.len() {
            return;
        }
        let lengths = d.chunks_exact(3).map(|d| d.iter().map(|d| d * d).sum::<f64>().sqrt());
        let Some((node, wanted)) = lengths.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)) else { return };
        let limits = &self.settings.newton;
        let (allowed, allowed_part) = (limits.displacement, limits.gap);
        let is_far = wanted > allowed;
        let wrong = self.look_at_contact(at, d, |step| step.worst_force()).flatten();
        let wrong = wrong.filter(|wrong| wrong.part >= allowed_part && wrong.part * allowed > wanted * allowed_part);
        self.hindrances.stuck = Some(match wrong {
            Some(wrong) => Stuck {
                node,
                wanted,
                is_far,
                unmet: if wrong.is_loss { Unmet::ContactLoss } else { Unmet::ContactForce },
                left: wrong.part,
                allowed: allowed_part,
                surfaces: wrong.surfaces.map(|surface| Some(surface as u32)),
                why,
            },
            None => Stuck {
                node,
                wanted,
                is_far,
                unmet: if wanted < allowed { Unmet::Direction } else { Unmet::Motion },
                left: wanted,
                allowed,
                surfaces: self.held_there(at, node),
                why,
            },
        });
    }

    /// The body of a node, and what its step ran into; where that is nothing, what it touches most closely.
    fn held_there(&self, at: &Evaluation, node: usize) -> [Option<u32>; 2] {
        let Some(body) = self.terms.model.body_of_node(node).map(|body| body as u32) else { return [None; 2] };
        let other_of = |[a, b]: [u32; 2]| match body {
            _ if body == a => Some(b),
            _ if body == b => Some(a),
            _ => None,
        };
        let blocking = match self.hindrances.limit.and_then(|limit| limit.by) {
            Some(Blocker::Surfaces(surfaces)) => other_of(surfaces),
            _ => None,
        };
        let nearest = || {
            let surfaces = self.terms.surfaces?;
            let touching = at.touch.set.pairs().iter().filter_map(|pair| {
                let stencil = pair.stencil();
                let other = other_of(surfaces.surface.sides_of(stencil))?;
                Some((pair.gap(&pair.points(&at.touch.vertices)).distance - pair.thickness, other))
            });
            touching.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, other)| other)
        };
        [Some(body), blocking.or_else(nearest)]
    }
}
