//! A scene in code, in text and in files is the same scene.

use super::*;
use crate::mesh::{Mesh, TriMesh, WiredSurface, generate};
use nalgebra::Vector3;

fn read(text: &str, changes: &[&str]) -> Result<Scene, LoadError> {
    let source = SceneSource { name: "scene.toml".into(), text: text.into(), folder: Default::default() };
    source.parse(&changes.iter().map(|&change| change.to_owned()).collect::<Vec<_>>())
}

fn refusal(text: &str, changes: &[&str]) -> String {
    read(text, changes).expect_err("the scene should be refused").to_string()
}

const TEXT: &str = r#"title = "Words"
gravity = [0, 0, -1]

[run]
integrator = "bdf2"
h = "1/60"
duration = 2

[energy]
target = "schedule"
schedule = [[1, 0.5]]
ground = -2.5
start_scale = 0.95

[[material]]
name = "rubber"
law = "corotated"
youngs_modulus = 1e5
damping_mass = 0.5

[[body]]
name = "ball"
material = "rubber"
ball = { radius = 0.05, shells = 2 }
scale = [1, 1, 2]
rotate = { axis = [1, 0, 0], angle = 0.5 }
translate = [0, 0, 1]
velocity = { linear = [1, 0, 0], angular = [0, 2, 0] }
deform = [{ kind = "stretch", axis = "x", from = 0, to = 0.05, amount = 1.1 }]

[[body]]
name = "cloth"
kind = "shell"
material = { youngs_modulus = 5e6, thickness = 4e-4, areal_density = 0.4 }
disc = { radius = 0.5, rings = 3 }

[[obstacle]]
name = "floor"
plane = {}
translate = [0, 0, -1]

[[friction]]
between = ["ball", "floor"]
coefficient = 0.3

[[pin]]
body = "cloth"
rim = true
shift = [[0, 0, 0, 0], [1, 0, 0, 0.1]]
"#;

fn in_code() -> Scene {
    Scene::new("Words")
        .gravity([0.0, 0.0, -1.0])
        .integrator("bdf2")
        .step("1/60")
        .duration(2.0)
        .energy(Energy::schedule([(1.0, 0.5)]).ground(-2.5).start_scale(0.95))
        .material(Material::new(1e5).named("rubber").law("corotated").damping(0.5, 0.0))
        .body(
            Body::ball(0.05, 2)
                .material("rubber")
                .scale([1.0, 1.0, 2.0])
                .rotate([1.0, 0.0, 0.0], 0.5)
                .at([0.0, 0.0, 1.0])
                .velocity([1.0, 0.0, 0.0])
                .spin([0.0, 2.0, 0.0])
                .deform(Deformation::stretch(Axis::X, 0.0..0.05, 1.1)),
        )
        .body(Body::disc(0.5, 3).shell().named("cloth").material(Material::new(5e6).sheet(4e-4, 0.4)))
        .obstacle(Obstacle::plane().named("floor").at([0.0, 0.0, -1.0]))
        .friction(["ball", "floor"], 0.3)
        .pin(Pin::of("cloth").rim().shift([[0.0; 4], [1.0, 0.0, 0.0, 0.1]]))
}

#[test]
fn code_and_text_say_the_same_and_text_comes_back_as_it_was_read() {
    let scene = read(TEXT, &[]).unwrap();
    assert_eq!(scene, in_code());
    assert_eq!(read(&scene.to_toml().unwrap(), &[]).unwrap(), scene);
    assert_eq!(scene.build().unwrap().start, in_code().build().unwrap().start);
}

