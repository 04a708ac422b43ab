//! Isosurface stuffing: a solid of well-shaped tets from a distance field (Labelle and Shewchuk 2007).
//!
//! A body-centred cubic lattice is laid over the shape; where the surface cuts its edges vertices move onto it or its tets
//! are trimmed. Dihedral angles lie between 10.7° and 164.8°, whatever the shape.

mod angles;
mod cuts;
mod error;
mod lattice;
mod octants;
mod octree;
mod pinches;
mod spot;
mod star;
mod stencils;
mod thinness;

pub use error::StuffingError;
pub(crate) use error::{length, two_digits_below};
pub(crate) use thinness::CELLS_ACROSS;

use crate::{Field, Solid};
use cuts::Cuts;
use lattice::Lattice;
use octants::Octants;
use octree::Octree;
use spot::Frame;

/// More tets than this are refused: some 2 GB while they are made.
pub const MOST_TETS: u64 = 20_000_000;

/// Dihedral angles that no tet goes below or above `[degrees]` (Labelle and Shewchuk 2007, abstract).
pub const DIHEDRAL_BOUNDS: [f64; 2] = [10.7, 164.8];

/// To be raised with every change to what comes out: solids are kept by it.
pub const VERSION: u32 = 1;

/// How the size of the cells varies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grading {
    Uniform,
    /// Cells at the surface, inside larger ones, by up to this many doublings
    Graded {
        doublings: u32,
    },
}

/// Fills a shape with tets over cells of the given edge `[m]`. The same bits come for any number of threads.
pub fn stuff(field: &dyn Field, cell: f64, grading: Grading) -> Result<Solid, StuffingError> {
    let frame = frame_around(field, cell)?;
    let octants = Octants::sort(field, &frame, grading)?;
    let tree = Octree::new(field, &frame, &octants, grading)?;
    let mut lattice = Lattice::new(&frame, &tree);
    let cuts = Cuts::find(field, &lattice)?;
    cuts.warp(&mut lattice);
    let mut solid = stencils::trim(&lattice, &cuts);
    angles::widen(field, &lattice, &mut solid, cell);
    let warped: Vec<u32> = (0..lattice.spots.len() as u32).filter(|&v| lattice.distances[v as usize] == 0.0).collect();
    pinches::resolve(&mut solid, &warped, cell);
    if solid.tets.is_empty() {
        return Err(thinness::too_thin(field, &frame, &octants.near));
    }
    Ok(solid)
}

fn frame_around(field: &dyn Field, cell: f64) -> Result<Frame, StuffingError> {
    if !(cell > 0.0 && cell.is_finite()) {
        return Err(StuffingError::Cell(cell));
    }
    let [low, high] = field.bounds();
    let size = high - low;
    if !(size.min() >= 0.0 && size.max() > 0.0 && size.max().is_finite()) {
        return Err(StuffingError::Box { low, high });
    }
    Frame::around([low, high], cell).ok_or_else(|| {
        let cells = size.map(|side| side / cell).product();
        let suggested = error::two_digits_below(size.max() / 100.0);
        StuffingError::TooMany { cell, tets: 12.0 * cells, limit: MOST_TETS, suggested }
    })
}
