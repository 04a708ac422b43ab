//! Contact settings of a scene.

use super::BuildError;
use crate::model::{BodyInput, Coefficients, ContactSettings};
use crate::scene::{Contact, PairCoefficient, Scene};
use std::collections::{HashMap, HashSet};

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

    /// The table of all pairs of surfaces; `own` are the coefficients of the scene's bodies and obstacles.
    fn table(
        &self,
        scene: &Scene,
        surfaces: &[Touching],
        own: &[Option<f64>],
        pairs: &[PairCoefficient],
        usual: f64,
    ) -> Result<Coefficients, BuildError> {
        self.check(&format!("contact.{}", self.name), usual)?;
        let all: HashSet<&str> = surfaces.iter().map(|surface| surface.name).collect();
        let names = pairs.iter().flat_map(|pair| &pair.between).map(String::as_str);
        let names: Vec<(&str, bool)> = names.map(|name| (name, all.contains(name))).collect();
        // Thousands of copies and rings that no pair tells apart are one row.
        let (mut groups, mut group_of) = (Vec::<(usize, Vec<bool>)>::new(), Vec::new());
        let mut known = HashMap::new();
        for surface in surfaces {
            let meant: Vec<bool> = names.iter().map(|&(name, of_one)| surface.is_meant(scene, name, of_one)).collect();
            group_of.push(*known.entry((surface.settings, meant.clone())).or_insert_with(|| {
                groups.push((surface.settings, meant));
                groups.len() as u32 - 1
            }));
        }
        let mut of = Vec::new();
        for &(settings, _) in &groups {
            let key = match settings.checked_sub(scene.bodies.len()) {
                None => format!("body `{}`: its material's {}", scene.bodies[settings].name, self.name),
                Some(obstacle) => format!("obstacle `{}`: {}", scene.obstacles[obstacle].name, self.name),
            };
            of.push(self.check(&key, own[settings].unwrap_or(usual))?);
        }
        let count = groups.len();
        let mut table: Vec<f64> = (0..count * count).map(|k| (of[k / count] * of[k % count]).sqrt()).collect();
        for (index, pair) in pairs.iter().enumerate() {
            let value = self.check(&format!("{} between {:?}", self.name, pair.between), pair.coefficient)?;
            let meant = |side: usize| {
                let found: Vec<usize> = (0..count).filter(|&group| groups[group].1[2 * index + side]).collect();
                if found.is_empty() { Err(self.unknown_name(scene, pair, side)) } else { Ok(found) }
            };
            let (first, second) = (meant(0)?, meant(1)?);
            for (&a, &b) in first.iter().flat_map(|a| second.iter().map(move |b| (a, b))) {
                (table[a * count + b], table[b * count + a]) = (value, value);
            }
        }
        Ok(Coefficients::ByGroup { group_of, group_count: count, table })
    }

    fn unknown_name(&self, scene: &Scene, pair: &PairCoefficient, side: usize) -> BuildError {
        let bodies = scene.bodies.iter().map(|body| body.name.as_str());
        let known: Vec<&str> = bodies.chain(scene.obstacles.iter().map(|obstacle| obstacle.name.as_str())).collect();
        BuildError::Value(format!(
            "{} between {:?}: there is no `{}`; there are: {}",
            self.name,
            pair.between,
            pair.between[side],
            known.join(", ")
        ))
    }
}

/// A surface on the way into contact.
struct Touching<'a> {
    /// Which of the scene's bodies or, counted after them, obstacles it belongs to
    settings: usize,
    name: &'a str,
}

impl Touching<'_> {
    fn is_meant(&self, scene: &Scene, name: &str, of_one: bool) -> bool {
        if self.settings < scene.bodies.len() {
            scene.is_meant(name, of_one, self.settings, self.name)
        } else {
            self.name == name
        }
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
        let (mut own_thickness, mut friction, mut restitution) = (vec![], vec![], vec![]);
        for body in &self.bodies {
            let material = self.material_of(body);
            friction.push(material.and_then(|m| m.friction));
            restitution.push(material.and_then(|m| m.restitution));
            own_thickness.push(thick("body", &body.name, body.contact_thickness)?);
        }
        for obstacle in &self.obstacles {
            friction.push(obstacle.friction);
            restitution.push(obstacle.restitution);
            own_thickness.push(thick("obstacle", &obstacle.name, obstacle.contact_thickness)?);
        }
        let of_bodies = settings_of.iter().zip(bodies).map(|(&settings, body)| Touching { settings, name: &body.name });
        let of_obstacles = (self.bodies.len()..).zip(&self.obstacles);
        let surfaces: Vec<Touching> = of_bodies
            .chain(of_obstacles.map(|(settings, obstacle)| Touching { settings, name: &obstacle.name }))
            .collect();
        let thickness: Vec<f64> = surfaces.iter().map(|surface| own_thickness[surface.settings]).collect();
        let friction = FRICTION.table(self, &surfaces, &friction, &self.friction, self.contact.friction)?;
        let restitution =
            RESTITUTION.table(self, &surfaces, &restitution, &self.restitution, self.contact.restitution)?;
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
