//! `visviva export`: a run's frames as VTU files with a PVD time series, for ParaView, or as OBJ files.

use super::export_obj;
use super::study::progress;
use crate::run_scene::built_of;
use anyhow::{Context, ensure};
use std::path::{Path, PathBuf};
use visviva::mesh::formats::pvd::TimeSeries;
use visviva::mesh::formats::vtu::{self, Cells, DataArray, Layout, Values};
use visviva::model::bodies::BodyKind;
use visviva::run::{Frame, FrameInfo, RunFolder, RunMesh, whole_file};
use visviva::solve::{ContactForce, elastic};

#[derive(Debug, clap::Args)]
pub struct ExportArgs {
    /// The folder of a run
    #[arg(value_name = "DIR")]
    run: PathBuf,
    #[arg(long, value_enum, default_value_t = Format::Vtu)]
    format: Format,
    /// Where the files go; by default into vtk/ or obj/ in the run's folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Only every N-th frame
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, clap::ValueEnum)]
enum Format {
    /// For ParaView: tets, triangles and wires with their fields, and a PVD time series of each
    Vtu,
    /// For Blender and Houdini: surfaces and wires, an object a body, a file a frame
    Obj,
}

/// Elastic energy a tet and volume [J/m³] from the positions of all nodes.
pub type EnergyDensity<'a> = &'a dyn Fn(&[[f64; 3]]) -> Vec<f64>;

impl ExportArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let run = RunFolder::open(&self.run)?;
        let folder = if self.format == Format::Obj { "obj" } else { "vtk" };
        let out = self.out.clone().unwrap_or_else(|| self.run.join(folder));
        let missing = run.missing_frames()?;
        if !missing.is_empty() {
            let first: Vec<String> = missing.iter().take(5).map(|i| i.to_string()).collect();
            let more = if missing.len() > 5 { ", …" } else { "" };
            eprintln!("warning: frames {}{more} are missing and left out", first.join(", "));
        }
        if self.format == Format::Obj {
            let [first, last] = export_obj::export(&run, &out, self.every)?;
            println!("{} to {}", first.display(), last.display());
            return Ok(());
        }
        // A run whose mesh files are gone is still exported, without what needs its materials.
        let bodies = match built_of(&run) {
            Ok((_, built)) => Some(built.model),
            Err(error) => {
                eprintln!("warning: no energy density: {error:#}");
                None
            }
        };
        let density = bodies.as_ref().map(|bodies| {
            |x: &[[f64; 3]]| {
                let all = elastic::energy_density(bodies, x.as_flattened());
                let solids = bodies.bodies.iter().filter(|body| body.kind == BodyKind::Solid);
                solids.flat_map(|body| all[body.tets.clone()].iter().copied()).collect()
            }
        });
        let density = density.as_ref().map(|d| d as EnergyDensity<'_>);
        let series = export(&run, &out, self.every, density)?;
        let names: Vec<String> = series.iter().map(|path| path.display().to_string()).collect();
        println!("{}", names.join("\n"));
        Ok(())
    }
}

