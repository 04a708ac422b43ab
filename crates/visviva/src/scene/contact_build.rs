//! Contact settings of a scene, and whether its start allows contact: no intersections, gaps that numbers can resolve.

use super::contact::ContactTable;
use super::{BuildError, MaterialChoice, Scene};
use crate::contact::surface::SurfaceError;
use crate::contact::{Barrier, BroadPhase, Candidates, ContactSet, Point, intersection};
use crate::solve::contact::surface_of;
use crate::system::bodies::{Bodies, node_of};
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

/// Refuses a start from which contact cannot go on, and warns of what is legal but hardly meant.
pub(super) fn check_start(bodies: &Bodies, x: &[f64], warnings: &mut Vec<String>) -> Result<(), BuildError> {
    let Some(settings) = &bodies.contact else { return Ok(()) };
    let broken = |error: SurfaceError| BuildError::Contact(error.to_string());
    // As if nothing were pinned: surfaces that never meet in a solve may overlap all the same.
    let (surface, nodes) = surface_of(bodies, settings.self_contact, |_| false).map_err(broken)?;
    let points: Vec<Point> = nodes.iter().map(|&node| node_of(x, node as usize)).collect();
    let mut broad_phase = BroadPhase::default();
    let pinned = |vertices: &[u32]| vertices.iter().all(|&v| bodies.mass.is_pinned(nodes[v as usize] as usize));
    let name = |vertex: u32| bodies.surface_name(surface.body_of(vertex));
    let mut overlapping: Vec<[u32; 2]> = Vec::new();
    let crossings = intersection::intersections(&surface, &mut broad_phase, &points);
    for [edge, triangle] in &crossings {
        let (ends, corners) = (surface.edges()[*edge as usize], surface.triangles()[*triangle as usize]);
        if pinned(&ends) && pinned(&corners) {
            overlapping.push([surface.body_of(ends[0]), surface.body_of(corners[0])]);
            continue;
        }
        let at = |vertices: &[u32]| vertices.iter().map(|&v| show(&points[v as usize])).collect::<Vec<_>>().join(", ");
        return Err(BuildError::Contact(format!(
            "`{}` and `{}` intersect at the start ({} crossings in all): the edge {} of the first goes through the triangle {} of the second; move them apart",
            name(ends[0]),
            name(corners[0]),
            crossings.len(),
            at(&ends),
            at(&corners),
        )));
    }
    overlapping.iter_mut().for_each(|pair| pair.sort_unstable());
    overlapping.sort_unstable();
    overlapping.dedup();
    for [a, b] in overlapping {
        let (a, b) = (bodies.surface_name(a), bodies.surface_name(b));
        warnings.push(format!("`{a}` and `{b}` overlap where both are held: they never touch each other"));
    }
    // Against the surface that the solver uses.
    let is_pinned = |node: usize| bodies.mass.is_pinned(node);
    let (surface, _) = surface_of(bodies, settings.self_contact, is_pinned).map_err(broken)?;
    let barrier = Barrier { stiffness: settings.stiffness, reach: settings.reach, thickness: 0.0 };
    let (mut candidates, mut set) = (Candidates::default(), ContactSet::default());
    broad_phase.near(&surface, &points, barrier.activation(), &mut candidates);
    set.update(&surface, &candidates, &points, &barrier);
    let extent = x.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let resolved = 1e4 * f64::EPSILON * extent;
    if let Some((pair, gap)) = set.pairs().iter().zip(set.distances()).find(|(_, gap)| *gap < resolved) {
        let (a, b) = (pair.vertices[0], pair.stencil()[pair.stencil().len() - 1]);
        return Err(BuildError::Contact(format!(
            "`{}` and `{}` are {gap:.1e} m apart near {}: numbers of this size resolve no gap below {resolved:.1e} m; move them apart",
            name(a),
            name(b),
            show(&points[a as usize]),
        )));
    }
    let shortest = surface.edges().iter().zip(surface.edge_rest_squared()).min_by(|a, b| a.1.total_cmp(b.1));
    if let Some((edge, squared)) = shortest.filter(|(_, squared)| squared.sqrt() < settings.reach) {
        warnings.push(format!(
            "contact.reach = {} m is longer than the shortest edge of `{}` ({:.2e} m): contact will reach past neighbouring triangles",
            settings.reach,
            name(edge[0]),
            squared.sqrt(),
        ));
    }
    Ok(())
}

fn show(p: &Point) -> String {
    format!("({:.4}, {:.4}, {:.4})", p.x, p.y, p.z)
}
