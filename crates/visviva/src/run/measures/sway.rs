//! How far nodes swing: the box of each node's way, over the first and the last fifth of a run and over all of it.

use super::{MeasuredRun, OutputError};
use nalgebra::Vector3;

/// Of all nodes, in three spans of time: the first fifth, the last fifth, all.
#[derive(Debug)]
pub(super) struct Sway {
    boxes: [Vec<[Vector3<f64>; 2]>; 3],
}

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Span {
    First,
    Last,
    All,
}

impl Sway {
    /// Diagonal of a node's box `[m]`.
    fn way(&self, span: Span, node: usize) -> f64 {
        let [low, high] = self.boxes[span as usize][node];
        if high >= low { (high - low).norm() } else { 0.0 }
    }

    /// Of the node that swings farthest `[m]`.
    pub fn tip(&self, span: Span, nodes: impl Iterator<Item = usize>) -> f64 {
        nodes.map(|node| self.way(span, node)).fold(0.0, f64::max)
    }

    /// Mean over nodes by their mass `[m]`.
    pub fn mean(&self, span: Span, masses: &[f64], nodes: impl Iterator<Item = usize>) -> f64 {
        let (sum, mass) = nodes
            .fold((0.0, 0.0), |(sum, mass), node| (sum + masses[node] * self.way(span, node), mass + masses[node]));
        if mass > 0.0 { sum / mass } else { 0.0 }
    }
}

impl MeasuredRun {
    pub(super) fn sway(&self) -> Result<&Sway, OutputError> {
        if let Some(sway) = self.sway.get() {
            return Ok(sway);
        }
        let frames = self.folder.all_frames()?;
        let (first, last) = (frames.first().map_or(0.0, |f| f.t), frames.last().map_or(0.0, |f| f.t));
        let fifth = 0.2 * (last - first);
        let empty = [Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY)];
        let boxes = || vec![empty; self.model().map_or(0, |model| model.node_count())];
        let mut sway = Sway { boxes: [boxes(), boxes(), boxes()] };
        for info in frames {
            let frame = self.folder.read_frame(info.index)?;
            let spans = [info.t <= first + fifth, info.t >= last - fifth, true];
            for boxes in sway.boxes.iter_mut().zip(spans).filter(|(_, within)| *within).map(|(boxes, _)| boxes) {
                for (node_box, x) in boxes.iter_mut().zip(&frame.x) {
                    let x = Vector3::from(*x);
                    *node_box = [node_box[0].inf(&x), node_box[1].sup(&x)];
                }
            }
        }
        Ok(self.sway.get_or_init(|| sway))
    }
}
