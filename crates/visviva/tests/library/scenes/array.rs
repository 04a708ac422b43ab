//! A body repeated in a grid.

use super::{refusal, scene, scene_in};
use nalgebra::Vector3;
use visviva::mesh::{Mesh, generate, write_mesh};
use visviva::model::bodies::node_of;
use visviva::scene::{Array, Body, Built, Scene, SceneSource};

const BLOCKS: &str = r#"
[[body]]
name = "blocks"
material = { youngs_modulus = 1e5 }
box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }
translate = [0, 0, 1]
array = { counts = [2, 1, 3], spacing = [0.2, 5, 0.15] }

[[obstacle]]
name = "floor"
plane = {}
"#;

fn start_of(built: &Built, name: &str) -> Vec<Vector3<f64>> {
    let body = built.model.bodies.iter().find(|body| body.name == name).unwrap();
    body.nodes.clone().map(|node| node_of(&built.start.x, node)).collect()
}

fn speed_of(built: &Built, name: &str) -> Vec<Vector3<f64>> {
    let body = built.model.bodies.iter().find(|body| body.name == name).unwrap();
    body.nodes.clone().map(|node| node_of(&built.start.v, node)).collect()
}

#[test]
fn copies_stand_on_from_the_bodys_own_place_and_carry_their_names() {
    let built = scene(BLOCKS, &[]);
    let names: Vec<&str> = built.model.bodies.iter().map(|body| body.name.as_str()).collect();
    let wanted = ["0-0-0", "0-0-1", "0-0-2", "1-0-0", "1-0-1", "1-0-2"].map(|copy| format!("blocks.{copy}"));
    assert_eq!(names, wanted);
    assert_eq!(built.settings_of, [0; 6]);
    let alone = start_of(&scene(BLOCKS, &["body.0.array.counts=[1,1,1]"]), "blocks.0-0-0");
    assert_eq!(start_of(&built, "blocks.0-0-0"), alone);
    for (x, own) in start_of(&built, "blocks.1-0-2").iter().zip(&alone) {
        assert!((x - own - Vector3::new(0.2, 0.0, 0.3)).norm() < 1e-15, "{x}");
    }
}

#[test]
fn copies_start_deformed_and_moving_as_the_body_does() {
    let start = [
        "body.0.velocity={linear=[1,0,0],angular=[0,3,0],about=[0,0,1],ramp={axis=\"z\",from=1,to=1.05,velocity=[0,1,0]}}",
        "body.0.deform=[{kind=\"twist\",axis=\"z\",from=0.95,to=1.05,amount=0.3}]",
        "body.0.array.spacing=0.2",
    ];
    let built = scene(BLOCKS, &start);
    let shift = Vector3::new(0.2, 0.0, 0.4);
    for (x, own) in start_of(&built, "blocks.1-0-2").iter().zip(start_of(&built, "blocks.0-0-0")) {
        assert!((x - own - shift).norm() < 1e-14, "{x} {own}");
    }
    for (v, own) in speed_of(&built, "blocks.1-0-2").iter().zip(speed_of(&built, "blocks.0-0-0")) {
        assert!((v - own).norm() < 1e-13, "{v} {own}");
    }
}

#[test]
fn a_name_means_all_copies_and_a_full_name_one() {
    let pin = |body: &str| {
        format!("{BLOCKS}[[pin]]\nbody = \"{body}\"\nplane = {{ point = [0, 0, 0.95], normal = [0, 0, 1] }}\n")
    };
    assert_eq!(scene(&pin("blocks"), &[]).model.pins.len(), 2 * 4 + 3, "both lowest blocks, and the floor's corners");
    assert_eq!(scene(&pin("blocks.1-0-0"), &[]).model.pins.len(), 4 + 3);
    let unknown = refusal(&pin("blocks.2-0-0"), &[]);
    assert!(unknown.ends_with("pin 0 of body `blocks.2-0-0`: there is no such body; there are: blocks"), "{unknown}");

    let friction = "[[friction]]\nbetween = [\"blocks\", \"floor\"]\ncoefficient = 0.3\n\
                    [[friction]]\nbetween = [\"blocks.0-0-1\", \"floor\"]\ncoefficient = 0.9\n\
                    [[friction]]\nbetween = [\"blocks.0-0-1\", \"blocks.0-0-2\"]\ncoefficient = 0.5\n";
    let built = scene(&format!("{BLOCKS}{friction}"), &[]);
    let friction = &built.model.contact.as_ref().unwrap().friction;
    let with_floor: Vec<f64> = (0..6).map(|copy| friction.between(copy, 6)).collect();
    assert_eq!(with_floor, [0.3, 0.9, 0.3, 0.3, 0.3, 0.3]);
    assert_eq!([friction.between(2, 1), friction.between(1, 2), friction.between(0, 1)], [0.5, 0.5, 0.0]);
}

