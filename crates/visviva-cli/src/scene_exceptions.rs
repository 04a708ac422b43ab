//! What a verification finds but a run's scene allows: surfaces that ignore each other, laws without a bound on inversion.

use std::cell::OnceCell;
use visviva::run::{RunFolder, RunMesh};
use visviva::scene::Scene;

/// Read from run.toml; nothing is allowed where that says nothing.
#[derive(Debug)]
pub struct SceneExceptions<'a> {
    folder: &'a RunFolder,
    mesh: &'a RunMesh,
    scene: Option<Scene>,
    /// Of each node; found when first asked for, for it means building the scene
    pinned: OnceCell<Option<Vec<bool>>>,
}

impl<'a> SceneExceptions<'a> {
    pub fn new(folder: &'a RunFolder, mesh: &'a RunMesh) -> Self {
        let scene = folder.scene();
        if let Err(error) = &scene {
            eprintln!("warning: no exception is made, for the scene cannot be read: {error}");
        }
        Self { folder, mesh, scene: scene.ok(), pinned: OnceCell::new() }
    }

    fn is_obstacle(&self, body: usize) -> bool {
        self.mesh.bodies[body].kind == "obstacle"
    }

    /// Why two triangles may intersect.
    pub fn crossing(&self, triangles: [u32; 2]) -> Option<&'static str> {
        let [a, b] = triangles.map(|triangle| self.mesh.body_of_triangle(triangle));
        let (a, b) = (a?, b?);
        if let Some(reason) = self.surfaces(a, b) {
            return Some(reason);
        }
        let corners = triangles.map(|triangle| self.mesh.triangles[triangle as usize]);
        self.held(corners.as_flattened())
    }

    /// Why a wire may go through a triangle.
    pub fn wire_crossing(&self, [wire, triangle]: [u32; 2]) -> Option<&'static str> {
        let (a, b) = (self.mesh.body_of_wire(wire)?, self.mesh.body_of_triangle(triangle)?);
        let (ends, corners) = (&self.mesh.wires[wire as usize], &self.mesh.triangles[triangle as usize]);
        self.surfaces(a, b).or_else(|| self.held(&[&ends[..], &corners[..]].concat()))
    }

    fn held(&self, vertices: &[u32]) -> Option<&'static str> {
        let held = self.pinned().is_some_and(|pinned| vertices.iter().all(|&vertex| pinned[vertex as usize]));
        held.then_some("both are held there")
    }

    /// Why two whole surfaces may.
    pub fn surfaces(&self, a: usize, b: usize) -> Option<&'static str> {
        if self.is_obstacle(a) && self.is_obstacle(b) {
            return Some("both are obstacles");
        }
        let scene = self.scene.as_ref()?;
        if !scene.has_contact(self.mesh.bodies.iter().filter(|body| body.kind != "obstacle").count()) {
            return Some("the scene has no contact");
        }
        // An affine body meets itself only where it is crushed flat.
        (a == b && !scene.contact.self_contact && !self.mesh.bodies[a].is_affine())
            .then_some("contact.self_contact = false")
    }

    /// Why a body's tets may be inverted.
    pub fn inversion(&self, body: usize) -> Option<&'static str> {
        let scene = self.scene.as_ref()?;
        let settings = scene.bodies.iter().find(|settings| settings.name == self.mesh.bodies[body].name)?;
        let solid = scene.material_of(settings)?.solid(settings.kind).ok()?;
        (!solid.forbids_inversion()).then_some("its law has no bound on inversion")
    }

    fn pinned(&self) -> Option<&[bool]> {
        let find = || {
            let count = self.mesh.rest.len();
            let (_, built) = self.folder.built().ok().filter(|(_, built)| built.model.vertices.len() == count)?;
            let is_pinned = |node: usize| built.model.mass.is_pinned(node);
            Some(built.model.vertices.iter().map(|vertex| vertex.hangs_only_on(is_pinned)).collect())
        };
        self.pinned.get_or_init(find).as_deref()
    }
}
