//! Newton steps that may rise for a while, and the way back where that leads nowhere.
//!
//! Stiff joints and bodies that do not stretch leave a narrow valley that bends: the whole step along it misses the joints by the
//! square of the turn, and rises; the next one, which knows that, ends far below. A search that only falls would creep. So a few steps
//! in a row may rise, and unless they then lie below where they began, Newton goes back there and falls once before it climbs again
//! (Chamberlain, Powell, Lemaréchal, Pedersen 1982).

use super::Value;
use crate::solve::evaluation::Evaluation;

/// Steps in a row that may lie above where they began. In free motion the first misses by θ², the second by θ⁴; where collisions cut
/// steps short, each goes part of the way.
const LONGEST: usize = 12;

#[derive(Debug)]
pub struct Climb {
    allowed: bool,
    /// Whether the next step must fall
    falls: bool,
    /// Where it began, and how many steps ago
    from: Option<(Evaluation, Value)>,
    steps: usize,
}

impl Climb {
    pub fn new(allowed: bool) -> Self {
        Self { allowed, falls: false, from: None, steps: 0 }
    }

    /// Whether the next step may rise.
    pub fn may_go_on(&self) -> bool {
        self.allowed && !self.falls && self.steps < LONGEST
    }

    /// Hears of a step that rises from a place.
    pub fn higher(&mut self, at: &Evaluation, value: Value) {
        self.from.get_or_insert_with(|| (at.clone(), value));
        self.steps += 1;
    }

    /// Hears of a step that falls to a value; where to go back to, if it is time and nothing was gained.
    pub fn lower(&mut self, value: Value) -> Option<(Evaluation, Value)> {
        let Some((_, start)) = &self.from else {
            self.falls = false;
            return None;
        };
        if value.value <= start.value {
            self.from = None;
            self.steps = 0;
            return None;
        }
        self.steps += 1;
        if self.steps > LONGEST { self.give_up() } else { None }
    }

    /// The next step falls; where the climb began, if it had.
    pub fn give_up(&mut self) -> Option<(Evaluation, Value)> {
        self.falls = true;
        self.steps = 0;
        self.from.take()
    }
}
