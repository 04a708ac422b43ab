//! `visviva check SCENE`: what the scene is, without running it.

use crate::args::step_label;
use crate::failure::OrUsage;
use crate::fault_drawing::{Fault, FaultDrawing};
use crate::scene_args::SceneArgs;
use crate::table::Table;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use visviva::mesh::{Mesh, Quality, unique_edges};
use visviva::model::bodies::{BodyKind, Model, ModelBody, node_of};
use visviva::readable::{self, duration, length};
use visviva::scene::{BuildError, Built, PlaceKind, Run, Scene, StartContact, unwatched};
use visviva::session::Session;
use visviva::solve::{Backend, BodiesSolver};

#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Where to draw triangles that intersect (kind 1) or are too near each other (kind 2) at the start; by default
    /// SCENE-intersections.vtu. Nothing is written where there are none
    #[arg(long, value_name = "FILE")]
    vtu: Option<PathBuf>,
    /// Take the first steps, and say about how long a run would take
    #[arg(long)]
    estimate: bool,
}

/// Places told one by one.
const TOLD: usize = 10;

impl CheckArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let (source, scene) = self.scene.parse()?;
        let built = scene.build().inspect_err(|error| {
            if let BuildError::StartContact(start) = error {
                self.show(start);
            }
        });
        let mut built = built.map_err(|e| format!("{}: {e}", source.name)).or_usage()?;
        println!("{}: {}\n", source.name, scene.title);
        print!("{}", bodies_table(&built));
        for warning in &built.warnings {
            println!("warning: {warning}");
        }
        for hint in &built.hints {
            println!("hint: {hint}");
        }
        let bodies = &built.model;
        let nodes = bodies.bodies.last().map_or(0, |body| body.nodes.end);
        println!("\npinned nodes     {}", bodies.pins.iter().filter(|pin| pin.node < nodes).count());
        if !bodies.joints.is_empty() {
            println!("joints           {}", bodies.joints.len());
        }
        println!(
            "integrator       {}, h = {} s, {} s",
            built.integrator,
            step_label(built.h),
            scene.run.duration.value
        );
        if let Some(advice) = frame_advice(&scene.run) {
            println!("{advice}");
        }
        let mut solver = BodiesSolver::new(bodies.clone(), built.solver)?;
        let energies = solver.evaluation(&built.start.x).energies;
        let kinetic = solver.mass().kinetic_energy(&built.start.v);
        let terms: Vec<String> =
            solver.terms().iter().zip(energies.as_slice()).map(|(term, e)| format!("{term} {e:.6}")).collect();
        println!("start energy     {:.6} J: kinetic {kinetic:.6}, {}", energies.total() + kinetic, terms.join(", "));
        advise(&built);
        let begun = Instant::now();
        if let Some(found) = built.find_ground(&mut |_| ControlFlow::Continue(())).or_usage()? {
            let took = duration(begun.elapsed().as_secs_f64());
            let after = found
                .time
                .map_or(String::new(), |time| format!(", to which they come in {time:.1} s (found in {took})"));
            println!("ground energy    {:.6} J: the bodies at rest{after}", found.energy);
        }
        if let Some(unwatched) = unwatched(&built.model) {
            println!("not watched      {unwatched}");
        }
        if self.estimate {
            estimate(scene, built)?;
        }
        println!("\nthe scene is sound");
        Ok(())
    }

    /// Lists and draws what is in its own way at the start.
    fn show(&self, start: &StartContact) {
        let mut drawing = FaultDrawing::default();
        for place in &start.places {
            let kind = match place.kind {
                PlaceKind::Intersection => Fault::Intersection,
                PlaceKind::Gap { .. } => Fault::SmallGap,
            };
            for i in 0..2 {
                drawing.add(kind, place.surfaces[i].into(), place.triangles[i].into(), place.corners[i]);
            }
        }
        start.places.iter().take(TOLD).for_each(|place| println!("{place}"));
        if start.places.len() > TOLD {
            println!("… and {} more", start.places.len() - TOLD);
        }
        let path = self.vtu.clone().unwrap_or_else(|| {
            let stem = Path::new(&self.scene.scene).file_stem().unwrap_or_default().to_string_lossy();
            format!("{stem}-intersections.vtu").into()
        });
        // That the picture cannot be written must not hide what is wrong with the scene.
        match drawing.write(&path, None) {
            Ok(()) => println!("these triangles are in {}", path.display()),
            Err(error) => println!("warning: {error:#}"),
        }
    }
}

/// Steps that an estimate takes, unless they last too long.
const TRIED_STEPS: u64 = 20;
const LONGEST_TRIAL: Duration = Duration::from_secs(10);

fn estimate(scene: Scene, built: Built) -> anyhow::Result<()> {
    let total = scene.run.step_count();
    let mut session = Session::from_built(scene, built)?;
    let begun = Instant::now();
    while session.steps() < total.min(TRIED_STEPS) && begun.elapsed() < LONGEST_TRIAL {
        session.step()?;
    }
    let each = begun.elapsed().as_secs_f64() / session.steps() as f64;
    println!(
        "time             about {} for {total} steps, if all are like the first {}: {} each",
        duration(each * total as f64),
        session.steps(),
        duration(each)
    );
    Ok(())
}

