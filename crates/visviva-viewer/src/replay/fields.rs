//! Numbers that colour what is seen, one for each vertex.

use visviva::model::bodies::Model;
use visviva::run::Frame;

fn length(vector: [f64; 3]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// `[m/s]`
pub fn speed(vertices: &Frame) -> Vec<f64> {
    vertices.v.iter().map(|&v| length(v)).collect()
}

/// From where it was at rest `[m]`
pub fn displacement(vertices: &Frame, rest: &[[f64; 3]]) -> Vec<f64> {
    let way = |(x, rest): (&[f64; 3], &[f64; 3])| length(std::array::from_fn(|k| x[k] - rest[k]));
    vertices.x.iter().zip(rest).map(way).collect()
}

/// Of elements round a vertex `[J/m³]`
pub fn energy_density(model: &Model, nodes: &Frame) -> Vec<f64> {
    visviva_pictures::run::energy_density(model, nodes)
}
