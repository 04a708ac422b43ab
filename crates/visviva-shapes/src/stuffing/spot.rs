//! Points of the lattice as whole numbers, counted in half cells: corners of cells are even, their centres odd.

use nalgebra::Vector3;

/// An octant is named by its centre: 2ˡ times odd numbers, where l is its level and its edge 2ˡ cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot(pub [i32; 3]);

impl Spot {
    pub fn plus(self, offset: [i32; 3]) -> Self {
        Self(std::array::from_fn(|k| self.0[k] + offset[k]))
    }

    /// How often the edge of the octant with this centre is twice a cell.
    pub fn level(self) -> u32 {
        self.0[0].trailing_zeros()
    }

    /// Half the edge of the octant with this centre.
    pub fn half(self) -> i32 {
        1 << self.level()
    }

    /// Centre of the octant of a higher level that holds this one.
    pub fn ancestor(self, level: u32) -> Self {
        Self(self.0.map(|c| (2 * (c >> (level + 1)) + 1) << level))
    }

    /// Centres of the eight octants that this one is split into.
    pub fn children(self) -> impl Iterator<Item = Self> {
        let quarter = self.half() / 2;
        CORNERS.into_iter().map(move |corner| self.plus(corner.map(|c| c * quarter)))
    }

    /// Corners of the octant with this centre.
    pub fn corners(self) -> impl Iterator<Item = Self> {
        let half = self.half();
        CORNERS.into_iter().map(move |corner| self.plus(corner.map(|c| c * half)))
    }

    /// Centres of the 26 octants of the same size that touch this one.
    pub fn around(self) -> impl Iterator<Item = Self> {
        let edge = 2 * self.half();
        let offsets = (0..27).filter(|&n| n != 13).map(move |n| [n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1]);
        offsets.map(move |offset| self.plus(offset.map(|c| c * edge)))
    }

    /// Square of the distance to another, in half cells.
    pub fn apart(self, other: Self) -> i32 {
        (0..3).map(|k| (self.0[k] - other.0[k]).pow(2)).sum()
    }
}

const CORNERS: [[i32; 3]; 8] =
    [[-1, -1, -1], [1, -1, -1], [-1, 1, -1], [1, 1, -1], [-1, -1, 1], [1, -1, 1], [-1, 1, 1], [1, 1, 1]];

/// Where the lattice lies in space.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    origin: Vector3<f64>,
    half_cell: f64,
    /// Level of the one octant that holds the shape
    pub root_level: u32,
}

/// Levels beyond this do not fit whole numbers; a million cells along an edge are too many anyway.
pub const MOST_LEVELS: u32 = 24;

impl Frame {
    /// A lattice whose planes meet both sides of the box where these are whole cells apart, else lie evenly in it.
    /// `None` where the box would take more cells along an edge than can be counted.
    pub fn around([low, high]: [Vector3<f64>; 2], cell: f64) -> Option<Self> {
        let size = high - low;
        let needed = size.max() / cell + 4.0;
        let root_level = (0..MOST_LEVELS).find(|&level| f64::from(1 << level) >= needed)?;
        let root_middle = f64::from(1 << root_level);
        let half_cell = cell / 2.0;
        let middle = (low + high) / 2.0;
        let odd = size.map(|side| (side / cell).round() % 2.0);
        Some(Self { origin: middle - (Vector3::repeat(root_middle) + odd) * half_cell, half_cell, root_level })
    }

    pub fn root(&self) -> Spot {
        Spot([1 << self.root_level; 3])
    }

    pub fn position(&self, spot: Spot) -> Vector3<f64> {
        self.origin + Vector3::from(spot.0.map(f64::from)) * self.half_cell
    }

    pub fn cell(&self) -> f64 {
        2.0 * self.half_cell
    }

    /// Half the diagonal of an octant `[m]`.
    pub fn reach(&self, octant: Spot) -> f64 {
        3f64.sqrt() * self.half_cell * f64::from(octant.half())
    }
}
