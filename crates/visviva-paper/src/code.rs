//! The code whose results are kept beside runs: its text is part of what they are known by, so that none outlives it.

use xxhash_rust::xxh3::xxh3_64;

macro_rules! texts {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(include_str!(concat!("../../visviva/src/", $folder, "/", $name, ".rs"))),*]
    };
}

const MEASURES: &[&str] = texts!["run/measures":
    "alpha", "bar_modes", "bounces", "distance", "drum", "mod", "momentum", "motion", "named", "sway",
];
const SMALL_WORLDS: &[&str] = texts!["study":
    "ablation", "collision", "damping", "mod", "outcome", "particle", "partitioned", "rotor", "spectrum", "stability", "worlds",
];

/// Of what measures a run.
pub fn of_measures() -> u32 {
    hash(MEASURES)
}

/// Of small worlds, and of what is found in them.
pub fn of_small_worlds() -> u32 {
    hash(SMALL_WORLDS) ^ hash(&[include_str!("small_world.rs")])
}

fn hash(texts: &[&str]) -> u32 {
    xxh3_64(texts.concat().as_bytes()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn no_file_is_forgotten() {
        for (folder, texts) in [("run/measures", MEASURES), ("study", SMALL_WORLDS)] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../visviva/src").join(folder);
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                let text = std::fs::read_to_string(&path).unwrap();
                assert!(texts.contains(&text.as_str()), "{} is not in src/code.rs", path.display());
            }
        }
    }
}
