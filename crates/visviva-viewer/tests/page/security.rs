//! What others than the page get: nothing, and nobody is harmed by them.

use super::client::{Client, parts, request};
use super::{finished, viewer};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message;
use visviva_viewer::{Viewer, ViewerOptions};

#[test]
fn the_page_is_given_to_those_with_the_token_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (viewer, _) = viewer(folder.path());
    let (other, _) = super::viewer(folder.path());
    let (address, (_, query)) = (viewer.address(), parts(&viewer.address()));
    let (code, page) = request(&address, &format!("/?{query}"), &[]);
    assert_eq!(code, 200);
    for wanted in ["visviva:embedded", "content-security-policy", "referrer-policy: no-referrer", "no-store", "nosniff"]
    {
        assert!(page.contains(wanted), "{wanted}: {page}");
    }
    let (site, _) = parts(&address);
    let policy = page.lines().find(|line| line.starts_with("content-security-policy:")).unwrap();
    assert!(policy.contains(&format!("connect-src ws://{site} wss://{site};")), "no other host: {policy}");
    let (code, zipped) = request(&address, &format!("/?{query}"), &[("Accept-Encoding", "gzip, br")]);
    assert!(code == 200 && zipped.contains("content-encoding: gzip"));
    // Without, cut, and of another start.
    for query in ["", "token=", &query[..query.len() - 1], &parts(&other.address()).1, &format!("x{query}")] {
        let (code, words) = request(&address, &format!("/?{query}"), &[]);
        assert!(code == 403 && words.contains("open the whole address"), "{query}: {words}");
    }
    for path in ["/../../etc/passwd", "/runs", "/%2e%2e/%2e%2e/etc/passwd", "/socket/../x", "//etc/passwd"] {
        let (code, words) = request(&address, &format!("{path}?{query}"), &[]);
        assert!(code == 404 && !words.contains("root:"), "{path}: {words}");
    }
    // A name that another site has point here.
    let (code, _) = request(&address, &format!("/?{query}"), &[("Host", "evil.example")]);
    assert_eq!(code, 403);
}

#[test]
fn a_socket_needs_the_token_and_our_own_origin() {
    let folder = tempfile::tempdir().unwrap();
    let (viewer, _) = viewer(folder.path());
    let (site, query) = parts(&viewer.address());
    let own = format!("http://{site}");
    for (query, origin) in [
        ("token=", Some(own.as_str())),
        ("token=0123456789abcdef0123456789abcdef", Some(&own)),
        (&query, None),
        (&query, Some("http://evil.example")),
        (&query, Some("null")),
        (&query, Some("http://127.0.0.1:1")),
    ] {
        assert_eq!(Client::try_connect(&site, query, origin).err(), Some(403), "{query} {origin:?}");
    }
    assert_eq!(request(&viewer.address(), &format!("/socket?{query}"), &[("Origin", &own)]).0, 400, "no websocket");
    assert!(Client::try_connect(&site, &query, Some(&own)).is_ok());
    // A token of an earlier start is worth nothing.
    drop(viewer);
    let (again, _) = super::viewer(folder.path());
    let (site, _) = parts(&again.address());
    assert_eq!(Client::try_connect(&site, &query, Some(&format!("http://{site}"))).err(), Some(403));
}

#[test]
fn what_is_no_ask_is_answered_and_logged_and_harms_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let (viewer, log) = viewer(folder.path());
    let mut page = Client::connect(&viewer.address());
    let mut answered = |message: Message| {
        page.send(message).unwrap();
        page.receive().unwrap().into_text().unwrap().to_string()
    };
    let deep = "[".repeat(20_000);
    for text in [
        "",
        "garbage",
        "{}",
        "{\"id\": 1}",
        "{\"id\": 1e99, \"ask\": \"hello\"}",
        "\u{0}\u{ffff}",
        &deep,
        "null",
        "[[[]]]",
    ] {
        let answer = answered(Message::text(text));
        assert!(answer.contains("\"error\""), "{text:.20}: {answer}");
    }
    assert!(answered(Message::binary(vec![0xff; 100])).contains("JSON in text"));
    let long = format!("{{\"id\": 1, \"ask\": \"hello\", \"x\": \"{}\"}}", "y".repeat(100_000));
    assert!(answered(Message::text(long)).contains("65536 bytes"));
    for _ in 0..100 {
        answered(Message::text("garbage"));
    }
    assert_eq!(page.ok("hello", json!({}))["mode"], "start", "it goes on all the same");
    let lines = log.lock().unwrap();
    assert!(lines.len() == 10 && lines[0].contains("no ask"), "{lines:?}");
}

