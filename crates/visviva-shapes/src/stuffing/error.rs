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
    #[error("cells of {} m would make about {} tetrahedra; at most {} are allowed, try {} m", length(*cell), count(*tets), count(*limit as f64), length(*suggested))]
    TooMany { cell: f64, tets: f64, limit: u64, suggested: f64 },
    #[error("the surface is about {} m thick, too thin for cells of {} m; try {} m", length(*thickness), length(*cell), length(*suggested))]
    TooThin { cell: f64, thickness: f64, suggested: f64 },
    #[error("nothing is inside the surface; is it closed, and do its faces point outwards?")]
    Empty,
}

impl StuffingError {
    /// Cells that would do `[m]`.
    pub fn suggested_cell(&self) -> Option<f64> {
        match self {
            Self::TooMany { suggested, .. } | Self::TooThin { suggested, .. } => Some(*suggested),
            _ => None,
        }
    }

    /// The same for a body that is so many times as large.
    pub fn magnified(self, factor: f64) -> Self {
        match self {
            Self::Cell(cell) => Self::Cell(cell * factor),
            Self::TooMany { cell, tets, limit, suggested } => {
                Self::TooMany { cell: cell * factor, tets, limit, suggested: suggested * factor }
            }
            Self::TooThin { cell, thickness, suggested } => {
                Self::TooThin { cell: cell * factor, thickness: thickness * factor, suggested: suggested * factor }
            }
            other => other,
        }
    }
}

/// Two digits, as a person would say it.
pub fn length(metres: f64) -> String {
    let text = format!("{metres:.1e}");
    match text.parse::<f64>() {
        Ok(rounded) if (1e-4..1e6).contains(&rounded.abs()) => rounded.to_string(),
        _ => text,
    }
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
