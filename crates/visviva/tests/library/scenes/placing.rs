//! How shapes are placed: what is up, and angles in degrees.

use super::{refusal, scene, scene_in};
use nalgebra::Vector3;
use visviva::mesh::{Mesh, TriMesh, generate, write_mesh};
use visviva::scene::{Scene, SceneSource, Up};

const BAR: &str = r#"
[[body]]
name = "bar"
material = { youngs_modulus = 1e5 }
box = { size = [0.1, 0.2, 0.3], cells = [1, 1, 1] }
"#;

#[test]
fn up_turns_that_way_to_the_top_by_quarters_and_mirrors_nothing() {
    for (up, way) in [
        (Up::X, Vector3::x()),
        (Up::Y, Vector3::y()),
        (Up::Z, Vector3::z()),
        (Up::MinusX, -Vector3::x()),
        (Up::MinusY, -Vector3::y()),
        (Up::MinusZ, -Vector3::z()),
    ] {
        let turned = |v: Vector3<f64>| Vector3::from(up.turned(v.into()));
        assert_eq!(turned(way), Vector3::z(), "{up:?}");
        let [x, y, z] = [Vector3::x(), Vector3::y(), Vector3::z()].map(turned);
        assert_eq!(x.cross(&y), z, "{up:?}");
    }
    let size = |changes: &[&str]| {
        let [low, high] = scene(BAR, changes).meshes[0].bounds();
        high - low
    };
    assert_eq!(size(&["body.0.up=y"]), Vector3::new(0.1, 0.3, 0.2));
    // Before the scale, which is along the scene's axes.
    assert_eq!(size(&["body.0.up=-x", "body.0.scale=[1,1,2]"]), Vector3::new(0.3, 0.2, 0.2));
    let said = refusal(BAR, &["body.0.up=w"]);
    assert!(said.contains("unknown value `w`") && said.contains("`-z`"), "{said}");
}

/// A body on three feet: a tripod whose top is off the middle, so that it stands in one way only.
fn figure() -> TriMesh {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.3, 1.0, 0.0], [0.5, 0.35, 1.5]];
    let positions = corners.map(Vector3::from).to_vec();
    TriMesh { positions, triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]] }
}

#[test]
fn a_model_that_would_stand_on_another_side_is_hinted_at_and_a_symmetrical_one_never() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[[body]]\nname = \"it\"\nkind = \"affine\"\nmaterial = \"wood\"\nfile = \"it.obj\"\n";
    let hints = |mesh: TriMesh, changes: &[&str]| {
        write_mesh(folder.path().join("it.obj"), &mesh.into()).unwrap();
        scene_in(folder.path(), text, changes).hints
    };
    assert!(hints(figure(), &[]).is_empty(), "it stands");
    let mut lying = figure();
    // As programs with y up write it.
    lying.positions.iter_mut().for_each(|p| *p = Vector3::new(p.x, p.z, -p.y));
    assert_eq!(hints(lying.clone(), &[]), ["body `it` seems to lie on its side: up = \"y\" lets it stand"]);
    assert!(hints(lying.clone(), &["body.0.up=y"]).is_empty());
    assert!(hints(lying, &["body.0.rotate={axis=[1,0,0],angle=0.1}"]).is_empty(), "who turns it has looked at it");
    let tall = Vector3::new(0.1, 0.9, 0.2);
    for symmetrical in [
        generate::box_surface(tall).unwrap(),
        generate::icosphere(0.1, 2).unwrap(),
        generate::torus_surface(0.2, 0.05, 12, 8).unwrap(),
        generate::capsule_surface(0.1, 0.9, 16).unwrap(),
        generate::cylinder_surface(0.1, 0.9, 16).unwrap(),
    ] {
        assert!(hints(symmetrical, &[]).is_empty());
    }
}

