//! Floods, pages that take nothing, and pages that come and go while a run goes on.

use super::client::Client;
use super::{finished, recorded, viewer};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;
use visviva::session::Ending;

#[test]
fn a_flood_waits_while_others_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let (viewer, _) = viewer(folder.path());
    let address = viewer.address();
    let flood = std::thread::spawn({
        let address = address.clone();
        move || {
            let mut page = Client::connect(&address);
            let begun = Instant::now();
            // What it may ask in a second or two; the server takes no more until then.
            for id in 0..1500 {
                page.send(Message::text(format!("{{\"id\": {id}, \"ask\": \"hello\"}}"))).unwrap();
            }
            (0..1500).for_each(|_| drop(page.receive().unwrap()));
            begun.elapsed()
        }
    });
    let mut other = Client::connect(&address);
    for _ in 0..20 {
        let asked = Instant::now();
        other.ok("hello", json!({}));
        // Far below what the flood has to wait, and far above what an answer takes.
        assert!(asked.elapsed() < Duration::from_millis(700), "{:?}", asked.elapsed());
        std::thread::sleep(Duration::from_millis(30));
    }
    // 600 are free; 900 more at 600 a second.
    let took = flood.join().unwrap();
    assert!(took > Duration::from_millis(1400), "{took:?}");
}

#[test]
fn a_page_that_takes_nothing_harms_neither_the_run_nor_other_pages() {
    let folder = tempfile::tempdir().unwrap();
    let big = finished(folder.path(), "fall");
    let (viewer, _) = viewer(folder.path());
    viewer.show(&big).unwrap();
    let (session, path) = recorded(folder.path(), "live", &[]);
    let pilot = viewer.steer(session, &path, Arc::default(), false).unwrap();
    let mut stuck = Client::connect(&viewer.address());
    // Far more than the system's buffers hold: 64 frames each.
    for id in 0..400 {
        let ask = json!({ "id": id, "ask": "frames", "run": "r1", "from": 0, "to": 31 });
        stuck.send(Message::text(ask.to_string())).unwrap();
    }
    let summary = pilot.fly().unwrap();
    assert_eq!((summary.ending, summary.frames), (Ending::Completed, 31));
    let mut other = Client::connect(&viewer.address());
    assert_eq!(other.ok("open", json!({ "run": "r2" }))["state"], "finished");
    drop(stuck);
    assert_eq!(other.ok("stats", json!({ "run": "r2" }))["next"], 61);
}

#[test]
fn pages_come_and_go_in_the_midst_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let (viewer, _) = viewer(folder.path());
    let (session, path) = recorded(folder.path(), "live", &["run.duration=3"]);
    let pilot = viewer.steer(session, &path, Arc::default(), false).unwrap();
    let run = std::thread::spawn(move || pilot.fly().unwrap());
    let mut seen = Vec::new();
    for _ in 0..5 {
        // Each goes away without a word, in the midst of what it asked for.
        let mut page = Client::connect(&viewer.address());
        let told = page.ok("open", json!({ "run": "r1" }));
        seen.push(told["times"].as_array().unwrap().len());
        page.binary("mesh", json!({ "run": "r1" }));
        let ask = json!({ "id": 99, "ask": "frames", "run": "r1", "from": 0, "to": 64 });
        page.send(Message::text(ask.to_string())).unwrap();
    }
    assert!(seen.is_sorted(), "{seen:?}");
    let mut two = [Client::connect(&viewer.address()), Client::connect(&viewer.address())];
    let told = two.each_mut().map(|page| page.wait_for("r1", "finished")["times"].as_array().unwrap().len());
    assert_eq!(told, [151, 151]);
    assert_eq!(run.join().unwrap().frames, 151);
}
