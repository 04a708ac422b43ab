//! Surfaces as other programs keep them, and solids made of what they enclose. It knows nothing of motion.

mod bvh;
pub mod defects;
mod embedding;
pub mod exact;
pub mod field;
mod first_few;
pub mod formats;
mod joining;
mod likeness;
pub mod mending;
pub mod models;
mod parts;
mod polygon_mesh;
mod quality;
mod solid;
pub mod stuffing;
mod topology;
mod triangulation;

pub use defects::Defects;
pub use embedding::{Embedded, embed};
pub use field::Field;
pub use first_few::FirstFew;
pub use formats::welding::key as position_key;
pub use joining::{distinct_names, join_patches};
pub use likeness::{Likeness, Losses};
pub use mending::Mended;
pub use parts::lowest_of_parts;
pub use polygon_mesh::{PolygonMesh, Polygons, Uvs};
pub use quality::Quality;
pub use solid::Solid;
pub use topology::Topology;
pub use triangulation::Triangulation;