#[test]
fn an_obstacle_is_stood_up_and_brought_to_its_height() {
    let text = format!(
        "{BAR}[[obstacle]]\nname = \"post\"\ncylinder = {{ radius = 0.1, height = 1 }}\nup = \"x\"\nheight = 0.4\ntranslate = [0, 0, 9]\n"
    );
    let built = scene(&text, &[]);
    let points = &built.model.rest[built.model.obstacles[0].nodes.clone()];
    let extent =
        |k: usize| points.iter().map(|p| p[k]).fold(0.0, f64::max) - points.iter().map(|p| p[k]).fold(99.0, f64::min);
    // Lying, it is 0.2 m high and 1 m long: twice that.
    assert!((extent(2) - 0.4).abs() < 1e-12 && (extent(0) - 2.0).abs() < 1e-12, "{} {}", extent(2), extent(0));
}

fn read(text: &str) -> Result<Scene, String> {
    let text = format!("title = \"test\"\nrun = {{ h = \"1/120\", duration = 1 }}\n{text}");
    SceneSource { name: "t".into(), text, folder: Default::default() }.parse(&[]).map_err(|e| e.to_string())
}

/// A scene with every angle there is.
fn angles(turn: &str, twist: &str, spin: &str, view: &str) -> String {
    format!(
        "camera = {{ eye = [1, 0, 0], target = [0, 0, 0], field_of_view = {view} }}\n{BAR}rotate = {{ axis = [0, 0, 1], angle = {turn} }}\n\
         velocity = {{ angular = [0, {spin}, 1] }}\ndeform = [{{ kind = \"twist\", axis = \"z\", from = 0, to = 1, amount = {twist} }}]\n\
         [[pin]]\nbody = \"bar\"\nnodes = [0]\nturn = {{ axis = [0, 0, 1], centre = [0, 0, 0], angle = [[0, 0], [1, {turn}]] }}\n"
    )
}

#[test]
fn degrees_are_the_radians_that_they_are_and_are_written_as_these() {
    let (right, third) = (90f64.to_radians(), 30f64.to_radians());
    assert_eq!(right, std::f64::consts::FRAC_PI_2);
    let degrees = read(&angles("\"90deg\"", "\"30°\"", "\"-90 deg/s\"", "\"30deg\"")).unwrap();
    let radians =
        read(&angles(&format!("{right:?}"), &format!("{third:?}"), &format!("{:?}", -right), &format!("{third:?}")));
    assert_eq!(degrees, radians.unwrap());
    let written = degrees.to_toml().unwrap();
    assert!(written.contains("angle = 1.5707963267948966") && !written.contains("deg"), "{written}");
    let again = SceneSource { name: "t".into(), text: written, folder: Default::default() }.parse(&[]).unwrap();
    assert_eq!(again, degrees);
    let set = scene(BAR, &["body.0.rotate={axis=[0,0,1],angle=0}", "body.0.rotate.angle=90deg"]);
    let Mesh::Tets(mesh) = &set.meshes[0] else { panic!() };
    let highest = mesh.positions.iter().map(|p| p.x).fold(0.0, f64::max);
    assert!((highest - 0.1).abs() < 1e-15, "y is along x now");
}

#[test]
fn what_is_no_angle_is_refused_with_how_to_write_one() {
    for (turn, twist, spin, part) in [
        ("\"ninety\"", "1", "1", "`ninety` is no angle: expected a number of radians, or degrees such as \"90deg\""),
        ("\"90deg/s\"", "1", "1", "`90deg/s` is no angle"),
        ("[1]", "1", "1", "expected a number of radians, or degrees such as \"90deg\", found a list"),
        ("1", "true", "1", "expected a number of radians, or degrees such as \"90deg\", found true"),
        (
            "1",
            "1",
            "\"90deg\"",
            "`90deg` is no angle: expected a number of radians a second, or degrees such as \"90deg/s\"",
        ),
    ] {
        let said = read(&angles(turn, twist, spin, "0.5")).unwrap_err();
        assert!(said.contains(part), "{turn} {twist} {spin}: {said}");
    }
    let stretch = angles("1", "\"30deg\"", "1", "0.5").replace("twist", "stretch");
    let said = read(&stretch).unwrap_err();
    assert!(said.contains("the amount of a stretch is a factor, such as 1.2, and no angle"), "{said}");
    let degrees = refusal(BAR, &["body.0.rotate={axis=[0,0,0],angle=\"nandeg\"}"]);
    assert!(degrees.contains("a rotation angle must be finite"), "{degrees}");
}
