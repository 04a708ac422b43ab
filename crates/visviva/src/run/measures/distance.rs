//! How far a run is from another one of the same bodies, frame by frame.

use super::{MeasureError, MeasuredRun};

impl MeasuredRun {
    /// Times that both have frames of `[s]`, and the root mean square over the mass of the nodes' distance `[m]`.
    pub fn distance_to(&self, reference: &MeasuredRun) -> Result<Vec<(f64, f64)>, MeasureError> {
        let (model, other) = (self.model()?, reference.model()?);
        if model.node_count() != other.node_count() {
            return Err(MeasureError::OtherBodies {
                run: self.folder.path().display().to_string(),
                nodes: model.node_count(),
                reference: reference.folder.path().display().to_string(),
                reference_nodes: other.node_count(),
            });
        }
        let nodes: Vec<usize> = model.bodies.iter().flat_map(|body| body.nodes.clone()).collect();
        let mass: f64 = nodes.iter().map(|&i| model.node_mass[i]).sum();
        let others = reference.folder.all_frames()?;
        // Times are sums of steps: those meant to be the same differ by rounding.
        let tolerance = 1e-6 * self.time().max(1e-300);
        let mut distances = Vec::new();
        for info in self.folder.all_frames()? {
            let Some(same) = others.iter().find(|other| (other.t - info.t).abs() <= tolerance) else { continue };
            let (a, b) = (self.folder.read_frame(info.index)?, reference.folder.read_frame(same.index)?);
            let square = |i: usize| (0..3).map(|k| (a.x[i][k] - b.x[i][k]).powi(2)).sum::<f64>();
            let sum: f64 = nodes.iter().map(|&i| model.node_mass[i] * square(i)).sum();
            distances.push((info.t, (sum / mass).sqrt()));
        }
        Ok(distances)
    }
}
