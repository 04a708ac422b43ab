//! Scenes that cannot be: what is said, and that nothing is left behind.

use super::place::text;
use super::small_scene::{TWO_TETS, edited, refused, run_small, small, with_file};

#[test]
fn a_scene_that_cannot_be_read_is_refused_with_its_place() {
    let place = small();
    refused(&place, "nowhere.toml", &[], 2, &["nowhere.toml", "no such file", "twisted-bar"]);
    refused(&place, ".", &[], 2, &["cannot read ."]);
    let cases: [(String, &[&str]); 8] = [
        (edited("title = \"Small box\"", "title = \"Small box"), &["bad.toml:2:", "string"]),
        (edited("[run]", "[run"), &["bad.toml:4:"]),
        (edited("youngs_modulus", "young_modulus"), &["bad.toml:12:1", "did you mean `youngs_modulus`?"]),
        (edited("frame_rate = 50", "frame_rates = 50"), &["bad.toml:7:1", "did you mean `frame_rate`?"]),
        (edited("duration = 0.1\n", ""), &["bad.toml:4:1", "duration"]),
        (edited("h = \"1/100\"", "h = \"a hundredth\""), &["bad.toml:5:5", "a hundredth", "\"1/120\""]),
        (edited("cells = [3, 3, 3]", "cells = [3, 3]"), &["bad.toml:17:"]),
        (edited("cells = [3, 3, 3]", "cells = [3, 3, -3]"), &["bad.toml:17:"]),
    ];
    for (scene, parts) in cases {
        place.write("bad.toml", &scene);
        refused(&place, "bad.toml", &[], 2, parts);
    }
}

#[test]
fn impossible_values_are_refused_with_what_is_allowed() {
    let place = small();
    let cases: [(&[&str], &[&str]); 32] = [
        (&["material.0.law=rubbery"], &["cube", "rubbery", "neo-hookean"]),
        (&["run.integrator=bdf3"], &["run.integrator", "bdf3", "bdf2"]),
        (&["run.integrator=a-search:most=2"], &["run.integrator", "most", "max"]),
        (&["material.0.density=-1"], &["cube", "density = -1", "positive"]),
        (&["material.0.youngs_modulus=0"], &["cube", "Young's modulus", "positive"]),
        (&["material.0.poisson_ratio=0.5"], &["cube", "between -1 and 0.5", "0.5"]),
        (&["material.0.damping_mass=-1"], &["cube", "damping_mass = -1"]),
        (&["run.h=0"], &["run.h = 0", "positive"]),
        (&["run.h=1/0"], &["run.h", "finite"]),
        (&["run.duration=0"], &["run.duration = 0", "positive"]),
        (&["run.h=1"], &["run.h = 1 s", "longer than run.duration = 0.1 s", "shorter step"]),
        (&["run.frame_rate=0"], &["run.frame_rate = 0"]),
        (&["solver.linear_tolerance=1"], &["solver.linear_tolerance = 1", "below 1"]),
        (&["gravity=[0,0,nan]"], &["gravity", "not finite"]),
        (&["pin=[]", "body=[]"], &["no [[body]]", "at least one"]),
        (&["body.0.ball={radius=1,shells=2}"], &["cube", "2 shapes", "exactly one of box"]),
        (&["body.0.box.cells=[0,1,1]"], &["cube", "cells along x", "at least 1"]),
        (&["body.0.box.size=[1,-1,1]"], &["cube", "-1"]),
        (&["body.0.material=rubbber"], &["cube", "no material is called `rubbber`", "did you mean `rubber`?"]),
        (&["body.0.material=woood"], &["cube", "did you mean `wood`?", "`visviva materials` lists"]),
        (&["body.0.rotate={axis=[1,0,0],angle=\"90 degrees\"}"], &["`90 degrees` is no angle", "\"90deg\""]),
        (&["pin.0.plane.point=[9,0,0]"], &["pin 0 of body `cube`", "selects no node", "visviva check"]),
        (&["pin.0.plane.normal=[0,0,0]"], &["pin 0 of body `cube`", "normal must not be zero"]),
        (&["pin.0.body=cub"], &["pin 0", "`cub`", "there are: cube"]),
        (&["energy.target=curve", "energy.curve=[[1,1],[0,1]]"], &["energy.curve", "keyframe 1", "sort"]),
        (&["energy.target=curve"], &["energy.curve", "no keyframes"]),
        (&["energy.target=decay"], &["energy.tau is missing", "tau = 5"]),
        (&["energy.target=schedule"], &["energy.schedule is missing", "schedule = [["]),
        (&["energy.target=decay", "energy.tau=0"], &["energy", "τ = 0 s", "positive"]),
        (
            &["energy.target=decay", "energy.tau=1", "energy.ground=equilibrium", "pin=[]"],
            &["energy.ground", "no equilibrium", "joules"],
        ),
        (
            &["body.0.velocity={ramp={axis=\"x\",from=0,to=0,velocity=[1,0,0]}}"],
            &["cube", "velocity.ramp", "must differ"],
        ),
        (&["camera={eye=[0,0,1],target=[0,0,0]}"], &["camera", "up"]),
    ];
    for (set, parts) in cases {
        refused(&place, "small.toml", set, 2, parts);
    }
}

