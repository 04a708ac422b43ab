//! The surfaces of all bodies and obstacles, what each of their vertices hangs on, and the laws of their contact. They do not change.

use super::Touch;
use crate::contact::area_weights::area_weights;
use crate::contact::flat_patches::flat_patches;
use crate::contact::surface::{SurfaceBody, SurfaceError, SurfaceInput, edges_of_triangles};
use crate::contact::{Barrier, ContactLosses, LossyPair, Point, Roughness, Surface};
use crate::model::bodies::{BodyKind, Model, flatten};
use crate::model::{Attachment, Coefficients, ContactSettings, ContactWeights};

#[derive(Debug)]
pub struct Surfaces {
    pub surface: Surface,
    /// What each vertex hangs on
    pub vertices: Vec<Attachment>,
    pub barrier: Barrier,
    friction: Coefficients,
    restitution: Coefficients,
    /// Below this speed friction and the loss of contacts fade `[m/s]`
    pub friction_speed: f64,
    /// How many vertices hang on frames of affine bodies, held ones aside
    pub affine_vertices: usize,
}

impl Surfaces {
    pub fn new(model: &Model, settings: &ContactSettings) -> Result<Self, SurfaceError> {
        let (surface, vertices) =
            surface_of(model, |body| settings.touches_itself(body), |node| model.mass.is_pinned(node))?;
        let is_free = |node: u32| !model.mass.is_pinned(node as usize);
        let is_affine = |v: &&Attachment| matches!(v, Attachment::Affine { first, .. } if is_free(*first));
        Ok(Self {
            affine_vertices: vertices.iter().filter(is_affine).count(),
            surface,
            vertices,
            barrier: Barrier::from(settings),
            friction: settings.friction.clone(),
            restitution: settings.restitution.clone(),
            friction_speed: settings.friction_speed,
        })
    }

    /// Whether any two surfaces lose energy where they touch.
    pub fn are_lossy(&self) -> bool {
        self.friction.any(|mu| mu > 0.0) || self.restitution.any(|e| e < 1.0)
    }

    fn roughness(&self, a: u32, b: u32) -> Roughness {
        Roughness { friction: self.friction.between(a, b), restitution: self.restitution.between(a, b) }
    }

    /// Whether any two surfaces give back less than they took.
    pub fn keep_any(&self) -> bool {
        self.restitution.any(|e| e < 1.0)
    }

    /// e of two surfaces
    pub fn restitution(&self, a: u32, b: u32) -> f64 {
        self.restitution.between(a, b)
    }

    /// Freezes what contacts lose as they are at a position and a velocity.
    pub fn freeze(&self, touch: &Touch, v: &[f64], losses: &mut ContactLosses) {
        losses.epsilon = self.friction_speed;
        let between = |a, b| self.roughness(a, b);
        losses.freeze(&touch.set, &self.surface, &touch.vertices, &self.barrier, between);
        losses.follow(&self.surface, |vertex| self.vertices[vertex as usize].of(v));
    }

    /// out ← a field of the nodes, at the vertices
    pub fn gather(&self, field: &[f64], out: &mut Vec<Point>) {
        out.clear();
        out.extend(self.vertices.iter().map(|vertex| vertex.of(field)));
    }

    /// g ← g + forces on the vertices, at the nodes
    pub fn scatter(&self, forces: &[Point], g: &mut [f64]) {
        let touched = |force: &Point| force.x != 0.0 || force.y != 0.0 || force.z != 0.0;
        for (force, vertex) in forces.iter().zip(&self.vertices).filter(|(force, _)| touched(force)) {
            vertex.add_force(force, g);
        }
    }

    /// g ← g + weight times each pair's gradient on all nodes `[N]`; `forces` is scratch
    pub fn add_pairs<'a>(
        &self,
        gradients: impl Iterator<Item = (&'a LossyPair, Point)>,
        weight: f64,
        forces: &mut Vec<Point>,
        g: &mut [f64],
    ) {
        forces.clear();
        forces.resize(self.vertices.len(), Point::zeros());
        for (pair, gradient) in gradients {
            let force = weight * gradient;
            for (&c, &vertex) in pair.weights.iter().zip(pair.stencil()) {
                forces[vertex as usize] += c * force;
            }
        }
        self.scatter(forces, g);
    }

