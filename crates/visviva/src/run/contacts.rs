//! contacts/: where surfaces press on each other, a file beside each frame: (pairs, 14), the forces on the first surface.
//!
//! Columns: point on the first surface, on the second `[m]`, barrier force, friction `[N]`, the two surfaces (bodies, then obstacles).

use super::error::{At, OutputError};
use super::frames::frame_name;
use super::run_folder::RunFolder;
use super::{CONTACTS, npy, whole_file};
use crate::solve::ContactForce;
use nalgebra::Vector3;
use std::path::PathBuf;
use xxhash_rust::xxh3::xxh3_64;

const COLUMNS: usize = 14;

impl RunFolder {
    /// Written before the frame: a frame that counts has its contacts. Returns the file's hash.
    pub fn write_contacts(&self, index: u64, forces: &[ContactForce]) -> Result<u64, OutputError> {
        let folder = self.contacts_folder();
        std::fs::create_dir_all(&folder).at(&folder)?;
        let rows: Vec<f64> = forces.iter().flat_map(row).collect();
        let path = self.contacts_path(index);
        let bytes = npy::encode(&[forces.len(), COLUMNS], &[&rows]);
        self.clear(&path)?;
        whole_file::write_lazily(&path, &bytes).at(&path)?;
        Ok(xxh3_64(&bytes))
    }

    /// Of a frame; none where the run did not write them.
    pub fn read_contacts(&self, index: u64) -> Result<Option<Vec<ContactForce>>, OutputError> {
        let path = self.contacts_path(index);
        if !path.exists() {
            return Ok(None);
        }
        let array = npy::read::<f64>(&path)?;
        let &[_, COLUMNS] = &array.shape[..] else {
            let expected = format!("(pairs, {COLUMNS})");
            return Err(OutputError::Shape { path, found: array.shape, expected });
        };
        let vector = |row: &[f64], at: usize| Vector3::new(row[at], row[at + 1], row[at + 2]);
        let force = |row: &[f64]| ContactForce {
            points: [vector(row, 0), vector(row, 3)],
            normal: vector(row, 6),
            friction: vector(row, 9),
            surfaces: [row[12] as u32, row[13] as u32],
        };
        Ok(Some(array.values.chunks_exact(COLUMNS).map(force).collect()))
    }

    pub(crate) fn contacts_folder(&self) -> PathBuf {
        self.path().join(CONTACTS)
    }

    pub(crate) fn contacts_path(&self, index: u64) -> PathBuf {
        self.contacts_folder().join(frame_name(index))
    }
}

fn row(force: &ContactForce) -> [f64; COLUMNS] {
    let ContactForce { points: [a, b], normal, friction, surfaces } = force;
    let vectors = [a, b, normal, friction];
    std::array::from_fn(|k| if k < 12 { vectors[k / 3][k % 3] } else { f64::from(surfaces[k - 12]) })
}
