//! NumPy archives: every entry found through the list at the end, with the right sum.

use super::{FRAMES, QUADS, RATE, box_in, exported};
use std::collections::BTreeMap;
use visviva::run::npy;

/// CRC-32, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    let bit = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), bit))
}

fn entries(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let short = |at: usize| usize::from(u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()));
    let long = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let end = bytes.len() - 22;
    assert_eq!(&bytes[end..end + 4], b"PK\x05\x06");
    let mut at = long(end + 16);
    assert_eq!(at + long(end + 12), end, "the list ends where its end begins");
    let mut found = BTreeMap::new();
    for _ in 0..short(end + 10) {
        assert_eq!((&bytes[at..at + 4], short(at + 10)), (&b"PK\x01\x02"[..], 0), "stored");
        let (sum, length, name_length, start) = (long(at + 16), long(at + 24), short(at + 28), long(at + 42));
        let name = String::from_utf8(bytes[at + 46..at + 46 + name_length].to_vec()).unwrap();
        at += 46 + name_length;
        assert_eq!(&bytes[start..start + 4], b"PK\x03\x04");
        assert_eq!((long(start + 14), long(start + 18), long(start + 22)), (sum, length, length), "{name}");
        let first = start + 30 + name_length;
        assert_eq!(&bytes[first - name_length..first], name.as_bytes());
        let content = bytes[first..first + length].to_vec();
        assert_eq!(crc(&content) as usize, sum, "{name}");
        found.insert(name, content);
    }
    assert_eq!(at, end);
    found
}

#[test]
fn an_archive_has_times_positions_velocities_and_faces_of_each_body() {
    let [(name, bytes)] = &exported("npz")[..] else { panic!("one file") };
    assert_eq!(name, "motion.npz");
    let entries = entries(bytes);
    assert_eq!(entries.len(), 1 + 3 * 4);
    let times = npy::decode::<f64>(&entries["times.npy"]).unwrap().values;
    assert_eq!(times, (0..FRAMES).map(|frame| frame as f64 / RATE).collect::<Vec<_>>());
    let positions = npy::decode::<f64>(&entries["my box/positions.npy"]).unwrap();
    assert_eq!(positions.shape, [FRAMES, 8, 3]);
    assert_eq!(positions.values, (0..FRAMES).flat_map(box_in).flatten().collect::<Vec<_>>());
    let velocities = npy::decode::<f64>(&entries["sheet/velocities.npy"]).unwrap();
    assert_eq!((&velocities.shape[..], velocities.values[3 * 9 + 1]), (&[FRAMES, 3, 3][..], 0.75));
    let faces = npy::decode::<u32>(&entries["my box/faces.npy"]).unwrap().values;
    assert_eq!(faces, QUADS.as_flattened());
    assert_eq!(npy::decode::<u32>(&entries["my box/face_sizes.npy"]).unwrap().values, [4; 6]);
}
