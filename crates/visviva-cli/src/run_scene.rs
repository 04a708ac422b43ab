//! The scene that a run folder was made from.

use crate::failure::OrUsage;
use anyhow::Context;
use visviva::mesh::FirstFew;
use visviva::run::RunFolder;
use visviva::scene::{Built, Scene, SceneSource};
use visviva::solve::{BodiesSolver, elastic, equilibrium};

/// As it was resolved; file names in it are absolute.
pub fn scene_of(folder: &RunFolder) -> anyhow::Result<(SceneSource, Scene)> {
    let source = SceneSource {
        name: folder.path().join("run.toml").display().to_string(),
        text: folder.run_toml()?,
        folder: Default::default(),
    };
    let scene = source.parse(&[])?;
    Ok((source, scene))
}

/// With its bodies built again.
pub fn built_of(folder: &RunFolder) -> anyhow::Result<(Scene, Built)> {
    let (source, scene) = scene_of(folder)?;
    let built = scene.build().with_context(|| source.name.clone())?;
    Ok((scene, built))
}

/// The energy of the bodies at rest [J].
pub fn ground(built: &Built, world: &mut BodiesSolver) -> anyhow::Result<f64> {
    let found = equilibrium(world, &built.start.x, 0.0);
    Ok(found.map_err(|e| format!("energy.ground = \"equilibrium\" (give joules instead): {e}")).or_usage()?.energy)
}

/// Why no step can be taken from the start position: elements that its deformations turned inside out.
pub fn start_problem(built: &Built) -> Option<String> {
    let density = elastic::energy_density(&built.model, &built.start.x);
    built.model.bodies.iter().find_map(|body| {
        let inverted = body.tets.clone().filter(|&tet| !density[tet].is_finite()).map(|tet| tet - body.tets.start);
        let which = FirstFew::of(inverted);
        (which.count > 0).then(|| {
            let (name, total) = (&body.name, body.tets.len());
            let count = which.count;
            format!(
                "body `{name}`: {count} of {total} tets are inverted at the start: {which}; deform it less, or take a law that allows it"
            )
        })
    })
}
