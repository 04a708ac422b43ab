//! What a page costs: bytes a frame and frames a second at 100k triangles, and what a run loses to a page that pulls and to one that
//! is stuck, run beside run. `cargo run --release -p visviva-viewer --example cost [MINUTES]`; it needs no browser.

#[path = "../tests/page/client.rs"]
#[allow(dead_code)] // The tests need more of it.
mod client;

use client::Client;
use serde_json::json;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;
use visviva::Session;
use visviva::scene::{Scene, SceneSource};
use visviva::session::RecordOptions;
use visviva_viewer::{Viewer, ViewerOptions};

/// 102 400 triangles on two spheres that fly apart.
const SPHERES: &str = r#"
title = "Two spheres"
run = { h = "1/30", duration = 3 }
contact = { enabled = false }
[[body]]
name = "large"
kind = "affine"
material = { youngs_modulus = 1e7 }
icosphere = { radius = 0.5, subdivisions = 6 }
velocity = { linear = [1, 0, 3], angular = [0, 1, 0] }
[[body]]
name = "small"
kind = "affine"
material = { youngs_modulus = 1e7 }
icosphere = { radius = 0.2, subdivisions = 5 }
translate = [0, 2, 0]
"#;

/// A soft ball of 8 000 tets or so that bounces: steps as people have them.
const BALL: &str = r#"
title = "A ball"
run = { h = "1/120", duration = 1, frame_rate = 60 }
[[body]]
name = "ball"
material = { youngs_modulus = 1e6 }
ball = { radius = 0.05, shells = 7 }
translate = [0, 0, 0.2]
[[obstacle]]
name = "ground"
plane = { size = 2 }
"#;

/// For how long frames are pulled one after the other `[min]`.
const PULLING: f64 = 0.5;
/// Rounds at least, each with a run of every kind; the first warms up and does not count.
const ROUNDS: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let minutes: f64 = std::env::args().nth(1).map_or(Ok(3.5), |text| text.parse())?;
    let folder = std::env::temp_dir().join(format!("visviva-cost-{}", std::process::id()));
    let end = Instant::now() + Duration::from_secs_f64(60.0 * minutes);
    let measured = frames_a_second(&folder, PULLING.min(minutes)).and_then(|()| slowdown(&folder, end));
    std::fs::remove_dir_all(&folder)?;
    measured
}

fn recorded(text: &str, path: &Path) -> Result<Session, Box<dyn Error>> {
    let source = SceneSource { name: "cost".into(), text: text.into(), folder: Default::default() };
    let scene: Scene = source.parse(&[])?;
    let mut session = Session::new(scene)?;
    session.record(path, &RecordOptions { overwrite: true, ..RecordOptions::default() })?;
    Ok(session)
}

fn frames_a_second(folder: &Path, minutes: f64) -> Result<(), Box<dyn Error>> {
    let path = folder.join("spheres");
    let frames = recorded(SPHERES, &path)?.run()?.frames;
    let viewer = Viewer::start(ViewerOptions { port: Some(0), ..ViewerOptions::default() })?;
    viewer.show(&path)?;
    let mut page = Client::connect(&viewer.address());
    let told = page.ok("open", json!({ "run": "r1" }));
    println!("{} triangles, {} vertices, {frames} frames", told["triangles"], told["vertices"]);
    println!("mesh, once: {} bytes", page.binary("mesh", json!({ "run": "r1" })).len());
    let begun = Instant::now();
    let (mut pulled, mut bytes, mut memory) = (0u64, 0, Vec::new());
    while begun.elapsed().as_secs_f64() < 60.0 * minutes {
        bytes = page.binary("frame", json!({ "run": "r1", "index": pulled % frames })).len();
        pulled += 1;
        if pulled.is_multiple_of(1000) {
            memory.push(resident_mib());
        }
    }
    let rate = pulled as f64 / begun.elapsed().as_secs_f64();
    println!("a frame: {bytes} bytes; {rate:.0} frames a second, {pulled} in {minutes} min");
    if let (Some(first), Some(last)) = (memory.first(), memory.last()) {
        let most = memory.iter().copied().fold(0.0, f64::max);
        println!(
            "memory of server and client: {first:.0} MiB after 1000 frames, {last:.0} MiB at the end, at most {most:.0} MiB"
        );
    }
    let mut stuck = Client::connect(&viewer.address());
    let before = resident_mib();
    for id in 0..500 {
        let ask = json!({ "id": id, "ask": "frames", "run": "r1", "from": 0, "to": 64 });
        stuck.send(Message::text(ask.to_string()))?;
    }
    std::thread::sleep(Duration::from_secs(5));
    println!("a page that is stuck on 32 000 frames: {:.1} MiB more", resident_mib() - before);
    Ok(())
}

/// Of this process.
fn resident_mib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|kib| kib.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.0
}

