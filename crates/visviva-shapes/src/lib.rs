//! Surfaces as other programs keep them, and solids made of what they enclose. It knows nothing of motion.

pub mod defects;
pub mod exact;
pub mod field;
mod first_few;
pub mod formats;
pub mod mending;
mod parts;
mod polygon_mesh;
mod triangulation;

pub use defects::Defects;
pub use field::Field;
pub use first_few::FirstFew;
pub use mending::Mended;
pub use parts::lowest_of_parts;
pub use polygon_mesh::{PolygonMesh, Polygons, Uvs};
pub use triangulation::Triangulation;
