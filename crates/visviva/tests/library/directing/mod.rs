//! Energy directed body by body, spin that is kept, and bounces that last.

mod bounces;
mod by_body;
mod calm;
mod restitution;
mod rotor;
mod spin;

use visviva::scene::{Scene, SceneSource};
use visviva::session::Session;

/// A scene from lines of TOML.
fn scene(text: &str) -> Scene {
    let text = format!("title = \"test\"\nrun = {{ h = \"1/60\", duration = 1, integrator = \"a-spin\" }}\n{text}");
    SceneSource { name: "test".into(), text, folder: std::env::temp_dir() }.parse(&[]).unwrap()
}

fn session(text: &str, method: &str, h: &str) -> Session {
    Session::new(scene(text).integrator(method).step(h)).unwrap()
}