/// That all threads of this process have computed `[s]`: what a machine with other work to do still measures.
fn computed_s() -> f64 {
    const TICKS_A_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok());
    ticks.sum::<f64>() / TICKS_A_SECOND
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Onlooker {
    None,
    /// Asks for each frame and for rows, 60 times a second
    Pulling,
    /// Asks for thousands of large frames and takes none
    Stuck,
}

const KINDS: [Onlooker; 3] = [Onlooker::None, Onlooker::Pulling, Onlooker::Stuck];

/// Rounds of a run of each kind until the time is up. A machine that grows slower is so for all three, and every other round goes
/// backwards.
fn slowdown(folder: &Path, end: Instant) -> Result<(), Box<dyn Error>> {
    println!(
        "\nOne run, alone and watched, [s]: by the clock, and computed by all threads together with the server and the onlooker\n"
    );
    println!("| round | alone | a page that pulls | a page that is stuck |\n|---|---|---|---|");
    let mut rounds: Vec<[[f64; 2]; 3]> = Vec::new();
    let mut longest = Duration::ZERO;
    for round in 0.. {
        if round > ROUNDS && Instant::now() + longest > end {
            break;
        }
        let begun = Instant::now();
        let mut took = [[0.0; 2]; 3];
        for place in 0..3 {
            let which = if round % 2 == 0 { place } else { 2 - place };
            took[which] = run_before(KINDS[which], folder)?;
        }
        longest = longest.max(begun.elapsed());
        if round > 0 {
            println!("| {round} | {} | {} | {} |", told(took, 0), told(took, 1), told(took, 2));
            rounds.push(took);
        }
    }
    let [clock, computed] =
        [0, 1].map(|which| [1, 2].map(|kind| median(rounds.iter().map(|took| more(took, kind, which)))));
    println!("| median, by the clock | | {:+.1} % | {:+.1} % |", clock[0], clock[1]);
    println!("| median, computed | | {:+.1} % | {:+.1} % |", computed[0], computed[1]);
    Ok(())
}

/// Than the run of the same round that was alone `[%]`.
fn more(took: &[[f64; 2]; 3], kind: usize, which: usize) -> f64 {
    100.0 * (took[kind][which] / took[0][which] - 1.0)
}

fn told(took: [[f64; 2]; 3], kind: usize) -> String {
    let [clock, computed] = took[kind];
    if kind == 0 {
        return format!("{clock:.3}, {computed:.2}");
    }
    format!("{clock:.3} ({:+.1} %), {computed:.2} ({:+.1} %)", more(&took, kind, 0), more(&took, kind, 1))
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    if values.len() % 2 == 1 { values[half] } else { 0.5 * (values[half - 1] + values[half]) }
}

/// By the clock and by all threads `[s]`.
fn run_before(kind: Onlooker, folder: &Path) -> Result<[f64; 2], Box<dyn Error>> {
    let viewer = Viewer::start(ViewerOptions { port: Some(0), ..ViewerOptions::default() })?;
    viewer.show(&folder.join("spheres"))?;
    let path = &folder.join("ball");
    let session = recorded(BALL, path)?;
    let over = Arc::new(AtomicBool::new(false));
    let pilot = viewer.steer(session, path, Arc::default(), false)?;
    let (address, ended) = (viewer.address(), over.clone());
    let onlooker = std::thread::spawn(move || match kind {
        Onlooker::None => {}
        Onlooker::Pulling => pull(&address, &ended),
        Onlooker::Stuck => be_stuck(&address, &ended),
    });
    std::thread::sleep(Duration::from_millis(300));
    let (begun, computed) = (Instant::now(), computed_s());
    pilot.fly()?;
    let took = [begun.elapsed().as_secs_f64(), computed_s() - computed];
    over.store(true, Ordering::Relaxed);
    drop(onlooker.join());
    Ok(took)
}

fn pull(address: &str, over: &AtomicBool) {
    let mut page = Client::connect(address);
    page.ok("open", json!({ "run": "r2" }));
    page.binary("mesh", json!({ "run": "r2" }));
    let (mut next, mut rows) = (0, json!(0));
    while !over.load(Ordering::Relaxed) {
        let known = page.events.iter().filter_map(|event| event["frames"].as_u64()).max().unwrap_or(1);
        page.events.drain(..page.events.len().saturating_sub(1));
        if next < known {
            page.binary("frame", json!({ "run": "r2", "index": next }));
            next += 1;
        }
        rows = page.ok("stats", json!({ "run": "r2", "from": rows }))["next"].clone();
        std::thread::sleep(Duration::from_millis(16));
    }
}

fn be_stuck(address: &str, over: &AtomicBool) {
    let mut page = Client::connect(address);
    for id in 0..1000 {
        let ask = json!({ "id": id, "ask": "frames", "run": "r1", "from": 0, "to": 64 });
        if page.send(Message::text(ask.to_string())).is_err() {
            return;
        }
    }
    while !over.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(16));
    }
}
