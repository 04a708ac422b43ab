//! Objects of a file that are patches of one surface: they have points in common.

use crate::formats::welding::key;
use crate::{PolygonMesh, Polygons, Uvs, lowest_of_parts};
use std::collections::{HashMap, HashSet};

/// Joins objects that share points; those that share none stay as they are. The first of each name and order stays.
pub fn join_patches(objects: Vec<PolygonMesh>) -> Vec<PolygonMesh> {
    let mut owner: HashMap<[u64; 3], u32> = HashMap::new();
    let points = (0..).zip(&objects).flat_map(|(index, object)| object.positions.iter().map(move |at| (index, at)));
    let mut shared: Vec<[u32; 2]> = points.map(|(index, at)| [*owner.entry(key(at)).or_insert(index), index]).collect();
    shared.dedup();
    let leader = lowest_of_parts(objects.len(), &shared);
    let mut joined: Vec<Option<PolygonMesh>> = vec![None; objects.len()];
    for (index, object) in objects.into_iter().enumerate() {
        match &mut joined[leader[index]] {
            Some(whole) => whole.append(object),
            empty => *empty = Some(object),
        }
    }
    joined.into_iter().flatten().collect()
}

/// A name for each object; those that have none, or another's, are counted.
pub fn distinct_names(objects: &[PolygonMesh]) -> Vec<String> {
    let given: HashSet<&str> = objects.iter().map(|object| object.name.as_str()).collect();
    let mut taken: HashSet<String> = HashSet::new();
    let mut name = |object: &PolygonMesh| {
        let counted = (0..).map(|count: usize| format!("{}{count}", object.name));
        let free = |name: &String| !taken.contains(name) && !given.contains(name.as_str());
        let is_first = !object.name.is_empty() && !taken.contains(&object.name);
        let name = if is_first { object.name.clone() } else { counted.into_iter().find(free).unwrap_or_default() };
        taken.insert(name.clone());
        name
    };
    objects.iter().map(&mut name).collect()
}

impl PolygonMesh {
    /// Puts another's vertices and polygons after its own.
    fn append(&mut self, mut other: Self) {
        let first_vertex = self.positions.len() as u32;
        self.uvs = match (self.uvs.take(), other.uvs.take()) {
            (None, None) => None,
            (mine, theirs) => {
                let mut uvs = mine.unwrap_or_else(|| Uvs::none(&self.polygons));
                let theirs = theirs.unwrap_or_else(|| Uvs::none(&other.polygons));
                let first = uvs.values.len() as u32;
                uvs.of_corner.extend(theirs.of_corner.iter().map(|value| value + first));
                uvs.values.extend(theirs.values);
                Some(uvs)
            }
        };
        if !self.materials.is_empty() || !other.materials.is_empty() {
            self.name_materials();
            other.name_materials();
            let numbers: Vec<u32> = other.materials.iter().map(|name| self.material_number(name)).collect();
            self.material_of.extend(other.material_of.iter().map(|&number| numbers[number as usize]));
        }
        for corners in other.polygons.iter() {
            let corners: Vec<u32> = corners.iter().map(|vertex| vertex + first_vertex).collect();
            self.polygons.push(&corners);
        }
        self.lines.extend(other.lines.iter().map(|line| line.map(|vertex| vertex + first_vertex)));
        self.positions.extend(other.positions);
    }

    /// Polygons without a material get one with no name.
    fn name_materials(&mut self) {
        if self.materials.is_empty() {
            self.materials.push(String::new());
            self.material_of = vec![0; self.polygons.len()];
        }
    }

    fn material_number(&mut self, name: &str) -> u32 {
        let known = self.materials.iter().position(|other| other == name);
        let number = known.unwrap_or_else(|| {
            self.materials.push(name.to_owned());
            self.materials.len() - 1
        });
        number as u32
    }
}

impl Uvs {
    /// Of polygons that have none.
    fn none(polygons: &Polygons) -> Self {
        Self { values: vec![[0.0; 2]], of_corner: vec![0; polygons.corners.len()] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;

    fn square(x: f64, name: &str, material: Option<&str>) -> PolygonMesh {
        let corner = |i: usize| Vector3::new(x + (i / 2) as f64, (i.div_ceil(2) % 2) as f64, 0.0);
        let mut polygons = Polygons::default();
        polygons.push(&[0, 1, 2, 3]);
        PolygonMesh {
            name: name.into(),
            positions: (0..4).map(corner).collect(),
            polygons,
            materials: material.map(str::to_owned).into_iter().collect(),
            material_of: material.map(|_| 0).into_iter().collect(),
            ..PolygonMesh::default()
        }
    }

    #[test]
    fn patches_with_points_in_common_become_one_and_others_stay() {
        let objects = vec![
            square(0.0, "a", None),
            square(9.0, "far", Some("red")),
            square(1.0, "b", Some("red")),
            square(2.0, "c", None),
        ];
        let joined = join_patches(objects);
        assert_eq!(joined.iter().map(|mesh| mesh.name.as_str()).collect::<Vec<_>>(), ["a", "far"]);
        let whole = &joined[0];
        assert_eq!((whole.positions.len(), whole.polygons.len()), (12, 3));
        assert_eq!(whole.polygons.iter().last().unwrap(), [8, 9, 10, 11]);
        assert_eq!(
            (whole.materials.as_slice(), whole.material_of.as_slice()),
            (["".into(), "red".into()].as_slice(), [0, 1, 0].as_slice())
        );
    }

    #[test]
    fn names_are_distinct_whatever_the_objects_are_called() {
        let names = ["x", "x", "x0", "", ""].map(|name| square(0.0, name, None));
        assert_eq!(distinct_names(&names), ["x", "x1", "x0", "0", "1"]);
    }

    #[test]
    fn texture_coordinates_go_along_and_patches_without_have_zeros() {
        let mut textured = square(0.0, "a", None);
        textured.uvs = Some(Uvs { values: vec![[0.5, 0.5]], of_corner: vec![0; 4] });
        let joined = join_patches(vec![square(1.0, "plain", None), textured]);
        let uvs = joined[0].uvs.as_ref().unwrap();
        assert_eq!(uvs.of_corner, [0, 0, 0, 0, 1, 1, 1, 1]);
        assert_eq!(uvs.values, [[0.0, 0.0], [0.5, 0.5]]);
    }
}
