//! What a verification finds but a run's scene allows: surfaces that ignore each other, laws without a bound on inversion.

use std::cell::OnceCell;
use std::sync::Arc;
use visviva::model::bodies::Model;
use visviva::run::{RunFolder, RunMesh};
use visviva::scene::Scene;

/// Read from run.toml; nothing is allowed where that says nothing.
#[derive(Debug)]
pub struct SceneExceptions<'a> {
    folder: &'a RunFolder,
    mesh: &'a RunMesh,
    scene: Option<Scene>,
    /// Found when first asked for, for it means building the scene
    model: OnceCell<Option<Arc<Model>>>,
}

impl<'a> SceneExceptions<'a> {
    pub fn new(folder: &'a RunFolder, mesh: &'a RunMesh) -> Self {
        let scene = folder.scene();
        if let Err(error) = &scene {
            eprintln!("warning: no exception is made, for the scene cannot be read: {error}");
        }
        Self { folder, mesh, scene: scene.ok(), model: OnceCell::new() }
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
        let model = self.model()?;
        let is_held = |&vertex: &u32| model.vertices[vertex as usize].hangs_only_on(|node| model.mass.is_pinned(node));
        vertices.iter().all(is_held).then_some("both are held there")
    }

    /// Why two whole surfaces may.
    pub fn surfaces(&self, a: usize, b: usize) -> Option<&'static str> {
        if self.is_obstacle(a) && self.is_obstacle(b) {
            return Some("both are obstacles");
        }
        let scene = self.scene.as_ref()?;
        let count = self.mesh.bodies.iter().filter(|body| body.kind != "obstacle").count();
        // Whether a body watches itself may depend on its mesh; between two it never does.
        if !scene.has_contact(count, a == b && self.touches_itself(a)) {
            return Some("the scene has no contact");
        }
        let is_joined = |model: &Model| model.untouching_surfaces().any(|pair| pair == [a, b] || pair == [b, a]);
        if !scene.joints.is_empty() && self.model().is_some_and(is_joined) {
            return Some("a joint joins them");
        }
        // An affine body meets itself only where it is crushed flat.
        (a == b && !self.touches_itself(a) && !self.mesh.bodies[a].is_affine())
            .then_some("it is not watched: contact.self_contact")
    }

    /// Why a body's tets may be inverted.
    pub fn inversion(&self, body: usize) -> Option<&'static str> {
        let scene = self.scene.as_ref()?;
        let settings = &scene.bodies[scene.body_behind(&self.mesh.bodies[body].name)?];
        let solid = scene.material_of(settings)?.solid(settings.kind).ok()?;
        (!solid.forbids_inversion()).then_some("its law has no bound on inversion")
    }

    fn touches_itself(&self, body: usize) -> bool {
        let by_mesh = || self.model().and_then(|model| model.contact.as_ref()).is_some_and(|c| c.touches_itself(body));
        self.scene.as_ref().and_then(|scene| scene.contact.self_contact).unwrap_or_else(by_mesh)
    }

    fn model(&self) -> Option<&Model> {
        let find = || {
            let (_, built) = self.folder.built().ok()?;
            Some(built.model).filter(|model| model.vertices.len() == self.mesh.rest.len())
        };
        self.model.get_or_init(find).as_deref()
    }
}
