//! Where a start forbids contact: triangles that intersect, decided exactly, and gaps that neither d̂ nor double precision
//! resolve.

use super::start_forces::start_forces;
use crate::contact::surface::SurfaceError;
use crate::contact::triangle_crossings::crossing_triangles;
use crate::contact::{Barrier, BroadPhase, Candidates, ContactSet, Pair, Point, Surface, intersection};
use crate::model::Attachment;
use crate::model::ContactSettings;
use crate::model::bodies::{BodyKind, Model};
use crate::readable::length;
use crate::scene::BuildError;
use crate::solve::contact::surface_of;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// The least gap as a part of d̂: there the barrier's stiffness κ(d̂/d)² spans 12 of a number's 16 digits.
const LEAST_OF_REACH: f64 = 1e-6;
/// … and as a part of the largest coordinate: CCD and distances lose some dozens of ε, and Newton needs digits beyond that.
const LEAST_OF_EXTENT: f64 = 1e4 * f64::EPSILON;

/// All places of a start that contact cannot begin from.
#[derive(Debug, Clone, PartialEq)]
pub struct StartContact {
    /// Intersections first
    pub places: Vec<ContactPlace>,
    /// The least gap `[m]`, and why
    least: f64,
    reason: String,
    /// How they may be moved apart, where that is known; the end of the message
    pub(in crate::scene) advice: String,
}

/// Two triangles that are in each other's way.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactPlace {
    pub kind: PlaceKind,
    pub names: [String; 2],
    /// Counted over bodies and then obstacles
    pub surfaces: [u32; 2],
    /// Counted within their surfaces
    pub triangles: [u32; 2],
    /// `[m]`
    pub corners: [[Point; 3]; 2],
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlaceKind {
    Intersection,
    /// The distance, and the part of it that `contact_thickness` takes `[m]`
    Gap {
        distance: f64,
        thickness: f64,
    },
}

impl fmt::Display for ContactPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([a, b], [i, j]) = (&self.names, self.triangles);
        let [p, q] = self.corners.map(|corners| corners.map(|p| show(&p)).join(", "));
        match self.kind {
            PlaceKind::Intersection => {
                write!(f, "triangle {i} of `{a}` at {p} intersects triangle {j} of `{b}` at {q}")
            }
            PlaceKind::Gap { distance, .. } => {
                let gap = length(distance);
                write!(f, "triangle {i} of `{a}` at {p} is {gap} from triangle {j} of `{b}` at {q}")
            }
        }
    }
}

impl fmt::Display for StartContact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.places.first() else { return Ok(()) };
        let [a, b] = &first.names;
        let who = if a == b { format!("parts of `{a}` are") } else { format!("`{a}` and `{b}` are") };
        match first.kind {
            PlaceKind::Intersection => {
                let count = self.places.iter().filter(|place| place.kind == PlaceKind::Intersection).count();
                if a == b {
                    return write!(
                        f,
                        "`{a}` goes through itself at the start ({count} pairs of triangles in all): {first}; move its parts \
                         apart, or say contact.self_contact = false if it may"
                    );
                }
                write!(
                    f,
                    "`{a}` and `{b}` intersect at the start ({count} pairs of triangles in all): {first}; move them apart{}",
                    self.advice
                )
            }
            PlaceKind::Gap { distance, thickness } if thickness > 0.0 => {
                let (count, distance, thickness) = (self.places.len(), length(distance), length(thickness));
                write!(
                    f,
                    "{who} {distance} apart ({count} such gaps in all), but their contact_thickness keeps them {thickness} apart: {first}; move them apart or make them thinner"
                )
            }
            PlaceKind::Gap { distance, .. } => {
                let (count, gap, least, reason) =
                    (self.places.len(), length(distance), length(self.least), &self.reason);
                write!(
                    f,
                    "{who} {gap} apart ({count} such gaps in all): {first}; {reason} no gap below {least}: move them apart{}",
                    self.advice
                )
            }
        }
    }
}

