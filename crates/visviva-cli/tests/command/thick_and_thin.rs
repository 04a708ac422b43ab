//! Surfaces with a thickness and wires without one: what keeps its distance, what hangs, and what is refused.

use super::place::{Place, text};
use visviva::contact::intersection::segment_meets_triangle;
use visviva::run::{Frame, RunFolder, RunMesh};

type Point = nalgebra::Vector3<f64>;

/// Two sheets, 2 mm and 4 mm thick, one above the other on the ground.
const SHEETS: &str = r#"
title = "Thick sheets"
run = { h = "1/100", duration = 0.5, frame_rate = 20, integrator = "implicit-euler" }
material = [{ name = "cloth", youngs_modulus = 1e5, thickness = 1e-3, density = 1000 }]

[[body]]
name = "lower"
kind = "shell"
material = "cloth"
rectangle = { size = [0.1, 0.1], cells = [4, 4] }
translate = [0, 0, 0.0018]
contact_thickness = 2e-3

[[body]]
name = "upper"
kind = "shell"
material = "cloth"
rectangle = { size = [0.08, 0.08], cells = [3, 3] }
rotate = { axis = [0, 0, 1], angle = 0.3 }
translate = [0, 0, 0.0056]
contact_thickness = 4e-3

[[obstacle]]
name = "ground"
plane = { size = 4 }
"#;

/// A sheet falls across a wire that stands still or rises.
const WIRE: &str = r#"
title = "A sheet on a wire"
run = { h = "1/100", duration = 0.5, frame_rate = 100, integrator = "implicit-euler", contacts = true }
contact = { friction = 0.5, self_contact = true }

[[body]]
name = "sheet"
kind = "shell"
material = { youngs_modulus = 1e5, thickness = 1e-3, density = 1000 }
rectangle = { size = [0.1, 0.1], cells = [5, 5] }
rotate = { axis = [0, 0, 1], angle = 0.3 }
translate = [0, 0, 0.01]

[[obstacle]]
name = "wire"
file = "wire.obj"
"#;

fn run(place: &Place, scene: &str, changes: &[&str]) -> (RunFolder, RunMesh, Vec<Frame>) {
    place.write("scene.toml", scene);
    let mut args = vec!["run", "scene.toml", "--quiet", "--overwrite", "--out", "out"];
    args.extend(changes.iter().flat_map(|change| ["--set", *change]));
    place.succeed(&args);
    let folder = place.run_folder("out");
    let mesh = folder.mesh().unwrap();
    let frames = folder.frames().unwrap().iter().map(|f| folder.read_vertices(&mesh, f.index).unwrap()).collect();
    (folder, mesh, frames)
}

#[test]
fn thick_sheets_rest_half_their_thickness_above_what_is_below() {
    let place = Place::empty();
    let (_, mesh, frames) = run(&place, SHEETS, &[]);
    let last = frames.last().unwrap();
    let heights =
        |body: usize| last.x[mesh.bodies[body].vertices[0]..mesh.bodies[body].vertices[1]].iter().map(|x| x[2]);
    // The rest of the gap, almost the reach of 1 mm: sheets of 10 g hardly press.
    assert!(heights(0).all(|z| z > 1.9e-3 && z < 2e-3), "{:?}", heights(0).collect::<Vec<_>>());
    // From the lower sheet's mean height: it bends by some micrometres.
    let lower = heights(0).sum::<f64>() / heights(0).count() as f64;
    let apart: Vec<f64> = heights(1).map(|z| z - lower).collect();
    assert!(apart.iter().all(|d| *d > 3.9e-3 && *d < 4.01e-3), "{apart:?}");
}

#[test]
fn a_start_within_the_thickness_is_refused_with_both_names() {
    let place = Place::empty();
    place.write("scene.toml", SHEETS);
    for (change, names) in [
        ("body.1.translate=[0,0,0.004]", "`lower` and `upper`"),
        ("obstacle.0.contact_thickness=2e-3", "`lower` and `ground`"),
        ("body.0.contact_thickness=-1", "body `lower`"),
    ] {
        let output = place.visviva(&["run", "scene.toml", "--quiet", "--out", "out", "--set", change]);
        let said = text(&output.stderr);
        assert!(
            output.status.code() == Some(2) && said.contains(names) && said.contains("contact_thickness"),
            "{said}"
        );
    }
}

#[test]
fn a_sheet_hangs_on_a_wire_and_rises_with_it() {
    let place = Place::empty();
    place.write("wire.obj", "v -0.2 0 0\nv 0 0 0\nv 0.2 0 0\nv 9 9 9\nl 1 2 3\n");
    for (changes, rise) in [(vec![], 0.0), (vec!["obstacle.0.shift=[[0,0,0,0],[0.5,0,0,0.1]]"], 0.1)] {
        let (folder, mesh, frames) = run(&place, WIRE, &changes);
        assert!(mesh.bodies[1].triangle_range().is_empty());
        for (index, frame) in frames.iter().enumerate() {
            let at = |vertex: usize| Point::from(frame.x[vertex]);
            let wire = mesh.bodies[1].vertices[0];
            for triangle in &mesh.triangles {
                let corners = triangle.map(|vertex| at(vertex as usize));
                for ends in [[at(wire), at(wire + 1)], [at(wire + 1), at(wire + 2)]] {
                    assert!(!segment_meets_triangle(&ends, &corners), "frame {index}, wire at {rise} m");
                }
            }
        }
        let last = frames.last().unwrap();
        let sheet = &last.x[..mesh.bodies[1].vertices[0]];
        let highest = sheet.iter().map(|x| x[2]).fold(f64::NEG_INFINITY, f64::max);
        let mean = sheet.iter().map(|x| x[2]).sum::<f64>() / sheet.len() as f64;
        // It hangs over the wire by at most half its diagonal; freely it would have fallen by 1.2 m.
        assert!(highest > rise - 1e-3 && mean > rise - 0.07, "{highest} {mean}");
        let forces = folder.read_contacts(frames.len() as u64 - 1).unwrap().unwrap();
        assert!(forces.iter().any(|force| force.normal.norm() > 0.0), "the wire carries it");
    }
}

#[test]
fn a_wire_through_a_body_is_refused() {
    let place = Place::empty();
    place.write("wire.obj", "v 0.01 0 -1\nv 0 0.01 1\nl 1 2\n");
    place.write("scene.toml", WIRE);
    let output = place.visviva(&["check", "scene.toml"]);
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert!(
        output.status.code() == Some(2) && said.contains("`wire`") && said.contains("goes through `sheet`"),
        "{said}"
    );
}

#[test]
fn a_wire_that_moves_stops_at_a_held_sheet() {
    let place = Place::empty();
    place.write("wire.obj", "v -0.2 0 0\nv 0.2 0 0\nl 1 2\n");
    let held = "obstacle = [{ name = \"wire\", file = \"wire.obj\", shift = [[0, 0, 0, 0], [0.2, 0, 0, 0.1]] }]\n\
                pin = [{ body = \"sheet\", sphere = { centre = [0, 0, 0], radius = 1 } }]\n";
    let (head, body) = WIRE.split_once("[[body]]").unwrap();
    let body = body.split_once("[[obstacle]]").unwrap().0;
    place.write("scene.toml", &format!("{head}{held}[[body]]{body}"));
    let output = place.visviva(&["run", "scene.toml", "--quiet", "--out", "out"]);
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert!(!output.status.success() && said.contains("`wire`") && said.contains("`sheet`"), "{said}");
}
