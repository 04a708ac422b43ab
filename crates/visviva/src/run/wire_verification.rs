//! What no wire may do: go through a triangle of another body, or lie inside a solid or affine one. Signs are exact (Shewchuk 1997).

use super::run_mesh::RunMesh;
use super::verification::tet_holds;
use crate::contact::bvh::Bvh;
use crate::contact::containment::closed_surface_holds;
use crate::contact::wire_crossings::wire_crossings;
use nalgebra::Vector3;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::ops::Range;

/// The owner of a cell that no body claims
const NOBODY: u32 = u32::MAX;

impl RunMesh {
    pub(super) fn wire_crossings(&self, vertices: &[Vector3<f64>]) -> Vec<[u32; 2]> {
        if self.wires.is_empty() {
            return Vec::new();
        }
        let of_wire = self.owners(self.wires.len(), |body| body.wire_range());
        let of_triangle = self.owners(self.triangles.len(), |body| body.triangle_range());
        let strangers = |wire: u32, triangle: u32| {
            let own = of_wire[wire as usize];
            own == NOBODY || own != of_triangle[triangle as usize]
        };
        wire_crossings(&self.wires, &self.triangles, vertices, strangers)
    }

    /// One end decides, where no surface is crossed.
    pub(super) fn swallowed_wires(&self, vertices: &[Vector3<f64>], crossings: &[[u32; 2]]) -> Vec<[u32; 2]> {
        if self.wires.is_empty() {
            return Vec::new();
        }
        let of_wire = self.owners(self.wires.len(), |body| body.wire_range());
        let of_triangle = self.owners(self.triangles.len(), |body| body.triangle_range());
        let of_tet = self.owners(self.tets.len(), |body| body.tet_range());
        let crossed: BTreeSet<[u32; 2]> = crossings
            .iter()
            .map(|&[wire, triangle]| [of_wire[wire as usize], of_triangle[triangle as usize]])
            .collect();
        let ends: Vec<[u32; 1]> = self.wires.iter().map(|&[end, _]| [end]).collect();
        let (judged_wires, asking) = Bvh::over_finite(&ends, vertices);
        let (judged_tets, tree) = Bvh::over_finite(&self.tets, vertices);
        let at_leaf = |leaf: usize| {
            let mut found = Vec::new();
            tree.query(&asking, leaf, |wire, tet| {
                let (wire, tet) = (judged_wires[wire as usize], judged_tets[tet as usize]);
                let outer = of_tet[tet as usize];
                let corners = self.tets[tet as usize].map(|vertex| vertices[vertex as usize]);
                let [end] = ends[wire as usize];
                let own = of_wire[wire as usize];
                let is_strange = outer != NOBODY && outer != own && !crossed.contains(&[own, outer]);
                if is_strange && tet_holds(&corners, &vertices[end as usize]) {
                    found.push([wire, outer]);
                }
            });
            found
        };
        let mut found: BTreeSet<[u32; 2]> = (0..asking.leaf_count()).into_par_iter().flat_map_iter(at_leaf).collect();
        for (outer, body) in (0..).zip(&self.bodies).filter(|(_, body)| body.is_affine()) {
            let triangles = &self.triangles[body.triangle_range()];
            let is_strange = |wire: &u32| !crossed.contains(&[of_wire[*wire as usize], outer]);
            let is_inside =
                |wire: &u32| closed_surface_holds(triangles, vertices, &vertices[ends[*wire as usize][0] as usize]);
            let wires = (0..self.wires.len() as u32).into_par_iter();
            found.par_extend(wires.filter(is_strange).filter(is_inside).map(|wire| [wire, outer]));
        }
        found.into_iter().collect()
    }

    /// The body of each of so many cells; asking all bodies for each would cost the product of both.
    fn owners(&self, count: usize, range: impl Fn(&super::RunBody) -> Range<usize>) -> Vec<u32> {
        let mut owners = vec![NOBODY; count];
        self.bodies.iter().zip(0..).for_each(|(body, index)| owners[range(body)].fill(index));
        owners
    }
}
