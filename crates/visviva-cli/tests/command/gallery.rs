//! The scenes that come with the program.

use super::place::text;
use super::small_scene::small;
use visviva_cli::gallery::SCENES;

#[test]
fn gallery_scenes_parse_and_build() {
    for scene in SCENES {
        let source = scene.source();
        let parsed = source.parse(&[]).unwrap_or_else(|e| panic!("{}: {e}", scene.name));
        assert!(!parsed.title.is_empty() && parsed.description.contains("Expect"), "{}", scene.name);
        assert!(scene.text.starts_with("#:schema ../docs/scene.schema.json\n"), "{}: editors need it", scene.name);
        let mut changes = Vec::new();
        // Coarser, they take a blink.
        let filled = (0..parsed.bodies.len()).filter(|&body| parsed.bodies[body].filling.detail.is_some());
        changes.extend(filled.map(|body| format!("body.{body}.cells=10")));
        if !parsed.releases.is_empty() {
            // The start is a solved equilibrium: coarser, it takes a blink.
            changes.push("body.0.box.cells=[6,4,3]".to_owned());
        }
        let built = source.parse(&changes).unwrap().build().unwrap_or_else(|e| panic!("{}: {e}", scene.name));
        assert!(!built.model.pins.is_empty() || built.model.bodies.len() > 1, "{}", scene.name);
    }
}

#[test]
fn a_gallery_scene_serves_as_a_beginning() {
    let place = small();
    for scene in SCENES {
        place.write("mine.toml", &place.succeed(&["scenes", scene.name, "--toml"]));
        let shapes = [
            ("box", "cells=[4,4,4]"),
            ("ball", "cells=[4,4,2]"),
            ("torus", "around=24"),
            ("chain_net", "segments=[12,4]"),
            ("icosphere", "subdivisions=1"),
            ("disc", "rings=8"),
        ];
        let shape = shapes.iter().find(|(shape, _)| scene.text.contains(&format!("\n{shape} = {{")));
        let coarse = &match shape {
            // The first body of these, or the first that has the shape.
            _ if scene.text.contains("\nmodel = ") => "body.0.cells=8".to_owned(),
            Some((shape, coarse)) => {
                let before = scene.text.split(&format!("\n{shape} = {{")).next().unwrap_or_default();
                format!("body.{}.{shape}.{coarse}", before.matches("[[body]]").count().saturating_sub(1))
            }
            None => panic!("{}: none of the shapes known here", scene.name),
        };
        place.succeed(&["check", "mine.toml", "--set", coarse]);
    }
    let output = place.visviva(&["scenes", "twisted-bra"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("twisted-bar"));
}
