//! Contact points and forces beside the frames: what presses on a body carries it.

use super::place::Place;
use std::fs;
use std::path::PathBuf;
use visviva::run::RunFolder;
use visviva::solve::ContactForce;

type Vector = nalgebra::Vector3<f64>;

/// A cube of 1 kg at rest on the ground, gravity leaning by 2 m/s² along x; friction holds it.
const CUBE: &str = r#"
title = "A cube at rest"
gravity = [2, 0, -9.8]
run = { h = "1/100", duration = 0.4, frame_rate = 100, contacts = true, integrator = "implicit-euler" }
contact = { friction = 0.5 }
solver = { tolerance = 1e-5, gap_tolerance = 1e-6 }

[[body]]
name = "cube"
material = { youngs_modulus = 1e5 }
kind = "KIND"
box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }
translate = [0, 0, 0.0508]

[[obstacle]]
name = "ground"
plane = { size = 4 }
"#;

fn run(place: &Place, kind: &str, changes: &[&str]) -> PathBuf {
    place.write("scene.toml", &CUBE.replace("KIND", kind));
    let mut args = vec!["run", "scene.toml", "--quiet", "--overwrite", "--out", "out"];
    args.extend(changes.iter().flat_map(|change| ["--set", *change]));
    place.succeed(&args);
    place.path("out")
}

fn on_the_cube(forces: &[ContactForce], of: impl Fn(&ContactForce) -> Vector) -> Vector {
    forces.iter().map(|force| if force.surfaces[0] == 0 { of(force) } else { -of(force) }).sum()
}

#[test]
fn contact_carries_a_resting_cube_and_friction_holds_it() {
    let place = Place::empty();
    for kind in ["solid", "affine"] {
        let out = run(&place, kind, &[]);
        let folder = RunFolder::open(&out).unwrap();
        let last = folder.frames().unwrap().last().unwrap().index;
        let forces = folder.read_contacts(last).unwrap().unwrap();
        let (normal, friction) = (on_the_cube(&forces, |f| f.normal), on_the_cube(&forces, |f| f.friction));
        // What is left are the last of the cube's oscillations and the solver's tolerance on gaps.
        assert!((normal - Vector::new(0.0, 0.0, 9.8)).norm() < 0.02, "{kind}: {normal}");
        assert!((friction - Vector::new(-2.0, 0.0, 0.0)).norm() < 0.02, "{kind}: {friction}");
        for force in &forces {
            assert!((force.surfaces == [0, 1] || force.surfaces == [1, 0]) && force.normal.norm() < 9.8);
            let gap = force.points[0] - force.points[1];
            assert!(gap.norm() < 1e-3 && gap.dot(&force.normal) >= 0.0, "it pushes apart: {force:?}");
        }
        assert!(folder.read_contacts(0).unwrap().unwrap().iter().all(|force| force.friction == Vector::zeros()));
    }
}

#[test]
fn a_resumed_run_writes_the_same_contacts_and_a_new_one_leaves_none_behind() {
    let place = Place::empty();
    let contacts = |index: usize| fs::read(place.path(&format!("out/contacts/{index:06}.npy"))).ok();
    let out = run(&place, "solid", &["run.duration=0.12"]);
    let whole = contacts(12).unwrap();
    run(&place, "solid", &["run.duration=0.08"]);
    assert_eq!((contacts(8).is_some(), contacts(9)), (true, None), "an old run's are removed");
    // A crash after the checkpoint has left one that belongs to no frame.
    fs::write(out.join("contacts/000009.npy"), b"half").unwrap();
    // A longer run is another one: that must be asked for.
    let toml = fs::read_to_string(out.join("run.toml")).unwrap();
    fs::write(out.join("run.toml"), toml.replace("duration = 0.08", "duration = 0.12")).unwrap();
    place.succeed(&["resume", "out", "--force", "--quiet"]);
    assert_eq!(contacts(12).unwrap(), whole);
    assert_ne!(contacts(9).unwrap(), b"half");
    place.succeed(&["export", "out", "--every", "6"]);
    let series = fs::read_to_string(out.join("vtk/contacts.pvd")).unwrap();
    assert!(series.contains("contacts_000006.vtu") && out.join("vtk/contacts_000012.vtu").exists());
    run(&place, "solid", &["run.contacts=false", "run.duration=0.02"]);
    assert_eq!(contacts(0), None);
}