#[test]
fn every_shape_and_region_goes_through_text() {
    let net = ChainNetShape { rings: [2, 2], major_radius: 0.03, minor_radius: 0.005, segments: [12, 6] };
    let lattice = BallLattice::Wrapped { cells: [4, 2, 2], layers: 1 };
    let file = MeshFile { stand_in: Some(Box::new(Shape::Ball(BallShape { radius: 1.0, lattice }))), ..("a".into()) };
    let bodies = [
        Body::cuboid([1.0; 3], [1, 2, 3]),
        Body::ball(1.0, 2),
        Body::ellipsoid([1.0, 2.0, 3.0], 2),
        Body::cylinder(1.0, 2.0, 3, 4),
        Body::torus(1.0, 0.2, 3, 4),
        Body::icosphere(1.0, 2),
        Body::disc(1.0, 2),
        Body::rectangle([1.0, 2.0], [3, 4]),
        Body::tube(1.0, 2.0, [3, 4]),
        Body::new(net),
        Body::model("rabbit").cell(0.1),
        Body::file("a.msh").cells(9),
    ];
    assert_eq!(bodies.each_ref().map(|body| body.shape.key()), Shape::KEYS, "each key is tried");
    let obstacles = [
        Obstacle::plane(),
        Obstacle::cuboid([1.0; 3]),
        Obstacle::stairs(2, 1.0, 0.3, 0.2),
        Obstacle::sphere(1.0),
        Obstacle::capsule(0.1, 1.0),
        Obstacle::cylinder(0.1, 1.0),
        Obstacle::open_box([1.0; 3]),
        Obstacle::file("b.obj").up(Up::MinusX).height(0.3),
    ];
    assert_eq!(obstacles.each_ref().map(|obstacle| obstacle.shape.key()), ObstacleShape::KEYS, "each key is tried");
    let pins = [
        Pin::of("a").inside_box([0.0; 3], [1.0; 3]),
        Pin::of("a").plane([0.0; 3], [1.0; 3]),
        Pin::of("a").halfspace([0.0; 3], [1.0; 3]),
        Pin::of("a").sphere([0.0; 3], 1.0),
        Pin::of("a").edge([0.0; 3], [1.0; 3]),
        Pin::of("a").rim().tolerance(1e-3),
        Pin::of("a").nodes([3, 1]).turn([0.0, 0.0, 1.0], [0.0; 3], [(0.0, 0.0), (1.0, 2.0)]),
    ];
    let scene = bodies.into_iter().chain([Body::new(file).named("optional")]).fold(Scene::new("all"), Scene::body);
    let scene = obstacles.into_iter().fold(scene, Scene::obstacle);
    let scene = pins.into_iter().fold(scene, Scene::pin);
    assert_eq!(read(&scene.to_toml().unwrap(), &[]).unwrap(), scene);
}

#[test]
fn what_is_given_twice_or_not_at_all_is_named_with_its_line_and_what_is_allowed() {
    let ball = "ball = { radius = 0.05, shells = 2 }\n";
    let two = refusal(&TEXT.replace(ball, &format!("{ball}icosphere = {{ radius = 1, subdivisions = 1 }}\n")), &[]);
    assert!(two.starts_with("scene.toml:21:1: body `ball`: 2 shapes: give exactly one of box, ball, "), "{two}");
    let none = refusal(&TEXT.replace(ball, ""), &[]);
    assert!(
        none.starts_with("scene.toml:21:1: body `ball`: 0 shapes: ") && none.ends_with("chain_net, model, file"),
        "{none}"
    );
    let both = refusal(&TEXT.replace(ball, "ball = { radius = 0.05, shells = 2, layers = 1 }\n"), &[]);
    assert!(both.starts_with("scene.toml:24:8: a ball has either `shells` or `cells` and `layers`: "), "{both}");
    let both = refusal(TEXT, &["body.0.ball.cells=[2,2,2]"]);
    assert!(both.contains("body.0.ball.cells") && both.contains("a ball has either `shells` or"), "{both}");
    let none = refusal(&TEXT.replace("plane = {}\n", ""), &[]);
    assert_eq!(
        none,
        "scene.toml:37:1: obstacle `floor`: 0 shapes: give exactly one of plane, box, stairs, sphere, capsule, cylinder, open_box, file"
    );
    let two = refusal(&TEXT.replace("rim = true", "rim = true\nnodes = [1]"), &[]);
    assert!(two.starts_with("scene.toml:46:1: pin of body `cloth`: 2 ways to choose nodes: give exactly"), "{two}");
    let unknown = refusal(&TEXT.replace("\nrim = true", "\nrims = true"), &[]);
    assert!(unknown.starts_with("scene.toml:48:1: unknown field `rims`"), "{unknown}");
    assert!(unknown.ends_with("did you mean `rim`?"), "{unknown}");
}