    /// Pairs of different surfaces that these stencils join, each once
    pub fn joined_by<'a>(&self, stencils: impl Iterator<Item = &'a [u32]>) -> Vec<[usize; 2]> {
        let surface = |vertex: u32| self.surface.body_of(vertex) as usize;
        let mut touching: Vec<[usize; 2]> =
            stencils.flat_map(|s| s[1..].iter().map(move |&v| [surface(s[0]), surface(v)])).collect();
        touching.retain(|[a, b]| a != b);
        touching.sort_unstable();
        touching.dedup();
        touching
    }
}

/// The surfaces of all bodies and obstacles, and what each of its vertices hangs on; of bodies, which may touch themselves.
pub fn surface_of(
    model: &Model,
    touches_itself: impl Fn(usize) -> bool,
    is_fixed: impl Fn(usize) -> bool,
) -> Result<(Surface, Vec<Attachment>), SurfaceError> {
    let (mut input, vertices) = gathered(model, |_| true);
    input.vertex_fixed = vertices.iter().map(|vertex| vertex.hangs_only_on(&is_fixed)).collect();
    let rest_of_nodes = flatten(&model.rest);
    let rest: Vec<Point> = vertices.iter().map(|vertex| vertex.of(&rest_of_nodes)).collect();
    let may_bend = |vertex: u32| {
        let body = model.bodies.get(input.vertex_body[vertex as usize] as usize);
        body.is_some_and(|body| body.kind != BodyKind::Affine)
    };
    if model.contact.as_ref().is_some_and(|contact| contact.weights == ContactWeights::Area) {
        input.vertex_weights = area_weights(&input.triangles, &rest);
    }
    input.patches = flat_patches(&input.triangles, &rest, may_bend);
    for (index, body) in input.bodies.iter_mut().enumerate() {
        // A stiff body cannot reach itself, nor can an obstacle.
        let soft = model.bodies.get(index).is_some_and(|body| body.kind != BodyKind::Affine);
        body.self_contact = soft && touches_itself(index);
        body.half_thickness = 0.5 * model.contact.as_ref().map_or(0.0, |contact| contact.thickness_of(index));
    }
    // What a joint joins overlaps there.
    for [a, b] in model.untouching_surfaces() {
        input.bodies[a].ignores.push(b as u32);
    }
    Ok((Surface::new(input)?, vertices))
}

/// All wires, and the triangles that are chosen by their vertices in the model; no vertex is fixed, and no body has properties yet.
pub(super) fn gathered(model: &Model, choose: impl Fn(&[u32; 3]) -> bool) -> (SurfaceInput, Vec<Attachment>) {
    let mut input = SurfaceInput::default();
    let (mut vertices, mut rest) = (Vec::new(), Vec::new());
    let mut index_of = vec![u32::MAX; model.vertices.len()];
    let rest_of_nodes = flatten(&model.rest);
    for (body, (_, triangles)) in model.surfaces().enumerate() {
        let triangles: Vec<[u32; 3]> = triangles.iter().copied().filter(&choose).collect();
        let wires = model.wires(body);
        let mut used: Vec<u32> = [triangles.as_flattened(), wires.as_flattened()].concat();
        used.sort_unstable();
        used.dedup();
        for vertex in used {
            index_of[vertex as usize] = vertices.len() as u32;
            let attachment = model.vertices[vertex as usize];
            input.vertex_body.push(body as u32);
            rest.push(attachment.of(&rest_of_nodes));
            vertices.push(attachment);
        }
        input.triangles.extend(triangles.iter().map(|triangle| triangle.map(|vertex| index_of[vertex as usize])));
        input.edges.extend(wires.iter().map(|ends| ends.map(|vertex| index_of[vertex as usize])));
        input.bodies.push(SurfaceBody::default());
    }
    input.vertex_fixed = vec![false; vertices.len()];
    input.edges.iter_mut().for_each(|ends| ends.sort_unstable());
    input.edges.extend(edges_of_triangles(&input.triangles));
    input.edges.sort_unstable();
    input.edges.dedup();
    let squared = |&[a, b]: &[u32; 2]| (rest[a as usize] - rest[b as usize]).norm_squared();
    input.edge_rest_squared = input.edges.iter().map(squared).collect();
    (input, vertices)
}
