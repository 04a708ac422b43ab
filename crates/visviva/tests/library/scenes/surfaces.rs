//! Bodies from surfaces of other programs.

use nalgebra::Vector3;
use std::path::Path;
use visviva::Session;
use visviva::mesh::{Mesh, signed_volume};
use visviva::run::{NewRun, RunFolder, RunMesh, ShownBody};
use visviva::scene::{Body, Built, Scene, SceneSource};

/// A cube of quads from 0 to 1 with a texture and two materials, outward; shifted along x.
fn cube(shift: f64, first: usize) -> String {
    let corner = |i: usize| format!("v {} {} {}\n", shift + (i & 1) as f64, (i >> 1) & 1, i >> 2);
    let faces = [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]];
    let face = |(index, face): (usize, &[usize; 4])| {
        let [a, b, c, d] = face.map(|v| v + first);
        let material = ["usemtl top\n", "", "usemtl side\n", "", "", ""][index];
        format!("{material}f {a}/1 {b}/2 {c}/3 {d}/4\n")
    };
    let texture = "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n";
    let corners: String = (0..8).map(corner).collect();
    format!("{corners}{texture}{}", faces.iter().enumerate().map(face).collect::<String>())
}

fn scene(folder: &Path, text: &str, body: &str) -> Scene {
    std::fs::write(folder.join("model.obj"), text).unwrap();
    let text = format!(
        "title = \"t\"\nrun = {{ h = 0.01, duration = 0.05 }}\n[[body]]\nname = \"a\"\nfile = \"model.obj\"\n\
         material = {{ youngs_modulus = 1e5, thickness = 0.01, density = 1000.0 }}\n{body}\n"
    );
    SceneSource { name: "t".into(), text, folder: folder.to_owned() }.parse(&[]).unwrap()
}

fn built(text: &str, body: &str) -> Result<(Scene, Built), String> {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene(folder.path(), text, body);
    scene.build().map(|built| (scene, built)).map_err(|problem| problem.to_string())
}

fn shown(text: &str, body: &str) -> (RunMesh, Vec<ShownBody>) {
    let (scene, built) = built(text, body).unwrap();
    let mesh = RunMesh::of(&scene, &built.model, &built.settings_of, &built.skins);
    let shown = mesh.shown();
    (mesh, shown)
}

#[test]
fn a_closed_surface_becomes_a_solid_that_shows_what_was_given() {
    let (mesh, bodies) = shown(&cube(0.0, 0), "cells = 6\nscale = 2.0\ntranslate = [1, 0, 0]");
    assert!(mesh.tets.len() > 500, "{}", mesh.tets.len());
    let volume: f64 = mesh.tets.iter().map(|tet| signed_volume(&tet.map(|i| mesh.rest[i as usize].into()))).sum();
    // Sharp edges are cut off by a part of a cell.
    assert!((volume / 8.0 - 1.0).abs() < 0.03, "{volume}");
    let [cube] = bodies.as_slice() else { panic!("{bodies:?}") };
    assert_eq!((cube.polygons.len(), cube.materials.as_slice()), (6, ["top".to_owned(), "side".into()].as_slice()));
    assert_eq!(cube.material_of, [0, 0, 1, 1, 1, 1]);
    assert_eq!(cube.uvs.as_ref().unwrap().of_corner.len(), 24);
    for (i, place) in cube.at(&mesh.rest).into_iter().enumerate() {
        let wanted = Vector3::new(1.0 + 2.0 * (i & 1) as f64, 2.0 * ((i >> 1) & 1) as f64, 2.0 * (i >> 2) as f64);
        assert!((Vector3::from(place) - wanted).norm() < 1e-9, "{i} {place:?}");
    }
}

