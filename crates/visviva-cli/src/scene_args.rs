//! A scene as the command line names and changes it.

use crate::failure::OrUsage;
use crate::gallery;
use std::path::Path;
use visviva::integrate::IntegratorSpec;
use visviva::scene::{Built, Scene, SceneSource};
use visviva_sweep::naming;

#[derive(Debug, Clone, clap::Args)]
pub struct SceneArgs {
    /// A scene file, or the name of a gallery scene (`visviva scenes`)
    pub scene: String,
    /// Another integrator (`visviva integrators`)
    #[arg(long)]
    pub integrator: Option<String>,
    /// Another time step [s], such as 1/120
    #[arg(long)]
    pub h: Option<String>,
    /// Another duration [s]
    #[arg(long)]
    pub duration: Option<String>,
    /// Another energy wanted, such as decay:half_life=2, rest:at=3,ground=equilibrium or curve:file=drawn.csv (docs/energy.md)
    #[arg(long)]
    pub target: Option<String>,
    /// Change any key of the scene, such as energy.target=decay or body.0.box.cells=[4,4,4]
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
}

impl SceneArgs {
    pub fn load(&self) -> anyhow::Result<(SceneSource, Scene, Built)> {
        let (source, scene) = self.parse()?;
        let built = scene.build().map_err(|e| format!("{}: {e}", source.name)).or_usage()?;
        Ok((source, scene, built))
    }

    /// The scene with its changes, not built yet.
    pub fn parse(&self) -> anyhow::Result<(SceneSource, Scene)> {
        let source = gallery::find(&self.scene).or_usage()?;
        let integrator = self.integrator.iter().map(|name| format!("run.integrator={name}"));
        let assignments: Vec<String> = integrator.chain(self.other_changes()).collect();
        let mut scene = source.parse(&assignments).or_usage()?;
        if let Some(target) = &self.target {
            scene.energy.aim(target).or_usage()?;
        }
        Ok((source, scene))
    }

    fn other_changes(&self) -> impl Iterator<Item = String> {
        let short = [("run.h", &self.h), ("run.duration", &self.duration)];
        let short = short.into_iter().filter_map(|(key, value)| value.as_ref().map(|v| format!("{key}={v}")));
        short.chain(self.set.iter().cloned())
    }

    /// A folder's name that says what is run: scene, integrator, and what was changed.
    pub fn run_name(&self, integrator: &IntegratorSpec) -> String {
        let stem = Path::new(&self.scene).file_stem().unwrap_or_default().to_string_lossy();
        let changes: Vec<(String, String)> = self
            .other_changes()
            .filter_map(|change| change.split_once('=').map(|(key, value)| (key.trim().into(), value.trim().into())))
            .filter(|(key, _)| key != "run.integrator")
            .chain(self.target.iter().map(|target| ("target".into(), target.to_string())))
            .collect();
        let name = format!("{stem}-{}", naming::plain(&integrator.to_string()));
        if changes.is_empty() { name } else { format!("{name},{}", naming::of_changes(&changes)) }
    }
}
