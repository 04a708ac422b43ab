//! Small runs of every kind, complete, interrupted and killed, and what each comes to.

use super::program::Program;
use super::snapshot::{self, Files};
use anyhow::{Result, ensure};
use std::path::{Path, PathBuf};
use visviva::mesh::generate;
use visviva::run::{Inventory, RunFolder, checkpoint};
use visviva::scene::{Body, Scene, SceneSource};
use visviva::session::{Ending, RecordOptions, Session};

/// A run before anything is done to it.
#[derive(Debug)]
pub struct GoodRun {
    pub folder: PathBuf,
    /// What its last checkpoint answers for
    pub inventory: Inventory,
    /// All files once it was resumed to its end
    pub end: Files,
}

const SOLID: &str = r#"
title = "A cube falls"
run = { h = "1/100", duration = 0.12, frame_rate = 50 }
contact = { friction = 0.3 }
[[body]]
name = "cube"
material = { youngs_modulus = 1e5 }
box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }
translate = [0, 0, 0.0515]
[[obstacle]]
name = "ground"
plane = { size = 4 }
"#;

const BY_BODY: &str = r#"
title = "Two bars"
run = { h = "1/100", duration = 0.12, frame_rate = 30, by_body = true, contacts = true }
[[material]]
name = "rubber"
youngs_modulus = 1e5
[[body]]
name = "lower"
material = "rubber"
box = { size = [0.2, 0.1, 0.1], cells = [1, 1, 1] }
translate = [0, 0, 0.0515]
[[body]]
name = "upper"
material = "rubber"
box = { size = [0.2, 0.1, 0.1], cells = [1, 1, 1] }
translate = [0.05, 0, 0.1545]
[[obstacle]]
name = "ground"
plane = { size = 4 }
"#;

const AFFINE: &str = r#"
title = "A stiff die"
run = { h = "1/100", duration = 0.12, frame_rate = 50, contacts = true, integrator = "implicit-euler" }
[[body]]
name = "die"
kind = "affine"
material = { youngs_modulus = 1e7, density = 500 }
box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }
translate = [0, 0, 0.053]
velocity = { angular = [0, 2, 0] }
[[obstacle]]
name = "ground"
plane = { size = 4 }
"#;

const SHELL: &str = r#"
title = "A sheet"
run = { h = "1/100", duration = 0.12, frame_rate = 100, integrator = "bdf2" }
[[body]]
name = "sheet"
kind = "shell"
material = { youngs_modulus = 1e5, thickness = 1e-3, density = 300 }
rectangle = { size = [0.2, 0.2], cells = [2, 2] }
[[pin]]
body = "sheet"
plane = { point = [-0.1, 0, 0], normal = [1, 0, 0] }
"#;

impl GoodRun {
    pub fn make_all(place: &Path, program: &Program) -> Result<Vec<Self>> {
        let scene = |name: &str, text: &str| {
            SceneSource { name: name.into(), text: text.into(), folder: PathBuf::new() }.parse(&[])
        };
        // A mesh in memory, which becomes a file of the run.
        let egg = Body::tets(generate::ball(0.05, 1)?).named("egg").at([0.0, 0.0, 0.0515]);
        let own = scene("own", SOLID)?;
        let with_file = Scene { bodies: vec![Body { material: own.bodies[0].material.clone(), ..egg }], ..own };
        // Steps done at each checkpoint, and after the last one until it was killed.
        let runs: [(&str, Scene, &[u64], u64); 6] = [
            ("complete-solid", scene("solid", SOLID)?, &[5, 12], 0),
            ("interrupted-by-body", scene("by-body", BY_BODY)?, &[4, 8], 0),
            ("killed-affine", scene("affine", AFFINE)?, &[3, 6], 4),
            ("interrupted-shell", scene("shell", SHELL)?, &[6, 7], 0),
            ("killed-with-file", with_file, &[4, 6], 3),
            ("killed-by-body", scene("by-body", BY_BODY)?, &[4, 6], 4),
        ];
        let made = runs.into_iter().map(|(name, scene, checkpoints, more)| {
            let folder = place.join(name);
            if folder.exists() {
                snapshot::remove(&folder)?;
            }
            let mut session = Session::new(scene)?;
            session.record(&folder, &RecordOptions::default())?;
            let last = session.scene().run.step_count();
            for &steps in checkpoints {
                go_to(&mut session, steps)?;
                session.conclude(if steps == last { Ending::Completed } else { Ending::Interrupted })?;
            }
            let killed = session.steps() + more;
            go_to(&mut session, killed)?;
            drop(session);
            let inventory = checkpoint::read_inventory(&RunFolder::open(&folder)?.checkpoint_paths()[0])?;
            let end = place.join(format!("{name}-end"));
            snapshot::copy(&folder, &end)?;
            let resumed = program.run(place, &["resume", &end.display().to_string(), "--quiet"])?;
            ensure!(resumed.code == Some(0) && resumed.said.lines().count() < 2, "{name}: {}", resumed.said);
            Ok(Self { end: snapshot::files(&end)?, folder, inventory })
        });
        made.collect()
    }
}

fn go_to(session: &mut Session, steps: u64) -> Result<()> {
    while session.steps() < steps {
        session.step()?;
    }
    Ok(())
}
