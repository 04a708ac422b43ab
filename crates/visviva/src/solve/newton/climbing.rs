//! Newton steps that may rise for a while, and the way back where that leads nowhere.
//!
//! Stiff joints and bodies that do not stretch leave a narrow valley that bends: the whole step along it misses the joints by the
//! square of the turn, and rises; the next one, which knows that, ends far below. A search that only falls would creep. So a few steps
//! in a row may rise, and unless they then lie below where they began, Newton goes back there and falls from then on
//! (Chamberlain, Powell, Lemaréchal, Pedersen 1982).

use super::Value;
use crate::solve::evaluation::Evaluation;

/// Steps in a row that may lie above where they began: the first misses by θ², the second by θ⁴.
const LONGEST: usize = 4;

#[derive(Debug)]
pub struct Climb {
    allowed: bool,
    /// Where it began, and how many steps ago
    from: Option<(Evaluation, Value)>,
    steps: usize,
}

impl Climb {
    pub fn new(allowed: bool) -> Self {
        Self { allowed, from: None, steps: 0 }
    }

    /// Whether the next step may rise.
    pub fn may_go_on(&self) -> bool {
        self.allowed && self.steps < LONGEST
    }

    /// Hears of a step that rises from a place.
    pub fn higher(&mut self, at: &Evaluation, value: Value) {
        self.from.get_or_insert_with(|| (at.clone(), value));
        self.steps += 1;
    }

    /// Hears of a step that falls to a value; where to go back to, if it is time and nothing was gained.
    pub fn lower(&mut self, value: Value) -> Option<(Evaluation, Value)> {
        let (_, start) = self.from.as_ref()?;
        if value.value <= start.value {
            self.from = None;
            self.steps = 0;
            return None;
        }
        self.steps += 1;
        if self.steps > LONGEST { self.give_up() } else { None }
    }

    /// From now on steps fall; where it began, if it had.
    pub fn give_up(&mut self) -> Option<(Evaluation, Value)> {
        self.allowed = false;
        self.from.take()
    }
}
