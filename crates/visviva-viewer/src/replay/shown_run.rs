//! What is seen of a run, all bodies in one numbering, and its frames as they are asked for.

use super::planes::without_floor;
use super::rows::Rows;
use super::{fields, frame_message};
use crate::error::AskError;
use crate::protocol::{FrameOf, Kind, Message};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Mutex, OnceLock};
use visviva::run::{FrameInfo, RunFolder, RunMesh, ShownBody, StatsTail};
use visviva::scene::{Built, Scene};

/// A run folder that pages look at. Frames stay on the disk.
#[derive(Debug)]
pub struct ShownRun {
    pub(super) folder: RunFolder,
    pub(super) scene: Scene,
    pub(super) mesh: RunMesh,
    pub(super) bodies: Vec<ShownBody>,
    /// Which of the mesh's bodies each is
    pub(super) places: Vec<usize>,
    /// The height of a floor that is left out `[m]`
    pub(super) floor: Option<f64>,
    /// Of each body
    pub(super) spans: Vec<Span>,
    triangles: Vec<[u32; 3]>,
    wires: Vec<[u32; 2]>,
    /// Of the polygons, where some are no triangles
    edges: Vec<[u32; 2]>,
    frames: Mutex<Vec<FrameInfo>>,
    rows: Mutex<Rows>,
    /// Made where energy densities are asked for
    built: OnceLock<Result<Built, String>>,
}

/// What belongs to a body; each is [first, end).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub vertices: [usize; 2],
    pub triangles: [usize; 2],
    pub wires: [usize; 2],
}

impl ShownRun {
    pub fn open(path: &Path) -> Result<Self, AskError> {
        let folder = RunFolder::open(path)?;
        let (scene, mesh) = (folder.scene()?, folder.mesh()?);
        let (shown, floor) = without_floor(&scene, &mesh);
        let (places, bodies): (Vec<usize>, Vec<ShownBody>) = shown.into_iter().unzip();
        let (mut triangles, mut wires, mut spans, mut vertices) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for body in &bodies {
            let first = [vertices, triangles.len(), wires.len()];
            let shifted = |corner: u32| corner + vertices as u32;
            triangles.extend(body.triangles(&mesh.rest).into_iter().map(|triangle| triangle.map(shifted)));
            wires.extend(body.wires.iter().map(|wire| wire.map(shifted)));
            vertices += body.rides.len();
            spans.push(Span {
                vertices: [first[0], vertices],
                triangles: [first[1], triangles.len()],
                wires: [first[2], wires.len()],
            });
        }
        Ok(Self {
            edges: polygon_edges(&bodies, &spans),
            frames: Mutex::new(folder.frames()?),
            rows: Mutex::new(Rows::new(StatsTail::new(&folder.stats_path()))),
            built: OnceLock::new(),
            folder,
            scene,
            mesh,
            bodies,
            places,
            floor,
            spans,
            triangles,
            wires,
        })
    }

    pub fn vertex_count(&self) -> usize {
        self.spans.last().map_or(0, |span| span.vertices[1])
    }

    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    pub(super) fn wire_count(&self) -> usize {
        self.wires.len()
    }

    /// Those that are there now.
    pub fn frames(&self) -> Result<Vec<FrameInfo>, AskError> {
        let frames = self.folder.frames()?;
        self.frames.lock()?.clone_from(&frames);
        Ok(frames)
    }

    /// Those known; the folder is looked at again only where that does not suffice.
    fn frame_at(&self, index: usize) -> Result<FrameInfo, AskError> {
        if let Some(known) = self.frames.lock()?.get(index) {
            return Ok(known.clone());
        }
        let frames = self.frames()?;
        frames.get(index).cloned().ok_or(AskError::NoSuchFrame { index, count: frames.len() })
    }

    /// `[s]`
    pub fn time_of(&self, index: usize) -> Result<f64, AskError> {
        Ok(self.frame_at(index)?.t)
    }

    /// As it is run, all changes so far included.
    pub fn run_toml(&self) -> Result<String, AskError> {
        Ok(self.folder.run_toml()?)
    }

    pub fn mesh_message(&self, id: u32) -> Vec<u8> {
        let (vertices, triangles) = (self.vertex_count(), self.triangles.len());
        let size = 12 * (vertices + triangles) + 8 * (self.wires.len() + self.edges.len() + 1);
        let mut message = Message::new(id, Kind::Mesh, vertices, triangles, size);
        self.seen(&self.mesh.rest).iter().for_each(|x| message.put(&x.map(|x| x as f32)));
        message.put(self.triangles.as_flattened());
        for lines in [&self.wires, &self.edges] {
            message.put(&[lines.len() as u32]);
            message.put(lines.as_flattened());
        }
        message.finish()
    }

