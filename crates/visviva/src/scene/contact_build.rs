//! Contact settings of a scene.

use super::contact::ContactTable;
use super::{BuildError, MaterialChoice, Scene};
use crate::system::{Coefficients, ContactSettings};

impl Scene {
    /// Whether surfaces touch at all.
    pub fn has_contact(&self) -> bool {
        let wanted = !self.obstacles.is_empty() || self.bodies.len() > 1 || self.contact.self_contact;
        self.contact.enabled.unwrap_or(wanted)
    }

    /// Coefficients of all pairs: bodies first, obstacles after them.
    pub(super) fn contact_settings(&self) -> Result<Option<ContactSettings>, BuildError> {
        let ContactTable { reach, stiffness, friction, friction_speed, self_contact, .. } = self.contact;
        let value = |problem: String| BuildError::Value(problem);
        for (key, given) in [("reach", reach), ("stiffness", stiffness), ("friction_speed", friction_speed)] {
            if !(given > 0.0 && given.is_finite()) {
                return Err(value(format!("contact.{key} = {given}: it must be positive and finite")));
            }
        }
        let possible = |key: &str, mu: f64| {
            let fail = || value(format!("{key} = {mu}: a coefficient of friction must not be negative"));
            if mu >= 0.0 && mu.is_finite() { Ok(mu) } else { Err(fail()) }
        };
        possible("contact.friction", friction)?;
        let mut names = Vec::new();
        let mut own = Vec::new();
        for body in &self.bodies {
            let material = match &body.material {
                MaterialChoice::Inline(material) => Some(material.as_ref()),
                MaterialChoice::Named(name) => self.materials.iter().find(|m| m.name == *name),
            };
            let mu = material.and_then(|m| m.friction).unwrap_or(friction);
            own.push(possible(&format!("body `{}`: its material's friction", body.name), mu)?);
            names.push(body.name.as_str());
        }
        for obstacle in &self.obstacles {
            let mu = obstacle.friction.unwrap_or(friction);
            own.push(possible(&format!("obstacle `{}`: friction", obstacle.name), mu)?);
            names.push(obstacle.name.as_str());
        }
        let count = names.len();
        let mut table: Vec<f64> = (0..count * count).map(|k| (own[k / count] * own[k % count]).sqrt()).collect();
        for pair in &self.friction {
            let mu = possible(&format!("friction between {:?}", pair.between), pair.coefficient)?;
            let index = |name: &String| {
                let found = names.iter().position(|n| n == name);
                found.ok_or_else(|| {
                    value(format!(
                        "friction between {:?}: there is no `{name}`; there are: {}",
                        pair.between,
                        names.join(", ")
                    ))
                })
            };
            let (a, b) = (index(&pair.between[0])?, index(&pair.between[1])?);
            (table[a * count + b], table[b * count + a]) = (mu, mu);
        }
        let friction = Coefficients::ByPair { surface_count: count, table };
        let settings = ContactSettings { stiffness, reach, friction_speed, self_contact, friction };
        Ok(self.has_contact().then_some(settings))
    }
}
