//! Which nodes a pin holds.

use super::Pin;
use nalgebra::Vector3;

/// Indices of the chosen points, or what is wrong with the choice.
pub fn select(pin: &Pin, points: &[Vector3<f64>], rim: &[usize]) -> Result<Vec<usize>, String> {
    let size = bounding_diagonal(points);
    let near = pin.tolerance.unwrap_or(1e-6 * size);
    if !(near >= 0.0 && near.is_finite()) {
        return Err(format!("tolerance {near} m must not be negative"));
    }
    type Test<'a> = Box<dyn Fn(&Vector3<f64>) -> bool + 'a>;
    let mut tests: Vec<Test<'_>> = Vec::new();
    let normal = |n: [f64; 3]| {
        let n = Vector3::from(n);
        n.try_normalize(1e-300).ok_or("the normal must not be zero".to_owned())
    };
    if let Some(region) = &pin.inside {
        let (min, max) = (region.min, region.max);
        if (0..3).any(|i| !min[i].le(&max[i])) {
            return Err(format!("box min {min:?} must not lie above max {max:?}"));
        }
        tests.push(Box::new(move |x| (0..3).all(|i| x[i] >= min[i] - near && x[i] <= max[i] + near)));
    }
    if let Some(plane) = &pin.plane {
        let (p, n) = (Vector3::from(plane.point), normal(plane.normal)?);
        tests.push(Box::new(move |x| (x - p).dot(&n).abs() <= near));
    }
    if let Some(plane) = &pin.halfspace {
        let (p, n) = (Vector3::from(plane.point), normal(plane.normal)?);
        tests.push(Box::new(move |x| (x - p).dot(&n) >= -near));
    }
    if let Some(sphere) = &pin.sphere {
        let (c, r) = (Vector3::from(sphere.centre), sphere.radius);
        tests.push(Box::new(move |x| (x - c).norm() <= r + near));
    }
    if let Some(edge) = &pin.edge {
        let (a, b) = (Vector3::from(edge.from), Vector3::from(edge.to));
        let along = b - a;
        tests.push(Box::new(move |x| {
            let t = ((x - a).dot(&along) / along.norm_squared().max(1e-300)).clamp(0.0, 1.0);
            (x - a - t * along).norm() <= near
        }));
    }
    let ways = tests.len() + usize::from(!pin.nodes.is_empty()) + usize::from(pin.rim);
    if ways != 1 {
        return Err(format!(
            "{ways} ways to choose nodes: give exactly one of box, plane, halfspace, sphere, edge, rim, nodes"
        ));
    }
    if let Some(&node) = pin.nodes.iter().find(|&&node| node >= points.len()) {
        return Err(format!("node {node} does not exist: the body has {} (0 to {})", points.len(), points.len() - 1));
    }
    let chosen: Vec<usize> = match tests.first() {
        Some(test) => (0..points.len()).filter(|&i| test(&points[i])).collect(),
        None if pin.rim => rim.to_vec(),
        None => {
            let mut nodes = pin.nodes.clone();
            nodes.sort_unstable();
            nodes.dedup();
            nodes
        }
    };
    if pin.rim && chosen.is_empty() {
        return Err("it holds the rim, but only shells have one, and not closed ones".to_owned());
    }
    if chosen.is_empty() {
        return Err("it selects no node: compare its region with the body's bounding box (`visviva check`)".to_owned());
    }
    Ok(chosen)
}

fn bounding_diagonal(points: &[Vector3<f64>]) -> f64 {
    let low = points.iter().fold(Vector3::repeat(f64::INFINITY), |m, p| m.inf(p));
    let high = points.iter().fold(Vector3::repeat(f64::NEG_INFINITY), |m, p| m.sup(p));
    (high - low).norm()
}