    pub fn has_tets(&self) -> bool {
        !self.mesh.tets.is_empty()
    }

    pub fn tets_message(&self, id: u32) -> Vec<u8> {
        let tets = &self.mesh.tets;
        let mut message = Message::new(id, Kind::Tets, self.mesh.rest.len(), tets.len(), 16 * tets.len());
        message.put(tets.as_flattened());
        message.finish()
    }

    /// Where all simulated vertices are in a frame `[m]`.
    pub(super) fn frame_vertices(&self, index: usize) -> Result<Vec<[f64; 3]>, AskError> {
        Ok(self.folder.read_vertices(&self.mesh, self.frame_at(index)?.index)?.x)
    }

    pub fn frame_message(&self, id: u32, index: usize, of: FrameOf) -> Result<Vec<u8>, AskError> {
        let info = self.frame_at(index)?;
        let vertices = self.frame_vertices(index)?;
        Ok(match of {
            FrameOf::Shown => frame_message(id, index, info.t, &self.seen(&vertices)),
            FrameOf::Mesh => frame_message(id, index, info.t, &vertices),
        })
    }

    /// A point, forces and a gap for each pair that touches `[m]`, `[N]`.
    pub fn contacts_message(&self, id: u32, index: usize) -> Result<Vec<u8>, AskError> {
        let info = self.frame_at(index)?;
        let forces = self.folder.read_contacts(info.index)?.ok_or(AskError::NoContacts)?;
        let mut message = Message::new(id, Kind::Contacts, forces.len(), index, 40 * forces.len());
        for force in &forces {
            let [a, b] = force.points;
            for vector in [0.5 * (a + b), force.normal, force.friction] {
                message.put(&[vector.x as f32, vector.y as f32, vector.z as f32]);
            }
            message.put(&[(a - b).norm() as f32]);
        }
        Ok(message.finish())
    }

    /// A number for each vertex that is seen.
    pub fn field_message(&self, id: u32, index: usize, name: &str) -> Result<Vec<u8>, AskError> {
        let info = self.frame_at(index)?;
        let (nodes, vertices) = self.folder.read_nodes_and_vertices(&self.mesh, info.index)?;
        let values = match name {
            "speed" => fields::speed(&vertices),
            "displacement" => fields::displacement(&vertices, &self.mesh.rest),
            "energy" => fields::energy_density(&self.built()?.model, &nodes),
            _ => return Err(AskError::NoSuchField(name.to_owned())),
        };
        let seen: Vec<f32> = self.bodies.iter().flat_map(|body| body.numbers(&values)).map(|x| x as f32).collect();
        let mut message = Message::new(id, Kind::Field, seen.len(), index, 4 * seen.len());
        message.put(&seen);
        Ok(message.finish())
    }

    fn built(&self) -> Result<&Built, AskError> {
        let build = || self.folder.built().map(|(_, built)| built).map_err(|error| error.to_string());
        self.built.get_or_init(build).as_ref().map_err(|error| AskError::Words(error.clone()))
    }

    pub fn stats(&self, from: usize) -> Result<serde_json::Value, AskError> {
        let mut rows = self.rows.lock()?;
        rows.read_on()?;
        Ok(rows.columns(from))
    }

    pub fn row_count(&self) -> Result<usize, AskError> {
        Ok(self.rows.lock()?.read_on()?)
    }

    /// Where all that is seen is, when the vertices are there `[m]`.
    pub fn seen(&self, vertices: &[[f64; 3]]) -> Vec<[f64; 3]> {
        self.bodies.iter().flat_map(|body| body.at(vertices)).collect()
    }

    /// The simulated vertex that one of those seen hangs on most.
    pub fn vertex_under(&self, seen: usize) -> Option<u32> {
        let at = self.spans.iter().position(|span| seen < span.vertices[1])?;
        let ride = self.bodies[at].rides[seen - self.spans[at].vertices[0]];
        let heaviest = (0..4).max_by(|&a, &b| ride.weights[a].total_cmp(&ride.weights[b]))?;
        Some(ride.vertices[heaviest])
    }
}

/// Nothing where all polygons are triangles: their own edges serve.
fn polygon_edges(bodies: &[ShownBody], spans: &[Span]) -> Vec<[u32; 2]> {
    if bodies.iter().flat_map(|body| body.polygons.iter()).all(|polygon| polygon.len() == 3) {
        return Vec::new();
    }
    let mut edges = BTreeSet::new();
    for (body, span) in bodies.iter().zip(spans) {
        let first = span.vertices[0] as u32;
        for polygon in body.polygons.iter() {
            let next = polygon.iter().cycle().skip(1);
            edges.extend(polygon.iter().zip(next).map(|(&a, &b)| [first + a.min(b), first + a.max(b)]));
        }
    }
    edges.into_iter().collect()
}
