//! VTU files with a PVD time series, for ParaView: tets, triangles, wires and contacts, each in a series of its own.

use super::{ExportFrame, Exported, Exporter, Format, make_folder};
use crate::mesh::formats::pvd::TimeSeries;
use crate::mesh::formats::vtu::{self, Cells, DataArray, Layout, Values};
use crate::model::bodies::{BodyKind, Model};
use crate::run::error::{At, OutputError};
use crate::run::run_mesh::{RunBody, RunMesh};
use crate::run::whole_file;
use crate::solve::{ContactForce, elastic};
use std::ops::Range;
use std::path::{Path, PathBuf};

pub const FORMAT: Format = Format {
    name: "vtu",
    aliases: &[],
    what: "for ParaView: tets, triangles and wires with their fields, and a PVD time series of each",
    folder: "vtk",
    uses_materials: true,
    unwieldy: None,
    exporter: |folder| {
        Box::new(VtuFiles { folder: folder.to_owned(), layers: Vec::new(), contacts: Series::default() })
    },
};

#[derive(Debug)]
struct VtuFiles {
    folder: PathBuf,
    layers: Vec<Layer>,
    contacts: Series,
}

/// Index, time and file of each frame.
#[derive(Debug, Default)]
struct Series(Vec<(u64, f64, String)>);

/// Cells of one kind, with the body of each.
#[derive(Debug)]
struct Layer {
    kind: LayerKind,
    bodies: Vec<i64>,
    series: Series,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LayerKind {
    Solids,
    Surfaces,
    Wires,
}

impl Exporter for VtuFiles {
    fn begin(&mut self, run: Exported<'_>) -> Result<(), OutputError> {
        if self.layers.is_empty() {
            self.layers = layers(run.mesh);
        }
        if self.layers.is_empty() {
            let what = "the run has neither tets nor triangles nor wires to export";
            return Err(OutputError::NothingToExport { path: self.folder.clone(), what });
        }
        make_folder(&self.folder)
    }

    fn frame(&mut self, run: Exported<'_>, frame: &ExportFrame<'_>) -> Result<(), OutputError> {
        for layer in &mut self.layers {
            let name = format!("{}_{:06}.vtu", layer.kind.name(), frame.index);
            layer.write(&self.folder.join(&name), run, frame)?;
            layer.series.push(frame, name);
        }
        if let Some(forces) = frame.contacts {
            let name = format!("contacts_{:06}.vtu", frame.index);
            write_contacts(&self.folder.join(&name), forces, frame.t)?;
            self.contacts.push(frame, name);
        }
        Ok(())
    }

    /// The lists of all series.
    fn finish(&mut self) -> Result<Vec<PathBuf>, OutputError> {
        let layers = self.layers.iter().map(|layer| (layer.kind.name(), &layer.series));
        let contacts = Some(("contacts", &self.contacts)).filter(|(_, series)| !series.0.is_empty());
        let write = |(name, series): (&str, &Series)| {
            let path = self.folder.join(format!("{name}.pvd"));
            whole_file::write_lazily(&path, series.list().to_xml().as_bytes()).at(&path)?;
            Ok(path)
        };
        layers.chain(contacts).map(write).collect()
    }
}

impl Series {
    fn push(&mut self, frame: &ExportFrame<'_>, file: String) {
        self.0.retain(|(index, ..)| *index < frame.index);
        self.0.push((frame.index, frame.t, file));
    }

    fn list(&self) -> TimeSeries {
        let mut list = TimeSeries::default();
        self.0.iter().for_each(|(_, t, file)| list.push(*t, file));
        list
    }
}

impl LayerKind {
    fn name(self) -> &'static str {
        match self {
            LayerKind::Solids => "solids",
            LayerKind::Surfaces => "surfaces",
            LayerKind::Wires => "wires",
        }
    }

    fn cells(self, mesh: &RunMesh) -> Cells<'_> {
        match self {
            LayerKind::Solids => Cells::Tets(&mesh.tets),
            LayerKind::Surfaces => Cells::Triangles(&mesh.triangles),
            LayerKind::Wires => Cells::Wired(&[], &mesh.wires),
        }
    }
}