/// Refuses a start from which contact cannot go on, and warns of what is legal but hardly meant.
pub fn start_contact(bodies: &Model, x: &[f64], warnings: &mut Vec<String>) -> Result<(), BuildError> {
    let Some(settings) = &bodies.contact else { return Ok(()) };
    let broken = |error: SurfaceError| BuildError::Contact(error.to_string());
    let is_pinned = |node: usize| bodies.mass.is_pinned(node);
    // The surface that the solver uses; crossings are sought among all triangles, pinned ones too.
    let (surface, vertices) = surface_of(bodies, |body| settings.touches_itself(body), is_pinned).map_err(broken)?;
    let points: Vec<Point> = vertices.iter().map(|vertex| vertex.of(x)).collect();
    let start = Start { bodies, surface: &surface, vertices: &vertices, points: &points };
    let Crossings { mut places, overlapping, unwatched } = start.intersections();
    for (body, count) in unwatched {
        let name = bodies.surface_name(body);
        warnings.push(format!(
            "`{name}` goes through itself at the start ({count} pairs of triangles), which is not watched; contact.self_contact = \
             true says where"
        ));
    }
    for [a, b] in overlapping {
        let (a, b) = (bodies.surface_name(a), bodies.surface_name(b));
        warnings.push(format!("`{a}` and `{b}` overlap where both are held: they never touch each other"));
    }
    start.check_wires()?;
    let extent = x.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let (by_extent, by_reach) = (LEAST_OF_EXTENT * extent, LEAST_OF_REACH * settings.reach);
    let least = by_extent.max(by_reach);
    if settings.reach <= by_extent {
        return Err(BuildError::Contact(format!(
            "contact.reach = {} m: coordinates of {extent:.1e} m resolve no gap below {by_extent:.1e} m; take a longer reach or move the scene to the origin",
            settings.reach
        )));
    }
    // Beside intersections a distance of zero says nothing new; without them it is a gap lost to rounding.
    let told = if places.is_empty() { f64::NEG_INFINITY } else { 0.0 };
    places.extend(start.gaps(settings, told..least));
    if !places.is_empty() {
        let reason = if by_extent > by_reach {
            format!("coordinates of {extent:.1e} m resolve")
        } else {
            format!("contact.reach = {} m can resolve", settings.reach)
        };
        return Err(BuildError::StartContact(Box::new(StartContact { places, least, reason, advice: String::new() })));
    }
    warnings.extend(start_forces(bodies, &surface, &points, settings));
    let shortest = surface.edges().iter().zip(surface.edge_rest_squared()).min_by(|a, b| a.1.total_cmp(b.1));
    if let Some((edge, squared)) = shortest.filter(|(_, squared)| squared.sqrt() < settings.reach) {
        warnings.push(format!(
            "contact.reach = {} m is longer than the shortest edge of `{}` ({:.2e} m): contact will reach past neighbouring triangles",
            settings.reach,
            bodies.surface_name(surface.body_of(edge[0])),
            squared.sqrt(),
        ));
    }
    Ok(())
}

/// Triangles that go through each other at the start.
#[derive(Default)]
struct Crossings {
    places: Vec<ContactPlace>,
    /// Surfaces that overlap only where both are held
    overlapping: Vec<[u32; 2]>,
    /// Soft bodies that may go through themselves and do, and in how many pairs of triangles
    unwatched: BTreeMap<u32, usize>,
}

struct Start<'a> {
    bodies: &'a Model,
    surface: &'a Surface,
    vertices: &'a [Attachment],
    points: &'a [Point],
}

