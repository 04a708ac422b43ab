//! Solids that were made before, each in a file named after what it was made of.
//!
//! They lie where the variable `VISVIVA_CACHE` says, else where the system keeps caches; an empty variable turns it off. What is
//! missing, damaged or cannot be written is made again: a cache never fails.

use super::TriMesh;
use nalgebra::Vector3;
use std::path::PathBuf;
use visviva_shapes::Solid;
use visviva_shapes::stuffing::VERSION;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Of surface, cell, grading and the way solids are made.
pub fn key(surface: &TriMesh, cell: f64, graded: bool) -> u128 {
    let mut hash = Xxh3::new();
    hash.update(&VERSION.to_le_bytes());
    hash.update(&cell.to_bits().to_le_bytes());
    hash.update(&[u8::from(graded)]);
    for c in surface.positions.iter().flat_map(|x| x.iter()) {
        hash.update(&c.to_bits().to_le_bytes());
    }
    for corner in surface.triangles.as_flattened() {
        hash.update(&corner.to_le_bytes());
    }
    hash.digest128()
}

/// Checksum, counts, coordinates, tets.
pub fn read(key: u128) -> Option<Solid> {
    decode(&std::fs::read(path(key)?).ok()?)
}

/// In a file of its own name first, so that a reader never sees half of it.
pub fn keep(key: u128, solid: &Solid) {
    let Some(path) = path(key) else { return };
    let partial = path.with_extension(format!("{}.partial", std::process::id()));
    let made = path.parent().is_some_and(|folder| std::fs::create_dir_all(folder).is_ok());
    if !made || std::fs::write(&partial, encode(solid)).is_err() || std::fs::rename(&partial, &path).is_err() {
        let _ = std::fs::remove_file(&partial);
    }
}

fn path(key: u128) -> Option<PathBuf> {
    let folder = match std::env::var_os("VISVIVA_CACHE") {
        Some(folder) if folder.is_empty() => return None,
        Some(folder) => PathBuf::from(folder),
        None => {
            let home = || std::env::var_os("HOME").or_else(|| std::env::var_os("LOCALAPPDATA"));
            let caches = std::env::var_os("XDG_CACHE_HOME").filter(|folder| !folder.is_empty()).map(PathBuf::from);
            caches.or_else(|| Some(PathBuf::from(home()?).join(".cache")))?.join("visviva")
        }
    };
    Some(folder.join("solids").join(format!("{key:032x}")))
}

fn encode(solid: &Solid) -> Vec<u8> {
    let mut content = Vec::with_capacity(16 + 24 * solid.positions.len() + 16 * solid.tets.len());
    content.extend((solid.positions.len() as u64).to_le_bytes());
    solid.positions.iter().flat_map(|x| x.iter()).for_each(|c| content.extend(c.to_le_bytes()));
    solid.tets.as_flattened().iter().for_each(|node| content.extend(node.to_le_bytes()));
    [xxh3_64(&content).to_le_bytes().as_slice(), &content].concat()
}

fn decode(bytes: &[u8]) -> Option<Solid> {
    let (checksum, content) = bytes.split_first_chunk::<8>()?;
    if xxh3_64(content).to_le_bytes() != *checksum {
        return None;
    }
    let (count, rest) = content.split_first_chunk::<8>()?;
    let nodes = usize::try_from(u64::from_le_bytes(*count)).ok()?;
    let (places, tets) = rest.split_at_checked(nodes.checked_mul(24)?)?;
    let number = |bytes: &[u8]| f64::from_le_bytes(std::array::from_fn(|i| bytes[i]));
    let index = |bytes: &[u8]| u32::from_le_bytes(std::array::from_fn(|i| bytes[i]));
    let place = |row: &[u8]| Vector3::from_fn(|axis, _| number(&row[8 * axis..]));
    let positions: Vec<_> = places.chunks_exact(24).map(place).collect();
    let tets: Vec<_> = tets.chunks_exact(16).map(|row| std::array::from_fn(|k| index(&row[4 * k..]))).collect();
    Some(Solid { positions, tets })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solid_is_kept_to_the_bit_and_damage_is_seen() {
        let solid = Solid {
            positions: vec![Vector3::new(0.1, -0.0, 1e-300), Vector3::x(), Vector3::y(), Vector3::z()],
            tets: vec![[0, 1, 2, 3]],
        };
        let bytes = encode(&solid);
        assert_eq!(decode(&bytes).as_ref(), Some(&solid));
        for spoiled in [&bytes[..bytes.len() - 1], &bytes[..4], &[]] {
            assert_eq!(decode(spoiled), None);
        }
        let mut flipped = bytes.clone();
        flipped[30] ^= 1;
        assert_eq!(decode(&flipped), None);
    }

    #[test]
    fn another_surface_cell_or_grading_has_another_key() {
        let surface = TriMesh { positions: vec![Vector3::x(); 3], triangles: vec![[0, 1, 2]] };
        let moved = TriMesh { positions: vec![Vector3::y(); 3], ..surface.clone() };
        let keys =
            [key(&surface, 0.1, false), key(&surface, 0.1, true), key(&surface, 0.2, false), key(&moved, 0.1, false)];
        assert!((1..4).all(|k| !keys[..k].contains(&keys[k])));
    }
}