#[test]
fn rings_of_repeated_nets_are_named_and_meant_like_copies() {
    let net = "[[body]]\nname = \"net\"\nkind = \"affine\"\nmaterial = { youngs_modulus = 1e8 }\n\
               chain_net = { rings = [2, 1], major_radius = 0.03, minor_radius = 0.003, segments = [12, 4] }\n\
               array = { counts = [1, 1, 2], spacing = 0.1 }\n";
    let hold = |body: &str| {
        format!("{net}[[pin]]\nbody = \"{body}\"\nhalfspace = {{ point = [0, 0, -9], normal = [0, 0, 1] }}\n")
    };
    let built = scene(net, &[]);
    let names: Vec<&str> = built.model.bodies.iter().map(|body| body.name.as_str()).collect();
    assert!(names.len() == 6 && names[3].starts_with("net.0-0-1.node-0-0"), "{names:?}");
    for (name, rings) in [("net", 6), ("net.0-0-1", 3), ("net.0-0-1.node-0-0", 1)] {
        assert_eq!(scene(&hold(name), &[]).model.pins.len(), 4 * rings, "{name}");
    }
}

#[test]
fn chance_is_bounded_repeats_itself_and_stays_when_copies_are_added() {
    let chance = ["body.0.array.jitter=0.01", "body.0.array.turn=random", "body.0.array.spacing=0.3"];
    let (built, again) = (scene(BLOCKS, &chance), scene(BLOCKS, &chance));
    assert_eq!(built.start, again.start);
    let more = scene(BLOCKS, &[&chance[..], &["body.0.array.counts=[3,2,4]"]].concat());
    let other = scene(BLOCKS, &[&chance[..], &["body.0.array.seed=1"]].concat());
    for (i, k) in [(0, 0), (1, 2)] {
        let name = format!("blocks.{i}-0-{k}");
        let points = start_of(&built, &name);
        assert_eq!(points, start_of(&more, &name));
        assert_ne!(points, start_of(&other, &name));
        let middle = points.iter().sum::<Vector3<f64>>() / 8.0;
        let cell = Vector3::new(0.3 * f64::from(i), 0.0, 1.0 + 0.3 * f64::from(k));
        assert!((middle - cell).amax() <= 0.01 && (middle - cell).norm() > 1e-4, "{middle}");
        assert!(points.iter().all(|x| ((x - middle).norm() - 0.05 * 3f64.sqrt()).abs() < 1e-15), "it is only turned");
        assert!((points[1] - points[0]).normalize().x < 0.999, "it is turned");
    }
}

#[test]
fn random_turns_prefer_no_direction() {
    let mut cloud = Body::cuboid([0.1; 3], [1; 3]).array(Array::new([10, 10, 10], 0.3).random_turns());
    cloud = cloud.affine().named("cloud");
    let built = Scene::new("cloud").body(cloud).build().unwrap();
    let side = |copy: usize| {
        let vertices = built.model.bodies[copy].vertices.clone();
        let points: Vec<_> = vertices.map(|vertex| built.model.vertices[vertex].of(&built.start.x)).collect();
        (points[1] - points[0]).normalize()
    };
    let mean = (0..1000).map(side).sum::<Vector3<f64>>() / 1000.0;
    let squares = (0..1000).map(|copy| side(copy).map(|c| c * c)).sum::<Vector3<f64>>() / 1000.0;
    // Standard deviations: 1/√3000 = 0.018 and √(4/45/1000) = 0.0094; four of each.
    assert!(mean.amax() < 0.073 && (squares - Vector3::repeat(1.0 / 3.0)).amax() < 0.038, "{mean} {squares}");
}

