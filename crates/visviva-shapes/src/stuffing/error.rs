//! Why a surface could not be filled, with what to change.

use nalgebra::Vector3;

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StuffingError {
    #[error("the cells' edge is {0} m; it must be a positive number")]
    Cell(f64),
    #[error("the shape's box runs from ({}) to ({}); it must be finite and have an extent", words(low), words(high))]
    Box { low: Vector3<f64>, high: Vector3<f64> },
    #[error("the distance at ({}) is {distance}; it must be a finite number everywhere", words(at))]
    NotFinite { at: Vector3<f64>, distance: f64 },
    #[error("cells of {cell} m would make about {} tetrahedra; at most {} are allowed, try {suggested} m", count(*tets), count(*limit as f64))]
    TooMany { cell: f64, tets: f64, limit: u64, suggested: f64 },
    #[error("the surface is about {thickness:.3e} m thick, too thin for cells of {cell} m; try {suggested} m")]
    TooThin { cell: f64, thickness: f64, suggested: f64 },
    #[error("nothing is inside the surface; is it closed, and do its faces point outwards?")]
    Empty,
}

fn words(point: &Vector3<f64>) -> String {
    format!("{}, {}, {}", point.x, point.y, point.z)
}

/// In millions while that is a number one can picture.
fn count(of: f64) -> String {
    if of < 1e9 { format!("{:.0} million", of / 1e6) } else { format!("{of:.0e}") }
}

/// Down to two digits: a suggestion is no measurement.
pub fn two_digits_below(value: f64) -> f64 {
    let unit = 10f64.powf(value.log10().floor() - 1.0);
    // Through text, so that 0.03 reads 0.03 and not 0.030000000000000002.
    format!("{:.1e}", (value / unit).floor() * unit).parse().unwrap_or(value)
}