/// Where frames do not fall on steps.
fn frame_advice(run: &Run) -> Option<String> {
    if run.step_bounds().is_some() {
        return None;
    }
    let (rate, h, steps) = (run.frame_rate, step_label(run.h.value), run.steps_a_frame());
    if steps < 1.0 - 1e-9 {
        return Some(format!(
            "frames           a step of {h} s is longer than a frame ({rate} a second): every step is written; exports and films \
             are interpolated to even times"
        ));
    }
    let off = (steps - steps.round()).abs() > 1e-6 * steps;
    off.then(|| {
        format!(
            "frames           {rate} a second do not fall on steps of {h} s: each is taken at the nearest step, and exports and \
             films are interpolated to even times. A step of {} s would fit",
            step_label(1.0 / (steps.round() * rate))
        )
    })
}

fn bodies_table(built: &Built) -> Table {
    let header = ["body", "kind", "nodes", "tets", "faces", "mass", "size", "volume [m³]", "dihedral [°]", "edges"];
    let mut table = Table::new(header);
    let bodies = built.model.bodies.iter().zip(&built.meshes);
    for (body, mesh) in bodies.clone().take(MOST_ROWS) {
        let [low, high] = mesh.bounds();
        let mass: f64 = built.model.node_mass[body.nodes.clone()].iter().sum();
        let quality = if let Mesh::Tets(mesh) = mesh { Some(mesh.quality()) } else { None };
        let of_tets = |show: &dyn Fn(&Quality) -> String| quality.as_ref().map_or("–".to_owned(), show);
        let (shortest, longest) = edge_lengths(mesh);
        table.row([
            body.name.clone(),
            body.kind.name().to_owned(),
            body.nodes.len().to_string(),
            of_tets(&|_| body.tets.len().to_string()),
            mesh.triangle_count().to_string(),
            readable::mass(mass),
            [0, 1, 2].map(|k| length(high[k] - low[k])).join(" × "),
            of_tets(&|q| format!("{:.4e}", q.volume)),
            of_tets(&|q| format!("{:.1} to {:.1}", q.min_dihedral.0, q.max_dihedral.0)),
            format!("{} to {}", length(shortest), length(longest)),
        ]);
    }
    if let Some(more) = bodies.len().checked_sub(MOST_ROWS).filter(|&more| more > 0) {
        table.row([format!("… and {more} more")].into_iter().chain(std::iter::repeat_n(String::new(), 9)));
    }
    table
}

/// A net has hundreds of bodies, all alike.
const MOST_ROWS: usize = 30;

fn edge_lengths(mesh: &Mesh) -> (f64, f64) {
    match mesh {
        Mesh::Tets(mesh) => {
            let quality = mesh.quality();
            (quality.shortest_edge.0, quality.longest_edge.0)
        }
        Mesh::Surface(mesh) => {
            let length = |[a, b]: [u32; 2]| (mesh.positions[a as usize] - mesh.positions[b as usize]).norm();
            let lengths = unique_edges(&mesh.triangles).into_iter().map(length);
            lengths.fold((f64::INFINITY, 0.0), |(low, high), l| (low.min(l), high.max(l)))
        }
    }
}

/// What the step resolves: waves across an element and across the body, and the fastest start motion.
fn advise(built: &Built) {
    let bodies = &built.model;
    let all = bodies.bodies.iter().zip(&built.meshes).zip(&built.settings_of);
    let mut told = None;
    for ((body, mesh), settings) in all.take(MOST_ROWS) {
        // Copies are all alike.
        if told.replace(settings) == Some(settings) {
            continue;
        }
        let [low, high] = mesh.bounds();
        let name = format!("body `{}`", body.name);
        if let Some(speed) = wave_speed(bodies, body, mesh) {
            let across = (high - low).max() / speed;
            let explicit = edge_lengths(mesh).0 / speed;
            println!(
                "{name:<16} waves run at {speed:.1} m/s: {across:.1e} s across it, {explicit:.1e} s across its shortest edge",
            );
            let advice = if built.h < explicit {
                "the step resolves every wave; explicit methods would be stable"
            } else if built.h < across {
                "the step resolves the body's own vibration but not its finest waves: implicit methods, A-search"
            } else {
                "the step is longer than a wave's way through the body: vibration is not resolved, only kept in energy"
            };
            println!("                 {advice}");
        }
        let fastest = body.nodes.clone().map(|i| node_of(&built.start.v, i).norm()).fold(0.0, f64::max);
        let size = if body.kind == BodyKind::Shell { (high - low).max() } else { (high - low).min() };
        if fastest * built.h > 0.5 * size {
            println!(
                "{name:<16} it starts at {fastest:.2} m/s and moves more than half its size in a step: use a smaller h"
            );
        }
    }
}

/// Of pressure waves [m/s]; a stiff body has none.
fn wave_speed(bodies: &Model, body: &ModelBody, mesh: &Mesh) -> Option<f64> {
    let mass: f64 = bodies.node_mass[body.nodes.clone()].iter().sum();
    match (body.kind, mesh) {
        (BodyKind::Solid, Mesh::Tets(mesh)) => {
            let (mu, lambda) = bodies.tets.laws.get(body.tets.start)?.solid.lame();
            Some(((lambda + 2.0 * mu) * mesh.volume() / mass).sqrt())
        }
        (BodyKind::Shell, Mesh::Surface(mesh)) => {
            let first = bodies.membranes.nodes.iter().position(|nodes| body.nodes.contains(&(nodes[0] as usize)))?;
            let (mu, lambda) = bodies.membranes.laws[first].membrane.parameters();
            Some(((lambda + 2.0 * mu) * mesh.area() / mass).sqrt())
        }
        _ => None,
    }
}
