//! The values that colour a frame's bodies.
use super::ColourBy;
use nalgebra::Vector3;
use visviva::model::Attachment;
use visviva::model::bodies::Model;
use visviva::run::Frame;
use visviva::solve::elastic;

/// One value a vertex of a frame, whose nodes are given too; none where bodies keep their own colours.
pub(super) fn values(
    colour_by: ColourBy,
    nodes: &Frame,
    vertices: &Frame,
    rest: &[[f64; 3]],
    model: Option<&Model>,
) -> Option<Vec<f64>> {
    let norm = |v: &[f64; 3]| Vector3::from(*v).norm();
    match colour_by {
        ColourBy::Body => None,
        ColourBy::Velocity => Some(vertices.v.iter().map(norm).collect()),
        ColourBy::Displacement => {
            let pairs = vertices.x.iter().zip(rest);
            Some(pairs.map(|(x, rest)| (Vector3::from(*x) - Vector3::from(*rest)).norm()).collect())
        }
        ColourBy::Energy => model.map(|model| energy_density(model, nodes)),
    }
}

/// A node shows the mean of the elements round it, a vertex that of its first node `[J m⁻³]`.
pub fn energy_density(model: &Model, nodes: &Frame) -> Vec<f64> {
    let density = elastic::energy_density(model, nodes.x.as_flattened());
    let (mut sum, mut count) = (vec![0.0; nodes.x.len()], vec![0.0f64; nodes.x.len()]);
    for ((stencil, _), density) in model.stencils().zip(&density) {
        for &node in stencil {
            sum[node as usize] += density;
            count[node as usize] += 1.0;
        }
    }
    let first = |vertex: &Attachment| vertex.parts().next().map_or(0, |(node, _)| node as usize);
    model.vertices.iter().map(first).map(|node| sum[node] / count[node].max(1.0)).collect()
}
