//! bodies.csv: a row a step and body, where it is wanted. Rows of several bodies add up to those of their group.

use super::error::{At, OutputError};
use super::inventory::Fingerprint;
use super::lines::{self, LineWriter};
use crate::integrate::BodyEnd;
use crate::model::Part;
use std::path::Path;

const HEADER: &str = "step,t,body,kinetic,translation,rotation,vibration,elastic,gravity,barrier,target,owed,alpha,friction_loss,\
                      contact_loss,damping_loss,work,px,py,pz,lx,ly,lz";

/// A body after a step.
#[derive(Debug, Clone, Copy)]
pub struct BodyRow<'a> {
    pub name: &'a str,
    pub part: &'a Part,
    /// Where the energy is directed body by body
    pub end: Option<&'a BodyEnd>,
}

/// Adds rows to a file; each is with the system when `write` returns.
#[derive(Debug)]
pub struct BodyStatsWriter {
    lines: LineWriter,
}

impl BodyStatsWriter {
    /// Starts the file anew.
    pub fn create(path: &Path) -> Result<(Self, Option<u64>), OutputError> {
        let mut lines = LineWriter::create(path)?;
        lines.write(HEADER)?;
        Ok((Self { lines }, None))
    }

    /// Goes on after `last_step`, or begins; says which step the last row is of. Later rows, and one that was cut, stay until `cut`.
    pub fn resume(path: &Path, last_step: u64) -> Result<(Self, Option<u64>), OutputError> {
        let bytes = if path.exists() { std::fs::read(path).at(path)? } else { Vec::new() };
        let (mut length, mut last) = (0, None);
        for (line, text) in lines::complete(&bytes) {
            let wrong = |problem: &str| OutputError::Line { path: path.to_owned(), line, problem: problem.to_owned() };
            let text = text.ok_or_else(|| wrong("not text"))?;
            if line == 1 && text != HEADER {
                return Err(wrong("other columns than this program writes; its rows cannot be added to"));
            }
            let step = text.split(',').next().and_then(|step| step.parse::<u64>().ok());
            match step {
                None if line > 1 => return Err(wrong("a step's number should stand first")),
                Some(step) if step > last_step => break,
                step => {
                    length += text.len() as u64 + 1;
                    last = step;
                }
            }
        }
        if length == 0 { Self::create(path) } else { Ok((Self { lines: LineWriter::go_on(path, length)? }, last)) }
    }

    /// Goes on after the bytes that a checkpoint knows; what follows stays until `cut`.
    pub fn go_on(path: &Path, known: &Fingerprint) -> Result<Self, OutputError> {
        Ok(Self { lines: LineWriter::go_on_below(path, HEADER, known.length)? })
    }

    /// Takes off what follows the rows known to this.
    pub fn cut(&self) -> Result<(), OutputError> {
        self.lines.cut()
    }

    /// All rows are on the disk when this returns; they are told by a hash.
    pub fn sync(&self) -> Result<Fingerprint, OutputError> {
        self.lines.sync()?;
        Ok(self.lines.fingerprint())
    }

    /// All bodies after a step, in their order.
    pub fn write<'a>(
        &mut self,
        step: u64,
        t: f64,
        rows: impl IntoIterator<Item = BodyRow<'a>>,
    ) -> Result<(), OutputError> {
        rows.into_iter().try_for_each(|BodyRow { name, part, end }| {
            let terms = part.potential.as_slice();
            let term = |k: usize| terms.get(k).copied().unwrap_or(0.0);
            let exchange = part.exchange;
            let (motion, alpha) = (part.motion, end.and_then(|end| end.alpha));
            let energies =
                [part.kinetic, motion.translation, motion.rotation, motion.vibration, term(0), term(1), term(2)];
            let directed = [end.map(|end| end.level), end.map(|end| end.debt), alpha.map(|alpha| alpha.value)];
            let exchanged = [exchange.friction_loss, exchange.contact_loss, exchange.damping_loss, exchange.work];
            let momenta = part.momentum.iter().chain(part.angular_momentum.iter()).copied();
            let numbers = energies.map(Some).into_iter().chain(directed);
            let numbers = numbers.chain(exchanged.into_iter().chain(momenta).map(Some));
            let cells: Vec<String> = numbers.map(|n| n.map_or(String::new(), |n| format!("{n:?}"))).collect();
            self.lines.write(&format!("{step},{t:?},{},{}", quoted(name), cells.join(",")))
        })
    }
}

/// As readers of CSV expect it.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resumed_file_is_the_same_as_an_uninterrupted_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bodies.csv");
        let part = Part { kinetic: 0.1 + 0.2, ..Part::default() };
        let write = |writer: &mut BodyStatsWriter, step: u64| {
            let rows = ["ball", "die, red"].map(|name| BodyRow { name, part: &part, end: None });
            writer.write(step, 0.5 * step as f64, rows).unwrap();
        };
        let (mut writer, last) = BodyStatsWriter::resume(&path, 0).unwrap();
        assert_eq!(last, None);
        (0..4).for_each(|step| write(&mut writer, step));
        let whole = std::fs::read_to_string(&path).unwrap();
        assert!(whole.contains("\n3,1.5,\"die, red\",0.30000000000000004,"), "{whole}");
        for (last, cut) in [(0, whole.len()), (1, whole.len()), (1, whole.len() - 5), (3, whole.len())] {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let (mut writer, found) = BodyStatsWriter::resume(&path, last).unwrap();
            writer.cut().unwrap();
            assert_eq!(found, Some(last));
            (last + 1..4).for_each(|step| write(&mut writer, step));
            assert_eq!(std::fs::read_to_string(&path).unwrap(), whole, "after step {last}");
        }
        std::fs::write(&path, "step,mood\n1,good\n").unwrap();
        assert!(BodyStatsWriter::resume(&path, 3).unwrap_err().to_string().contains("other columns"));
    }
}
