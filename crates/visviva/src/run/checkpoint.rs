//! Checkpoints: all that a run needs to go on, in one checked file.
//!
//! Magic, version, length and XXH3 of the content, then the content in postcard's wire format, which keeps every bit of an f64.

use super::error::{At, OutputError};
use super::inventory::Inventory;
use super::whole_file;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64_with_seed;

const MAGIC: &[u8; 8] = b"visviva\0";
/// To be raised with every change to what is stored: postcard does not name its fields.
pub const VERSION: u32 = 8;
const HEADER: usize = 28;

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CheckpointError {
    #[error("not a checkpoint")]
    NotACheckpoint,
    #[error(
        "a checkpoint of version {found}, and this program reads version {VERSION}: go on with the program that wrote it, or run \
         the scene anew (`visviva run DIR/run.toml --out ANOTHER`)"
    )]
    OtherVersion { found: u32 },
    #[error("the checkpoint ends after {actual} of {expected} bytes; it is truncated")]
    Truncated { expected: u64, actual: u64 },
    #[error("the checkpoint is damaged (its checksum does not match)")]
    Damaged,
    #[error("the checkpoint holds something else than this run needs: {0}")]
    OtherContent(postcard::Error),
    #[error("this cannot be stored: {0}")]
    Unstorable(postcard::Error),
}

/// Replaces the file, whose content becomes that of `before` where one is named; it is on the disk when this returns.
pub fn write<T: Serialize>(path: &Path, value: &T, before: Option<&Path>) -> Result<(), OutputError> {
    let bytes = encode(value).map_err(|error| OutputError::Checkpoint { path: path.to_owned(), error })?;
    match before {
        Some(before) => whole_file::write_keeping(path, &bytes, before).at(path),
        None => whole_file::write(path, &bytes).at(path),
    }
}

pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T, OutputError> {
    decode_file(path, |content| match postcard::take_from_bytes(content) {
        Ok((value, [])) => Ok(value),
        Ok(_) => Err(postcard::Error::DeserializeBadEncoding),
        Err(error) => Err(error),
    })
}

/// What a run's checkpoint begins with, whatever follows.
pub fn read_inventory(path: &Path) -> Result<Inventory, OutputError> {
    decode_file(path, |content| postcard::take_from_bytes(content).map(|(inventory, _)| inventory))
}

fn decode_file<T>(path: &Path, take: impl Fn(&[u8]) -> Result<T, postcard::Error>) -> Result<T, OutputError> {
    let bytes = std::fs::read(path).at(path)?;
    decode(&bytes, take).map_err(|error| OutputError::Checkpoint { path: path.to_owned(), error })
}

fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, CheckpointError> {
    let mut bytes = vec![0; HEADER];
    bytes = postcard::to_extend(value, bytes).map_err(CheckpointError::Unstorable)?;
    let (header, content) = bytes.split_at_mut(HEADER);
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..20].copy_from_slice(&(content.len() as u64).to_le_bytes());
    header[20..].copy_from_slice(&checksum(content).to_le_bytes());
    Ok(bytes)
}

fn decode<T>(bytes: &[u8], take: impl Fn(&[u8]) -> Result<T, postcard::Error>) -> Result<T, CheckpointError> {
    if !bytes.starts_with(MAGIC) && !MAGIC.starts_with(bytes) {
        return Err(CheckpointError::NotACheckpoint);
    }
    let actual = bytes.len() as u64;
    let Some((header, content)) = bytes.split_first_chunk::<HEADER>() else {
        return Err(CheckpointError::Truncated { expected: HEADER as u64, actual });
    };
    let number = |from: usize| u64::from_le_bytes(std::array::from_fn(|i| header[from + i]));
    // The low half of these eight bytes.
    let version = number(8) as u32;
    if version != VERSION {
        return Err(CheckpointError::OtherVersion { found: version });
    }
    let length = number(12);
    if (content.len() as u64) < length {
        return Err(CheckpointError::Truncated { expected: length.saturating_add(HEADER as u64), actual });
    }
    if content.len() as u64 != length || number(20) != checksum(content) {
        return Err(CheckpointError::Damaged);
    }
    take(content).map_err(CheckpointError::OtherContent)
}

