//! Soft affine bodies that are thrown hard: they stay bodies, whatever their law, and it is said how far they were squashed.

use super::{frame, scene};
use visviva::laws::solid::{SOLIDS, Solid};
use visviva::scene::SceneSource;
use visviva::session::{Ending, Session};

/// Far too soft for its speed: it would take thousands of times the pressure that the body can bear.
const THROWN: &str = r#"
title = "thrown"
run = { h = "1/60", duration = 0.2, integrator = "implicit-euler" }
[[body]]
name = "cube"
kind = "affine"
material = { youngs_modulus = 1000 }
box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }
translate = [0, 0, 0.06]
velocity = { linear = [0, 0, -20] }
[[obstacle]]
name = "ground"
plane = { size = 4 }
"#;

fn thrown(changes: &[&str]) -> Session {
    let source = SceneSource { name: "test".into(), text: THROWN.into(), folder: Default::default() };
    let changes: Vec<String> = changes.iter().map(|&change| change.to_owned()).collect();
    Session::new(source.parse(&changes).unwrap()).unwrap()
}

#[test]
fn a_body_hit_hard_keeps_a_volume_and_says_how_little() {
    let tilted = ["body.0.translate=[0,0,0.12]", "body.0.rotate={axis=[1,1,0.3],angle=0.7}"];
    let plate = [
        "body.0.box.size=[0.1,0.1,0.01]",
        "body.0.material.youngs_modulus=100",
        "body.0.velocity.linear=[0,0,-30]",
        "body.0.translate=[0,0,0.01]",
    ];
    let heavy = ["body.0.mass=1e6", "body.0.material.youngs_modulus=1e9"];
    for changes in [&[][..], &tilted, &plate, &heavy, &["run.integrator=a-search"]] {
        let mut session = thrown(changes);
        let mut least = f64::INFINITY;
        for _ in 0..12 {
            session.step().unwrap();
            least = least.min(frame(session.model(), 0, session.positions()).determinant());
            assert!(session.row().converged, "{changes:?}");
        }
        // The barrier bears what the stage asks for at about a hundredth of the volume.
        assert!(least > 0.005 && least < 0.1, "{changes:?}: {least}");
        let warnings = session.summary(Ending::Completed).warnings.join("\n");
        let said = format!("`cube` was squashed to {:.1} % of its volume at t = 0.0", 100.0 * least);
        assert!(warnings.contains(&said), "{changes:?}: {least} {warnings}");
    }
}

#[test]
fn every_solid_law_is_a_law_of_affine_bodies_and_none_lets_them_collapse() {
    for name in SOLIDS.map(|entry| entry.name) {
        let mut session = thrown(&[&format!("body.0.material.law={name}")]);
        let solid = Solid::from_name(name, 1000.0, 0.3).unwrap();
        assert_eq!(session.model().tets.laws[0].solid, solid);
        for _ in 0..12 {
            session.step().unwrap();
            let a = frame(session.model(), 0, session.positions());
            assert!(a.determinant() > 1e-3, "{name}: {}", a.determinant());
            let elastic = session.energies().elastic;
            // V Ψ(A), and the barrier of the volume where the law has none of its own.
            let expected = 1e-3 * solid.value(&a);
            assert!(elastic > 0.999 * expected - 1e-12, "{name}: {elastic} {expected}");
            if a.determinant() > 0.25 || solid.forbids_inversion() {
                assert!((elastic - expected).abs() < 1e-9 * expected.max(1e-6), "{name}: {elastic} {expected}");
            }
        }
    }
}

#[test]
fn a_body_that_keeps_its_volume_is_not_warned_of() {
    let mut session = thrown(&["body.0.material.youngs_modulus=1e7", "body.0.velocity.linear=[0,0,-2]"]);
    session.run().unwrap();
    assert_eq!(session.summary(Ending::Completed).warnings, Vec::<String>::new());
}

#[test]
fn orthogonality_is_the_law_without_a_name_and_of_affine_bodies_alone() {
    let text = THROWN
        .replace("title = \"thrown\"\nrun = { h = \"1/60\", duration = 0.2, integrator = \"implicit-euler\" }\n", "");
    let law = |changes: &[&str]| scene(&text, changes).model.tets.laws[0].solid;
    assert_eq!(law(&["body.0.material.law=orthogonality"]), law(&[]));
    assert_ne!(law(&["body.0.material.law=stvk"]), law(&[]));
    let refused = super::try_scene(&text, &["body.0.material.law=orthogonality", "body.0.kind=solid"]).unwrap_err();
    assert!(refused.to_string().contains("orthogonality"), "{refused}");
}