#[test]
fn assignments_are_judged_together_and_the_first_wrong_one_is_blamed() {
    // Alone, the file would be a second shape.
    let changes = ["body.0.file=there.msh", "body.0.file_optional=true"];
    let scene = read(TEXT, &changes).unwrap();
    let Shape::File(MeshFile { path, stand_in: Some(shape), .. }) = &scene.bodies[0].shape else { panic!("{scene:?}") };
    assert_eq!((path.as_str(), shape.key()), ("there.msh", "ball"));
    let blamed = refusal(TEXT, &["body.0.box={size=[1,1,1],cells=[1,1,1]}", "run.h=1/30"]);
    assert!(blamed.starts_with("--set body.0.box={size=[1,1,1],cells=[1,1,1]}: body[0]: body `ball`: 2"), "{blamed}");
    assert!(
        refusal(TEXT, &["run.h=1/30", "pin.0.rim=false"]).contains("pin.0.rim=false: pin[0]: pin of body `cloth`: 0")
    );
}

#[test]
fn a_missing_file_is_replaced_by_what_stands_in_for_it() {
    let changes = ["body.0.file=nowhere.msh", "body.0.file_optional=true"];
    let mut scene = read(TEXT, &changes).unwrap();
    let built = scene.build().unwrap();
    let warnings = built.warnings.join("\n");
    assert!(warnings.contains("body `ball`: nowhere.msh is not there; a ball stands in"), "{warnings}");
    assert_eq!(built.start, in_code().build().unwrap().start);
    for mut input in scene.inputs() {
        assert_eq!((input.name, input.content().unwrap()), ("ball", None));
        input.use_stand_in();
    }
    assert_eq!(scene, in_code());
    let mut scene = in_code().body(Body::file("nowhere.msh"));
    let missing = scene.inputs().next().unwrap().content().unwrap_err().to_string();
    assert!(missing.starts_with("nowhere.msh: there is no such file"), "{missing}");
}

/// A body of each kind and an obstacle with a wire, all given in memory, with a node that nothing uses.
fn in_memory() -> Scene {
    let mut solid = generate::ball(0.1, 2).unwrap();
    solid.positions.push(Vector3::new(-0.0, 1.0 / 3.0, 5e-324));
    let mut ground = TriMesh { positions: vec![Vector3::new(0.1, 0.2, -9.0); 6], triangles: vec![[0, 2, 3]] };
    (0..6).for_each(|i| ground.positions[i][i % 2] = 1.0 / (i as f64 + 1.0));
    Scene::new("In memory")
        .body(Body::tets(solid).named("solid"))
        .body(
            Body::surface(generate::disc(0.3, 2).unwrap()).shell().named("cloth").at([0.0, 0.0, 1.0]).material("cloth"),
        )
        .body(Body::surface(generate::icosphere(0.1, 1).unwrap()).affine().named("stiff").at([0.0, 0.0, 2.0]))
        .material(Material::new(5e6).named("cloth").sheet(4e-4, 0.4))
        .obstacle(Obstacle::wired(WiredSurface { surface: ground, wires: vec![[4, 5]] }).named("ground"))
}

#[test]
fn meshes_in_memory_become_files_that_build_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = in_memory();
    let refusal = scene.to_toml().unwrap_err().to_string();
    assert!(refusal.contains("body `solid`: its mesh is in memory"), "{refusal}");
    let before = scene.build().unwrap();
    assert_eq!(before.warnings.len(), 2, "unused nodes are told of: {:?}", before.warnings);
    for mut input in scene.inputs() {
        let content = input.content().unwrap().unwrap();
        let file = format!("{}.{}", input.name, content.ending);
        std::fs::write(folder.path().join(&file), content.bytes).unwrap();
        input.read_from(file);
    }
    scene.folder = folder.path().to_owned();
    let source = SceneSource { name: "x".into(), text: scene.to_toml().unwrap(), folder: scene.folder.clone() };
    let after = source.parse(&[]).unwrap().build().unwrap();
    assert_eq!((&after.start, &after.warnings), (&before.start, &before.warnings));
    assert_eq!((&after.model.rest, &after.model.tets.nodes), (&before.model.rest, &before.model.tets.nodes));
    assert_eq!(after.model.node_mass, before.model.node_mass);
    assert_eq!(after.model.obstacles[0].wires, before.model.obstacles[0].wires);
    assert_eq!(after.meshes, before.meshes);
}

