//! Frames at even times, for films and other programs. Where no step ends at such a time, the two frames round it are
//! interpolated: for the eye alone, for nothing says that bodies do not meet in between.
//!
//! Cubic Hermite between positions with their velocities. A node that turned back goes straight: it hit something, and the curve
//! would swing through it.

use super::error::OutputError;
use super::frames::{Frame, FrameInfo};
use super::run_folder::RunFolder;
use super::run_mesh::RunMesh;
use nalgebra::Vector3;

/// What is shown at a time: a frame, or what lies between two.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownFrame {
    pub index: u64,
    /// `[s]`
    pub t: f64,
    source: Source,
}

#[derive(Debug, Clone, PartialEq)]
enum Source {
    Written(FrameInfo),
    Between([FrameInfo; 2]),
}

impl ShownFrame {
    /// A frame as it was computed.
    pub fn written(info: &FrameInfo) -> Self {
        Self { index: info.index, t: info.t, source: Source::Written(info.clone()) }
    }

    pub fn is_interpolated(&self) -> bool {
        matches!(self.source, Source::Between(_))
    }

    /// The frame it is; none for what lies between two.
    pub fn written_index(&self) -> Option<u64> {
        match &self.source {
            Source::Written(info) => Some(info.index),
            Source::Between(_) => None,
        }
    }
}

/// More interpolated ones to a frame than this are a lie in times.csv.
const MOST_BETWEEN: f64 = 1000.0;

/// One at each multiple of 1/rate `[1/s]`; nothing where times do not grow or are too far apart. Frames that are missing are not
/// made up.
pub fn evenly(frames: &[FrameInfo], rate: f64) -> Option<Vec<ShownFrame>> {
    let grow = frames.windows(2).all(|pair| pair[0].t < pair[1].t);
    let (first, last) = (frames.first()?, frames.last()?);
    let count = last.t * rate;
    if !grow || first.t < 0.0 || !(0.0..=MOST_BETWEEN * frames.len() as f64).contains(&count) {
        return None;
    }
    // A thousandth of a frame is seen by nobody.
    let near = 1e-3 / rate;
    let mut shown = Vec::new();
    let mut next = 0;
    for index in 0..=(count + 1e-3).floor() as u64 {
        let t = index as f64 / rate;
        while next < frames.len() && frames[next].t < t - near {
            next += 1;
        }
        let Some(after) = frames.get(next) else { break };
        let source = if after.t <= t + near {
            Source::Written(after.clone())
        } else {
            match next.checked_sub(1).map(|before| &frames[before]) {
                Some(before) if before.index + 1 == after.index => Source::Between([before.clone(), after.clone()]),
                _ => continue,
            }
        };
        shown.push(ShownFrame { index, t, source });
    }
    Some(shown)
}

impl RunFolder {
    /// Positions and velocities of the nodes and of the mesh's vertices.
    pub fn read_shown(&self, mesh: &RunMesh, shown: &ShownFrame) -> Result<(Frame, Frame), OutputError> {
        match &shown.source {
            Source::Written(info) => self.read_nodes_and_vertices(mesh, info.index),
            Source::Between([before, after]) => {
                let [(a, _), (b, _)] = [
                    self.read_nodes_and_vertices(mesh, before.index)?,
                    self.read_nodes_and_vertices(mesh, after.index)?,
                ];
                let nodes = between(&a, &b, before.t, after.t, shown.t);
                let (found, expected) = (nodes.x.len(), mesh.rest.len());
                let vertices = mesh.at_vertices(nodes.clone()).ok_or(OutputError::NodeCount { found, expected })?;
                Ok((nodes, vertices))
            }
        }
    }
}

fn between(a: &Frame, b: &Frame, from: f64, to: f64, t: f64) -> Frame {
    let (span, s) = (to - from, (t - from) / (to - from));
    let place = |i: usize| {
        let [x0, x1, v0, v1] = [a.x[i], b.x[i], a.v[i], b.v[i]].map(Vector3::from);
        let way = x1 - x0;
        let straight = x0 + s * way;
        if v0.dot(&way) <= 0.0 || v1.dot(&way) <= 0.0 {
            return straight.into();
        }
        let bend = (1.0 - s) * (span * v0 - way) - s * (span * v1 - way);
        (straight + s * (1.0 - s) * bend).into()
    };
    let speed = |i: usize| (Vector3::from(a.v[i]).lerp(&b.v[i].into(), s)).into();
    let count = a.x.len().min(b.x.len());
    Frame { x: (0..count).map(place).collect(), v: (0..count).map(speed).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(times: &[f64]) -> Vec<FrameInfo> {
        let info = |(index, &t): (u64, &f64)| FrameInfo { index, step: index, t, path: "x".into() };
        (0..).zip(times).map(info).collect()
    }

    #[test]
    fn frames_off_their_time_are_interpolated_and_others_stay() {
        let shown = evenly(&frames(&[0.0, 0.03, 0.07, 0.1]), 30.0).unwrap();
        let marks: Vec<(u64, bool)> = shown.iter().map(|frame| (frame.index, frame.is_interpolated())).collect();
        assert_eq!(marks, [(0, false), (1, true), (2, true), (3, false)]);
        assert_eq!(shown[2].t, 2.0 / 30.0);
        assert!(evenly(&frames(&[0.0, 0.02, 0.04]), 50.0).unwrap().iter().all(|frame| !frame.is_interpolated()));
        // A step of three frames shows two more in between.
        assert_eq!(evenly(&frames(&[0.0, 0.1]), 30.0).unwrap().len(), 4);
    }

    #[test]
    fn a_missing_frame_is_not_made_up_and_impossible_times_are_refused() {
        let mut gap = frames(&[0.0, 0.03, 0.07, 0.1, 0.13]);
        gap.remove(2);
        assert_eq!(evenly(&gap, 30.0).unwrap().iter().map(|frame| frame.index).collect::<Vec<_>>(), [0, 3]);
        for times in
            [[0.0, 0.2, 0.1], [0.0, f64::NAN, 0.1], [0.0, 0.1, 1e300], [0.0, 0.1, f64::INFINITY], [-1.0, 0.0, 0.1]]
        {
            assert_eq!(evenly(&frames(&times), 30.0), None, "{times:?}");
        }
        assert_eq!(evenly(&[], 30.0), None);
    }

    #[test]
    fn a_turn_is_followed_and_a_bounce_does_not_swing_through_the_floor() {
        let at = |angle: f64| ([angle.cos(), angle.sin(), 0.0], [-angle.sin(), angle.cos(), 0.0]);
        let frame = |parts: &[([f64; 3], [f64; 3])]| Frame {
            x: parts.iter().map(|part| part.0).collect(),
            v: parts.iter().map(|part| part.1).collect(),
        };
        let bounce = [([0.0, 0.0, 0.01], [0.0, 0.0, -5.0]), ([0.0, 0.0, 0.02], [0.0, 0.0, 5.0])];
        let (a, b) = (frame(&[at(0.0), bounce[0]]), frame(&[at(0.6), bounce[1]]));
        let middle = between(&a, &b, 0.0, 0.6, 0.3);
        let radius = Vector3::from(middle.x[0]).norm();
        // Hermite's error on a circle is θ⁴/384; the chord's sagitta would be 0.045.
        assert!((radius - 1.0).abs() < 4e-4, "{radius}");
        assert!(middle.x[1][2] >= 0.01, "{:?}", middle.x[1]);
    }
}
