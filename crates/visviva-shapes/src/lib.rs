//! Surfaces as other programs keep them, and solids made of what they enclose. It knows nothing of motion.

mod bvh;
mod embedding;
pub mod field;
mod likeness;
mod polygon_mesh;
mod quality;
mod solid;
pub mod stuffing;
mod topology;

pub use embedding::{Embedded, embed};
pub use field::Field;
pub use likeness::{Likeness, Losses};
pub use polygon_mesh::{PolygonMesh, Polygons, Uvs};
pub use quality::Quality;
pub use solid::Solid;
pub use topology::Topology;
