//! `visviva mesh`: a closed surface filled with tetrahedra, with a report on how good they are.

mod picture;
mod report;

use crate::failure::{OrUsage, Usage};
use anyhow::{Context, anyhow};
use report::Report;
use std::path::{Path, PathBuf};
use visviva::mesh::{CleanSurface, Content, Filled, fill, load_content, write_mesh};
use visviva::scene::Detail;
use visviva_shapes::{PolygonMesh, distinct_names, join_patches};

#[derive(Debug, clap::Args)]
pub struct MeshArgs {
    /// A closed surface: OBJ, STL, PLY, OFF, glTF
    file: PathBuf,
    /// Edge of the cells, in the file's units; smaller ones follow the surface more closely
    #[arg(long, value_name = "LENGTH", conflicts_with = "cells")]
    cell: Option<f64>,
    /// Cells along the longest side, in place of --cell [default: 16]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    cells: Option<u32>,
    /// Let cells grow towards the inside
    #[arg(long)]
    graded: bool,
    /// Where the tetrahedra go: .msh, .vtk or .vtu; without it only the report is made
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// A picture of the solid, whole and cut open
    #[arg(long, value_name = "FILE.png")]
    picture: Option<PathBuf>,
    /// Print machine-readable results
    #[arg(long)]
    json: bool,
}

impl MeshArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let (objects, warnings) = match load_content(&self.file).or_usage()? {
            Content::Surfaces(loaded) => (join_patches(loaded.mesh), loaded.warnings),
            Content::Tets(_) => {
                let file = self.file.display();
                return Err(Usage(format!("{file} holds tets already: a scene takes it as it is")).into());
            }
        };
        warnings.iter().for_each(|warning| eprintln!("warning: {}: {warning}", self.file.display()));
        let several = objects.len() > 1;
        let mut reports = Vec::new();
        for (object, name) in objects.iter().zip(distinct_names(&objects)) {
            let part = several.then_some(name);
            let report = self.fill(object, part.as_deref()).with_context(|| match &part {
                Some(part) => format!("{}, object `{part}`", self.file.display()),
                None => self.file.display().to_string(),
            })?;
            if !self.json {
                print!("{report}");
            }
            reports.push(report);
        }
        if self.json {
            let rows: Vec<_> = reports.iter().map(Report::json).collect();
            println!("{}", serde_json::to_string_pretty(&rows)?);
        }
        Ok(())
    }

    fn fill(&self, object: &PolygonMesh, part: Option<&str>) -> anyhow::Result<Report> {
        let CleanSurface { mesh: surface, mut notes, defects, .. } = CleanSurface::of(object);
        defects.check_solid().or_usage()?;
        notes.extend(defects.lines());
        let [low, high] = visviva::mesh::Mesh::Surface(surface.clone()).bounds();
        let detail = match (self.cell, self.cells) {
            (Some(cell), _) => Detail::Cell(cell),
            (None, Some(cells)) => Detail::Cells(cells as usize),
            (None, None) => Detail::default(),
        };
        let cell = detail.cell((high - low).max());
        let Filled { mesh, losses, .. } = fill(&surface, cell, self.graded).or_usage()?;
        notes.extend(losses.map(|losses| losses.to_string()));
        let mut report = Report::of(part.unwrap_or(&object.name), &surface, &mesh, cell, notes);
        if let Some(path) = &self.picture {
            let path = of_part(path, part);
            picture::draw(&mesh, &path)?;
            report.written.push(path);
        }
        if let Some(path) = &self.out {
            let path = of_part(path, part);
            write_mesh(&path, &mesh.into()).map_err(|problem| anyhow!("{problem}"))?;
            report.written.push(path);
        }
        Ok(report)
    }
}

/// `body.msh` of the part `lid` is `body.lid.msh`.
fn of_part(path: &Path, part: Option<&str>) -> PathBuf {
    let Some(part) = part else { return path.to_owned() };
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    path.with_extension(format!("{}.{ending}", part.replace(['/', '\\'], "_")))
}
