//! The ways in which a folder is damaged.

use super::snapshot::{self, Files};
use crate::chance::Chance;
use anyhow::Result;
use std::fs;
use std::path::Path;

/// What was done to a folder.
#[derive(Debug)]
pub struct Damage {
    pub what: &'static str,
    /// The files it was done to
    pub files: Vec<String>,
}

type Way = fn(&Path, &Files, &mut Chance) -> Result<Vec<String>>;

const WAYS: &[(&str, Way)] = &[
    ("a file is gone", |folder, files, chance| one(folder, files, chance, |path, _, _| Ok(fs::remove_file(path)?))),
    ("a file is cut", |folder, files, chance| {
        one(folder, files, chance, |path, bytes, chance| Ok(fs::write(path, &bytes[..chance.below(bytes.len())])?))
    }),
    ("a file is empty", |folder, files, chance| one(folder, files, chance, |path, _, _| Ok(fs::write(path, b"")?))),
    ("a bit is flipped", |folder, files, chance| {
        one(folder, files, chance, |path, bytes, chance| {
            let mut bytes = bytes.to_vec();
            let at = chance.below(bytes.len());
            bytes[at] ^= 1 << chance.below(8);
            Ok(fs::write(path, bytes)?)
        })
    }),
    ("a stretch of a file is zero", |folder, files, chance| {
        one(folder, files, chance, |path, bytes, chance| {
            let mut bytes = bytes.to_vec();
            let from = chance.below(bytes.len());
            let to = (from + 1 + chance.below(512)).min(bytes.len());
            bytes[from..to].fill(0);
            Ok(fs::write(path, bytes)?)
        })
    }),
    ("a file is garbage", |folder, files, chance| {
        one(folder, files, chance, |path, bytes, chance| {
            Ok(fs::write(path, (0..bytes.len() + chance.below(100)).map(|_| chance.bits() as u8).collect::<Vec<u8>>())?)
        })
    }),
    ("bytes follow a file", |folder, files, chance| {
        one(folder, files, chance, |path, bytes, chance| {
            let more: Vec<u8> = (0..1 + chance.below(64)).map(|_| chance.bits() as u8).collect();
            Ok(fs::write(path, [bytes, &more].concat())?)
        })
    }),
    ("two files are swapped", |folder, files, chance| {
        let ending = [".npy", ".csv", ".bin"][chance.below(3)];
        let like: Vec<&String> = files.keys().filter(|name| name.ends_with(ending)).collect();
        let (Some(a), Some(b)) = (chance.pick(&like), chance.pick(&like)) else { return Ok(Vec::new()) };
        fs::write(folder.join(a), &files[*b])?;
        fs::write(folder.join(b), &files[*a])?;
        Ok(vec![a.to_string(), b.to_string()])
    }),
    ("two frames are swapped", |folder, files, chance| {
        let frames: Vec<&String> = files.keys().filter(|name| name.starts_with("frames/0")).collect();
        let (Some(a), Some(b)) = (chance.pick(&frames), chance.pick(&frames)) else { return Ok(Vec::new()) };
        fs::write(folder.join(a), &files[*b])?;
        fs::write(folder.join(b), &files[*a])?;
        Ok(vec![a.to_string(), b.to_string()])
    }),
    ("a digit is another", |folder, files, chance| {
        text(folder, files, chance, |text, chance| {
            let digits: Vec<usize> = (0..text.len()).filter(|&at| text[at].is_ascii_digit()).collect();
            if let Some(&at) = chance.pick(&digits) {
                text[at] = b'0' + chance.below(10) as u8;
            }
        })
    }),
    ("a number is enormous", |folder, files, chance| {
        text(folder, files, chance, |text, chance| {
            let digits: Vec<usize> = (0..text.len()).filter(|&at| text[at].is_ascii_digit()).collect();
            if let Some(&at) = chance.pick(&digits) {
                let number = ["99999999", "1e300", "-1", "18446744073709551615", "nan"][chance.below(5)];
                text.splice(at..=at, number.bytes());
            }
        })
    }),
    ("lines are missing at the end", |folder, files, chance| {
        text(folder, files, chance, |text, chance| {
            let keep = chance.below(text.iter().filter(|&&b| b == b'\n').count());
            *text = text.split_inclusive(|&b| b == b'\n').take(keep).flatten().copied().collect();
        })
    }),
    ("a line is missing", |folder, files, chance| {
        text(folder, files, chance, |text, chance| {
            let gone = chance.below(text.iter().filter(|&&b| b == b'\n').count());
            let lines = text.split_inclusive(|&b| b == b'\n').enumerate().filter(|(k, _)| *k != gone);
            *text = lines.flat_map(|(_, line)| line.to_vec()).collect();
        })
    }),
    ("a line stands twice", |folder, files, chance| {
        text(folder, files, chance, |text, chance| {
            let twice = chance.below(text.iter().filter(|&&b| b == b'\n').count());
            let lines = text.split_inclusive(|&b| b == b'\n').enumerate();
            *text = lines.flat_map(|(k, line)| line.repeat(if k == twice { 2 } else { 1 })).collect();
        })
    }),
    ("lines end as on another system", |folder, files, chance| {
        text(folder, files, chance, |text, _| {
            *text = text.iter().flat_map(|&b| if b == b'\n' { vec![b'\r', b'\n'] } else { vec![b] }).collect();
        })
    }),
    ("another version", |folder, files, chance| {
        let versioned: Vec<&String> =
            files.keys().filter(|name| name.ends_with(".npy") || name.ends_with(".bin")).collect();
        let Some(name) = chance.pick(&versioned) else { return Ok(Vec::new()) };
        let mut bytes = files[*name].clone();
        let at = if name.ends_with(".npy") { 6 } else { 8 };
        bytes[at] = chance.below(9) as u8;
        fs::write(folder.join(name), bytes)?;
        Ok(vec![name.to_string()])
    }),
    ("a file is read-only", |folder, files, chance| {
        one(folder, files, chance, |path, _, _| read_only(path)).map(|_| Vec::new())
    }),
    ("a folder is read-only", |folder, _, chance| {
        read_only(&folder.join(["", "frames", "mesh"][chance.below(3)])).map(|()| Vec::new())
    }),
    ("a folder stands in a file's place", |folder, files, chance| {
        one(folder, files, chance, |path, _, _| {
            fs::remove_file(path)?;
            Ok(fs::create_dir(path)?)
        })
    }),
    ("a whole folder is gone", |folder, files, chance| {
        let part = ["frames", "mesh", "inputs", "contacts"][chance.below(4)];
        if folder.join(part).is_dir() {
            fs::remove_dir_all(folder.join(part))?;
        }
        Ok(files.keys().filter(|name| name.starts_with(part)).cloned().collect())
    }),
    ("both checkpoints are damaged", |folder, files, chance| {
        for name in ["checkpoint.bin", "checkpoint.previous.bin"] {
            let mut bytes = files[name].clone();
            let at = chance.below(bytes.len());
            bytes[at] ^= 0x10;
            fs::write(folder.join(name), bytes)?;
        }
        Ok(vec!["checkpoint.bin".into(), "checkpoint.previous.bin".into()])
    }),
    ("what a crash left lies about", |folder, _, chance| {
        let names =
            [".checkpoint.bin.partial", "frames/.000003.npy.partial", ".run.toml.partial", "frames/.times.csv.partial"];
        for name in names.iter().filter(|_| chance.below(2) == 0) {
            fs::write(folder.join(name), b"half")?;
        }
        if chance.below(2) == 0 {
            fs::create_dir_all(folder.join(".new.partial/mesh"))?;
        }
        Ok(Vec::new())
    }),
];

