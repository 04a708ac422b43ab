//! Every kind of input that the library reads: good files to begin from, and what is done with one.

use super::{meshes, scenes, surfaces};
use anyhow::Result;
use visviva::run::npy;

/// How an input fared.
#[derive(Debug)]
pub enum Verdict {
    /// With an error
    Refused,
    /// And sound
    Accepted,
    /// Sound as far as it was looked at, but not built
    Large,
    /// Accepted, though it should not have been
    Wrong(String),
}

/// Reads and checks an input of a name.
type Attempt = Box<dyn Fn(&str, &[u8]) -> Verdict>;

pub struct Format {
    pub name: &'static str,
    /// Good files by name
    pub samples: Vec<(&'static str, Vec<u8>)>,
    pub attempt: Attempt,
}

/// Scenes and changes to them, meshes in all formats, arrays.
pub fn all() -> Result<Vec<Format>> {
    let mut all = vec![scenes::scenes()?, scenes::assignments()?, scenes::targets()];
    all.extend(meshes::formats()?);
    all.extend(surfaces::formats()?);
    all.push(arrays());
    Ok(all)
}

/// Frames of run folders.
fn arrays() -> Format {
    let frame: Vec<f64> = (0..24).map(|i| 0.1 * f64::from(i)).collect();
    let samples = vec![
        ("frame.npy", npy::encode(&[2, 4, 3], &[&frame[..]])),
        ("tets.npy", npy::encode(&[2, 4], &[&[0u32, 1, 2, 3, 1, 2, 3, 4][..]])),
    ];
    let attempt = |_: &str, data: &[u8]| {
        let counts = [
            npy::decode::<f64>(data).map(|array| (array.shape.iter().product::<usize>(), array.values.len())),
            npy::decode::<u32>(data).map(|array| (array.shape.iter().product::<usize>(), array.values.len())),
        ];
        match counts.iter().flatten().next() {
            None => Verdict::Refused,
            Some((shape, values)) if shape != values => {
                Verdict::Wrong(format!("{values} values in a shape of {shape}"))
            }
            Some(_) => Verdict::Accepted,
        }
    };
    Format { name: "npy", samples, attempt: Box::new(attempt) }
}
