//! What makes two points the same: the scene with all it says, the content of its files, and the program.

use std::collections::HashMap;
use std::path::PathBuf;
use visviva::scene::{LoadError, Scene};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Of files that were read already, by their paths: a thousand points share them.
#[derive(Debug, Default)]
pub struct KnownFiles(HashMap<PathBuf, u64>);

/// Bits of short runs of every scene: they change whenever the program's results do, and the version need not.
const RECORDED_BITS: &str = include_str!("../../visviva-cli/tests/same_bits/hashes.txt");

/// Of the program: its version, and what its results are known by.
pub fn program() -> String {
    format!("{}-{:08x}", env!("CARGO_PKG_VERSION"), xxh3_64(RECORDED_BITS.as_bytes()) as u32)
}

/// Of a scene run by this program.
pub fn identity(scene: Scene, known: &mut KnownFiles) -> Result<u64, LoadError> {
    let scene = scene_identity(scene, known)?;
    Ok(xxh3_64(format!("{} {scene:016x}", program()).as_bytes()))
}

/// Of a scene, whatever program runs it. Integrator and step are part of the scene.
pub fn scene_identity(mut scene: Scene, known: &mut KnownFiles) -> Result<u64, LoadError> {
    let mut hash = Xxh3::new();
    hash.update(scene.to_toml()?.as_bytes());
    for path in scene.inputs().filter_map(|input| input.path()) {
        // What is not there is told by the run, unless something stands in for it.
        let content =
            known.0.entry(path).or_insert_with_key(|path| std::fs::read(path).map_or(0, |bytes| xxh3_64(&bytes)));
        hash.update(&content.to_le_bytes());
    }
    Ok(hash.digest())
}
