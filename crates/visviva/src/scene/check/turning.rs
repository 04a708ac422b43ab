//! Turns that no step resolves: within a step surfaces go straight, and a wheel that turns by radians goes through its own middle.

use crate::model::bodies::Model;
use crate::scene::BuildError;
use std::f64::consts::PI;

/// `[rad]` a step: the chord is then 4 % shorter than the arc, and beyond it soon says nothing of the way.
const RESOLVED: f64 = 1.0;

/// Warns of obstacles and pins whose turn the step h `[s]` does not resolve, and refuses those that go round by half or more: which way
/// they turn, what they push and the work they put in would all be another's.
pub fn turning(model: &Model, h: f64, warnings: &mut Vec<String>) -> Result<(), BuildError> {
    for (index, motion) in model.motions.iter().enumerate() {
        let turn = motion.fastest_turn() * h;
        let Some(pin) = model.pins.iter().find(|pin| pin.motion == index).filter(|_| turn > RESOLVED) else { continue };
        let does = format!(
            "turns by {turn:.1} rad in a step of {h:.2e} s, in which it goes straight from its place before to its place after"
        );
        let advice = format!("Take run.h below {:.1e} s or turn it more slowly", RESOLVED * h / turn);
        let body = model.body_of_node(pin.node).map(|body| model.bodies[body].name.clone());
        let obstacle = model.obstacles.iter().find(|obstacle| obstacle.nodes.contains(&pin.node));
        let obstacle = obstacle.map_or_else(String::new, |obstacle| obstacle.name.clone());
        if turn >= PI {
            let problem = format!("{does}: it goes round by half or more, and no step knows which way. {advice}");
            return Err(match body {
                Some(body) => BuildError::Body { body, problem: format!("a pin of it {problem}") },
                None => BuildError::Obstacle { obstacle, problem: format!("it {problem}") },
            });
        }
        let who = body.map_or(format!("obstacle `{obstacle}`"), |body| format!("a pin of body `{body}`"));
        warnings.push(format!("{who} {does}: what it pushes and the work it puts in are wrong. {advice}"));
    }
    Ok(())
}