#[test]
fn impossible_arrays_are_refused_with_what_is_allowed() {
    for (change, parts) in [
        ("body.0.array.counts=[0,1,1]", &["body `blocks`: array.counts = [0, 1, 1]", "at least 1"][..]),
        ("body.0.array.counts=[30,30,30]", &["27000 copies", "at most 10000"]),
        ("body.0.array.counts=[9223372036854775807,9223372036854775807,9223372036854775807]", &["at most 10000"]),
        ("body.0.array.spacing=[0,1,1]", &["array.spacing = [0.0, 1.0, 1.0]", "not zero"]),
        ("body.0.array.spacing=inf", &["array.spacing", "finite"]),
        ("body.0.array.spacing=[1,1]", &["expected one number or three"]),
        ("body.0.array.jitter=-1", &["array.jitter = -1 m", "not negative"]),
        ("body.0.array.turn=sideways", &["unknown value `sideways`", "random"]),
        ("body.0.array.seed=-1", &["expected a whole number, 0 or more, found -1"]),
        (
            "body.0.array={counts=[10000,1,1],spacing=1}\u{0}body.0.box.cells=[20,20,20]",
            &["10000 copies of 48000 elements"],
        ),
        ("obstacle.0.name=blocks.0-0-1", &["`blocks.0-0-1` is the name of a part of body `blocks`", "rename"]),
    ] {
        let said = refusal(BLOCKS, &change.split('\0').collect::<Vec<_>>());
        assert!(parts.iter().all(|part| said.contains(part)), "{change}: {said}");
    }
}

#[test]
fn copies_in_each_other_are_told_the_spacing_they_need() {
    let said = refusal(BLOCKS, &["body.0.array.spacing=0.05"]);
    assert!(said.starts_with("`blocks.0-0-0` and `blocks.0-0-1` intersect at the start"), "{said}");
    let advice = "they are copies of `blocks`, whose array.spacing = [0.05, 0.05, 0.05] is too small; \
                  array.spacing = [0.101, 0.101, 0.101] is enough";
    assert!(said.ends_with(advice), "{said}");
    let built = scene(BLOCKS, &["body.0.array.spacing=[0.101,0.101,0.101]"]);
    assert!(built.warnings.is_empty(), "{:?}", built.warnings);
    let touching = refusal(BLOCKS, &["body.0.array.spacing=0.1"]);
    assert!(touching.contains("is enough"), "{touching}");

    let chance = ["body.0.array.jitter=0.01", "body.0.array.turn=random", "body.0.array.spacing=0.1"];
    let said = refusal(BLOCKS, &chance);
    let needed = said.split("array.spacing = ").last().unwrap().trim_end_matches(" is enough");
    let built = scene(BLOCKS, &[chance[0], chance[1], &format!("body.0.array.spacing={needed}")]);
    assert!(built.warnings.is_empty(), "{:?}", built.warnings);
}

#[test]
fn a_file_is_read_once_for_all_copies_and_doubted_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut ball = generate::ball(0.05, 1).unwrap();
    ball.positions.push(Vector3::new(0.01, 0.0, 0.0));
    write_mesh(folder.path().join("ball.msh"), &ball.into()).unwrap();
    let text = "[[body]]\nname = \"balls\"\nmaterial = { youngs_modulus = 1e5 }\nfile = \"ball.msh\"\n\
                array = { counts = [3, 1, 1], spacing = 0.2 }\n";
    let built = scene_in(folder.path(), text, &[]);
    assert_eq!(built.warnings.len(), 1, "{:?}", built.warnings);
    assert!(built.meshes.iter().all(|mesh| matches!(mesh, Mesh::Tets(tets) if tets.tets.len() == 20)));
}

#[test]
fn code_writes_the_same_array_as_text() {
    let array = Array::new([2, 1, 3], [0.2, 5.0, 0.15]).jitter(0.002).random_turns().seed(7);
    let scene = Scene::new("test").body(Body::cuboid([0.1; 3], [1; 3]).array(array.clone()));
    let text = scene.to_toml().unwrap();
    let source = SceneSource { name: "test".into(), text, folder: Default::default() };
    let read = source.parse(&[]).unwrap();
    assert_eq!((read.bodies[0].array.as_ref(), &read), (Some(&array), &scene));
}
