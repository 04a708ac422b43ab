//! A surface of polygons as its maker keeps it: names, texture coordinates and materials included.

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

/// One object of a file. Faces are counter-clockwise seen from outside.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PolygonMesh {
    /// As the file calls it; empty where it has no name
    pub name: String,
    /// `[m]`
    pub positions: Vec<Vector3<f64>>,
    pub polygons: Polygons,
    pub uvs: Option<Uvs>,
    /// Names that `material_of` counts; an empty one is that of polygons without a material
    pub materials: Vec<String>,
    /// Of each polygon; empty where the surface has no materials
    pub material_of: Vec<u32>,
    /// Edges that belong to no polygon, as their two vertices
    pub lines: Vec<[u32; 2]>,
}

/// Lists of corners of any length, one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Polygons {
    /// Vertices of all polygons
    pub corners: Vec<u32>,
    /// Where in `corners` each polygon ends
    pub ends: Vec<u32>,
}

/// Texture coordinates with v upward from the picture's lower edge; seams give one vertex several. Corners without have (0, 0).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Uvs {
    pub values: Vec<[f64; 2]>,
    /// Which value each corner of [`Polygons::corners`] has
    pub of_corner: Vec<u32>,
}

impl Polygons {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn push(&mut self, corners: &[u32]) {
        self.corners.extend_from_slice(corners);
        self.ends.push(self.corners.len() as u32);
    }

    /// Where in `corners` a polygon lies.
    pub fn range(&self, polygon: usize) -> std::ops::Range<usize> {
        let first = if polygon == 0 { 0 } else { self.ends[polygon - 1] as usize };
        first..self.ends[polygon] as usize
    }

    /// The vertices of each polygon.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|polygon| &self.corners[self.range(polygon)])
    }
}

impl FromIterator<[u32; 3]> for Polygons {
    fn from_iter<I: IntoIterator<Item = [u32; 3]>>(triangles: I) -> Self {
        let mut polygons = Self::default();
        triangles.into_iter().for_each(|triangle| polygons.push(&triangle));
        polygons
    }
}