/// Solids as tets, bodies without tets as triangles, and wires as lines.
fn layers(mesh: &RunMesh) -> Vec<Layer> {
    // A cell that no body claims.
    const NONE: i64 = -1;
    let layer = |kind: LayerKind, count: usize, range: fn(&RunBody) -> Range<usize>| {
        let mut bodies = vec![NONE; count];
        mesh.bodies.iter().zip(0..).for_each(|(body, id)| bodies[range(body)].fill(id));
        Layer { kind, bodies, series: Series::default() }
    };
    let mut layers = Vec::new();
    if !mesh.tets.is_empty() {
        layers.push(layer(LayerKind::Solids, mesh.tets.len(), RunBody::tet_range));
    }
    let bare = |body: &RunBody| body.tet_range().is_empty() && !body.triangle_range().is_empty();
    if mesh.bodies.iter().any(bare) || mesh.tets.is_empty() && !mesh.triangles.is_empty() {
        // All surfaces, so that the triangles need no copy: those of solids can be hidden by their body.
        layers.push(layer(LayerKind::Surfaces, mesh.triangles.len(), RunBody::triangle_range));
    }
    if !mesh.wires.is_empty() {
        layers.push(layer(LayerKind::Wires, mesh.wires.len(), RunBody::wire_range));
    }
    layers
}

fn array<'a>(name: &'a str, components: usize, values: Values<'a>) -> DataArray<'a> {
    DataArray { name, components, values }
}

fn write(path: &Path, frame: &vtu::Frame<'_>) -> Result<(), OutputError> {
    let mut bytes = Vec::new();
    let encoded = vtu::write(&mut bytes, frame, Layout::Appended, true);
    encoded.map_err(|error| OutputError::Export { path: path.to_owned(), error })?;
    whole_file::write_lazily(path, &bytes).at(path)
}

impl Layer {
    fn write(&self, path: &Path, run: Exported<'_>, frame: &ExportFrame<'_>) -> Result<(), OutputError> {
        let (x, rest) = (&frame.vertices.x, &run.mesh.rest);
        let displacement: Vec<f64> =
            x.as_flattened().iter().zip(rest.as_flattened()).map(|(x, rest)| x - rest).collect();
        let positions: Vec<_> = x.iter().map(|&x| x.into()).collect();
        let solids = self.kind == LayerKind::Solids;
        let density = run.model.filter(|_| solids).map(|model| density_in_solids(model, frame.nodes.x.as_flattened()));
        let mut cell_data = vec![array("body", 1, Values::I64(&self.bodies))];
        if let Some(density) = &density {
            cell_data.push(array("energy_density", 1, Values::F64(density)));
        }
        let point_data = [
            array("velocity", 3, Values::F64(frame.vertices.v.as_flattened())),
            array("displacement", 3, Values::F64(&displacement)),
        ];
        let cells = self.kind.cells(run.mesh);
        let (point_data, cell_data, time) = (&point_data[..], &cell_data[..], Some(frame.t));
        let interpolated = frame.interpolated;
        write(path, &vtu::Frame { positions: &positions, cells, point_data, cell_data, time, interpolated })
    }
}

/// Elastic energy a volume `[J/m³]` of each tet, those of solids alone.
fn density_in_solids(model: &Model, x: &[f64]) -> Vec<f64> {
    let all = elastic::energy_density(model, x);
    let solids = model.bodies.iter().filter(|body| body.kind == BodyKind::Solid);
    solids.flat_map(|body| all[body.tets.clone()].iter().copied()).collect()
}

/// A point between the surfaces of each pair, with the forces on the first.
fn write_contacts(path: &Path, forces: &[ContactForce], t: f64) -> Result<(), OutputError> {
    let positions: Vec<_> = forces.iter().map(|f| 0.5 * (f.points[0] + f.points[1])).collect();
    let flat = |of: fn(&ContactForce) -> [f64; 3]| forces.iter().flat_map(of).collect::<Vec<f64>>();
    let (normal, friction) = (flat(|f| f.normal.into()), flat(|f| f.friction.into()));
    let surface = |side: usize| forces.iter().map(|f| i64::from(f.surfaces[side])).collect::<Vec<i64>>();
    let (first, second) = (surface(0), surface(1));
    let gap: Vec<f64> = forces.iter().map(|f| (f.points[0] - f.points[1]).norm()).collect();
    let point_data = [
        array("normal_force", 3, Values::F64(&normal)),
        array("friction_force", 3, Values::F64(&friction)),
        array("first", 1, Values::I64(&first)),
        array("second", 1, Values::I64(&second)),
        array("distance", 1, Values::F64(&gap)),
    ];
    let (point_data, cell_data, time, interpolated) = (&point_data[..], &[][..], Some(t), false);
    write(path, &vtu::Frame { positions: &positions, cells: Cells::Points, point_data, cell_data, time, interpolated })
}
