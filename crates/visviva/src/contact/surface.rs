//! What takes part in contact: vertices, edges and triangles of all bodies together, and which bodies may touch which.

use std::collections::BTreeMap;

/// A body as contact sees it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SurfaceBody {
    /// Whether it may touch itself
    pub self_contact: bool,
    /// Bodies it never touches; one side naming the other is enough
    pub ignores: Vec<u32>,
    /// How far its matter reaches beyond its surface `[m]`; others keep that distance
    pub half_thickness: f64,
}

/// What a surface is made from.
#[derive(Debug, Clone, Default)]
pub struct SurfaceInput {
    pub edges: Vec<[u32; 2]>,
    pub triangles: Vec<[u32; 3]>,
    pub bodies: Vec<SurfaceBody>,
    /// The body of each vertex
    pub vertex_body: Vec<u32>,
    /// Whether a vertex moves by itself: two primitives of such vertices are never paired
    pub vertex_fixed: Vec<bool>,
    /// |e|² of each edge at rest `[m²]`
    pub edge_rest_squared: Vec<f64>,
    /// Of each triangle: those of one patch are one flat face to contact; empty where each is its own
    pub patches: Vec<u32>,
    /// How much each vertex counts in the barrier; empty where each is one
    pub vertex_weights: Vec<f64>,
}

#[derive(Debug, Clone, Default)]
pub struct Surface {
    input: SurfaceInput,
    edge_fixed: Vec<bool>,
    triangle_fixed: Vec<bool>,
    body_fixed: Vec<bool>,
    /// The triangles of each patch of more than one, by the patch's name
    shared_patches: BTreeMap<u32, Vec<u32>>,
    /// Of each edge: whether it lies inside a patch
    edge_inner: Vec<bool>,
    vertices_by_body: ByBody,
    edges_by_body: ByBody,
    triangles_by_body: ByBody,
    /// Whether any body has a thickness
    is_thick: bool,
}

/// Primitives, those of one body in a row.
#[derive(Debug, Clone, Default)]
struct ByBody {
    order: Vec<u32>,
    /// Where each body's begin, and the end
    starts: Vec<usize>,
}

impl ByBody {
    fn new(body_count: usize, body: &[u32]) -> Self {
        let mut order: Vec<u32> = (0..body.len() as u32).collect();
        // A stable sort: each body's stay in their order.
        order.sort_by_key(|&primitive| body[primitive as usize]);
        let start = |of: usize| order.partition_point(|&primitive| (body[primitive as usize] as usize) < of);
        Self { starts: (0..=body_count).map(start).collect(), order }
    }

