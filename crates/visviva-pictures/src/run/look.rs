//! How a run is shown.
use std::str::FromStr;

#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// Width and height `[px]`.
    pub size: (usize, usize),
    pub colour_by: ColourBy,
    /// Factor on displacements from rest.
    pub magnify: f64,
    pub mesh_edges: bool,
    pub ground: bool,
    /// Whether the time is written into each picture.
    pub captions: bool,
}

impl Default for Look {
    fn default() -> Self {
        let colour_by = ColourBy::Body;
        Look { size: (960, 540), colour_by, magnify: 1.0, mesh_edges: false, ground: true, captions: true }
    }
}

/// What colours show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourBy {
    Body,
    Velocity,
    Energy,
    Displacement,
}

impl ColourBy {
    /// In the order of [`ColourBy::ALL`].
    pub const NAMES: [&str; 4] = ["body", "velocity", "energy", "displacement"];
    pub const ALL: [ColourBy; 4] = [ColourBy::Body, ColourBy::Velocity, ColourBy::Energy, ColourBy::Displacement];

    pub(super) fn label(self) -> &'static str {
        match self {
            ColourBy::Body => "",
            ColourBy::Velocity => "speed [m s^-1]",
            ColourBy::Energy => "energy density [J m^-3]",
            ColourBy::Displacement => "displacement [m]",
        }
    }
}

impl FromStr for ColourBy {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::NAMES.iter().position(|known| *known == name);
        found.map(|k| Self::ALL[k]).ok_or_else(|| format!("`{name}` is none of {}", Self::NAMES.join(", ")))
    }
}
