//! Which nodes are shown, and where each puts its mesh.

use super::document::{Document, Node};
use crate::formats::{Place, ReadError};
use nalgebra::{Matrix4, Quaternion, UnitQuaternion, Vector3};

/// A node that shows a mesh.
pub(super) struct Shown {
    pub node: usize,
    pub mesh: usize,
    /// From the mesh's coordinates to those of the scene
    pub transform: Matrix4<f64>,
}

/// Those of the file's own scene, else of the first; without scenes all. A parent comes before its children.
pub(super) fn shown(document: &Document) -> Result<Vec<Shown>, ReadError> {
    let nodes = &document.nodes;
    let mut waiting: Vec<(usize, Matrix4<f64>)> =
        roots(document).into_iter().rev().map(|root| (root, Matrix4::identity())).collect();
    let mut is_reached = vec![false; nodes.len()];
    let mut shown = Vec::new();
    while let Some((number, parent)) = waiting.pop() {
        let place = Place::Item("node", number);
        let syntax =
            |expected: &str, found: &str| ReadError::Syntax { place, expected: expected.into(), found: found.into() };
        let node = nodes.get(number).ok_or_else(|| syntax("a node that exists", "none"))?;
        if std::mem::replace(&mut is_reached[number], true) {
            return Err(syntax("one parent", "another, or itself"));
        }
        let transform = parent * local(node);
        // A skinned mesh is where its joints are, whatever its node says; as it was bound it needs no transform.
        let own = if node.skin.is_some() { Matrix4::identity() } else { transform };
        shown.extend(node.mesh.map(|mesh| Shown { node: number, mesh, transform: own }));
        waiting.extend(node.children.iter().rev().map(|&child| (child, transform)));
    }
    Ok(shown)
}

fn roots(document: &Document) -> Vec<usize> {
    match document.scenes.get(document.scene.unwrap_or(0)) {
        Some(scene) => scene.nodes.clone(),
        None => {
            let mut is_child = vec![false; document.nodes.len()];
            for &child in document.nodes.iter().flat_map(|node| &node.children) {
                if let Some(is_child) = is_child.get_mut(child) {
                    *is_child = true;
                }
            }
            (0..document.nodes.len()).filter(|&node| !is_child[node]).collect()
        }
    }
}

fn local(node: &Node) -> Matrix4<f64> {
    if let Some(columns) = &node.matrix {
        return Matrix4::from_column_slice(columns);
    }
    let [x, y, z, w] = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let rotation = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
    Matrix4::new_translation(&Vector3::from(node.translation.unwrap_or_default()))
        * rotation.to_homogeneous()
        * Matrix4::new_nonuniform_scaling(&Vector3::from(node.scale.unwrap_or([1.0; 3])))
}
