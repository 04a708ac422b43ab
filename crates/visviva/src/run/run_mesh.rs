//! mesh/: the shapes of a run at rest and which body owns what.

use super::error::{At, OutputError};
use super::frames::Frame;
use super::{npy, whole_file};
use crate::mesh::Skin;
use crate::model::Attachment;
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::Path;

/// Wires, what vertices hang on and skins only where there are any
pub(super) const MESH_FILES: [&str; 8] = [
    "rest.npy",
    "tets.npy",
    "triangles.npy",
    "wires.npy",
    "vertex_nodes.npy",
    "vertex_weights.npy",
    "skins.postcard",
    "bodies.json",
];

/// All bodies in one numbering of vertices. Without affine bodies a vertex is a node; theirs hang on four nodes each.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunMesh {
    /// Positions at rest `[m]`
    pub rest: Vec<[f64; 3]>,
    /// What each vertex hangs on; empty where each is the node of its own number
    pub attachments: Vec<Attachment>,
    pub tets: Vec<[u32; 4]>,
    /// Surfaces, counter-clockwise seen from outside
    pub triangles: Vec<[u32; 3]>,
    /// Edges that belong to no triangle, as their two vertices
    pub wires: Vec<[u32; 2]>,
    pub bodies: Vec<RunBody>,
    /// What is shown of each body in place of its triangles, on its own vertices; empty where nothing is
    pub skins: Vec<Option<Skin>>,
}

/// One body; ranges are [first, end).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunBody {
    pub name: String,
    #[serde(alias = "nodes")]
    pub vertices: [usize; 2],
    pub tets: [usize; 2],
    pub triangles: [usize; 2],
    /// Folders of earlier versions know none
    #[serde(default)]
    pub wires: [usize; 2],
    /// `solid`, `shell`, `affine` or `obstacle`
    pub kind: String,
    pub material: String,
}

impl RunBody {
    pub fn tet_range(&self) -> Range<usize> {
        self.tets[0]..self.tets[1]
    }

    pub fn triangle_range(&self) -> Range<usize> {
        self.triangles[0]..self.triangles[1]
    }

    pub fn wire_range(&self) -> Range<usize> {
        self.wires[0]..self.wires[1]
    }

    /// Whether others can lie inside it: what shells and obstacles enclose is not theirs.
    pub fn has_inside(&self) -> bool {
        !self.tet_range().is_empty() || self.is_affine()
    }

    pub fn is_affine(&self) -> bool {
        self.kind == "affine"
    }
}

impl RunMesh {
    /// What makes the parts contradict each other.
    pub fn contradiction(&self) -> Option<String> {
        let count = self.rest.len();
        let outside = |nodes: &[u32]| nodes.iter().any(|&i| i as usize >= count);
        if let Some(t) = self.tets.iter().position(|t| outside(t)) {
            return Some(format!("tet {t} refers to vertices {:?}, but there are {count}", self.tets[t]));
        }
        if let Some(t) = self.triangles.iter().position(|t| outside(t)) {
            return Some(format!("triangle {t} refers to vertices {:?}, but there are {count}", self.triangles[t]));
        }
        if let Some(w) = self.wires.iter().position(|w| outside(w)) {
            return Some(format!("wire {w} refers to vertices {:?}, but there are {count}", self.wires[w]));
        }
        if !self.attachments.is_empty() && self.attachments.len() != count {
            return Some(format!("{} vertices hang on nodes, but there are {count}", self.attachments.len()));
        }
        let parts = |b: &RunBody| {
            [
                ("vertices", b.vertices, count),
                ("tets", b.tets, self.tets.len()),
                ("triangles", b.triangles, self.triangles.len()),
                ("wires", b.wires, self.wires.len()),
            ]
        };
        let owners = self.bodies.iter().flat_map(|b| parts(b).map(|p| (b, p)));
        let wrong_range = owners.into_iter().find_map(|(body, (what, [first, end], count))| {
            let wrong = first > end || end > count;
            wrong.then(|| format!("body {:?} owns {what} {first} to {end} of {count}", body.name))
        });
        wrong_range.or_else(|| self.wrong_skin())
    }

