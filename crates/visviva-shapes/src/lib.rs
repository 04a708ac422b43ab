//! Surfaces as other programs keep them, and solids made of what they enclose. It knows nothing of motion.

pub mod field;
pub mod formats;
mod polygon_mesh;
mod triangulation;

pub use field::Field;
pub use polygon_mesh::{PolygonMesh, Polygons, Uvs};
pub use triangulation::Triangulation;
