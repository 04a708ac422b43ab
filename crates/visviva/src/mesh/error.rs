//! What can be wrong with a mesh or its file, with the element that shows it; [`ReadError`] names lines and bytes.

use super::formats::Format;
use std::fmt;
use std::io::ErrorKind;
use std::path::PathBuf;
use visviva_shapes::formats::ReadError;

pub use visviva_shapes::FirstFew;
pub use visviva_shapes::formats::Place;

/// Everything that the mesh layer refuses. Node and element indices count from 0, as in memory; lines count from 1.
#[derive(Debug, thiserror::Error)]
pub enum MeshError {
    #[error("{}: {source}", path.display())]
    InFile { path: PathBuf, source: Box<MeshError> },
    #[error("{}", in_words(.0))]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Content(Box<ReadError>),
    #[error("the format is not recognised: it begins with {begins:?}; known are {}", Format::list())]
    UnknownFormat { begins: String },
    #[error("this is {what}, which is not read; convert it to one of {}", Format::list())]
    ForeignFormat { what: &'static str },
    #[error("meshes are written as {endings}; give the file one of these endings")]
    NoWriter { endings: String },
    #[error("{format} files hold {holds} and no {other}; choose another format")]
    CannotHold { format: &'static str, holds: String, other: &'static str },
    #[error("no {wanted} in the file ({held}); export a mesh of {wanted}")]
    NothingWanted { wanted: &'static str, held: String },

    #[error("the mesh has no {what}")]
    Empty { what: &'static str },
    #[error("{kind} {element} refers to node {node}, but there are {node_count} nodes")]
    IndexOutOfRange { kind: &'static str, element: usize, node: u32, node_count: usize },
    #[error("{kind} {element} uses a node twice: {nodes:?}")]
    RepeatedNode { kind: &'static str, element: usize, nodes: Vec<u32> },
    #[error("node {node} is at ({}, {}, {}), which is not finite", position[0], position[1], position[2])]
    NotFinite { node: usize, position: [f64; 3] },
    #[error("{} of {total} {kind}s have no extent: {which}; remesh, or remove them", which.count)]
    Degenerate { kind: &'static str, which: FirstFew, total: usize },
    #[error("{} of {total} tets are inverted: {which}; the others are not, so the mesh folds: remesh it", which.count)]
    Inverted { which: FirstFew, total: usize },
    #[error("{} nodes belong to no {kind}: {which}; remove_isolated() drops them", which.count)]
    Isolated { kind: &'static str, which: FirstFew },
    #[error("tets {tets:?} lie on the same side of face {face:?}, so they overlap; was an element written twice?")]
    Overlap { face: [u32; 3], tets: [usize; 2] },
    #[error("edge {edge:?} belongs to triangle {triangle} alone: the surface has a hole there; close it")]
    OpenEdge { edge: [u32; 2], triangle: usize },
    #[error("triangles {triangles:?} run along edge {edge:?} the same way: one of them is inside out")]
    InconsistentEdge { edge: [u32; 2], triangles: [usize; 2] },
    #[error("edge {edge:?} belongs to {} triangles: {triangles}; two must meet there and no more", triangles.count)]
    NonManifoldEdge { edge: [u32; 2], triangles: FirstFew },
    #[error("the surface encloses {volume} m³, which is no more than rounding: it folds back on itself")]
    NoVolume { volume: f64 },
    #[error("the closed part around triangle {triangle} is inside out ({volume} m³) and in no other part; flip it")]
    PartInsideOut { triangle: usize, volume: f64 },
    #[error("edge {edge:?} belongs to {count} triangles; a sheet has at most two at an edge: cut or remesh it there")]
    NonManifold { edge: [u32; 2], count: usize },
    #[error(
        "triangles {triangles:?} turn opposite ways at edge {edge:?}; reorient the surface so that all face one side"
    )]
    Turned { edge: [u32; 2], triangles: [usize; 2] },
    #[error("triangles {triangles:?} have the same three nodes; remove one of them")]
    Doubled { triangles: [usize; 2] },
    #[error("nodes {nodes:?} lie at the same point, so the sheet is cut there; merge them")]
    Coincident { nodes: [usize; 2] },
    #[error("{count} {what} are more than the {limit} that fit")]
    TooMany { what: &'static str, count: u128, limit: u128 },
    #[error("{what} must be {wanted}, not {value}")]
    Parameter { what: &'static str, wanted: &'static str, value: f64 },
    #[error("a ball of {cells:?} cells in {layers} layers folds: take counts nearer to each other, or fewer layers")]
    FoldedBall { cells: [usize; 3], layers: usize },
    #[error("data array {name:?} has {actual} values; {expected} are needed")]
    DataLength { name: String, expected: usize, actual: usize },
}

impl From<ReadError> for MeshError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::NotRecognised { begins } => Self::UnknownFormat { begins },
            error => Self::Content(error.into()),
        }
    }
}

fn in_words(problem: &std::io::Error) -> String {
    match problem.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::IsADirectory => "it is a folder, not a file".to_owned(),
        ErrorKind::PermissionDenied => "it may not be read or written: its permissions forbid it".to_owned(),
        _ => format!("it cannot be read or written: {problem}"),
    }
}

/// What was put right or left out on the way, for the user to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warning {
    /// Every tet was left-handed: two nodes of each were swapped.
    Flipped { tets: usize },
    /// Some tets were left-handed and fit their neighbours otherwise: two nodes of each were swapped.
    Reordered { which: FirstFew, total: usize },
    /// The surface of a solid was inside out: two nodes of each triangle were swapped.
    SurfaceFlipped { triangles: usize },
    /// Nodes that no kept element uses were dropped; the others moved up. Indices are those of the file, from 0.
    IsolatedRemoved { which: FirstFew },
    /// Elements of a kind that is not simulated.
    Skipped { kind: String, count: usize },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Flipped { tets } => write!(f, "all {tets} tets were left-handed and have been flipped"),
            Warning::Reordered { which, total } => write!(
                f,
                "{} of {total} tets listed their nodes the other way round and have been put right: {which}",
                which.count
            ),
            Warning::SurfaceFlipped { triangles } => {
                write!(f, "the surface was inside out; all {triangles} triangles have been flipped")
            }
            Warning::IsolatedRemoved { which } => {
                write!(f, "{} nodes that no element uses were removed: {which}; the others are renumbered", which.count)
            }
            Warning::Skipped { kind, count } => write!(f, "{count} elements skipped: {kind}"),
        }
    }
}
