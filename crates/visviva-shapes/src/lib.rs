//! Surfaces as other programs keep them, and solids made of what they enclose. It knows nothing of motion.

mod bvh;
mod embedding;
pub mod field;
pub mod formats;
pub mod models;
mod polygon_mesh;
pub mod quality;
mod solid;
pub mod stuffing;
mod triangulation;

pub use embedding::{Embedded, embed};
pub use field::Field;
pub use polygon_mesh::{PolygonMesh, Polygons, Uvs};
pub use solid::Solid;
pub use triangulation::Triangulation;
