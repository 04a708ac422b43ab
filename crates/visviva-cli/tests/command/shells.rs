//! Shells that cannot be: what is said, and that nothing is left behind. And what is measured of a drum.

use super::place::{self, Place};

const SHEET: &str = r#"
title = "A sheet"
gravity = [0, 0, 0]
run = { h = "1/100", duration = 0.02 }

[[body]]
name = "sheet"
kind = "shell"
material = { youngs_modulus = 1e6, thickness = 1e-3, density = 1000 }
"#;

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\n";

/// The exit code and what is said, of a run of the sheet with these changes; beside the scene lies this file.
fn run(text: &str, file: (&str, &str), changes: &[&str]) -> (i32, String) {
    let place = Place::with("scene.toml", text);
    place.write(file.0, file.1);
    let mut args = vec!["run", "scene.toml", "--quiet", "--out", "out"];
    args.extend(changes.iter().flat_map(|change| ["--set", *change]));
    let output = place.visviva(&args);
    let code = output.status.code().unwrap();
    assert_eq!(place.path("out").exists(), code == 0, "{changes:?}: a refused scene leaves no folder");
    (code, place::text(&output.stderr))
}

fn refused(text: &str, file: (&str, &str), changes: &[&str], parts: &[&str]) {
    let (code, said) = run(text, file, changes);
    assert_eq!(code, 2, "{changes:?}, {file:?}: {said}");
    let parts = ["error: scene.toml: ", "`sheet`: "].iter().chain(parts);
    parts.for_each(|part| assert!(said.contains(part), "`{part}` is not in: {said}"));
}

#[test]
fn meshes_that_are_no_sheet_are_refused_with_the_place() {
    let obj = |faces: &str| format!("{SQUARE}{faces}");
    let cases: [(String, &[&str]); 5] = [
        (obj("f 1 2 3\nf 2 4 3\nf 2 3 5\nf 5 1 3\n"), &["edge [1, 2] belongs to 3 triangles", "cut or remesh"]),
        ("v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 4\n".into(), &["1 of 2 triangles have no extent: 0"]),
        ("v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n".into(), &["sheet.obj: line 2", "finite coordinate"]),
        (obj("f 1 2 9\n"), &["sheet.obj: line 6"]),
        (String::new(), &["sheet.obj", "the file ends where a mesh should be"]),
    ];
    let text = format!("{SHEET}file = \"sheet.obj\"\n");
    for (mesh, parts) in &cases {
        refused(&text, ("sheet.obj", mesh), &[], parts);
    }
    let (code, said) = run(&text, ("sheet.obj", &obj("f 1 2 3\nf 2 4 3\nf 1 3 5\n")), &[]);
    assert_eq!(code, 0, "what only lacks these faults runs: {said}");
    let mended = [
        (obj("f 1 2 3\nf 2 3 4\nf 5 1 3\n"), "turned 1 face: 1"),
        (
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 4 5 6\n".into(),
            "merged 2 vertices with others at the same point",
        ),
    ];
    for (mesh, note) in &mended {
        let (code, said) = run(&text, ("sheet.obj", mesh), &[]);
        assert!(code == 0 && said.contains(note), "{code}, `{note}`: {said}");
    }
    let stl = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 nan 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n";
    let text = format!("{SHEET}file = \"sheet.stl\"\n");
    refused(&text, ("sheet.stl", stl), &[], &["sheet.stl: line 5", "finite coordinate", "NaN"]);
}

#[test]
fn materials_that_make_no_sheet_are_refused_with_the_key() {
    let cases = [
        ("{youngs_modulus=1e6,density=1e3}", "thickness is missing"),
        ("{youngs_modulus=1e6,density=1e3,thickness=0}", "thickness must be positive and finite, not 0 m"),
        ("{youngs_modulus=1e6,density=1e3,thickness=-1}", "not -1 m"),
        ("{youngs_modulus=1e6,density=1e3,thickness=nan}", "not NaN m"),
        ("{youngs_modulus=1e6,thickness=1e-3}", "density [kg/m³] or areal_density [kg/m²] is missing"),
        ("{youngs_modulus=1e6,thickness=1e-3,areal_density=0}", "areal density = 0 kg/m²"),
        ("{youngs_modulus=1e6,thickness=1e-3,areal_density=1,density=1}", "not both"),
        ("{youngs_modulus=1e6,thickness=1e-3,density=1,law=\"corotated\"}", "the sheets are neo-hookean, stvk"),
        ("{youngs_modulus=1e6,thickness=1e-3,density=1,bending_modulus=-1}", "bending_modulus: Young's modulus"),
        ("{youngs_modulus=-1,thickness=1e-3,density=1}", "not -1 Pa"),
        ("{youngs_modulus=1e6,thickness=1e-3,density=1,poisson_ratio=0.5}", "not 0.5"),
    ];
    let text = format!("{SHEET}disc = {{ radius = 1, rings = 2 }}\n");
    for (material, part) in cases {
        refused(&text, ("none", ""), &[&format!("body.0.material={material}")], &[part]);
    }
}