impl Start<'_> {
    fn intersections(&self) -> Crossings {
        let triangles = self.surface.triangles();
        let held = |triangle: u32| {
            let is_pinned = |node: usize| self.bodies.mass.is_pinned(node);
            triangles[triangle as usize].iter().all(|&v| self.vertices[v as usize].hangs_only_on(is_pinned))
        };
        let is_soft = |body: u32| self.bodies.bodies.get(body as usize).is_some_and(|b| b.kind != BodyKind::Affine);
        let mut found = Crossings::default();
        for pair in crossing_triangles(triangles, self.points) {
            let [a, b] = pair.map(|triangle| self.surface.body_of(triangles[triangle as usize][0]));
            if !self.surface.may_touch(a, b) {
                if a == b && is_soft(a) {
                    *found.unwatched.entry(a).or_default() += 1;
                }
            } else if pair.into_iter().all(held) {
                found.overlapping.push([a.min(b), a.max(b)]);
            } else {
                found.places.push(self.place(PlaceKind::Intersection, pair));
            }
        }
        found.overlapping.sort_unstable();
        found.overlapping.dedup();
        found
    }

    /// Wires have no triangles to be named by.
    fn check_wires(&self) -> Result<(), BuildError> {
        let wired = |vertex: u32| !self.bodies.wires(self.surface.body_of(vertex) as usize).is_empty();
        let crossings = intersection::intersections(self.surface, &mut BroadPhase::default(), self.points);
        for [edge, triangle] in crossings {
            let (end, corner) =
                (self.surface.edges()[edge as usize][0], self.surface.triangles()[triangle as usize][0]);
            if wired(end) {
                let name = |vertex: u32| self.bodies.surface_name(self.surface.body_of(vertex));
                let place = show(&self.points[end as usize]);
                return Err(BuildError::Contact(format!(
                    "a wire of `{}`, from {place} on, goes through `{}` at the start; move them apart",
                    name(end),
                    name(corner)
                )));
            }
        }
        Ok(())
    }

    /// What has a distance, less its thickness, strictly between two bounds `[m]`, each pair of triangles once.
    fn gaps(&self, settings: &ContactSettings, bounds: Range<f64>) -> Vec<ContactPlace> {
        let barrier = Barrier::from(settings);
        let (mut candidates, mut set) = (Candidates::default(), ContactSet::default());
        let radius = bounds.end + self.surface.largest_thickness();
        BroadPhase::default().near(self.surface, self.points, radius, &mut candidates);
        set.update(self.surface, &candidates, self.points, &barrier);
        let near: Vec<(&Pair, f64)> = set
            .pairs()
            .iter()
            .zip(set.distances())
            .filter(|(pair, distance)| {
                distance - pair.thickness > bounds.start && distance - pair.thickness < bounds.end
            })
            .collect();
        if near.is_empty() {
            return Vec::new();
        }
        let mut around = vec![Vec::new(); self.points.len()];
        for (t, triangle) in (0..).zip(self.surface.triangles()) {
            triangle.iter().for_each(|&v| around[v as usize].push(t));
        }
        let holder = |side: &[u32]| {
            let holds = |t: &&u32| side.iter().all(|v| self.surface.triangles()[**t as usize].contains(v));
            around[side[0] as usize].iter().find(holds).copied()
        };
        let mut found: Vec<([u32; 2], f64, f64)> = Vec::new();
        for (pair, distance) in near {
            let (first, second) = pair.stencil().split_at(pair.kind.first_count());
            if let (Some(a), Some(b)) = (holder(first), holder(second)) {
                found.push(([a.min(b), a.max(b)], distance, pair.thickness));
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        found.dedup_by_key(|(triangles, ..)| *triangles);
        let place = |(triangles, distance, thickness)| self.place(PlaceKind::Gap { distance, thickness }, triangles);
        found.into_iter().map(place).collect()
    }

    fn place(&self, kind: PlaceKind, triangles: [u32; 2]) -> ContactPlace {
        let vertices = triangles.map(|triangle| self.surface.triangles()[triangle as usize]);
        let surfaces = vertices.map(|[v, ..]| self.surface.body_of(v));
        let first = |surface: u32| {
            let before = self.bodies.surfaces().take(surface as usize);
            before.map(|(_, triangles)| triangles.len() as u32).sum::<u32>()
        };
        ContactPlace {
            kind,
            names: surfaces.map(|surface| self.bodies.surface_name(surface).to_owned()),
            surfaces,
            triangles: [triangles[0] - first(surfaces[0]), triangles[1] - first(surfaces[1])],
            corners: vertices.map(|corners| corners.map(|v| self.points[v as usize])),
        }
    }
}

fn show(p: &Point) -> String {
    format!("({:.4}, {:.4}, {:.4})", p.x, p.y, p.z)
}
