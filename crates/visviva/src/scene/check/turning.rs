//! Turns that no step resolves: within a step surfaces go straight, and a wheel that turns by radians goes through its own middle.

use crate::model::bodies::Model;

/// `[rad]` a step: the chord is then 4 % shorter than the arc, and beyond it soon says nothing of the way.
const RESOLVED: f64 = 1.0;

/// Warns of obstacles and pins whose turn the step h `[s]` does not resolve.
pub fn turning(model: &Model, h: f64, warnings: &mut Vec<String>) {
    for (index, motion) in model.motions.iter().enumerate() {
        let turn = motion.fastest_turn() * h;
        let Some(pin) = model.pins.iter().find(|pin| pin.motion == index).filter(|_| turn > RESOLVED) else { continue };
        let who = match model.body_of_node(pin.node) {
            Some(body) => format!("a pin of body `{}`", model.bodies[body].name),
            None => {
                let obstacle = model.obstacles.iter().find(|obstacle| obstacle.nodes.contains(&pin.node));
                format!("obstacle `{}`", obstacle.map_or("", |obstacle| obstacle.name.as_str()))
            }
        };
        warnings.push(format!(
            "{who} turns by {turn:.1} rad in a step of {h:.2e} s, in which it goes straight from its place before to its place after: \
             what it pushes and the work it puts in are wrong. Take run.h below {:.1e} s or turn it more slowly",
            RESOLVED * h / turn
        ));
    }
}