#[test]
fn a_cell_is_as_large_in_the_scene_as_it_says_wherever_the_body_is_put() {
    let tets = |body: &str| shown(&cube(0.0, 0), body).0.tets.len();
    let eighths = tets("cells = 8");
    assert_eq!(tets("cell = 0.125"), eighths);
    assert_eq!(tets("cell = 0.025\nscale = 0.2"), eighths);
    assert_eq!(tets("cell = 0.375\nheight = 3.0\nrotate = { axis = [0, 0, 1], angle = 0.7 }"), eighths);
    assert!(tets("cells = 16") > 5 * eighths);
    assert!(tets("cells = 16\ngraded = true") < tets("cells = 16"));
}

#[test]
fn objects_are_bodies_of_their_own_and_patches_of_one_surface_one_body() {
    let apart = format!("o left\n{}o right\n{}", cube(0.0, 0), cube(5.0, 8));
    let (_, bodies) = shown(&apart, "cells = 4");
    assert_eq!(bodies.iter().map(|body| body.name.as_str()).collect::<Vec<_>>(), ["a.left", "a.right"]);
    let whole = cube(0.0, 0);
    let (corners, faces) = whole.split_once("usemtl side").unwrap();
    let (_, bodies) = shown(&format!("{corners}o rest\nusemtl side{faces}"), "cells = 4");
    assert_eq!(bodies.iter().map(|body| (body.name.as_str(), body.polygons.len())).collect::<Vec<_>>(), [("a", 6)]);
}

#[test]
fn an_open_surface_is_no_solid_and_says_where_it_is_open_but_makes_a_shell() {
    let whole = cube(0.0, 0);
    let open = &whole[..whole.trim_end().rfind('\n').unwrap()];
    let problem = built(open, "cells = 4").unwrap_err();
    for part in ["open", "4 edges", "(1.0, 0.0, 0.0)", "shell"] {
        assert!(problem.contains(part), "{part}: {problem}");
    }
    let (mesh, bodies) = shown(open, "kind = \"shell\"");
    assert_eq!((mesh.triangles.len(), bodies[0].polygons.len()), (10, 5));
}

#[test]
fn what_is_safe_to_mend_is_mended_and_told() {
    let turned = cube(0.0, 0).replace("f 2/1 4/2 8/3 6/4", "f 6/4 8/3 4/2 2/1");
    let (_, built) = built(&turned, "cells = 4").unwrap();
    assert!(built.warnings.iter().any(|warning| warning.contains("turned 1 face: 5")), "{:?}", built.warnings);
    assert!(matches!(&built.meshes[0], Mesh::Tets(mesh) if mesh.volume() > 0.9));
}

#[test]
fn a_mirrored_body_shows_its_outside_outside() {
    let (mesh, bodies) = shown(&cube(0.0, 0), "cells = 4\nscale = [-1, 1, 1]");
    let at = bodies[0].at(&mesh.rest);
    let volume: f64 = bodies[0]
        .triangles(&mesh.rest)
        .into_iter()
        .map(|t| t.map(|i| Vector3::from(at[i as usize])))
        .map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0)
        .sum();
    assert!((volume - 1.0).abs() < 1e-9, "{volume}");
}

#[test]
fn a_part_thinner_than_a_cell_is_missed_and_the_message_says_which_cells_keep_it() {
    let whole = cube(0.0, 0);
    let thin = whole.lines().map(|line| match line.strip_suffix(" 1").filter(|l| l.starts_with("v ")) {
        Some(start) => format!("{start} 0.01\n"),
        None => format!("{line}\n"),
    });
    let thin = thin.collect::<String>();
    // The advice is in the body's own size, and it helps.
    let problem = built(&thin, "cells = 4\nscale = 0.1").unwrap_err();
    assert!(problem.contains("thin for cells of 0.025 m"), "{problem}");
    let advice = problem.split_once("try ").unwrap().1;
    let (cell, count) = (advice.split(' ').next().unwrap(), advice.split_once("cells = ").unwrap().1);
    for detail in [format!("cell = {cell}"), format!("cells = {}", count.trim_end_matches(')'))] {
        built(&thin, &format!("{detail}\nscale = 0.1")).unwrap_or_else(|e| panic!("{detail}: {e}"));
    }
}

