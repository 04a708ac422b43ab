//! NumPy's .npz: one archive of arrays, with names such as `ball/positions`.

use super::at_the_end::{AtTheEnd, file_in};
use super::motion::Motion;
use super::stored_zip::{MOST_BYTES, StoredZip};
use super::{Format, names};
use crate::run::error::{At, OutputError};
use crate::run::{npy, whole_file};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

pub const FORMAT: Format = Format {
    name: "npz",
    aliases: &["numpy"],
    what: "for NumPy: positions, velocities and faces of every body, and the times",
    folder: "npz",
    uses_materials: false,
    unwieldy: None,
    exporter: |place| Box::new(AtTheEnd::new(place, write)),
};

fn write(motion: &Motion, place: &Path) -> Result<Vec<PathBuf>, OutputError> {
    let path = file_in(place, "motion.npz")?;
    let points: usize = (0..motion.bodies.len()).map(|body| motion.point_count(body)).sum();
    let corners: usize = motion.bodies.iter().map(|body| body.polygons.corners.len() + body.polygons.len()).sum();
    // Headers are a few hundred bytes each.
    let bytes = (48 * points * motion.frame_count() + 4 * corners + 4096 * motion.bodies.len()) as u64;
    if bytes > MOST_BYTES {
        return Err(OutputError::TooLong { path, bytes, most: MOST_BYTES });
    }
    whole_file::write_in_parts(&path, |out| write_arrays(out, motion)).at(&path)?;
    Ok(vec![path])
}

fn write_arrays(out: impl Write + Seek, motion: &Motion) -> io::Result<()> {
    let mut archive = StoredZip::new(out);
    let times = motion.times();
    archive.add("times.npy", |out| out.write_all(&npy::encode(&[times.len()], &[&times])))?;
    let names = names::file_names(motion.bodies.iter().map(|body| body.name.as_str()));
    for (index, (name, body)) in names.iter().zip(&motion.bodies).enumerate() {
        let shape = [motion.frame_count(), motion.point_count(index), 3];
        let quantities: [(&str, fn(&Motion, usize, usize) -> io::Result<Vec<[f64; 3]>>); 2] =
            [("positions", Motion::positions), ("velocities", Motion::velocities)];
        for (what, values) in quantities {
            archive.add(&format!("{name}/{what}.npy"), |out| {
                out.write_all(&npy::header::<f64>(&shape))?;
                for frame in 0..motion.frame_count() {
                    let values = values(motion, index, frame)?;
                    values.as_flattened().iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))?;
                }
                Ok(())
            })?;
        }
        let corners = &body.polygons.corners;
        let sizes: Vec<u32> = body.polygons.iter().map(|polygon| polygon.len() as u32).collect();
        for (what, values) in [("faces", corners), ("face_sizes", &sizes)] {
            let bytes = npy::encode(&[values.len()], &[values]);
            archive.add(&format!("{name}/{what}.npy"), |out| out.write_all(&bytes))?;
        }
    }
    archive.finish()
}
