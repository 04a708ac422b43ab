//! What no contact keeps apart, in one line: a run that looks wrong should not surprise.

use crate::model::bodies::{BodyKind, Model};

/// Names told one by one.
const TOLD: usize = 3;

/// What bodies and obstacles may go through without being stopped; None where nothing may.
pub fn unwatched(model: &Model) -> Option<String> {
    if model.contact.is_none() && model.bodies.len() + model.obstacles.len() > 1 {
        return Some("contact is off: bodies and obstacles go through each other and themselves".to_owned());
    }
    let touches_itself = |body: usize| model.contact.as_ref().is_some_and(|contact| contact.touches_itself(body));
    let soft = model.bodies.iter().enumerate().filter(|(_, body)| body.kind != BodyKind::Affine);
    let alone: Vec<&str> = soft.filter(|(i, _)| !touches_itself(*i)).map(|(_, body)| body.name.as_str()).collect();
    if alone.is_empty() {
        return None;
    }
    let names: Vec<String> = alone.iter().take(TOLD).map(|name| format!("`{name}`")).collect();
    let more =
        alone.len().checked_sub(TOLD).filter(|&more| more > 0).map_or(String::new(), |n| format!(" and {n} more"));
    let verb = if alone.len() > 1 { "go through themselves" } else { "goes through itself" };
    Some(format!("whether {}{more} {verb} (contact.self_contact = true watches it)", names.join(", ")))
}
