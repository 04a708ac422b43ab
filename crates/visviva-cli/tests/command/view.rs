//! `visviva view` and `--view`: the address they print, how they end, and the page of one run.
#![cfg(unix)]

use super::place::Place;
use super::small_scene::small;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// Gone with this, however a test ends.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
    }
}

impl Served {
    fn start(place: &Place, args: &[&str]) -> Self {
        let args = [args, &["--port", "0"]].concat();
        Self(place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// The address, once it is printed.
    fn address(&mut self) -> String {
        let lines = BufReader::new(self.0.stdout.as_mut().unwrap()).lines();
        let line = lines.map(Result::unwrap).find(|line| line.starts_with("open http://127.0.0.1:"));
        line.expect("an address")["open ".len()..].to_owned()
    }

    /// Its exit code and what it said after Ctrl-C.
    fn interrupt(&mut self) -> (Option<i32>, String) {
        Command::new("kill").args(["-INT", &self.0.id().to_string()]).status().unwrap();
        let code = self.0.wait().unwrap().code();
        let mut said = String::new();
        self.0.stderr.as_mut().unwrap().read_to_string(&mut said).unwrap();
        (code, said)
    }
}

fn get(address: &str) -> String {
    let (site, path) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(site).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {site}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn runs_are_served_at_the_address_that_is_printed_until_ctrl_c() {
    let place = small();
    place.succeed(&["run", "small.toml", "--quiet", "--out", "a"]);
    let mut served = Served::start(&place, &["view", "a"]);
    let address = served.address();
    assert!(get(&address).starts_with("HTTP/1.1 200"));
    let without_token = address.split('?').next().unwrap();
    assert!(get(without_token).starts_with("HTTP/1.1 403"));
    assert_eq!(served.interrupt().0, Some(0));
    place.fail(&["view", "nowhere"], 2, &["nowhere"]);
}

#[test]
fn a_live_run_is_complete_before_its_page_ends() {
    let place = small();
    let mut served = Served::start(&place, &["run", "small.toml", "--quiet", "--out", "a", "--view"]);
    let address = served.address();
    while !place.path("a/summary.json").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(get(&address).starts_with("HTTP/1.1 200"));
    let (code, said) = served.interrupt();
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(place.summary("a")["ending"]["kind"], "completed");
    place.fail(&["run", "small.toml", "--port", "7"], 2, &["--view"]);
}

#[test]
fn the_demo_ends_with_the_address_of_its_three_runs() {
    let place = Place::empty();
    let mut served = Served::start(&place, &["demo", "--duration", "0.1", "--shells", "2", "--view"]);
    let address = served.address();
    assert!(get(&address).starts_with("HTTP/1.1 200"));
    assert!(place.path("demo/a-search/summary.json").exists() && place.path("demo/balls.png").exists());
    assert_eq!(served.interrupt().0, Some(0));
}

#[test]
fn of_a_damaged_run_the_rest_is_shown_with_a_warning_and_without_shapes_nothing() {
    let place = small();
    place.succeed(&["run", "small.toml", "--quiet", "--out", "a"]);
    let frame = place.path("a/frames/000001.npy");
    let bytes = std::fs::read(&frame).unwrap();
    std::fs::write(&frame, &bytes[..bytes.len() / 2]).unwrap();
    let mut served = Served::start(&place, &["view", "a"]);
    let address = served.address();
    assert!(get(&address).starts_with("HTTP/1.1 200"));
    std::thread::sleep(std::time::Duration::from_millis(500));
    let (code, said) = served.interrupt();
    assert!(code == Some(0) && said.contains("warning: ") && said.contains("000001.npy"), "{said}");
    place.fail(&["view", "a", "--html", "a.html"], 1, &["000001.npy"]);
    assert!(!place.path("a.html").exists());
    std::fs::write(place.path("a/mesh/bodies.json"), "{").unwrap();
    place.fail(&["view", "a"], 1, &["bodies.json"]);
}

#[test]
fn opening_it_up_warns() {
    let place = Place::empty();
    let mut served = Served::start(&place, &["view", "--bind", "0.0.0.0"]);
    let address = served.address();
    assert!(get(&address).starts_with("HTTP/1.1 200"));
    let (_, said) = served.interrupt();
    assert!(said.contains("warning: with --bind 0.0.0.0") && said.contains("ssh -L"), "{said}");
    place.fail(&["view", "--bind", "192.0.2.1"], 2, &["this machine has no address 192.0.2.1"]);
}

#[test]
fn a_run_becomes_one_page_that_is_not_written_over() {
    let place = small();
    place.succeed(&["run", "small.toml", "--quiet", "--out", "a"]);
    let said = place.succeed(&["view", "a", "--html", "a.html"]);
    assert!(said.contains("a.html") && said.contains("any browser"), "{said}");
    assert!(place.read("a.html").contains("id=\"blob-frames\""));
    place.fail(&["view", "a", "--html", "a.html"], 2, &["--overwrite"]);
    place.succeed(&["view", "a", "--html", "a.html", "--overwrite"]);
    place.fail(&["view", "--html", "b.html"], 2, &["one run folder"]);
    place.fail(&["view", "nowhere", "--html", "b.html"], 2, &["nowhere"]);
}
