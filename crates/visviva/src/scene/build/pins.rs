//! From pin settings to nodes that move by themselves.

use super::{BuildError, select};
use crate::mesh::rim_edges;
use crate::model::motion::Motion;
use crate::model::path::PathError;
use crate::model::{Matter, PinInput, PinnedNode};
use crate::scene::{Pin, Region, Scene, Turn};
use nalgebra::{Unit, Vector3};
use std::ops::Range;

/// A body as pins choose among its points.
#[derive(Debug)]
pub(super) struct Placed {
    pub name: String,
    /// Which of the scene's bodies it belongs to, and which copy of it it is
    pub settings: usize,
    pub copy: usize,
    pub nodes: Range<usize>,
    /// Where its vertices start `[m]`; its nodes, unless it is affine
    pub points: Vec<Vector3<f64>>,
    pub affine: bool,
    /// Of a shell: where it ends
    pub rim: Vec<usize>,
}

impl Placed {
    pub fn rim_of(triangles: &[[u32; 3]]) -> Vec<usize> {
        // Every node of a rim begins one of its edges.
        let mut nodes: Vec<usize> = rim_edges(triangles).into_iter().map(|[node, _]| node as usize).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }
}

impl Scene {
    /// `x` holds the start positions of the nodes.
    pub(super) fn build_pins(
        &self,
        all: &[Pin],
        placed: &[Placed],
        x: &[Vector3<f64>],
    ) -> Result<Vec<PinInput>, BuildError> {
        let mut pins: Vec<PinInput> = Vec::new();
        let mut pin_of_node = vec![None; x.len()];
        for (index, settings) in all.iter().enumerate() {
            let fail = |problem: String| BuildError::Pin { pin: index, body: settings.body.clone(), problem };
            let of_one = placed.iter().any(|body| body.name == settings.body);
            let meant = |body: &&Placed| self.is_meant(&settings.body, of_one, body.settings, &body.name);
            if !placed.iter().any(|body| meant(&body)) {
                let names: Vec<_> = self.bodies.iter().map(|b| b.name.as_str()).collect();
                return Err(fail(format!("there is no such body; there are: {}", names.join(", "))));
            }
            let motion = motion(&settings.shift, settings.turn.as_ref()).map_err(fail)?;
            let mut nodes = Vec::new();
            for (body, node) in chosen_nodes(settings, placed, meant).map_err(fail)? {
                let global = placed[body].nodes.start + node;
                match pin_of_node[global] {
                    // Two fixed pins that share an edge are no contradiction.
                    Some(other)
                        if !(motion.is_fixed() && pins.get::<usize>(other).is_some_and(|p| p.motion.is_fixed())) =>
                    {
                        return Err(fail(format!("node {node} is already held by another pin with another motion")));
                    }
                    Some(_) => {}
                    None => {
                        pin_of_node[global] = Some(index);
                        nodes.push(PinnedNode { body, node, start: x[global] });
                    }
                }
            }
            pins.push(PinInput { nodes, motion });
        }
        Ok(pins)
    }
}

impl Scene {
    /// An affine body that pins hold at a point or an axis has its first nodes there.
    pub(super) fn held_about(&self, matter: Matter, settings: &str, name: &str) -> Result<Matter, BuildError> {
        let Matter::Affine(shape) = matter else { return Ok(matter) };
        let mut about = None;
        for (pin, settings) in self
            .pins
            .iter()
            .chain(&self.releases)
            .enumerate()
            .filter(|(_, pin)| pin.body == name || pin.body == settings)
        {
            let fail = |problem: &str| BuildError::Pin { pin, body: name.to_owned(), problem: problem.to_owned() };
            let (at, axis) = match &settings.region {
                Region::Point(at) => (*at, Vector3::x_axis()),
                Region::Axis(axis) => (axis.at, axis.direction().map_err(|problem| fail(&problem))?),
                _ => continue,
            };
            if at.iter().any(|c| !c.is_finite()) {
                return Err(fail("the point is not finite"));
            }
            if !settings.shift.is_empty() || settings.turn.is_some() {
                return Err(fail("a point or an axis stands still: to move it, join the body to a moving obstacle"));
            }
            if about.replace((Vector3::from(at), axis)).is_some() {
                return Err(fail("the body is already held at another point or axis: use [[joint]] for more"));
            }
        }
        Ok(Matter::Affine(match about {
            Some((at, axis)) => Box::new(shape.about(at, axis)),
            None => shape,
        }))
    }
}

/// Bodies and their nodes; all that are meant count their points one after the other.
fn chosen_nodes(
    settings: &Pin,
    placed: &[Placed],
    meant: impl Fn(&&Placed) -> bool,
) -> Result<Vec<(usize, usize)>, String> {
    let own = || placed.iter().enumerate().filter(|(_, body)| meant(body));
    let first_nodes = match settings.region {
        Region::Point(_) => 0..1,
        Region::Axis(_) => 0..2,
        _ => 0..0,
    };
    if !first_nodes.is_empty() && own().all(|(_, body)| body.affine) {
        return Ok(own().flat_map(|(index, _)| first_nodes.clone().map(move |node| (index, node))).collect());
    }
    let points: Vec<_> = own().flat_map(|(_, p)| p.points.iter().copied()).collect();
    let (mut rim, mut first) = (Vec::new(), 0);
    for (_, body) in own() {
        rim.extend(body.rim.iter().map(|point| first + point));
        first += body.points.len();
    }
    let chosen = select::select(settings, &points, &rim)?;
    let (mut nodes, mut first, mut chosen) = (Vec::new(), 0, chosen.into_iter().peekable());
    for (index, body) in own() {
        let end = first + body.points.len();
        let mut any = false;
        while let Some(point) = chosen.next_if(|&point| point < end) {
            any = true;
            if !body.affine {
                nodes.push((index, point - first));
            }
        }
        if any && body.affine {
            nodes.extend((0..body.nodes.len()).map(|node| (index, node)));
        }
        first = end;
    }
    Ok(nodes)
}

impl Pin {
    /// The same nodes, held still.
    pub(super) fn at_rest(&self) -> Self {
        Self { shift: Vec::new(), turn: None, ..self.clone() }
    }
}

/// Of pins and obstacles, from keyframes.
pub(super) fn motion(shift: &[[f64; 4]], turn: Option<&Turn>) -> Result<Motion, String> {
    let name = |e: PathError| e.to_string();
    let mut motion = Motion::FIXED;
    if !shift.is_empty() {
        let keys: Vec<_> = shift.iter().map(|k| (k[0], Vector3::new(k[1], k[2], k[3]))).collect();
        motion = motion.with_shift(&keys).map_err(name)?;
    }
    if let Some(turn) = turn {
        if turn.axis.iter().chain(&turn.centre).any(|c| !c.is_finite()) {
            return Err(format!("turn: axis {:?} and centre {:?} must be finite", turn.axis, turn.centre));
        }
        let axis = Unit::try_new(Vector3::from(turn.axis), 1e-300).ok_or("the turn's axis must not be zero")?;
        motion = motion.with_turn(axis, turn.centre.into(), turn.angle.clone()).map_err(name)?;
    }
    Ok(motion)
}