#[test]
fn shapes_and_rims_of_another_kind_are_refused() {
    let disc = format!("{SHEET}disc = {{ radius = 1, rings = 2 }}\n");
    refused(&disc, ("none", ""), &["body.0.kind=solid"], &["a solid needs tets", "kind = \"shell\""]);
    refused(&disc, ("none", ""), &["body.0.kind=affine"], &["the surface has a hole there"]);
    refused(&disc, ("none", ""), &["body.0.mass=1"], &["mass: only affine bodies take it"]);
    refused(&disc, ("none", ""), &["body.0.disc.rings=0"], &["rings must be at least 1, not 0"]);
    let drum = |keys: &str| format!("body.0.velocity={{drum={{nodal_diameters=2,speed=1,{keys}}}}}");
    refused(&disc, ("none", ""), &[&drum("radius=0,nodal_circles=1")], &["velocity.drum.radius = 0 m"]);
    refused(&disc, ("none", ""), &[&drum("radius=1,nodal_circles=0")], &["2 nodal diameters and 0 circles"]);
    let cube = format!("{SHEET}box = {{ size = [1, 1, 1], cells = [1, 1, 1] }}\n");
    refused(
        &cube,
        ("none", ""),
        &[],
        &["its shape is a solid: a shell needs disc, rectangle, tube, icosphere or a file"],
    );
    let rim = "[[pin]]\nbody = \"sheet\"\nrim = true\n";
    let closed = format!("{SHEET}icosphere = {{ radius = 1, subdivisions = 1 }}\n{rim}");
    refused(
        &closed,
        ("none", ""),
        &[],
        &["pin 0 of body", "holds the rim, but only shells have one, and not closed ones"],
    );
}

/// Stretched by 1.1 both ways; StVK with E t = 1000 N/m, ν = 0: T = 105 N/m, 1 kg/m² at rest.
const DRUM: &str = r#"
title = "A drum"
gravity = [0, 0, 0]
run = { h = 2e-4, duration = 0.06, frame_rate = 1000, integrator = "implicit-midpoint" }

[[body]]
name = "skin"
kind = "shell"
material = { law = "stvk", youngs_modulus = 1e6, poisson_ratio = 0, thickness = 1e-3, areal_density = 1, bending_modulus = 0 }
disc = { radius = 0.1, rings = 12 }
translate = [0, 0, 0.3]
velocity = { drum = { radius = 0.11, nodal_diameters = 2, nodal_circles = 1, speed = 0.01 } }
deform = [
    { kind = "stretch", axis = "x", from = 0, to = 1, amount = 1.1 },
    { kind = "stretch", axis = "x", from = 0, to = -1, amount = 1.1 },
    { kind = "stretch", axis = "y", from = 0, to = 1, amount = 1.1 },
    { kind = "stretch", axis = "y", from = 0, to = -1, amount = 1.1 },
]

[[pin]]
body = "skin"
rim = true
"#;

#[test]
fn the_amplitude_of_a_drums_mode_is_measured_and_drawn() {
    let place = Place::with("drum.toml", DRUM);
    place.succeed(&["run", "drum.toml", "--quiet", "--out", "drum"]);
    let amplitudes = |mode: &str| {
        let json = place.succeed(&["measure", "drum", "--json", "--drum", mode]);
        let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
        [0, 1].map(|k| rows[0]["drum"][k].as_f64().unwrap())
    };
    // v/ω, ω = j₂₁/R √(T/σ).
    let expected = 0.01 / (5.135622 / 0.11 * (105.0f64 * 1.21).sqrt());
    for amplitude in amplitudes("2,1") {
        // 12 rings sound 0.6 % too low; frames 1/12 of a period apart miss up to 1 − cos(π/12) = 3 % of the peak.
        assert!((0.96..1.02).contains(&(amplitude / expected)), "{amplitude} m, expected {expected} m");
    }
    // Rounding, and what the sampled shape has of others.
    assert!(amplitudes("0,1")[1] < 1e-3 * expected && amplitudes("1,1")[1] < 1e-3 * expected);

    place.succeed(&["plot", "drum", "--drum", "2,1"]);
    assert_eq!(place.names("drum/plots"), ["drum.png", "drum.svg"]);
    for wrong in ["2", "2,0", "21,1", "two,one", "2,1,1"] {
        place.fail(&["measure", "drum", "--drum", wrong], 2, &["such as 2,1"]);
    }
    let curved =
        DRUM.replace("disc = { radius = 0.1, rings = 12 }", "tube = { radius = 0.1, length = 0.2, cells = [8, 4] }");
    place.write("tube.toml", &curved);
    place.succeed(&["run", "tube.toml", "--quiet", "--out", "tube", "--duration", "4e-4"]);
    place.fail(&["measure", "tube", "--drum", "2,1"], 1, &["shell `skin` is not flat"]);
    let coarse = ["--out", "coarse", "--duration", "4e-4", "--set", "body.0.disc.rings=1"];
    place.succeed(&[&["run", "drum.toml", "--quiet"], &coarse[..]].concat());
    place.fail(&["measure", "coarse", "--drum", "2,1"], 1, &["too coarse for this mode"]);
}