/// One way, at times two.
pub fn spoil(folder: &Path, chance: &mut Chance) -> Result<Damage> {
    let (what, way) = WAYS[chance.below(WAYS.len())];
    let mut files = way(folder, &snapshot::files(folder)?, chance)?;
    if chance.below(10) == 0 {
        let (_, again) = WAYS[chance.below(7)];
        files.extend(again(folder, &snapshot::files(folder)?, chance)?);
    }
    Ok(Damage { what, files })
}

/// Does something to one file that is not empty.
fn one(
    folder: &Path,
    files: &Files,
    chance: &mut Chance,
    act: impl FnOnce(&Path, &[u8], &mut Chance) -> Result<()>,
) -> Result<Vec<String>> {
    // What a crash left lies about is nobody's.
    let counts = |(name, bytes): &(&String, &Vec<u8>)| !bytes.is_empty() && !name.contains(".partial");
    let names: Vec<&String> = files.iter().filter(counts).map(|(name, _)| name).collect();
    let Some(&name) = chance.pick(&names) else { return Ok(Vec::new()) };
    act(&folder.join(name), &files[name], chance)?;
    Ok(vec![name.clone()])
}

/// Edits one text file.
fn text(
    folder: &Path,
    files: &Files,
    chance: &mut Chance,
    edit: impl FnOnce(&mut Vec<u8>, &mut Chance),
) -> Result<Vec<String>> {
    let is_text = |name: &&String| [".csv", ".toml", ".json", ".msh"].iter().any(|ending| name.ends_with(ending));
    let names: Vec<&String> = files.keys().filter(is_text).collect();
    let Some(&name) = chance.pick(&names) else { return Ok(Vec::new()) };
    let mut bytes = files[name].clone();
    edit(&mut bytes, chance);
    fs::write(folder.join(name), bytes)?;
    Ok(vec![name.clone()])
}

fn read_only(path: &Path) -> Result<()> {
    let mut permissions = fs::metadata(path)?.permissions();
    permissions.set_readonly(true);
    Ok(fs::set_permissions(path, permissions)?)
}
