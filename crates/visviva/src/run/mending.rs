//! Puts back what a checkpoint or the scene tell of a damaged run. What stands in its place is kept beside it.

use super::damage::Damage;
use super::error::{At, OutputError};
use super::frames::times_text;
use super::inventory::{Fingerprint, Inventory};
use super::run_folder::{RUN, RunFolder};
use super::run_mesh::RunMesh;
use super::{TIMES, whole_file};

impl RunFolder {
    /// Puts back run.toml, the mesh and times.csv where they are named, and says what it did. The inventory knows of other bytes,
    /// where a mesh is not the same to the last bit.
    pub(crate) fn mend(
        &self,
        damage: &[Damage],
        mesh: &RunMesh,
        inventory: &mut Inventory,
    ) -> Result<Vec<String>, OutputError> {
        let mut shapes = mesh.files()?;
        let mut notes = Vec::new();
        for part in damage {
            let path = self.path().join(&part.file);
            let (bytes, source) = match part.file.as_str() {
                RUN => (inventory.run_toml.clone().into_bytes(), "the checkpoint"),
                TIMES => (times_text(&inventory.frames).into_bytes(), "the checkpoint"),
                file => {
                    let Some(at) = shapes.iter().position(|(name, _)| Some(*name) == file.strip_prefix("mesh/")) else {
                        continue;
                    };
                    (shapes.swap_remove(at).1, "the scene")
                }
            };
            let kept = self.keep(part)?;
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).at(folder)?;
            }
            whole_file::write(&path, &bytes).at(&path)?;
            inventory.fixed.iter_mut().filter(|known| known.name == part.file).for_each(|known| {
                *known = Fingerprint::of(&part.file, &bytes);
            });
            notes.push(format!("{part}; it was put back from {source}{kept}"));
        }
        Ok(notes)
    }

    /// Keeps a copy of a file that is to be written anew; says where, for the end of a sentence. What is only missing leaves none.
    pub(crate) fn keep(&self, part: &Damage) -> Result<String, OutputError> {
        if part.is_absence() {
            return Ok(String::new());
        }
        let path = self.path().join(&part.file);
        let kept = whole_file::keep_copy(&path).at(&path)?;
        Ok(format!(", and what was there is kept as {}", kept.file_name().unwrap_or_default().display()))
    }
}
