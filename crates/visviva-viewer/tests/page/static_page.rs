//! A run as one file.

use super::client::{frame, head};
use super::finished;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::DeflateDecoder;
use serde_json::Value;
use std::io::Read;
use visviva_viewer::static_page;

/// What stands in the script of an id.
fn script<'a>(html: &'a str, id: &str) -> &'a str {
    let begin = html.find(&format!("id=\"{id}\">")).unwrap() + id.len() + 6;
    &html[begin..begin + html[begin..].find("</script>").unwrap()]
}

fn messages(html: &str, id: &str) -> Vec<Vec<u8>> {
    let mut bytes = Vec::new();
    DeflateDecoder::new(&STANDARD.decode(script(html, id)).unwrap()[..]).read_to_end(&mut bytes).unwrap();
    let mut found = Vec::new();
    let mut rest = &bytes[..];
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let (message, after) = after.split_at(u32::from_le_bytes(*length) as usize);
        found.push(message.to_vec());
        rest = after;
    }
    found
}

#[test]
fn a_page_of_its_own_holds_the_whole_run() {
    let folder = tempfile::tempdir().unwrap();
    let page = static_page(&finished(folder.path(), "fall"), None).unwrap();
    assert_eq!((page.frames, page.of_frames), (31, 31));
    let run: Value = serde_json::from_str(script(&page.html, "run")).unwrap();
    assert_eq!((run["times"].as_array().unwrap().len(), run["name"].as_str()), (31, Some("fall")));
    assert_eq!(run["stats"]["columns"]["total"].as_array().unwrap().len(), 61);
    assert_eq!(head(&messages(&page.html, "blob-mesh")[0])[1..3], [1, 26]);
    let frames = messages(&page.html, "blob-frames");
    assert!((frames.len(), messages(&page.html, "blob-contacts").len()) == (31, 31));
    // Tets, and for each frame all vertices and the energy of those seen.
    let inside = messages(&page.html, "blob-inside");
    let kinds: Vec<u32> = inside.iter().map(|message| head(message)[1]).collect();
    assert!(page.inside && kinds[..3] == [5, 2, 4] && kinds.len() == 63, "{kinds:?}");
    assert_eq!((head(&inside[61])[2], &head(&inside[62])[2..]), (30, &[26, 30][..]));
    assert_eq!(frame(&inside[61], 30).0, frame(&frames[30], 26).0);
    let (t, seen) = frame(&frames[30], 26);
    assert!((t - 0.6).abs() < 1e-12 && seen.iter().all(|x| x[2] > -1e-4), "{t} {seen:?}");
}

#[test]
fn frames_are_left_out_evenly_where_all_are_too_many_and_titles_end_no_script() {
    let folder = tempfile::tempdir().unwrap();
    let path = finished(folder.path(), "fall");
    let toml = std::fs::read_to_string(path.join("run.toml")).unwrap();
    let toml = toml.replace("A cube falls", "</script><script>alert(1)</script>");
    std::fs::write(path.join("run.toml"), toml).unwrap();
    let page = static_page(&path, Some(2000)).unwrap();
    assert!(page.frames < 20 && page.frames > 2, "{}", page.frames);
    assert!(!page.inside && messages(&page.html, "blob-inside").is_empty(), "motion is worth more");
    let run: Value = serde_json::from_str(script(&page.html, "run")).unwrap();
    assert_eq!(run["title"], "</script><script>alert(1)</script>");
    let times: Vec<f64> = run["times"].as_array().unwrap().iter().map(|t| t.as_f64().unwrap()).collect();
    assert!(times.len() == page.frames && times[0] == 0.0 && (times.last().unwrap() - 0.6).abs() < 1e-12);
    let indices: Vec<u32> = messages(&page.html, "blob-frames").iter().map(|message| head(message)[2]).collect();
    assert!(indices.iter().copied().eq(0..page.frames as u32), "{indices:?}");
}