#[test]
fn a_run_folder_keeps_what_is_shown_and_a_damaged_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene(folder.path(), &cube(0.0, 0), "cells = 4");
    let session = Session::new(scene).unwrap();
    let run = folder.path().join("run");
    let mesh = session.mesh();
    RunFolder::create(&run, false, NewRun { toml: "", mesh: &mesh, inputs: &[], history: None }).unwrap();
    let read = RunFolder::open(&run).unwrap().mesh().unwrap();
    assert_eq!(read.shown(), mesh.shown());
    let skins = run.join("mesh/skins.postcard");
    let mut bytes = std::fs::read(&skins).unwrap();
    bytes.truncate(bytes.len() / 2);
    std::fs::write(&skins, bytes).unwrap();
    let problem = RunFolder::open(&run).unwrap().mesh().unwrap_err().to_string();
    assert!(problem.contains("skins.postcard"), "{problem}");
}

#[test]
fn a_surface_in_memory_and_a_model_become_solids_too() {
    let ball = visviva::mesh::generate::icosphere(0.1, 2).unwrap();
    let scene =
        Scene::new("t").body(Body::surface(ball).cells(8)).body(Body::model("rabbit").cells(8).at([2.0, 0.0, 0.0]));
    let built = scene.build().unwrap();
    assert!(built.meshes.iter().all(|mesh| matches!(mesh, Mesh::Tets(_))));
    assert!(built.skins.iter().all(Option::is_some));
    let problem = Scene::new("t").body(Body::model("rabit")).build().unwrap_err().to_string();
    assert!(problem.contains("did you mean `rabbit`"), "{problem}");
}

#[test]
fn a_name_of_one_object_does_not_mean_others_that_begin_with_it() {
    let apart = format!("o Cube\n{}o Cube.001\n{}", cube(0.0, 0), cube(5.0, 8));
    let pin = "cells = 2\n[[pin]]\nbody = \"a.Cube\"\nhalfspace = { point = [4, 0, 0], normal = [1, 0, 0] }";
    let problem = built(&apart, pin).unwrap_err();
    assert!(problem.contains("selects no node"), "{problem}");
    built(&apart, &pin.replace("a.Cube", "a.Cube.001")).unwrap();
}

#[test]
fn objects_of_one_file_have_cells_of_one_size() {
    let small = cube(0.0, 8).replace("v 0 0 0", "v 3 0 0").replace("v 1 ", "v 3.2 ").replace("v 0 ", "v 3 ");
    let (_, built) = built(&format!("o large\n{}o small\n{small}", cube(0.0, 0)), "cell = 0.2\nheight = 1.0").unwrap();
    let longest_edge = |mesh: &Mesh| match mesh {
        Mesh::Tets(mesh) => {
            (0..mesh.tets.len()).map(|t| mesh.corners(t)).map(|x| (x[1] - x[0]).norm()).fold(0.0, f64::max)
        }
        Mesh::Surface(_) => 0.0,
    };
    let [large, small] = [0, 1].map(|body| longest_edge(&built.meshes[body]));
    assert!(large / small < 1.5 && large < 0.3, "{large} {small}");
}

#[test]
fn a_body_inside_another_is_refused() {
    let ball = |radius: f64, name: &str| Body::ball(radius, 2).named(name);
    let problem = Scene::new("t").body(ball(1.0, "outer")).body(ball(0.3, "inner")).build().unwrap_err().to_string();
    assert!(problem.contains("`inner`") && problem.contains("inside `outer`"), "{problem}");
    Scene::new("t").body(ball(1.0, "outer")).body(ball(0.3, "beside").at([1.4, 0.0, 0.0])).build().unwrap();
}