#[test]
fn what_is_wrong_with_a_mesh_in_memory_is_refused_by_name() {
    let mut mesh = generate::ball(0.1, 1).unwrap();
    mesh.tets[3][2] = 999;
    let message = Scene::new("bad").body(Body::tets(mesh)).build().unwrap_err().to_string();
    assert_eq!(message, "body `mesh`: tet 3 refers to node 999, but there are 13 nodes");
    let wires = WiredSurface { wires: vec![[0, 7]], surface: generate::box_surface(Vector3::repeat(1.0)).unwrap() };
    let mut wrong = wires.clone();
    wrong.wires[0][1] = 8;
    let with = |mesh: WiredSurface| {
        Scene::new("bad").body(Body::ball(0.1, 1).at([0.0, 0.0, 9.0])).obstacle(Obstacle::wired(mesh))
    };
    let message = with(wrong).build().unwrap_err().to_string();
    assert_eq!(message, "obstacle `mesh`: line 0 refers to node 8, but there are 8 nodes");
    with(wires).build().unwrap();
    let none = Scene::new("bad").body(Body::tets(Default::default())).build().unwrap_err().to_string();
    assert_eq!(none, "body `mesh`: the mesh has no nodes");
}

#[test]
fn a_scene_in_code_is_refused_as_one_in_text() {
    let ball = || Scene::new("bad").body(Body::ball(0.1, 1));
    for (scene, message) in [
        (Scene::new("empty"), "there is no [[body]]"),
        (ball().step("a hundredth"), "run.h: `a hundredth` is not a number: write 0.01 or \"1/120\""),
        (ball().step(0.0), "run.h = 0: it must be positive"),
        (ball().duration("1/0"), "run.duration = inf: it must be positive"),
        (ball().integrator("bdf3"), "run.integrator: unknown integrator `bdf3`"),
        (ball().body(Body::ball(0.2, 1)), "two bodies are called `ball`"),
        (ball().pin(Pin::of("cube").rim()), "pin 0 of body `cube`: there is no such body; there are: ball"),
        (ball().pin(Pin::of("ball").nodes([])), "pin 0 of body `ball`: it selects no node"),
        (ball().body(Body::disc(1.0, 2)), "body `disc`: its shape is a surface: a solid needs tets"),
        (
            ball().body(Body::ball(1.0, 1).named("b").material("steal")),
            "no material is called `steal`; did you mean `steel`?",
        ),
        (ball().floor(), "`ball` and `floor` intersect at the start"),
        (ball().body(Body::tets(Default::default()).named("x").affine()), "body `x`: the mesh has no nodes"),
    ] {
        let said = scene.build().expect_err(message).to_string();
        assert!(said.contains(message), "`{message}` is not in: {said}");
    }
}

#[test]
fn a_start_inside_out_is_refused_by_the_build() {
    let bar = Body::cuboid([0.1; 3], [3; 3]).deform(Deformation::twist(Axis::X, -0.01..0.01, 3.1));
    let said = Scene::new("twisted").body(bar.clone()).build().unwrap_err().to_string();
    assert!(said.contains("body `box`: ") && said.contains("of 162 tets are inverted at the start"), "{said}");
    Scene::new("twisted").body(bar.material(Material::new(1e5).law("corotated"))).build().unwrap();
}

#[test]
fn a_file_may_hold_the_surface_of_a_stiff_body_whatever_its_ending() {
    let folder = tempfile::tempdir().unwrap();
    let surface = generate::icosphere(0.1, 1).unwrap();
    let path = folder.path().join("stiff.msh");
    crate::mesh::write_mesh(&path, &surface.clone().into()).unwrap();
    let file = path.display().to_string();
    let built = Scene::new("stiff").body(Body::file(&file).affine()).build().unwrap();
    assert_eq!(built.meshes, [Mesh::Surface(surface)]);
    let built = Scene::new("soft").body(Body::file(&file).cells(4)).build().unwrap();
    assert!(matches!(&built.meshes[0], Mesh::Tets(_)), "a solid fills it");
}

#[test]
fn a_path_without_end_is_refused_and_does_not_fill_the_stack() {
    let source = SceneSource { name: "scene".into(), text: "title = \"t\"".into(), folder: Default::default() };
    let error = source.parse(&[format!("{}=1", "a.".repeat(100_000))]).unwrap_err().to_string();
    assert!(error.ends_with("the path has 100001 parts, but no key of a scene lies so deep"), "{}", error.len());
}
