//! Which nodes are held or moved.

use super::{BoxRegion, Edge, JointAxis, Plane, Region, Sphere, Turn};
use crate::scene::text::PinTable;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Nodes of a body that are held, or moved along keyframes. An affine body is held as a whole where any of its vertices is
/// chosen, and turns about a point or an axis that is held.
///
/// ```
/// use visviva::scene::Pin;
///
/// let hinge = Pin::of("cube").edge([0.0, -0.05, 0.0], [0.0, 0.05, 0.0]);
/// let pulled = Pin::of("bar").plane([0.1, 0.0, 0.0], [1.0, 0.0, 0.0]).shift([[0.0, 0.0, 0.0, 0.0], [1.0, 0.02, 0.0, 0.0]]);
/// # let _ = (hinge, pulled);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "PinTable", into = "PinTable")]
pub struct Pin {
    pub body: String,
    pub region: Region,
    /// How near a node must lie to a region `[m]`; by default a millionth of the body's size
    pub tolerance: Option<f64>,
    /// Keyframes `[time [s], x, y, z [m]]` of a shift
    pub shift: Vec<[f64; 4]>,
    pub turn: Option<Turn>,
}

impl Pin {
    /// Nodes of the body of this name, still to be chosen.
    pub fn of(body: impl Into<String>) -> PinOf {
        PinOf(body.into())
    }

    /// How near a node must lie to the region `[m]`.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = Some(tolerance);
        self
    }

    /// Moves the nodes along keyframes `[time [s], x, y, z [m]]`, each a shift from their start.
    pub fn shift(mut self, keys: impl Into<Vec<[f64; 4]>>) -> Self {
        self.shift = keys.into();
        self
    }

    /// Turns the nodes about an axis through a centre `[m]`, along keyframes (time `[s]`, angle `[rad]`).
    pub fn turn(mut self, axis: [f64; 3], centre: [f64; 3], angle: impl Into<Vec<(f64, f64)>>) -> Self {
        self.turn = Some(Turn { axis, centre, angle: angle.into() });
        self
    }
}

/// A body whose nodes are to be chosen, by one region.
#[derive(Debug, Clone, PartialEq)]
pub struct PinOf(String);

impl PinOf {
    /// The nodes of a region.
    pub fn region(self, region: Region) -> Pin {
        Pin { body: self.0, region, tolerance: None, shift: Vec::new(), turn: None }
    }

    /// Nodes inside a box from its low to its high corner `[m]`.
    pub fn inside_box(self, min: [f64; 3], max: [f64; 3]) -> Pin {
        self.region(Region::Box(BoxRegion { min, max }))
    }

    /// Nodes on the plane through a point `[m]`.
    pub fn plane(self, point: [f64; 3], normal: [f64; 3]) -> Pin {
        self.region(Region::Plane(Plane { point, normal }))
    }

    /// Nodes on the side of a plane that its normal points to.
    pub fn halfspace(self, point: [f64; 3], normal: [f64; 3]) -> Pin {
        self.region(Region::Halfspace(Plane { point, normal }))
    }

    /// Nodes inside a sphere `[m]`.
    pub fn sphere(self, centre: [f64; 3], radius: f64) -> Pin {
        self.region(Region::Sphere(Sphere { centre, radius }))
    }

    /// Nodes on the segment between two points `[m]`.
    pub fn edge(self, from: [f64; 3], to: [f64; 3]) -> Pin {
        self.region(Region::Edge(Edge { from, to }))
    }

    /// Nodes on the rim of a shell.
    pub fn rim(self) -> Pin {
        self.region(Region::Rim)
    }

    /// One point of an affine body `[m]`, about which it turns.
    pub fn point(self, at: [f64; 3]) -> Pin {
        self.region(Region::Point(at))
    }

    /// An axis of an affine body through a point `[m]`, about which it turns.
    pub fn axis(self, at: [f64; 3], axis: [f64; 3]) -> Pin {
        self.region(Region::Axis(JointAxis { at, axis }))
    }

    /// Nodes by their numbers in the body.
    pub fn nodes(self, nodes: impl Into<Vec<usize>>) -> Pin {
        self.region(Region::Nodes(nodes.into()))
    }
}