fn checksum(content: &[u8]) -> u64 {
    xxh3_64_with_seed(content, u64::from(VERSION))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::energy::BodyLevel;
    use crate::energy::alpha::SideCount;
    use crate::integrate::{Memory, step::Previous};
    use crate::model::State;
    use crate::simulation::{Checkpoint, Clock, Energy};
    use crate::solve::Bounce;

    const ODD: [f64; 6] = [f64::NAN, -0.0, 5e-324, f64::NEG_INFINITY, 0.1, f64::MAX];

    type Content = (Checkpoint, Option<String>);

    fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CheckpointError> {
        super::decode(bytes, |content| match postcard::take_from_bytes(content) {
            Ok((value, [])) => Ok(value),
            _ => Err(postcard::Error::DeserializeBadEncoding),
        })
    }

    fn checkpoint() -> Content {
        let payload_nan = f64::from_bits(0x7ff8_dead_beef_0001);
        let odd = ODD.to_vec();
        let simulation = Checkpoint {
            state: State { x: odd.clone(), v: vec![payload_nan; 3], t: 1.0 / 3.0 },
            clock: Clock { start_time: -0.0, steps: u64::MAX, h: 1.0 / 120.0 },
            energy: Energy { start: 5e-324, total: 1e-310, level: -0.0 },
            levels: vec![BodyLevel { start: -0.0, level: 5e-324 }],
            memory: Memory {
                contacts: Vec::new(),
                bounces: vec![Bounce { sides: [0, 7], steps: u32::MAX, allowed: 1e-310, ..Bounce::default() }],
                acceleration: Some(odd.clone()),
                previous: Some(Previous { x: odd.clone(), v: odd, h: 0.1 }),
                side_count: SideCount(-7),
                debts: vec![1e-310],
                correction: vec![-0.0, 5e-324],
            },
        };
        (simulation, Some("κ".into()))
    }

    #[test]
    fn every_bit_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.bin");
        let written = checkpoint();
        write(&path, &written, None).unwrap();
        let back: Content = read(&path).unwrap();
        // NaN is not equal to itself; the encoding shows its bits.
        assert_eq!(encode(&back).unwrap(), encode(&written).unwrap());
        assert_eq!(back.0.state.v[0].to_bits(), 0x7ff8_dead_beef_0001);
        assert!(back.0.state.x.iter().zip(&ODD).all(|(a, b)| a.to_bits() == b.to_bits()));
        assert!(back.0.clock.start_time.is_sign_negative());
    }

    #[test]
    fn any_flipped_bit_and_any_truncation_is_noticed() {
        let whole = encode(&checkpoint()).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            let error = decode::<Content>(&bytes).unwrap_err();
            if at >= 20 {
                assert_eq!(error, CheckpointError::Damaged, "byte {at}");
            }
            assert!(matches!(decode::<Content>(&whole[..at]), Err(CheckpointError::Truncated { .. })), "{at}");
        }
        assert_eq!(decode::<Content>(&[whole, vec![0]].concat()), Err(CheckpointError::Damaged));
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(decode::<u64>(b"step,t,h\n0,0,0.1\n1,0.1,0.1\n"), Err(CheckpointError::NotACheckpoint));
        let mut bytes = encode(&7u64).unwrap();
        bytes[8] = 9;
        assert_eq!(decode::<u64>(&bytes), Err(CheckpointError::OtherVersion { found: 9 }));
        assert!(matches!(decode::<String>(&encode(&7u64).unwrap()), Err(CheckpointError::OtherContent(_))));
        assert!(matches!(decode::<u8>(&encode(&(7u8, 8u8)).unwrap()), Err(CheckpointError::OtherContent(_))));
        let missing = read::<u64>(Path::new("nowhere/checkpoint.bin")).unwrap_err();
        assert!(missing.to_string().contains("nowhere/checkpoint.bin"));
    }
}
