//! Contact settings of a scene.

use super::BuildError;
use crate::model::{BodyInput, Coefficients, ContactSettings};
use crate::scene::{Contact, Scene};

impl Scene {
    /// Coefficients of all pairs: bodies first, `settings_of` each of which stands in the scene, obstacles after them.
    pub(super) fn contact_settings(
        &self,
        settings_of: &[usize],
        bodies: &[BodyInput],
    ) -> Result<Option<ContactSettings>, BuildError> {
        let Contact { reach, stiffness, friction, friction_speed, .. } = self.contact;
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
        let thick = |what: &str, name: &str, given: Option<f64>| {
            let t = given.unwrap_or(0.0);
            let fail =
                || value(format!("{what} `{name}`: contact_thickness = {t}: it must be finite and not negative"));
            if t >= 0.0 && t.is_finite() { Ok(t) } else { Err(fail()) }
        };
        let mut thickness = Vec::new();
        let mut names = Vec::new();
        let mut own = Vec::new();
        for body in settings_of.iter().map(|&body| &self.bodies[body]) {
            let mu = self.material_of(body).and_then(|m| m.friction).unwrap_or(friction);
            own.push(possible(&format!("body `{}`: its material's friction", body.name), mu)?);
            thickness.push(thick("body", &body.name, body.contact_thickness)?);
            names.push(body.name.as_str());
        }
        for obstacle in &self.obstacles {
            let mu = obstacle.friction.unwrap_or(friction);
            own.push(possible(&format!("obstacle `{}`: friction", obstacle.name), mu)?);
            thickness.push(thick("obstacle", &obstacle.name, obstacle.contact_thickness)?);
            names.push(obstacle.name.as_str());
        }
        let count = names.len();
        let mut table: Vec<f64> = (0..count * count).map(|k| (own[k / count] * own[k % count]).sqrt()).collect();
        for pair in &self.friction {
            let mu = possible(&format!("friction between {:?}", pair.between), pair.coefficient)?;
            let all = |name: &String| {
                let found: Vec<usize> = (0..count).filter(|&i| names[i] == name).collect();
                if !found.is_empty() {
                    return Ok(found);
                }
                let mut known = names.clone();
                known.dedup();
                Err(value(format!(
                    "friction between {:?}: there is no `{name}`; there are: {}",
                    pair.between,
                    known.join(", ")
                )))
            };
            for a in all(&pair.between[0])? {
                for b in all(&pair.between[1])? {
                    (table[a * count + b], table[b * count + a]) = (mu, mu);
                }
            }
        }
        let friction = Coefficients::ByPair { surface_count: count, table };
        let self_contact = self.touching_themselves(bodies, &thickness);
        let has_contact = self.has_contact(bodies.len(), self_contact.contains(&true));
        let settings = ContactSettings { stiffness, reach, friction_speed, self_contact, friction, thickness };
        Ok(has_contact.then_some(settings))
    }
}