/// Writes every `every`-th frame that is there; returns the time series to open.
///
/// Solids are written as tets, and bodies without tets as triangles in a series of their own, and so are wires as lines.
pub fn export(
    run: &RunFolder,
    out: &Path,
    every: u64,
    energy_density: Option<EnergyDensity>,
) -> anyhow::Result<Vec<PathBuf>> {
    let mesh = run.mesh()?;
    let layers = layers(&mesh);
    let chosen = chosen_frames(run, every)?;
    ensure!(!layers.is_empty(), "{}: the run has neither tets nor triangles nor wires to export", run.path().display());
    std::fs::create_dir_all(out).with_context(|| format!("cannot make the folder {}", out.display()))?;
    let bar = progress(chosen.len() as u64);
    let mut series = vec![TimeSeries::default(); layers.len()];
    let mut contacts = TimeSeries::default();
    for info in &chosen {
        let (nodes, frame) = run.read_nodes_and_vertices(&mesh, info.index)?;
        for (layer, series) in layers.iter().zip(&mut series) {
            let name = format!("{}_{:06}.vtu", layer.name, info.index);
            let path = out.join(&name);
            let bytes = layer.encode(&mesh, &nodes, &frame, info.t, energy_density);
            let bytes = bytes.with_context(|| format!("{} cannot be exported", info.path.display()))?;
            whole_file::write_lazily(&path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
            series.push(info.t, name);
        }
        if let Some(forces) = run.read_contacts(info.index)? {
            let name = format!("contacts_{:06}.vtu", info.index);
            let path = out.join(&name);
            let bytes = encode_contacts(&forces, info.t)?;
            whole_file::write_lazily(&path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
            contacts.push(info.t, name);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let mut paths = Vec::new();
    let named = layers.iter().map(|layer| layer.name).zip(series);
    let with_contacts = Some(("contacts", contacts)).filter(|(_, series)| !series.is_empty());
    for (name, series) in named.chain(with_contacts) {
        let path = out.join(format!("{name}.pvd"));
        let written = whole_file::write_lazily(&path, series.to_xml().as_bytes());
        written.with_context(|| format!("cannot write {}", path.display()))?;
        paths.push(path);
    }
    Ok(paths)
}

/// At least one.
pub fn chosen_frames(run: &RunFolder, every: u64) -> anyhow::Result<Vec<FrameInfo>> {
    let chosen: Vec<_> = run.frames()?.into_iter().filter(|f| f.index % every == 0).collect();
    ensure!(!chosen.is_empty(), "{}: the run has no frames to export", run.path().display());
    Ok(chosen)
}

/// A point between the surfaces of each pair, with the forces on the first.
fn encode_contacts(forces: &[ContactForce], t: f64) -> anyhow::Result<Vec<u8>> {
    let positions: Vec<_> = forces.iter().map(|f| 0.5 * (f.points[0] + f.points[1])).collect();
    let flat = |of: fn(&ContactForce) -> [f64; 3]| forces.iter().flat_map(of).collect::<Vec<f64>>();
    let (normal, friction) = (flat(|f| f.normal.into()), flat(|f| f.friction.into()));
    let surface = |side: usize| forces.iter().map(|f| i64::from(f.surfaces[side])).collect::<Vec<i64>>();
    let (first, second) = (surface(0), surface(1));
    let gap: Vec<f64> = forces.iter().map(|f| (f.points[0] - f.points[1]).norm()).collect();
    let array = |name, components, values| DataArray { name, components, values };
    let point_data = [
        array("normal_force", 3, Values::F64(&normal)),
        array("friction_force", 3, Values::F64(&friction)),
        array("first", 1, Values::I64(&first)),
        array("second", 1, Values::I64(&second)),
        array("distance", 1, Values::F64(&gap)),
    ];
    let frame = vtu::Frame {
        positions: &positions,
        cells: Cells::Points,
        point_data: &point_data,
        cell_data: &[],
        time: Some(t),
    };
    let mut bytes = Vec::new();
    vtu::write(&mut bytes, &frame, Layout::Appended, true)?;
    Ok(bytes)
}

/// Cells of one kind, with the body of each.
struct Layer<'a> {
    name: &'static str,
    cells: Cells<'a>,
    bodies: Vec<i64>,
}

fn layers(mesh: &RunMesh) -> Vec<Layer<'_>> {
    let mut layers = Vec::new();
    // A cell that no body claims.
    const NONE: i64 = -1;
    if !mesh.tets.is_empty() {
        let mut bodies = vec![NONE; mesh.tets.len()];
        mesh.bodies.iter().zip(0..).for_each(|(body, id)| bodies[body.tet_range()].fill(id));
        layers.push(Layer { name: "solids", cells: Cells::Tets(&mesh.tets), bodies });
    }
    let bare = |body: &visviva::run::RunBody| body.tet_range().is_empty() && !body.triangle_range().is_empty();
    if mesh.bodies.iter().any(bare) || mesh.tets.is_empty() && !mesh.triangles.is_empty() {
        // All surfaces, so that the triangles need no copy: those of solids can be hidden by their body.
        let mut bodies = vec![NONE; mesh.triangles.len()];
        mesh.bodies.iter().zip(0..).for_each(|(body, id)| bodies[body.triangle_range()].fill(id));
        layers.push(Layer { name: "surfaces", cells: Cells::Triangles(&mesh.triangles), bodies });
    }
    if !mesh.wires.is_empty() {
        let mut bodies = vec![NONE; mesh.wires.len()];
        mesh.bodies.iter().zip(0..).for_each(|(body, id)| bodies[body.wire_range()].fill(id));
        layers.push(Layer { name: "wires", cells: Cells::Wired(&[], &mesh.wires), bodies });
    }
    layers
}

impl Layer<'_> {
    fn encode(
        &self,
        mesh: &RunMesh,
        nodes: &Frame,
        frame: &Frame,
        t: f64,
        density: Option<EnergyDensity>,
    ) -> anyhow::Result<Vec<u8>> {
        let displacement: Vec<f64> = frame
            .x
            .iter()
            .zip(&mesh.rest)
            .flat_map(|(x, rest)| std::array::from_fn::<f64, 3, _>(|i| x[i] - rest[i]))
            .collect();
        let positions: Vec<_> = frame.x.iter().map(|&x| x.into()).collect();
        let density = match self.cells {
            Cells::Tets(_) => density.map(|density| density(&nodes.x)),
            Cells::Triangles(_) | Cells::Wired(..) | Cells::Points => None,
        };
        let array = |name, components, values| DataArray { name, components, values };
        let mut cell_data = vec![array("body", 1, Values::I64(&self.bodies))];
        if let Some(density) = &density {
            cell_data.push(array("energy_density", 1, Values::F64(density)));
        }
        let point_data = [
            array("velocity", 3, Values::F64(frame.v.as_flattened())),
            array("displacement", 3, Values::F64(&displacement)),
        ];
        let frame = vtu::Frame {
            positions: &positions,
            cells: self.cells,
            point_data: &point_data,
            cell_data: &cell_data,
            time: Some(t),
        };
        let mut bytes = Vec::new();
        vtu::write(&mut bytes, &frame, Layout::Appended, true)?;
        Ok(bytes)
    }
}
