//! How good a solid is, and how near it comes to its surface.

use std::fmt;
use std::path::PathBuf;
use visviva::mesh::{TetMesh, TriMesh};
use visviva_shapes::field::TriangleField;
use visviva_shapes::{Likeness, Quality, Solid};

pub struct Report {
    name: String,
    /// In the file's units
    cell: f64,
    quality: Quality,
    likeness: Likeness,
    notes: Vec<String>,
    pub written: Vec<PathBuf>,
}

impl Report {
    pub fn of(name: &str, surface: &TriMesh, mesh: &TetMesh, cell: f64, notes: Vec<String>) -> Self {
        let solid = Solid { positions: mesh.positions.clone(), tets: mesh.tets.clone() };
        let field = TriangleField::new(&surface.positions, &surface.triangles);
        Self {
            name: name.to_owned(),
            cell,
            quality: Quality::of(&solid),
            likeness: Likeness::of(&solid, &field, cell),
            notes,
            written: Vec::new(),
        }
    }

    pub fn json(&self) -> serde_json::Value {
        let Self { name, cell, quality, likeness, notes, written } = self;
        serde_json::json!({
            "name": name,
            "cell": cell,
            "nodes": quality.nodes,
            "tets": quality.tets,
            "faces": quality.boundary_triangles,
            "volume": quality.volume,
            "volume_ratio": likeness.volume_ratio,
            "worst_dihedral_degrees": quality.worst_dihedral,
            "mean_dihedral_degrees": quality.mean_dihedral,
            "inverted": quality.inverted,
            "solid_to_surface": likeness.solid_to_surface,
            "surface_to_solid": likeness.surface_to_solid,
            "notes": notes,
            "written": written,
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, cell, quality, likeness, notes, written } = self;
        if !name.is_empty() {
            writeln!(f, "{name}")?;
        }
        let [least, most] = quality.worst_dihedral;
        let [mean_least, mean_most] = quality.mean_dihedral;
        let (of_surface, percent) = (likeness.hausdorff(), 100.0 * likeness.volume_ratio);
        writeln!(f, "  cells      {cell:.4} across")?;
        let (nodes, tets, faces) = (quality.nodes, quality.tets, quality.boundary_triangles);
        writeln!(f, "  mesh       {nodes} nodes, {tets} tets, {faces} faces outside")?;
        writeln!(
            f,
            "  angles     {least:.1}° to {most:.1}° between faces of a tet, in the mean {mean_least:.0}° to {mean_most:.0}°"
        )?;
        writeln!(f, "  volume     {:.5e}, {percent:.2} % of what the surface encloses", quality.volume)?;
        writeln!(
            f,
            "  surface    at most {of_surface:.3e} from the one given, {:.1} % of a cell",
            100.0 * of_surface / cell
        )?;
        notes.iter().try_for_each(|note| writeln!(f, "  note       {note}"))?;
        written.iter().try_for_each(|path| writeln!(f, "  written    {}", path.display()))
    }
}