#[test]
fn changes_to_keys_that_are_not_there_are_refused() {
    let place = small();
    let cases: [(&str, &[&str]); 8] = [
        (
            "body.0.material={youngs_modulus=1e5,damping_law=\"raleigh\"}",
            &["unknown value `raleigh`", "did you mean `rayleigh`?"],
        ),
        ("run.hh=1", &["--set run.hh=1", "unknown field `hh`", "did you mean `h`?"]),
        ("runs.h=1", &["--set runs.h=1", "did you mean `run`?"]),
        ("energy.target=decays", &["energy.target", "did you mean `decay`?"]),
        ("body.3.name=a", &["body.3.name", "index 3, but there are 1"]),
        ("body.cub.name=a", &["body.cub.name", "`cub` must be an index", "did you mean `cube`?"]),
        ("title.x=a", &["title.x", "not a table"]),
        ("title", &["--set title", "path.to.key=value"]),
    ];
    for (set, parts) in cases {
        refused(&place, "small.toml", &[set], 2, parts);
    }
}

#[test]
fn wrong_words_and_numbers_are_refused_in_plain_words_with_what_was_meant() {
    let place = small();
    let cases: [(&[&str], &[&str]); 8] = [
        (&["--h", "-1"], &["run.h = -1", "positive"]),
        (&["--integrator", "a-serch"], &["unknown integrator `a-serch`", "did you mean `a-search`?"]),
        (&["--set", "material.0.law=neohookean"], &["unknown law `neohookean`", "did you mean `neo-hookean`?"]),
        (&["--set", "run.frame_rate=fast"], &["run.frame_rate: expected a number, found the text \"fast\""]),
        (&["--set", "body.0.box.cells=[1.5,1,1]"], &["expected a whole number, 0 or more, found 1.5"]),
        (&["--set", "body.0.scale=x"], &["body[0].scale: expected one number or three"]),
        (&["--set", "gravity=3"], &["gravity: expected a list of 3 values", "found 3"]),
        (&["--set", "camera={eye=[1,0,0],target=[0,0,0],field_of_view=34}"], &["34 rad", "34° is 0.5934"]),
    ];
    for (arguments, parts) in cases {
        let output = place.visviva(&[&["check", "small.toml"], arguments].concat());
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        parts.iter().for_each(|part| assert!(message.contains(part), "`{part}` is missing in: {message}"));
    }
}

#[test]
fn files_of_other_programs_are_called_by_their_name_and_not_truncated() {
    let place = small();
    place.write("scene.toml", &with_file("mesh.stl"));
    for (content, name) in
        [("BLENDER-v500", "a Blender file"), ("PK\u{3}\u{4}", "a zip archive"), ("nothing", "not recognised")]
    {
        place.write("mesh.stl", content);
        refused(&place, "scene.toml", &[], 2, &["mesh.stl", name, ".msh"]);
    }
}

