//! A pin as a scene file writes it: the keys of all regions side by side, of which it gives one.

use super::the_only;
use crate::scene::settings::{BoxRegion, Edge, JointAxis, Pin, Plane, Region, Sphere, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Nodes of a body that are held, or moved along keyframes. Exactly one way to choose them. An affine body is held as a whole
/// where any of its vertices is chosen, unless by a point or an axis.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Pin")]
pub struct PinTable {
    /// Whose nodes
    body: String,
    /// Nodes inside a box of the start position
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    inside: Option<BoxRegion>,
    /// Nodes on a plane
    #[serde(skip_serializing_if = "Option::is_none")]
    plane: Option<Plane>,
    /// Nodes on the side of a plane that its normal points to
    #[serde(skip_serializing_if = "Option::is_none")]
    halfspace: Option<Plane>,
    /// Nodes inside a sphere
    #[serde(skip_serializing_if = "Option::is_none")]
    sphere: Option<Sphere>,
    /// Nodes on a segment
    #[serde(skip_serializing_if = "Option::is_none")]
    edge: Option<Edge>,
    /// Nodes on the rim of a shell
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    rim: bool,
    /// Node indices of the body
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<usize>,
    /// One point of an affine body `[m]`, about which it turns
    #[serde(skip_serializing_if = "Option::is_none")]
    point: Option<[f64; 3]>,
    /// An axis of an affine body, about which it turns
    #[serde(skip_serializing_if = "Option::is_none")]
    axis: Option<JointAxis>,
    /// How near a node must lie to a plane or an edge `[m]`; by default a millionth of the body's size
    #[serde(skip_serializing_if = "Option::is_none")]
    tolerance: Option<f64>,
    /// Keyframes `[time [s], x, y, z [m]]` of a shift
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    shift: Vec<[f64; 4]>,
    /// A turn in time
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<Turn>,
}

pub(super) const KEYS: [&str; 9] = ["box", "plane", "halfspace", "sphere", "edge", "rim", "nodes", "point", "axis"];

impl TryFrom<PinTable> for Pin {
    type Error = String;

    fn try_from(table: PinTable) -> Result<Self, String> {
        let regions = [
            table.inside.map(Region::Box),
            table.plane.map(Region::Plane),
            table.halfspace.map(Region::Halfspace),
            table.sphere.map(Region::Sphere),
            table.edge.map(Region::Edge),
            table.rim.then_some(Region::Rim),
            (!table.nodes.is_empty()).then_some(Region::Nodes(table.nodes)),
            table.point.map(Region::Point),
            table.axis.map(Region::Axis),
        ];
        let region = the_only(regions.into_iter().flatten().collect(), "ways to choose nodes", &KEYS)
            .map_err(|e| format!("pin of body `{}`: {e}", table.body))?;
        Ok(Self { body: table.body, region, tolerance: table.tolerance, shift: table.shift, turn: table.turn })
    }
}

impl From<Pin> for PinTable {
    fn from(pin: Pin) -> Self {
        let Pin { body, region, tolerance, shift, turn } = pin;
        let mut table = Self { body, tolerance, shift, turn, ..Self::default() };
        match region {
            Region::Box(region) => table.inside = Some(region),
            Region::Plane(plane) => table.plane = Some(plane),
            Region::Halfspace(plane) => table.halfspace = Some(plane),
            Region::Sphere(sphere) => table.sphere = Some(sphere),
            Region::Edge(edge) => table.edge = Some(edge),
            Region::Rim => table.rim = true,
            Region::Nodes(nodes) => table.nodes = nodes,
            Region::Point(point) => table.point = Some(point),
            Region::Axis(axis) => table.axis = Some(axis),
        }
        table
    }
}
