//! Contact settings of a scene.

use super::BuildError;
use crate::model::{BodyInput, Coefficients, ContactSettings};
use crate::scene::{Contact, PairCoefficient, Scene};

/// A coefficient that every surface has: √(c_a c_b) for two of them, unless the pair says otherwise.
struct Kind {
    name: &'static str,
    allowed: fn(f64) -> bool,
    must: &'static str,
}

const FRICTION: Kind = Kind {
    name: "friction",
    allowed: |mu| mu >= 0.0 && mu.is_finite(),
    must: "a coefficient of friction must not be negative",
};

const RESTITUTION: Kind = Kind {
    name: "restitution",
    allowed: |e| (0.0..=1.0).contains(&e),
    must: "it must lie between 0, nothing bounces, and 1, contacts lose nothing",
};

impl Kind {
    fn check(&self, key: &str, given: f64) -> Result<f64, BuildError> {
        let fail = || BuildError::Value(format!("{key} = {given}: {}", self.must));
        if (self.allowed)(given) { Ok(given) } else { Err(fail()) }
    }

    /// The table of all pairs of surfaces; `own` are their coefficients.
    fn table(
        &self,
        names: &[&str],
        body_count: usize,
        own: Vec<Option<f64>>,
        usual: f64,
        pairs: &[PairCoefficient],
    ) -> Result<Coefficients, BuildError> {
        self.check(&format!("contact.{}", self.name), usual)?;
        let count = names.len();
        let mut of = Vec::new();
        for (surface, (own, name)) in own.into_iter().zip(names).enumerate() {
            let key = if surface < body_count {
                format!("body `{name}`: its material's {}", self.name)
            } else {
                format!("obstacle `{name}`: {}", self.name)
            };
            of.push(self.check(&key, own.unwrap_or(usual))?);
        }
        let mut table: Vec<f64> = (0..count * count).map(|k| (of[k / count] * of[k % count]).sqrt()).collect();
        for pair in pairs {
            let value = self.check(&format!("{} between {:?}", self.name, pair.between), pair.coefficient)?;
            let all = |name: &String| {
                let found: Vec<usize> = (0..count).filter(|&i| names[i] == name).collect();
                if !found.is_empty() {
                    return Ok(found);
                }
                let mut known = names.to_vec();
                known.dedup();
                Err(BuildError::Value(format!(
                    "{} between {:?}: there is no `{name}`; there are: {}",
                    self.name,
                    pair.between,
                    known.join(", ")
                )))
            };
            for a in all(&pair.between[0])? {
                for b in all(&pair.between[1])? {
                    (table[a * count + b], table[b * count + a]) = (value, value);
                }
            }
        }
        Ok(Coefficients::ByPair { surface_count: count, table })
    }
}

impl Scene {
    /// Coefficients of all pairs: bodies first, `settings_of` each of which stands in the scene, obstacles after them.
    pub(super) fn contact_settings(
        &self,
        settings_of: &[usize],
        bodies: &[BodyInput],
    ) -> Result<Option<ContactSettings>, BuildError> {
        let Contact { reach, stiffness, friction_speed, weights, .. } = self.contact;
        let value = |problem: String| BuildError::Value(problem);
        for (key, given) in [("reach", reach), ("stiffness", stiffness), ("friction_speed", friction_speed)] {
            if !(given > 0.0 && given.is_finite()) {
                return Err(value(format!("contact.{key} = {given}: it must be positive and finite")));
            }
        }
        let thick = |what: &str, name: &str, given: Option<f64>| {
            let t = given.unwrap_or(0.0);
            let fail =
                || value(format!("{what} `{name}`: contact_thickness = {t}: it must be finite and not negative"));
            if t >= 0.0 && t.is_finite() { Ok(t) } else { Err(fail()) }
        };
        let (mut thickness, mut names, mut friction, mut restitution) = (vec![], vec![], vec![], vec![]);
        for body in settings_of.iter().map(|&body| &self.bodies[body]) {
            let material = self.material_of(body);
            friction.push(material.and_then(|m| m.friction));
            restitution.push(material.and_then(|m| m.restitution));
            thickness.push(thick("body", &body.name, body.contact_thickness)?);
            names.push(body.name.as_str());
        }
        for obstacle in &self.obstacles {
            friction.push(obstacle.friction);
            restitution.push(obstacle.restitution);
            thickness.push(thick("obstacle", &obstacle.name, obstacle.contact_thickness)?);
            names.push(obstacle.name.as_str());
        }
        let friction = FRICTION.table(&names, settings_of.len(), friction, self.contact.friction, &self.friction)?;
        let restitution =
            RESTITUTION.table(&names, settings_of.len(), restitution, self.contact.restitution, &self.restitution)?;
        let self_contact = self.touching_themselves(bodies, &thickness);
        let has_contact = self.has_contact(bodies.len(), self_contact.contains(&true));
        let settings = ContactSettings {
            stiffness,
            reach,
            friction_speed,
            self_contact,
            friction,
            restitution,
            weights,
            thickness,
        };
        Ok(has_contact.then_some(settings))
    }
}
