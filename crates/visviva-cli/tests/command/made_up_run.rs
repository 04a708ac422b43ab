//! Run folders that no scene stands behind.

use super::place::Place;
use std::path::{Path, PathBuf};
use visviva::energy::alpha::AlphaOutcome;
use visviva::run::{NewRun, RunBody, RunFolder, RunMesh, StatsRow, StatsWriter};

pub fn body(name: &str, nodes: [usize; 2], tets: [usize; 2], triangles: [usize; 2]) -> RunBody {
    let (name, kind, material) = (name.into(), "solid".into(), "none".into());
    RunBody { name, vertices: nodes, tets, triangles, wires: [0; 2], kind, material }
}

pub fn mesh() -> RunMesh {
    RunMesh {
        attachments: Vec::new(),
        rest: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]],
        tets: vec![[0, 1, 2, 3], [0, 2, 1, 4]],
        triangles: vec![[1, 2, 3], [1, 4, 2]],
        wires: vec![],
        bodies: vec![body("upper", [0, 4], [0, 1], [0, 1]), body("lower", [4, 5], [1, 2], [1, 2])],
        skins: vec![],
    }
}

pub fn create(path: &Path, toml: &str, mesh: &RunMesh) -> RunFolder {
    RunFolder::create(path, false, NewRun { toml, mesh, inputs: &[], history: None }).unwrap()
}

/// A run of some steps with a frame each.
pub fn run(place: &Place, name: &str, integrator: &str, steps: u64) -> PathBuf {
    let path = place.path(name);
    let toml = format!("[run]\nintegrator = \"{integrator}\"\nh = \"1/100\"\n");
    let run = create(&path, &toml, &mesh());
    let mut stats = StatsWriter::create(&run.stats_path()).unwrap();
    let searches = integrator.starts_with("a-");
    for step in 0..steps {
        let t = step as f64 / 100.0;
        let total = if searches { 5.0 } else { 5.0 * (-t).exp() };
        let row = StatsRow {
            step,
            t,
            h: 0.01,
            kinetic: total * t.cos().powi(2),
            elastic: Some(total * t.sin().powi(2)),
            total,
            target: Some(5.0 + 1e-12 * t.sin()),
            alpha: searches.then(|| 1.0 + 0.1 * (9.0 * t).sin()),
            alpha_outcome: searches.then_some(AlphaOutcome::OnTarget),
            lz: 1.0 - 0.1 * t,
            newton: 3 + step % 4,
            converged: true,
            ..StatsRow::default()
        };
        stats.write(&row).unwrap();
        let x: Vec<f64> = mesh().rest.as_flattened().iter().map(|x| x + t).collect();
        run.write_frame(step, step, t, &x, &[0.5; 15]).unwrap();
    }
    path
}
