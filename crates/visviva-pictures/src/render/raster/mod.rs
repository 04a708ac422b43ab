//! What is seen in each pixel: bodies as layers of fragments, and the floor below them.
mod facet;
mod floor;
mod layer;
mod samples;
mod wires;

pub(super) use facet::{Facet, facets};
pub(super) use floor::{Floor, Plane};
pub(super) use layer::{Layer, Scene};
pub(super) use samples::{Bins, TILE};
pub(super) use wires::wire_facets;