    fn wrong_skin(&self) -> Option<String> {
        if self.skins.len() > self.bodies.len() {
            return Some(format!("{} skins are more than the {} bodies", self.skins.len(), self.bodies.len()));
        }
        self.bodies.iter().zip(&self.skins).find_map(|(body, skin)| {
            let [first, end] = body.vertices;
            let what = skin.as_ref()?.contradiction(end - first)?;
            Some(format!("what is shown of body {:?}: {what}", body.name))
        })
    }

    /// The vertices of a frame, whose rows are nodes; nothing where the frame has not the nodes they hang on.
    pub fn at_vertices(&self, frame: Frame) -> Option<Frame> {
        if self.attachments.is_empty() {
            return (frame.x.len() == self.rest.len()).then_some(frame);
        }
        let count = frame.x.len();
        if self.attachments.iter().any(|vertex| vertex.hangs_on_any(|node| node >= count)) {
            return None;
        }
        let of = |values: &[[f64; 3]]| {
            let flat = values.as_flattened();
            self.attachments.iter().map(|vertex| vertex.of(flat).into()).collect()
        };
        Some(Frame { x: of(&frame.x), v: of(&frame.v) })
    }

    /// Where the vertices that triangles refer to are in a frame `[m]`.
    pub fn vertices(&self, frame: &Frame) -> Result<Vec<Vector3<f64>>, OutputError> {
        let (found, expected) = (frame.x.len(), self.rest.len());
        let placed = self.at_vertices(frame.clone()).ok_or(OutputError::NodeCount { found, expected })?;
        Ok(placed.x.iter().map(|&x| x.into()).collect())
    }

    /// The body that owns a triangle; none where no body claims it.
    pub fn body_of_triangle(&self, triangle: u32) -> Option<usize> {
        self.bodies.iter().position(|body| body.triangle_range().contains(&(triangle as usize)))
    }

    /// The body that owns a tet.
    pub fn body_of_tet(&self, tet: u32) -> Option<usize> {
        self.bodies.iter().position(|body| body.tet_range().contains(&(tet as usize)))
    }

    /// The body that owns a wire.
    pub fn body_of_wire(&self, wire: u32) -> Option<usize> {
        self.bodies.iter().position(|body| body.wire_range().contains(&(wire as usize)))
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), OutputError> {
        if let Some(what) = self.contradiction() {
            return Err(OutputError::Mesh { path: folder.to_owned(), what });
        }
        self.files()?.into_iter().try_for_each(|(name, bytes)| {
            let path = folder.join(name);
            whole_file::write_lazily(&path, &bytes).at(&path)
        })
    }

    /// What a run's folder keeps of it, by file.
    pub(super) fn files(&self) -> Result<Vec<(&'static str, Vec<u8>)>, OutputError> {
        let [rest, tets, triangles, wires, vertex_nodes, vertex_weights, skins, bodies] = MESH_FILES;
        let mut files = vec![
            (rest, npy::encode(&[self.rest.len(), 3], &[self.rest.as_flattened()])),
            (tets, npy::encode(&[self.tets.len(), 4], &[self.tets.as_flattened()])),
            (triangles, npy::encode(&[self.triangles.len(), 3], &[self.triangles.as_flattened()])),
        ];
        if !self.wires.is_empty() {
            files.push((wires, npy::encode(&[self.wires.len(), 2], &[self.wires.as_flattened()])));
        }
        if !self.attachments.is_empty() {
            let parts: Vec<(u32, [f64; 4])> = self.attachments.iter().map(to_row).collect();
            let nodes: Vec<u32> = parts.iter().map(|part| part.0).collect();
            let weights: Vec<[f64; 4]> = parts.iter().map(|part| part.1).collect();
            files.push((vertex_nodes, npy::encode(&[nodes.len()], &[&nodes])));
            files.push((vertex_weights, npy::encode(&[nodes.len(), 4], &[weights.as_flattened()])));
        }
        if self.skins.iter().any(Option::is_some) {
            let bytes = postcard::to_allocvec(&self.skins);
            let unwritable =
                |problem| OutputError::Mesh { path: skins.into(), what: format!("it cannot be kept: {problem}") };
            files.push((skins, bytes.map_err(unwritable)?));
        }
        let json = serde_json::to_vec_pretty(&self.bodies);
        files.push((bodies, json.map_err(|error| OutputError::Json { path: bodies.into(), error })?));
        Ok(files)
    }

