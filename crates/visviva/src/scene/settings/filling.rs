//! How finely a closed surface is filled with tets.

/// The size of what fills a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Detail {
    /// Edge of a cell `[m]`, of the body as it is in the scene
    Cell(f64),
    /// Cells along the longest side
    Cells(usize),
}

/// Along the longest side where nothing is said: some thousand tets for a ball.
pub const DEFAULT_CELLS: usize = 16;

impl Default for Detail {
    fn default() -> Self {
        Self::Cells(DEFAULT_CELLS)
    }
}

impl Detail {
    /// Edge of a cell `[m]` for a body whose longest side is given.
    pub fn cell(self, longest: f64) -> f64 {
        match self {
            Detail::Cell(cell) => cell,
            Detail::Cells(count) => longest / count as f64,
        }
    }
}

/// How a closed surface becomes a solid.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Filling {
    pub detail: Option<Detail>,
    /// Cells grow towards the inside
    pub graded: bool,
}