#[test]
fn a_huge_message_and_bytes_that_are_no_messages_end_their_own_connection_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (viewer, _) = viewer(folder.path());
    let mut other = Client::connect(&viewer.address());
    let mut page = Client::connect(&viewer.address());
    // The connection may be closed before all of it is sent.
    let _ = page.send(Message::text("x".repeat(50_000_000)));
    assert!(page.receive().is_none());
    let (site, query) = parts(&viewer.address());
    let upgrade = format!(
        "GET /socket?{query} HTTP/1.1\r\nHost: {site}\r\nOrigin: http://{site}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    for (first, then) in [
        (upgrade.as_bytes(), &[0xffu8; 4096][..]),
        (upgrade.as_bytes(), &[0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
        (&[0u8; 100], &[0xff; 10_000]),
        (b"GET /socket HTTP/9.9\r\n\r\n", b""),
    ] {
        let mut raw = TcpStream::connect(&site).unwrap();
        raw.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let _ = raw.write_all(first).and_then(|()| raw.write_all(then));
        let _ = raw.shutdown(std::net::Shutdown::Write);
        // It ends, by whatever way.
        let _ = raw.read_to_end(&mut Vec::new());
    }
    assert_eq!(other.ok("hello", json!({}))["mode"], "start");
}

#[test]
fn names_that_are_paths_lead_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    finished(&runs, "fall");
    let outside = finished(folder.path(), "outside");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&outside, runs.join("link")).unwrap();
    let (viewer, _) = viewer(&runs);
    let mut page = Client::connect(&viewer.address());
    let listed = page.ok("list", json!({}));
    assert_eq!(listed["runs"].as_array().unwrap().len(), 1, "a link out of the folder is not followed: {listed}");
    let outside = outside.display().to_string();
    for run in ["../outside", "../../etc", "/etc/passwd", &outside, "r1/../r2", "r2", "", "r01"] {
        for ask in ["open", "mesh", "tets", "now", "stats", "save", "pause"] {
            let words = page.ask(ask, json!({ "run": run })).unwrap_err();
            assert!(words.contains("no run"), "{ask} {run}: {words}");
        }
    }
    for scene in ["../fall", "/etc/passwd", "fall.toml", ""] {
        assert!(page.ask("scene", json!({ "name": scene })).unwrap_err().contains("no scene"));
        assert!(page.ask("start", json!({ "scene": scene })).unwrap_err().contains("no scene"));
    }
    for set in ["body.0.file", "energy.curve_file", "obstacle.0.file", "title"] {
        let words = page.ask("start", json!({ "scene": "fall", "set": { set: "../../etc/passwd" } })).unwrap_err();
        assert!(words.contains("none of the parameters"), "{words}");
    }
}

#[test]
fn only_so_many_pages_are_open_at_once_and_a_closed_one_makes_room() {
    let folder = tempfile::tempdir().unwrap();
    let (viewer, _) = viewer(folder.path());
    let (site, query) = parts(&viewer.address());
    let connect = || Client::try_connect(&site, &query, Some(&format!("http://{site}")));
    let mut pages: Vec<Client> = (0..16).map(|_| connect().map_err(|code| panic!("{code}")).unwrap()).collect();
    assert_eq!(connect().err(), Some(503));
    pages.pop();
    let again = (0..100).find_map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        connect().ok()
    });
    assert!(again.is_some());
}

#[test]
fn whoever_never_says_what_it_wants_is_not_waited_for_and_holds_up_nobody() {
    let options = ViewerOptions { port: Some(0), patience: Duration::from_millis(300), ..ViewerOptions::default() };
    let viewer = Viewer::start(options).unwrap();
    let (site, query) = parts(&viewer.address());
    // More of them than are served at once, each with a head that never ends.
    let mut slow: Vec<TcpStream> = (0..80).map(|_| TcpStream::connect(&site).unwrap()).collect();
    slow.iter_mut().for_each(|stream| stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap());
    assert_eq!(request(&viewer.address(), &format!("/?{query}"), &[]).0, 200);
    for stream in &mut slow {
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        // Closed, with or without a word.
        assert!(stream.read_to_end(&mut Vec::new()).is_ok_and(|bytes| bytes < 500));
    }
}

#[test]
fn an_address_of_another_machine_is_told_as_such() {
    // Of a range that documentation alone may use.
    let options = ViewerOptions { bind: [192, 0, 2, 1].into(), ..ViewerOptions::default() };
    let words = Viewer::start(options).unwrap_err().to_string();
    assert!(words.contains("no address 192.0.2.1") && words.contains("0.0.0.0"), "{words}");
}
