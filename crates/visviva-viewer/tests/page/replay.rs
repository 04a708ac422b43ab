//! A finished run as a page gets it.

use super::client::{Client, frame, head, singles};
use super::{finished, viewer};
use serde_json::{Value, json};
use visviva::run::{RunFolder, Stats};

#[test]
fn a_run_is_told_with_its_mesh_its_frames_and_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = finished(folder.path(), "fall");
    let (viewer, _) = viewer(folder.path());
    viewer.show(&path).unwrap();
    let mut page = Client::connect(&viewer.address());
    let hello = page.ok("hello", json!({}));
    assert_eq!((&hello["mode"], &hello["runs"]), (&json!("replay"), &json!(["r1"])));
    let told = page.ok("open", json!({ "run": "r1" }));
    assert_eq!((&told["state"], &told["live"], &told["name"]), (&json!("finished"), &json!(false), &json!("fall")));
    assert_eq!(told["times"].as_array().unwrap().len(), 31);
    assert_eq!(told["up"], json!([0.0, 0.0, 1.0]));
    // The ground is the page's own.
    let [cube] = &told["bodies"].as_array().unwrap()[..] else { panic!("{told}") };
    assert_eq!((&cube["kind"], &cube["colour"], &told["floor"]), (&json!("solid"), &json!("#e69f00"), &json!(0.0)));
    // Of 27 nodes one lies inside and is not shown.
    assert_eq!((&cube["vertices"], &cube["triangles"]), (&json!([0, 26]), &json!([0, 48])));

    let mesh = page.binary("mesh", json!({ "run": "r1" }));
    let [_, kind, vertices, triangles] = head(&mesh);
    assert_eq!(
        (kind, u64::from(vertices), u64::from(triangles)),
        (1, told["vertices"].as_u64().unwrap(), told["triangles"].as_u64().unwrap())
    );
    let corners = &mesh[16 + 12 * vertices as usize..][..12 * triangles as usize];
    assert!(corners.chunks_exact(4).all(|c| u32::from_le_bytes(c.try_into().unwrap()) < vertices));

    // A known vertex at a known frame.
    let run = RunFolder::open(&path).unwrap();
    let shown = run.mesh().unwrap().shown();
    let (t, seen) = frame(&page.binary("frame", json!({ "run": "r1", "index": 20 })), vertices as usize);
    let expected = shown[0].at(&run.read_frame(20).unwrap().x);
    assert!((t - 0.4).abs() < 1e-12);
    // The cube is 10 cm wide, its diagonal 17: half a step is below 1.4 µm.
    assert!((0..3).all(|k| (seen[5][k] - expected[5][k]).abs() < 1.4e-6), "{:?} {:?}", seen[5], expected[5]);
    let all = page.binary("frame", json!({ "run": "r1", "index": 20, "of": "mesh" }));
    assert_eq!(frame(&all, 30).1.len(), 30);

    let stats = page.ok("stats", json!({ "run": "r1", "from": 10 }));
    let rows = Stats::read(&run.stats_path()).unwrap().rows;
    assert_eq!(stats["next"], 61);
    assert_eq!(stats["columns"]["t"][0], json!(rows[10].t));
    let total = stats["columns"]["total"][50].as_f64().unwrap();
    assert!((total - rows[60].total).abs() < 1e-6 * rows[60].total, "{total}");
}

#[test]
fn contacts_fields_and_tets_are_given_where_there_are_any() {
    let folder = tempfile::tempdir().unwrap();
    let path = finished(folder.path(), "fall");
    let (viewer, _) = viewer(folder.path());
    viewer.show(&path).unwrap();
    let mut page = Client::connect(&viewer.address());
    let forces = RunFolder::open(&path).unwrap();
    let touching = (0..31).find(|&index| !forces.read_contacts(index).unwrap().unwrap().is_empty()).unwrap();
    let contacts = page.binary("contacts", json!({ "run": "r1", "index": touching }));
    let first = forces.read_contacts(touching).unwrap().unwrap()[0];
    let numbers = singles(&contacts[16..]);
    assert_eq!((head(&contacts)[1], numbers.len()), (3, 10 * head(&contacts)[2] as usize));
    assert!((f64::from(numbers[5]) - first.normal.z).abs() < 1e-5 * first.normal.norm());
    let energy = page.binary("field", json!({ "run": "r1", "index": touching, "name": "energy" }));
    let densities = singles(&energy[16..]);
    assert!(densities.len() == 26 && densities.iter().any(|&density| density > 0.0), "{densities:?}");
    let tets = page.binary("tets", json!({ "run": "r1" }));
    assert_eq!(head(&tets)[1..3], [5, 27 + 3]);
    let words = page.ask("field", json!({ "run": "r1", "index": 0, "name": "smell" })).unwrap_err();
    assert!(words.contains("speed"), "{words}");
}

