//! Which meshes an OBJ file holds: one for each name behind an `o`.
//!
//! Groups (`g`) are parts of a mesh, as in most programs. Some know no `o` and write a group for each object: where there is no
//! `o`, groups that share no vertex with each other are meshes too.

use super::{Content, NONE};
use crate::formats::Objects;
use crate::{PolygonMesh, Polygons, Uvs};
use std::collections::HashMap;

/// Names, and where in the file each comes to hold.
#[derive(Debug, Default)]
pub(super) struct Sections {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    /// A name's number, and how many polygons, lines and vertices come before it
    starts: Vec<(u32, [usize; 3])>,
}

impl Sections {
    pub fn begin(&mut self, name: &str, before: [usize; 3]) {
        let number = *self.numbers.entry(name.to_owned()).or_insert_with(|| {
            self.names.push(name.to_owned());
            self.names.len() as u32 - 1
        });
        self.starts.push((number, before));
    }

    /// The section of each of `count` polygons (0), lines (1) or vertices (2); those before the first have the number `NONE`.
    fn of(&self, kind: usize, count: usize) -> Vec<u32> {
        let mut of = vec![NONE; count];
        for (k, (number, before)) in self.starts.iter().enumerate() {
            let end = self.starts.get(k + 1).map_or(count, |next| next.1[kind]);
            of[before[kind]..end].fill(*number);
        }
        of
    }
}

/// Cuts the file's content into its objects. One object alone keeps all vertices, used or not, in their order; of several each
/// has those that it uses, and those in its section that nothing uses.
pub(super) fn split(content: Content) -> Objects {
    let sections =
        if content.objects.names.is_empty() && content.are_groups_apart() { &content.groups } else { &content.objects };
    let of_polygon = sections.of(0, content.polygons.len());
    let of_line = sections.of(1, content.lines.len());
    // What comes before the first name is the first mesh.
    let place = |number: u32| number.wrapping_add(1) as usize;
    let mut elements: Vec<[Vec<u32>; 2]> = vec![Default::default(); sections.names.len() + 1];
    (0..).zip(&of_polygon).for_each(|(polygon, &number)| elements[place(number)][0].push(polygon));
    (0..).zip(&of_line).for_each(|(line, &number)| elements[place(number)][1].push(line));
    let filled: Vec<usize> =
        (0..elements.len()).filter(|&k| elements[k].iter().any(|elements| !elements.is_empty())).collect();
    let name = |k: usize| if k == 0 { String::new() } else { sections.names[k - 1].clone() };

    let mut meshes = Vec::new();
    if let &[] | &[_] = filled.as_slice() {
        let only = filled.first().copied().unwrap_or(0);
        let vertices = (0..content.positions.len() as u32).collect();
        meshes.push(content.mesh(name(only), vertices, &elements[only]));
    } else {
        let mut vertices = content.loose_vertices(&sections.of(2, content.positions.len()), elements.len());
        for k in filled {
            let mut own = std::mem::take(&mut vertices[k]);
            own.extend(
                elements[k][0].iter().flat_map(|&p| &content.polygons.corners[content.polygons.range(p as usize)]),
            );
            own.extend(elements[k][1].iter().flat_map(|&line| content.lines[line as usize]));
            own.sort_unstable();
            own.dedup();
            meshes.push(content.mesh(name(k), own, &elements[k]));
        }
    }
    Objects { meshes, ..content.others }
}

impl Content {
    /// Whether no two groups share a vertex.
    fn are_groups_apart(&self) -> bool {
        let group_of = self.groups.of(0, self.polygons.len());
        let mut owners = vec![None; self.positions.len()];
        self.polygons.iter().zip(&group_of).all(|(corners, group)| {
            corners.iter().all(|&vertex| owners[vertex as usize].replace(group).is_none_or(|owner| owner == group))
        })
    }

    /// The vertices in each section that nothing uses.
    fn loose_vertices(&self, of_vertex: &[u32], count: usize) -> Vec<Vec<u32>> {
        let mut used = vec![false; self.positions.len()];
        self.polygons.corners.iter().chain(self.lines.as_flattened()).for_each(|&vertex| used[vertex as usize] = true);
        let mut loose = vec![Vec::new(); count];
        let unused = (0..self.positions.len()).filter(|&vertex| !used[vertex]);
        unused.for_each(|vertex| loose[of_vertex[vertex].wrapping_add(1) as usize].push(vertex as u32));
        loose
    }

    /// The mesh of some polygons and lines; `vertices` are ascending and hold all that these use.
    fn mesh(&self, name: String, vertices: Vec<u32>, [polygons, lines]: &[Vec<u32>; 2]) -> PolygonMesh {
        let local = |vertex: u32| vertices.binary_search(&vertex).unwrap_or(0) as u32;
        let mut own = Polygons::default();
        let mut texture_of = Vec::new();
        for &polygon in polygons {
            let range = self.polygons.range(polygon as usize);
            own.corners.extend(self.polygons.corners[range.clone()].iter().map(|&vertex| local(vertex)));
            own.ends.push(own.corners.len() as u32);
            texture_of.extend_from_slice(&self.texture_of[range]);
        }
        let (texture, of_corner) = used_of(&self.texture, &texture_of);
        let material_of: Vec<u32> = polygons.iter().map(|&polygon| self.material_of[polygon as usize]).collect();
        let (materials, material_of) = used_of(&self.materials, &material_of);
        PolygonMesh {
            name,
            positions: vertices.iter().map(|&vertex| self.positions[vertex as usize]).collect(),
            polygons: own,
            uvs: (!texture.is_empty()).then_some(Uvs { values: texture, of_corner }),
            materials,
            material_of,
            lines: lines.iter().map(|&line| self.lines[line as usize].map(local)).collect(),
        }
    }
}

/// The values that are used, in their order, and their numbers. `NONE` becomes an empty value; nothing used gives nothing.
fn used_of<T: Clone + Default>(values: &[T], numbers: &[u32]) -> (Vec<T>, Vec<u32>) {
    let mut used: Vec<u32> = numbers.to_vec();
    used.sort_unstable();
    used.dedup();
    if used.iter().all(|&number| number == NONE) {
        return Default::default();
    }
    let local = numbers.iter().map(|number| used.binary_search(number).unwrap_or(0) as u32).collect();
    (used.iter().map(|&number| values.get(number as usize).cloned().unwrap_or_default()).collect(), local)
}
