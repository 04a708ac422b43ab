//! The mesh of a run from the scene it is built of, and how two of them differ.

use super::run_mesh::{RunBody, RunMesh};
use crate::mesh::Skin;
use crate::model::bodies::{BodyKind, Model, flatten};
use crate::scene::{MaterialChoice, Scene};

impl RunMesh {
    /// Meshes of all bodies as a run folder keeps them; `settings_of` and `skins` as in [`Built`](crate::scene::Built).
    pub fn of(scene: &Scene, model: &Model, settings_of: &[usize], skins: &[Option<Skin>]) -> Self {
        let rest = model.at_vertices(&flatten(&model.rest));
        let rest = rest.iter().map(|p| [p.x, p.y, p.z]).collect();
        // None at all are not kept, and none are read back.
        let skins = if skins.iter().any(Option::is_some) { skins.to_vec() } else { Vec::new() };
        let mut mesh = Self { rest, skins, ..Self::default() };
        if model.bodies.iter().any(|body| body.kind == BodyKind::Affine) {
            mesh.attachments = model.vertices.clone();
        }
        for (body, &settings) in model.bodies.iter().zip(settings_of) {
            let (first, first_tet) = (mesh.triangles.len(), mesh.tets.len());
            mesh.triangles.extend_from_slice(&body.triangles);
            if body.kind == BodyKind::Solid {
                // Its nodes are its vertices, in the same order.
                let vertex = |node: u32| node - body.nodes.start as u32 + body.vertices.start as u32;
                mesh.tets.extend(model.tets.nodes[body.tets.clone()].iter().map(|tet| tet.map(vertex)));
            }
            mesh.bodies.push(RunBody {
                name: body.name.clone(),
                vertices: [body.vertices.start, body.vertices.end],
                tets: [first_tet, mesh.tets.len()],
                triangles: [first, mesh.triangles.len()],
                wires: [0; 2],
                kind: body.kind.name().to_owned(),
                material: match &scene.bodies[settings].material {
                    MaterialChoice::Named(name) => name.clone(),
                    MaterialChoice::Inline(material) => material.law_of(body.kind).to_owned(),
                },
            });
        }
        for obstacle in &model.obstacles {
            let (first, first_wire) = (mesh.triangles.len(), mesh.wires.len());
            mesh.triangles.extend_from_slice(&obstacle.triangles);
            mesh.wires.extend_from_slice(&obstacle.wires);
            mesh.bodies.push(RunBody {
                name: obstacle.name.clone(),
                vertices: [obstacle.vertices.start, obstacle.vertices.end],
                tets: [mesh.tets.len(); 2],
                triangles: [first, mesh.triangles.len()],
                wires: [first_wire, mesh.wires.len()],
                kind: "obstacle".to_owned(),
                material: String::new(),
            });
        }
        mesh
    }

    /// The first thing in which another mesh is not this one.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        let counts = |mesh: &Self| {
            [("vertices", mesh.rest.len()), ("tets", mesh.tets.len()), ("triangles", mesh.triangles.len())]
        };
        for ((what, now), (_, then)) in counts(other).into_iter().zip(counts(self)) {
            if now != then {
                return Some(format!("{now} {what}, where the run has {then}"));
            }
        }
        if self.tets != other.tets || self.triangles != other.triangles || self.wires != other.wires {
            return Some("other tets, triangles or wires".to_owned());
        }
        // Another machine's sines may differ in the last bits: that is no other mesh.
        let size = self.rest.as_flattened().iter().fold(0.0, |size: f64, c| size.max(c.abs()));
        let apart = |(a, b): (&[f64; 3], &[f64; 3])| (0..3).any(|k| (a[k] - b[k]).abs() > 1e-9 * size);
        if let Some(moved) = self.rest.iter().zip(&other.rest).position(apart) {
            let [now, then] = [other, self].map(|mesh| mesh.rest[moved]);
            return Some(format!("vertex {moved} at {now:?} m, where the run has {then:?}"));
        }
        let alike = |(a, b): (&Option<Skin>, &Option<Skin>)| match (a, b) {
            (Some(a), Some(b)) => a.is_like(b),
            (a, b) => a.is_none() && b.is_none(),
        };
        // Folders of earlier versions have none.
        let same = self.skins.is_empty()
            || self.skins.len() == other.skins.len() && self.skins.iter().zip(&other.skins).all(alike);
        (!same).then(|| "other surfaces that are shown".to_owned())
    }
}
