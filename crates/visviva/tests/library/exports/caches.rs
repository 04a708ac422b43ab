//! PC2 and MDD: headers, times and points in the order of the user's mesh.

use super::{FRAMES, RATE, box_in, export, exported, made_up_run};

fn points(bytes: &[u8], number: fn([u8; 4]) -> f32) -> Vec<f64> {
    bytes.as_chunks().0.iter().map(|&four| f64::from(number(four))).collect()
}

#[test]
fn a_pc2_has_its_header_and_every_point_of_every_frame() {
    let files = exported("pc2");
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["my box.pc2", "sheet.pc2", "floor.pc2"]);
    let bytes = &files[0].1;
    assert_eq!(&bytes[..12], b"POINTCACHE2\0");
    let integer = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let number = |at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!((integer(12), integer(16), integer(28)), (1, 8, FRAMES as i32), "version, points, samples");
    assert_eq!((number(20), number(24)), (0.0, 1.0), "first frame, frames a sample");
    let expected: Vec<f64> = (0..FRAMES).flat_map(box_in).flatten().collect();
    assert_eq!(points(&bytes[32..], f32::from_le_bytes), expected);
}

#[test]
fn an_mdd_has_its_times_and_every_point_of_every_frame() {
    let files = exported("mdd");
    let bytes = &files[0].1;
    let integer = |at: usize| i32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!((integer(0), integer(4)), (FRAMES as i32, 8), "frames, points");
    let (times, rest) = bytes[8..].split_at(4 * FRAMES);
    let wanted: Vec<f64> = (0..FRAMES).map(|frame| f64::from((frame as f64 / RATE) as f32)).collect();
    assert_eq!(points(times, f32::from_be_bytes), wanted);
    let expected: Vec<f64> = (0..FRAMES).flat_map(box_in).flatten().collect();
    assert_eq!(points(rest, f32::from_be_bytes), expected);
}

#[test]
fn frames_at_uneven_times_are_refused_by_the_format_that_holds_none() {
    let place = tempfile::tempdir().unwrap();
    let run = made_up_run(place.path(), &[2]);
    let out = place.path().join("out");
    let refused = export(&run, "pc2", &out).unwrap_err().to_string();
    assert!(refused.contains("after t = 0.02 s") && refused.contains("mdd"), "{refused}");
    assert!(!out.exists());
    export(&run, "mdd", &out).unwrap();
}
