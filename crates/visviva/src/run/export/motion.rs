//! The motion of all that is shown, kept on the disk until the last frame has come: most formats want a body at a time.

use super::ExportFrame;
use crate::run::ShownBody;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

/// Bodies, times, and what every point does.
#[derive(Debug)]
pub struct Motion {
    pub bodies: Vec<ShownBody>,
    /// Frames a second that times are counted in `[1/s]`
    pub rate: f64,
    moments: Vec<Moment>,
    /// Where the points of each body begin among all; one more, the end
    firsts: Vec<u64>,
    /// Positions of all points and their velocities, frame after frame; it has no name and goes with its owner
    kept: File,
}

#[derive(Debug, Clone, Copy)]
struct Moment {
    index: u64,
    t: f64,
}

/// Bytes of a point
const POINT: u64 = 24;

impl Motion {
    pub fn new(bodies: Vec<ShownBody>, rate: f64) -> io::Result<Self> {
        let ends = bodies.iter().scan(0, |end, body| {
            *end += body.rides.len() as u64;
            Some(*end)
        });
        let firsts = std::iter::once(0).chain(ends).collect();
        Ok(Self { bodies, rate, moments: Vec::new(), firsts, kept: tempfile::tempfile()? })
    }

    /// A frame of an index that came before replaces that one and those after it.
    pub fn push(&mut self, frame: &ExportFrame<'_>) -> io::Result<()> {
        self.moments.retain(|moment| moment.index < frame.index);
        (&self.kept).seek(SeekFrom::Start(self.moments.len() as u64 * self.stride()))?;
        let mut out = BufWriter::new(&self.kept);
        for values in [&frame.vertices.x, &frame.vertices.v] {
            for body in &self.bodies {
                body.at(values).as_flattened().iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))?;
            }
        }
        out.flush()?;
        self.moments.push(Moment { index: frame.index, t: frame.t });
        Ok(())
    }

    pub fn frame_count(&self) -> usize {
        self.moments.len()
    }

    pub fn point_count(&self, body: usize) -> usize {
        self.bodies[body].rides.len()
    }

    /// Of each frame `[s]`.
    pub fn times(&self) -> Vec<f64> {
        self.moments.iter().map(|moment| moment.t).collect()
    }

    /// When each frame is, in frames of [`Motion::rate`]; what rounding left is taken off.
    pub fn time_codes(&self) -> Vec<f64> {
        self.moments.iter().map(|moment| (1e6 * moment.t * self.rate).round() / 1e6).collect()
    }

    /// A body's points `[m]`.
    pub fn positions(&self, body: usize, frame: usize) -> io::Result<Vec<[f64; 3]>> {
        self.read(body, frame as u64 * self.stride())
    }

    /// Their velocities `[m/s]`.
    pub fn velocities(&self, body: usize, frame: usize) -> io::Result<Vec<[f64; 3]>> {
        self.read(body, frame as u64 * self.stride() + self.stride() / 2)
    }

    /// Whether any point of a body is ever elsewhere than in the first frame.
    pub fn moves(&self, body: usize) -> io::Result<bool> {
        let first = self.positions(body, 0)?;
        for frame in 1..self.frame_count() {
            if self.positions(body, frame)? != first {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Bytes of a frame
    fn stride(&self) -> u64 {
        2 * POINT * self.firsts[self.bodies.len()]
    }

    fn read(&self, body: usize, start: u64) -> io::Result<Vec<[f64; 3]>> {
        (&self.kept).seek(SeekFrom::Start(start + POINT * self.firsts[body]))?;
        let mut bytes = BufReader::new(&self.kept);
        let mut number = || {
            let mut value = [0; 8];
            bytes.read_exact(&mut value).map(|()| f64::from_le_bytes(value))
        };
        (0..self.point_count(body)).map(|_| Ok([number()?, number()?, number()?])).collect()
    }
}
