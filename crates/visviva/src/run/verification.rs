//! What no frame may hold: triangles that intersect, wires through them, tets and affine bodies that are inverted, and what is no
//! number. Signs are exact (Shewchuk 1997), and nothing is taken from a solver: positions and shapes alone decide.

use super::error::OutputError;
use super::frames::Frame;
use super::run_mesh::{RunBody, RunMesh};
use crate::contact::containment::closed_surface_holds;
use crate::contact::intersection::orient3d;
use crate::contact::triangle_crossings::crossing_triangles;
use crate::mesh::signed_volume;
use nalgebra::Vector3;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Indices into the run's mesh, each list ascending.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FrameFaults {
    /// Nodes whose position or velocity is not finite
    pub not_finite: Vec<u32>,
    /// Tets that are flat or turned inside out
    pub inverted: Vec<u32>,
    /// Affine bodies that are flat or turned inside out
    pub turned: Vec<u32>,
    /// Pairs of triangles that intersect or touch, whatever they belong to
    pub crossings: Vec<[u32; 2]>,
    /// [inner, outer]: bodies that lie inside a solid or affine one without crossing its surface
    pub swallowed: Vec<[u32; 2]>,
    /// [wire, triangle] that intersect or touch and belong to different bodies
    pub wire_crossings: Vec<[u32; 2]>,
    /// [wire, body]: wires inside a solid or affine body whose surface no wire of their own body crosses
    pub swallowed_wires: Vec<[u32; 2]>,
    /// The least ratio J of a tet's or an affine body's volume to that at rest, and the body
    pub least_volume: Option<(f64, u32)>,
}

impl FrameFaults {
    pub fn is_clean(&self) -> bool {
        Self { least_volume: self.least_volume, ..Self::default() } == *self
    }
}

impl RunMesh {
    /// Judges every tet, every pair of triangles and every wire.
    pub fn faults(&self, frame: &Frame) -> Result<FrameFaults, OutputError> {
        let vertices = self.vertices(frame)?;
        let broken = |node: &u32| {
            let (x, v) = (frame.x[*node as usize], frame.v[*node as usize]);
            x.iter().chain(&v).any(|c| !c.is_finite())
        };
        let not_finite = (0..frame.x.len() as u32).filter(broken).collect();
        // (J, whether it is inverted) of each tet; a tet with a lost corner is told by its node.
        let judge = |nodes: &[u32; 4]| {
            let x = nodes.map(|node| vertices[node as usize]);
            let rest = nodes.map(|node| Vector3::from(self.rest[node as usize]));
            let side = |[a, b, c, d]: &[Vector3<f64>; 4]| orient3d(a, b, c, d);
            let is_finite = x.iter().flatten().all(|c| c.is_finite());
            (signed_volume(&x) / signed_volume(&rest), is_finite && side(&x) * side(&rest) <= 0)
        };
        let tets: Vec<(f64, bool)> = self.tets.par_iter().with_min_len(1024).map(judge).collect();
        let inverted = (0..).zip(&tets).filter(|(_, (_, inverted))| *inverted).map(|(tet, _)| tet).collect();
        let affine = self.affine_states(frame, &vertices);
        let least = |ratios: &mut dyn Iterator<Item = (f64, u32)>| {
            ratios.filter(|(ratio, _)| ratio.is_finite()).min_by(|a, b| a.0.total_cmp(&b.0))
        };
        let of_tets = least(&mut tets.iter().map(|(ratio, _)| *ratio).zip(0..));
        let of_tets = of_tets.and_then(|(ratio, tet)| Some((ratio, self.body_of_tet(tet)? as u32)));
        let of_affine = affine.iter().map(|state| (state.volume, state.body));
        let crossings = crossing_triangles(&self.triangles, &vertices);
        let wire_crossings = self.wire_crossings(&vertices);
        Ok(FrameFaults {
            swallowed: self.swallowed(&vertices, &crossings),
            swallowed_wires: self.swallowed_wires(&vertices, &wire_crossings),
            wire_crossings,
            not_finite,
            inverted,
            turned: affine.iter().filter(|state| state.is_turned).map(|state| state.body).collect(),
            crossings,
            least_volume: least(&mut of_tets.into_iter().chain(of_affine)),
        })
    }

    /// One vertex decides, where no surfaces cross.
    fn swallowed(&self, vertices: &[Vector3<f64>], crossings: &[[u32; 2]]) -> Vec<[u32; 2]> {
        let corners = |body: &RunBody| {
            let own = self.triangles[body.triangle_range()].as_flattened();
            own.iter().map(|&vertex| vertices[vertex as usize]).collect::<Vec<_>>()
        };
        let boxes: Vec<_> = self.bodies.iter().map(|body| bounds(&corners(body))).collect();
        let crossed: BTreeSet<[Option<usize>; 2]> =
            crossings.iter().map(|pair| pair.map(|triangle| self.body_of_triangle(triangle))).collect();
        let mut found = Vec::new();
        for (outer, body) in self.bodies.iter().enumerate().filter(|(_, body)| body.has_inside()) {
            for inner in (0..self.bodies.len()).filter(|&inner| inner != outer) {
                let (Some([low, high]), Some([least, most])) = (boxes[inner], boxes[outer]) else { continue };
                let nests = (0..3).all(|k| least[k] <= low[k] && high[k] <= most[k]);
                let (a, b) = (Some(inner), Some(outer));
                if !nests || crossed.contains(&[a, b]) || crossed.contains(&[b, a]) {
                    continue;
                }
                let [vertex, ..] = self.triangles[self.bodies[inner].triangles[0]];
                let p = vertices[vertex as usize];
                if self.holds(body, vertices, &p) {
                    found.push([inner as u32, outer as u32]);
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// Whether a point lies in a body's tets, or inside the surface of an affine one.
    fn holds(&self, body: &RunBody, vertices: &[Vector3<f64>], p: &Vector3<f64>) -> bool {
        if body.is_affine() {
            return closed_surface_holds(&self.triangles[body.triangle_range()], vertices, p);
        }
        let holds = |nodes: &[u32; 4]| {
            let x = nodes.map(|node| vertices[node as usize]);
            x.iter().flatten().all(|c| c.is_finite()) && tet_holds(&x, p)
        };
        self.tets[body.tet_range()].par_iter().with_min_len(1024).any(holds)
    }
}

/// None without points, or where one is not finite.
fn bounds(points: &[Vector3<f64>]) -> Option<[Vector3<f64>; 2]> {
    let sound = points.iter().flatten().all(|c| c.is_finite());
    let first = points.first().filter(|_| sound)?;
    Some(points.iter().fold([*first; 2], |[low, high], p| [low.inf(p), high.sup(p)]))
}

/// Whether p lies in a tet or on it: on the same side of each face as the corner opposite.
pub(super) fn tet_holds([a, b, c, d]: &[Vector3<f64>; 4], p: &Vector3<f64>) -> bool {
    let own = orient3d(a, b, c, d);
    let sides = [orient3d(p, b, c, d), orient3d(a, p, c, d), orient3d(a, b, p, d), orient3d(a, b, c, p)];
    own != 0 && sides.iter().all(|side| side * own >= 0)
}