#[test]
fn frames_come_one_after_the_other_under_one_number() {
    let folder = tempfile::tempdir().unwrap();
    let (viewer, _) = viewer(folder.path());
    viewer.show(&finished(folder.path(), "fall")).unwrap();
    let mut page = Client::connect(&viewer.address());
    let first = page.binary("frames", json!({ "run": "r1", "from": 3, "to": 6 }));
    let mut indices = vec![head(&first)[2]];
    for _ in 0..2 {
        let next = page.receive().unwrap().into_data();
        assert_eq!(head(&next)[0], head(&first)[0]);
        indices.push(head(&next)[2]);
    }
    assert_eq!(indices, [3, 4, 5]);
    assert_eq!(page.ok("frames", json!({ "run": "r1", "from": 7, "to": 7 })), json!({ "frames": 0 }));
    let words = page.ask("frames", json!({ "run": "r1", "from": 31, "to": 40 })).unwrap_err();
    assert!(words.contains("no frame 31") && words.contains("31 so far"), "{words}");
}

#[test]
fn runs_below_the_folder_and_scenes_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    finished(folder.path(), "one");
    finished(&folder.path().join("deep"), "two");
    std::fs::create_dir(folder.path().join("none")).unwrap();
    let (viewer, _) = viewer(folder.path());
    let mut page = Client::connect(&viewer.address());
    assert_eq!(page.ok("hello", json!({}))["mode"], "start");
    let list = page.ok("list", json!({}));
    let names: Vec<&Value> = list["runs"].as_array().unwrap().iter().map(|run| &run["name"]).collect();
    assert_eq!(names, ["two", "one"]);
    assert_eq!((&list["runs"][0]["frames"], &list["scenes"][0]["name"]), (&json!(31), &json!("fall")));
    let scene = page.ok("scene", json!({ "name": "fall" }));
    assert!(scene["toml"].as_str().unwrap().contains("A cube falls") && scene["schema"]["$defs"].is_object());
    assert_eq!(scene["main"][0]["path"], "run.h");
}

#[test]
fn a_run_that_another_process_writes_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (mut session, path) = super::recorded(folder.path(), "fall", &[]);
    session.run_until(0.1).unwrap();
    let (viewer, _) = viewer(folder.path());
    viewer.show(&path).unwrap();
    let mut page = Client::connect(&viewer.address());
    let told = page.ok("open", json!({ "run": "r1" }));
    assert_eq!((&told["state"], told["times"].as_array().unwrap().len()), (&json!("running"), 6));
    session.run().unwrap();
    let finished = page.wait_for("r1", "finished");
    assert_eq!(finished["times"].as_array().unwrap().len(), 31);
    assert_eq!(page.ok("stats", json!({ "run": "r1", "from": 60 }))["next"], 61);
}

#[test]
fn a_run_with_a_damaged_frame_is_opened_and_the_others_are_given() {
    let folder = tempfile::tempdir().unwrap();
    let path = finished(folder.path(), "fall");
    let frame = path.join("frames/000004.npy");
    std::fs::write(&frame, &std::fs::read(&frame).unwrap()[..100]).unwrap();
    let (viewer, _) = viewer(folder.path());
    viewer.show(&path).unwrap();
    let mut page = Client::connect(&viewer.address());
    assert_eq!(page.ok("open", json!({ "run": "r1" }))["times"].as_array().unwrap().len(), 31);
    assert!(page.ask("frame", json!({ "run": "r1", "index": 4 })).unwrap_err().contains("000004.npy"));
    assert_eq!(head(&page.binary("frame", json!({ "run": "r1", "index": 5 })))[2], 5);
}
