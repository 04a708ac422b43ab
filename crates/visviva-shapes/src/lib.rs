//! Surfaces as other programs keep them, and solids made of what they enclose. It knows nothing of motion.

pub mod field;
pub mod models;
mod polygon_mesh;

pub use field::Field;
pub use polygon_mesh::{PolygonMesh, Polygons, Uvs};
