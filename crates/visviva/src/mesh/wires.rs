//! Surfaces with wires: triangles, and edges that belong to none (the `l` of an OBJ file).

use super::{FirstFew, Loaded, MeshError, TriMesh, validate};

/// A surface of which triangles or wires, but not both, may be missing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WiredSurface {
    pub surface: TriMesh,
    /// Two nodes each
    pub wires: Vec<[u32; 2]>,
}

impl WiredSurface {
    /// Without the nodes that neither triangles nor wires use; whatever else is wrong is refused.
    pub fn checked(mut self) -> Result<Loaded<Self>, MeshError> {
        let Self { surface, wires } = &self;
        if !surface.triangles.is_empty() {
            validate::check_elements("triangle", "triangles", surface.positions.len(), &surface.triangles)?;
        }
        if !wires.is_empty() {
            validate::check_elements("line", "lines", surface.positions.len(), wires)?;
        }
        if surface.triangles.is_empty() && wires.is_empty() {
            return Err(MeshError::Empty { what: "triangles or lines" });
        }
        let warnings = validate::removal(self.remove_isolated());
        self.validate()?;
        Ok(Loaded { mesh: self, warnings })
    }

    fn remove_isolated(&mut self) -> Vec<usize> {
        let (triangles, wires) = (self.surface.triangles.as_flattened_mut(), self.wires.as_flattened_mut());
        let mut used = [&*triangles, &*wires].concat();
        let removed = validate::remove_isolated(&mut self.surface.positions, &mut used);
        let (first, second) = used.split_at(triangles.len());
        triangles.copy_from_slice(first);
        wires.copy_from_slice(second);
        removed
    }

    fn validate(&self) -> Result<(), MeshError> {
        validate::check_finite(&self.surface.positions)?;
        if !self.surface.triangles.is_empty() {
            let mut alone = self.surface.clone();
            alone.remove_isolated();
            alone.validate()?;
        }
        let point = |node: u32| self.surface.positions[node as usize];
        let total = self.wires.len();
        let which = FirstFew::of((0..total).filter(|&i| point(self.wires[i][0]) == point(self.wires[i][1])));
        if which.count > 0 { Err(MeshError::Degenerate { kind: "line", which, total }) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::load_wired_surface;

    fn load(text: &str) -> Result<Loaded<WiredSurface>, MeshError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obj");
        std::fs::write(&path, text).unwrap();
        load_wired_surface(&path)
    }

    const NODES: &str = "v 7 7 7\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";

    #[test]
    fn lines_become_wires_beside_triangles_or_without() {
        let Loaded { mesh, warnings } = load(&format!("{NODES}l 2 3 -1\nf 2 3 4\n")).unwrap();
        assert_eq!((mesh.wires, mesh.surface.triangles), (vec![[0, 1], [1, 3]], vec![[0, 1, 2]]));
        assert_eq!((mesh.surface.positions.len(), warnings.len()), (4, 1), "the first node is dropped with a warning");
        let bare = load(&format!("{NODES}l 2/1 3/2\n")).unwrap().mesh;
        assert_eq!((bare.wires, bare.surface.triangles.len()), (vec![[0, 1]], 0));
    }

    #[test]
    fn what_is_no_line_is_refused() {
        for (line, part) in
            [("l 2", "line 6"), ("l 2 9", "9"), ("l 2 x", "vertex number"), ("l 3 3", "line"), ("p 1", "lines")]
        {
            let message = load(&format!("{NODES}{line}\n")).unwrap_err().to_string();
            assert!(message.contains(part), "{line}: {message}");
        }
    }
}