    fn of(&self, body: u32) -> &[u32] {
        &self.order[self.starts[body as usize]..self.starts[body as usize + 1]]
    }
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SurfaceError {
    #[error("{what} {index} names vertex {vertex}, but there are {count}")]
    UnknownVertex { what: &'static str, index: usize, vertex: u32, count: usize },
    #[error("{what} {index} names body {body}, but there are {count}")]
    UnknownBody { what: &'static str, index: usize, body: u32, count: usize },
    #[error("{what} {index} repeats a vertex")]
    RepeatedVertex { what: &'static str, index: usize },
    #[error("{what} {index} joins vertices of different bodies")]
    MixedBodies { what: &'static str, index: usize },
    #[error("{given} {what} given, {expected} expected")]
    WrongCount { what: &'static str, given: usize, expected: usize },
}

impl Surface {
    pub fn new(mut input: SurfaceInput) -> Result<Self, SurfaceError> {
        let vertex_count = input.vertex_body.len();
        for (what, given, expected) in [
            ("vertex flags", input.vertex_fixed.len(), vertex_count),
            ("rest lengths", input.edge_rest_squared.len(), input.edges.len()),
        ] {
            if given != expected {
                return Err(SurfaceError::WrongCount { what, given, expected });
            }
        }
        let count = input.bodies.len();
        let vertex_bodies = input.vertex_body.iter().enumerate().map(|(index, &body)| ("vertex", index, body));
        let ignored = input.bodies.iter().enumerate().flat_map(|(i, b)| b.ignores.iter().map(move |&o| ("body", i, o)));
        if let Some((what, index, body)) = vertex_bodies.chain(ignored).find(|&(_, _, body)| body as usize >= count) {
            return Err(SurfaceError::UnknownBody { what, index, body, count });
        }
        check("edge", &input.edges, &input.vertex_body)?;
        check("triangle", &input.triangles, &input.vertex_body)?;
        // Both sides know, sorted, so that one look-up answers.
        for i in 0..count {
            for other in input.bodies[i].ignores.clone() {
                input.bodies[other as usize].ignores.push(i as u32);
            }
        }
        for body in &mut input.bodies {
            body.ignores.sort_unstable();
            body.ignores.dedup();
        }
        let fixed = |vertices: &[u32]| vertices.iter().all(|&v| input.vertex_fixed[v as usize]);
        let edge_fixed = input.edges.iter().map(|e| fixed(e)).collect();
        let triangle_fixed = input.triangles.iter().map(|t| fixed(t)).collect();
        let mut body_fixed = vec![true; count];
        for (&body, &fixed) in input.vertex_body.iter().zip(&input.vertex_fixed) {
            body_fixed[body as usize] &= fixed;
        }
        let (shared_patches, edge_inner) = patches(&input);
        let body = |vertex: u32| input.vertex_body[vertex as usize];
        let edge_body: Vec<u32> = input.edges.iter().map(|edge| body(edge[0])).collect();
        let triangle_body: Vec<u32> = input.triangles.iter().map(|triangle| body(triangle[0])).collect();
        Ok(Self {
            vertices_by_body: ByBody::new(count, &input.vertex_body),
            edges_by_body: ByBody::new(count, &edge_body),
            triangles_by_body: ByBody::new(count, &triangle_body),
            is_thick: input.bodies.iter().any(|body| body.half_thickness != 0.0),
            input,
            edge_fixed,
            triangle_fixed,
            body_fixed,
            shared_patches,
            edge_inner,
        })
    }

    /// With these half thicknesses `[m]`, body by body
    #[cfg(test)]
    pub fn thickened(&self, half: &[f64]) -> Self {
        let mut thick = self.clone();
        thick.input.bodies.iter_mut().zip(half).for_each(|(body, &half)| body.half_thickness = half);
        thick.is_thick = true;
        thick
    }

    pub fn vertex_count(&self) -> usize {
        self.input.vertex_body.len()
    }

    pub fn edges(&self) -> &[[u32; 2]] {
        &self.input.edges
    }

    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.input.triangles
    }

    /// The vertices of a candidate [vertex, triangle], the vertex first
    pub fn vertex_triangle(&self, [vertex, triangle]: [u32; 2]) -> [u32; 4] {
        let [a, b, c] = self.triangles()[triangle as usize];
        [vertex, a, b, c]
    }

    /// The vertices of a candidate [edge, edge]
    pub fn edge_edge(&self, [first, second]: [u32; 2]) -> [u32; 4] {
        let ([a, b], [c, d]) = (self.edges()[first as usize], self.edges()[second as usize]);
        [a, b, c, d]
    }

    /// w of two primitives that meet: that of the finer one.
    pub fn weight(&self, first: &[u32], second: &[u32]) -> f64 {
        let weights = &self.input.vertex_weights;
        if weights.is_empty() {
            return 1.0;
        }
        let most = |side: &[u32]| side.iter().map(|&vertex| weights[vertex as usize]).fold(0.0, f64::max);
        most(first).min(most(second))
    }

    /// All triangles of a triangle's patch; none where it is alone.
    pub fn patch(&self, triangle: u32) -> &[u32] {
        let patch = self.input.patches.get(triangle as usize);
        patch.and_then(|patch| self.shared_patches.get(patch)).map_or(&[], Vec::as_slice)
    }

    /// Whether an edge only cuts a flat face in two.
    pub fn is_inner(&self, edge: u32) -> bool {
        self.edge_inner[edge as usize]
    }

    /// The bodies on both sides of a pair's stencil: its first vertex belongs to one, its last to the other.
    pub fn sides_of(&self, stencil: &[u32]) -> [u32; 2] {
        [stencil[0], stencil[stencil.len() - 1]].map(|vertex| self.body_of(vertex))
    }

    pub fn body_of(&self, vertex: u32) -> u32 {
        self.input.vertex_body[vertex as usize]
    }

    pub fn vertices_of(&self, body: u32) -> &[u32] {
        self.vertices_by_body.of(body)
    }

    pub fn edges_of(&self, body: u32) -> &[u32] {
        self.edges_by_body.of(body)
    }

    pub fn triangles_of(&self, body: u32) -> &[u32] {
        self.triangles_by_body.of(body)
    }

    pub fn body_count(&self) -> usize {
        self.input.bodies.len()
    }

    /// Whether all of a body moves by itself.
    pub fn is_fixed(&self, body: u32) -> bool {
        self.body_fixed[body as usize]
    }

    pub fn edge_rest_squared(&self) -> &[f64] {
        &self.input.edge_rest_squared
    }

    /// ξ of two primitives `[m]`, by a vertex of each: the distance that counts as contact
    pub fn thickness(&self, a: u32, b: u32) -> f64 {
        let half = |vertex: u32| self.input.bodies[self.body_of(vertex) as usize].half_thickness;
        if self.is_thick { half(a) + half(b) } else { 0.0 }
    }

    /// The largest ξ of any two primitives `[m]`
    pub fn largest_thickness(&self) -> f64 {
        let mut two = [0.0f64; 2];
        for body in &self.input.bodies {
            for _ in 0..if body.self_contact { 2 } else { 1 } {
                two = [two[0].max(body.half_thickness), two[1].max(body.half_thickness.min(two[0]))];
            }
        }
        two[0] + two[1]
    }

    /// Whether two bodies may touch; for one body, whether it may touch itself.
    pub fn may_touch(&self, a: u32, b: u32) -> bool {
        let body = &self.input.bodies[a as usize];
        if a == b { body.self_contact } else { body.ignores.is_empty() || body.ignores.binary_search(&b).is_err() }
    }

    /// Whether two primitives of different bodies that may touch are paired: they have no vertex in common.
    pub fn pairs_vertex_with_other(&self, vertex: u32, triangle: u32) -> bool {
        !(self.input.vertex_fixed[vertex as usize] && self.triangle_fixed[triangle as usize])
    }

    pub fn pairs_edge_with_other(&self, a: u32, b: u32) -> bool {
        !(self.edge_fixed[a as usize] && self.edge_fixed[b as usize])
    }

    pub fn pairs_vertex_triangle(&self, vertex: u32, triangle: u32) -> bool {
        let corners = self.input.triangles[triangle as usize];
        let both_fixed = self.input.vertex_fixed[vertex as usize] && self.triangle_fixed[triangle as usize];
        !both_fixed && !corners.contains(&vertex) && self.may_touch(self.body_of(vertex), self.body_of(corners[0]))
    }

    pub fn pairs_edge_edge(&self, a: u32, b: u32) -> bool {
        let (ends, others) = (self.input.edges[a as usize], self.input.edges[b as usize]);
        let both_fixed = self.edge_fixed[a as usize] && self.edge_fixed[b as usize];
        let adjacent = others.contains(&ends[0]) || others.contains(&ends[1]);
        !both_fixed && !adjacent && self.may_touch(self.body_of(ends[0]), self.body_of(others[0]))
    }

    /// The same for an edge and a triangle, whose crossing is an intersection; bodies that ignore each other may cross.
    pub fn pairs_edge_triangle(&self, edge: u32, triangle: u32) -> bool {
        let (ends, corners) = (self.input.edges[edge as usize], self.input.triangles[triangle as usize]);
        let both_fixed = self.edge_fixed[edge as usize] && self.triangle_fixed[triangle as usize];
        let adjacent = corners.contains(&ends[0]) || corners.contains(&ends[1]);
        !both_fixed && !adjacent && self.may_touch(self.body_of(ends[0]), self.body_of(corners[0]))
    }
}

/// The patches of several triangles, and which edges lie inside them.
fn patches(input: &SurfaceInput) -> (BTreeMap<u32, Vec<u32>>, Vec<bool>) {
    let mut all: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    (0..).zip(&input.patches).for_each(|(triangle, &patch)| all.entry(patch).or_default().push(triangle));
    all.retain(|_, triangles| triangles.len() > 1);
    let mut inner = vec![false; input.edges.len()];
    for triangles in all.values() {
        let sides = triangles.iter().flat_map(|&triangle| {
            let [a, b, c] = input.triangles[triangle as usize];
            [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)])
        });
        let mut sides: Vec<[u32; 2]> = sides.collect();
        sides.sort_unstable();
        for side in sides.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]) {
            if let Ok(edge) = input.edges.binary_search(&side) {
                inner[edge] = true;
            }
        }
    }
    (all, inner)
}

/// Every edge of the triangles once, its ends and the list in ascending order.
pub fn edges_of_triangles(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

fn check<const N: usize>(what: &'static str, primitives: &[[u32; N]], body: &[u32]) -> Result<(), SurfaceError> {
    for (index, primitive) in primitives.iter().enumerate() {
        for (i, &vertex) in primitive.iter().enumerate() {
            if vertex as usize >= body.len() {
                return Err(SurfaceError::UnknownVertex { what, index, vertex, count: body.len() });
            }
            if primitive[..i].contains(&vertex) {
                return Err(SurfaceError::RepeatedVertex { what, index });
            }
            if body[vertex as usize] != body[primitive[0] as usize] {
                return Err(SurfaceError::MixedBodies { what, index });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_triangles() -> SurfaceInput {
        let triangles = vec![[0, 1, 2], [3, 4, 5]];
        let edges = edges_of_triangles(&triangles);
        SurfaceInput {
            patches: vec![],
            vertex_weights: vec![],
            edge_rest_squared: vec![1.0; edges.len()],
            edges,
            triangles,
            bodies: vec![SurfaceBody { self_contact: true, ..SurfaceBody::default() }, SurfaceBody::default()],
            vertex_body: vec![0, 0, 0, 1, 1, 1],
            vertex_fixed: vec![false; 6],
        }
    }

    #[test]
    fn adjacent_ignored_and_fixed_primitives_are_not_paired() {
        let surface = Surface::new(two_triangles()).unwrap();
        assert!(surface.pairs_vertex_triangle(0, 1) && surface.pairs_edge_edge(0, 3));
        assert!(!surface.pairs_vertex_triangle(0, 0) && !surface.pairs_edge_edge(0, 1));
        let mut input = two_triangles();
        input.bodies[1].ignores = vec![0];
        let surface = Surface::new(input).unwrap();
        assert!(!surface.pairs_vertex_triangle(0, 1) && !surface.pairs_edge_edge(3, 0) && !surface.may_touch(0, 1));
        let mut input = two_triangles();
        input.vertex_fixed = vec![true; 6];
        input.vertex_fixed[2] = false;
        let surface = Surface::new(input).unwrap();
        assert!(!surface.pairs_vertex_triangle(0, 1) && surface.pairs_vertex_triangle(2, 1));
    }

    #[test]
    fn the_largest_thickness_is_of_two_bodies_or_of_one_that_touches_itself() {
        let surface = Surface::new(two_triangles()).unwrap();
        assert_eq!(surface.largest_thickness(), 0.0);
        // The first touches itself, the second does not.
        assert_eq!(surface.thickened(&[2.0, 1.0]).largest_thickness(), 4.0);
        assert_eq!(surface.thickened(&[1.0, 2.0]).largest_thickness(), 3.0);
        assert_eq!(surface.thickened(&[1.0, 2.0]).thickness(0, 4), 3.0);
    }

    #[test]
    fn wrong_indices_are_named() {
        let mut input = two_triangles();
        input.triangles[1] = [3, 4, 9];
        assert_eq!(
            Surface::new(input).unwrap_err(),
            SurfaceError::UnknownVertex { what: "triangle", index: 1, vertex: 9, count: 6 }
        );
        let mut input = two_triangles();
        input.edges[0] = [0, 3];
        assert_eq!(Surface::new(input).unwrap_err(), SurfaceError::MixedBodies { what: "edge", index: 0 });
        let mut input = two_triangles();
        input.bodies[0].ignores = vec![7];
        assert!(matches!(Surface::new(input), Err(SurfaceError::UnknownBody { what: "body", body: 7, .. })));
    }
}