    pub(super) fn read(folder: &Path) -> Result<Self, OutputError> {
        let path = folder.join("bodies.json");
        let bodies = serde_json::from_slice(&std::fs::read(&path).at(&path)?);
        let wires = folder.join("wires.npy");
        let mesh = Self {
            rest: rows(&folder.join("rest.npy"))?,
            attachments: read_attachments(folder)?,
            tets: rows(&folder.join("tets.npy"))?,
            triangles: rows(&folder.join("triangles.npy"))?,
            wires: if wires.exists() { rows(&wires)? } else { Vec::new() },
            bodies: bodies.map_err(|error| OutputError::Json { path, error })?,
            skins: read_skins(folder)?,
        };
        match mesh.contradiction() {
            Some(what) => Err(OutputError::Mesh { path: folder.to_owned(), what }),
            None => Ok(mesh),
        }
    }
}

/// A vertex's first node and the weights of four nodes from there on; a node's own vertex has the weights 1, 0, 0, 0.
fn to_row(attachment: &Attachment) -> (u32, [f64; 4]) {
    match *attachment {
        Attachment::Node(node) => (node, [1.0, 0.0, 0.0, 0.0]),
        Attachment::Affine { first, weights } => (first, weights),
    }
}

fn read_attachments(folder: &Path) -> Result<Vec<Attachment>, OutputError> {
    let path = folder.join("vertex_nodes.npy");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let nodes = npy::read::<u32>(&path)?.values;
    let weights: Vec<[f64; 4]> = rows(&folder.join("vertex_weights.npy"))?;
    if nodes.len() != weights.len() {
        let expected = format!("one node for each of {} rows of weights", weights.len());
        return Err(OutputError::Shape { path, found: vec![nodes.len()], expected });
    }
    let attachment = |(first, weights): (u32, [f64; 4])| match weights {
        [1.0, 0.0, 0.0, 0.0] => Attachment::Node(first),
        _ => Attachment::Affine { first, weights },
    };
    Ok(nodes.into_iter().zip(weights).map(attachment).collect())
}

fn read_skins(folder: &Path) -> Result<Vec<Option<Skin>>, OutputError> {
    let path = folder.join("skins.postcard");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let unreadable = |_| OutputError::Mesh { path: path.clone(), what: "it is damaged".to_owned() };
    postcard::from_bytes(&std::fs::read(&path).at(&path)?).map_err(unreadable)
}

/// An array of shape (n, N).
fn rows<T: npy::Element, const N: usize>(path: &Path) -> Result<Vec<[T; N]>, OutputError> {
    let array = npy::read::<T>(path)?;
    if array.shape.len() != 2 || array.shape[1] != N {
        let expected = format!("(n, {N})");
        return Err(OutputError::Shape { path: path.to_owned(), found: array.shape, expected });
    }
    Ok(grouped(&array.values))
}

/// Values in groups of N, one after the other.
pub(super) fn grouped<T: Copy, const N: usize>(values: &[T]) -> Vec<[T; N]> {
    values.chunks_exact(N).map(|row| std::array::from_fn(|i| row[i])).collect()
}