#[test]
fn check_says_what_is_not_watched_and_about_how_long_a_run_would_take() {
    let place = small();
    let report = place.succeed(&["check", "small.toml", "--estimate"]);
    for part in
        ["not watched      whether `cube` goes through itself", "time             about ", "steps, if all are like"]
    {
        assert!(report.contains(part), "`{part}` is missing in: {report}");
    }
    let end = place.succeed(&["run", "small.toml", "--out", "run"]);
    assert!(end.contains("not watched: whether `cube` goes through itself"), "{end}");
}

#[test]
fn bad_meshes_are_refused_with_the_file_and_the_element() {
    let place = small();
    place.write("bad.toml", &with_file("bad.msh"));
    refused(&place, "bad.toml", &[], 2, &["cube", "bad.msh", "scene file's folder"]);
    refused(&place, "bad.toml", &["body.0.file_hint=buy one"], 2, &["bad.msh", "(buy one)"]);
    let replaced = |from: &str, to: &str| {
        assert!(TWO_TETS.contains(from), "{from}");
        TWO_TETS.replacen(from, to, 1)
    };
    let cases: [(String, &[&str]); 11] = [
        (TWO_TETS[..110].to_owned(), &["truncated"]),
        (replaced("$Nodes\n5", "$Nodes\n7"), &["line 11", "$EndNodes"]),
        (replaced("$Elements\n2", "$Elements\n1"), &["line 15", "$EndElements"]),
        (replaced("1 1 2 3 4\n", "1 1 2 3 9\n"), &["line 14", "node 9"]),
        (replaced("3 0 1 0", "3 0 nan 0"), &["node 2", "not finite"]),
        (replaced("4 0 0 1\n", "4 1 1 0\n"), &["1 of 2 tets have no extent: 0", "remesh"]),
        (replaced("5 1 1 1\n", "5 0.1 0.1 0.1\n"), &["1 of 2 tets are inverted: 1", "folds", "remesh"]),
        (
            replaced("2 4 2 0 1 2 3 4 5", "2 11 2 0 1 1 2 3 4 5 1 2 3 4 5"),
            &["line 15", "higher order", "ElementOrder = 1"],
        ),
        (replaced("1 1 2 3 4\n", "1 1 2 3 3\n"), &["tet 0", "twice"]),
        ("solid of no known format".to_owned(), &["not recognised", ".msh"]),
        (String::new(), &["bad.msh"]),
    ];
    for (mesh, parts) in cases {
        place.write("bad.msh", &mesh);
        refused(&place, "bad.toml", &[], 2, &[&["cube", "bad.msh"], parts].concat());
    }
}

#[test]
fn meshes_that_can_be_put_right_run_with_a_warning() {
    let place = small();
    place.write("scene.toml", &with_file("mesh.msh"));
    let left_handed = TWO_TETS.replace("1 1 2 3 4\n", "1 1 3 2 4\n").replace("1 2 3 4 5\n", "1 3 2 4 5\n");
    let lonely = TWO_TETS.replace("$Nodes\n5", "$Nodes\n6").replace("5 1 1 1\n", "5 1 1 1\n6 9 9 9\n");
    let swapped = TWO_TETS.replace("1 1 2 3 4\n", "1 1 3 2 4\n");
    for (out, mesh, warning) in [
        ("flipped", left_handed, "all 2 tets were left-handed"),
        ("swapped", swapped, "1 of 2 tets listed their nodes the other way round"),
        ("fewer", lonely, "no element"),
    ] {
        place.write("mesh.msh", &mesh);
        let output = place.visviva(&["run", "scene.toml", "-q", "--out", out]);
        let message = text(&output.stderr);
        assert!(output.status.success(), "{message}");
        assert!(message.starts_with("warning: body `cube`: ") && message.contains(warning), "{message}");
        assert_eq!(place.summary(out)["nodes"], 5);
    }
}

#[test]
fn a_start_that_is_inside_out_is_refused_with_its_elements() {
    let place = small();
    // Half a turn within one layer of cells.
    let twist = "body.0.deform=[{kind=\"twist\",axis=\"x\",from=-0.01,to=0.01,amount=3.1}]";
    let parts = ["small.toml", "body `cube`", "of 162 tets are inverted at the start", "deform it less"];
    refused(&place, "small.toml", &["material.0.law=neo-hookean", twist], 2, &parts);
    run_small(&place, "corotated", &["--set", twist]);
}
