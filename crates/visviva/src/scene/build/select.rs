//! Which nodes a pin holds.

use crate::scene::{Pin, Region};
use nalgebra::Vector3;

/// Indices of the chosen points, ascending, or what is wrong with the choice.
pub fn select(pin: &Pin, points: &[Vector3<f64>], rim: &[usize]) -> Result<Vec<usize>, String> {
    let near = pin.tolerance.unwrap_or(1e-6 * bounding_diagonal(points));
    if !(near >= 0.0 && near.is_finite()) {
        return Err(format!("tolerance {near} m must not be negative"));
    }
    let normal = |n: [f64; 3]| {
        let n = Vector3::from(n);
        n.try_normalize(1e-300).ok_or("the normal must not be zero".to_owned())
    };
    let those = |chosen: &dyn Fn(&Vector3<f64>) -> bool| (0..points.len()).filter(|&i| chosen(&points[i])).collect();
    let chosen: Vec<usize> = match &pin.region {
        Region::Box(region) => {
            let (min, max) = (region.min, region.max);
            if (0..3).any(|i| !min[i].le(&max[i])) {
                return Err(format!("box min {min:?} must not lie above max {max:?}"));
            }
            those(&|x| (0..3).all(|i| x[i] >= min[i] - near && x[i] <= max[i] + near))
        }
        Region::Plane(plane) => {
            let (p, n) = (Vector3::from(plane.point), normal(plane.normal)?);
            those(&|x| (x - p).dot(&n).abs() <= near)
        }
        Region::Halfspace(plane) => {
            let (p, n) = (Vector3::from(plane.point), normal(plane.normal)?);
            those(&|x| (x - p).dot(&n) >= -near)
        }
        Region::Sphere(sphere) => {
            let (c, r) = (Vector3::from(sphere.centre), sphere.radius);
            those(&|x| (x - c).norm() <= r + near)
        }
        Region::Edge(edge) => {
            let (a, b) = (Vector3::from(edge.from), Vector3::from(edge.to));
            let along = b - a;
            those(&|x| {
                let t = ((x - a).dot(&along) / along.norm_squared().max(1e-300)).clamp(0.0, 1.0);
                (x - a - t * along).norm() <= near
            })
        }
        Region::Rim if rim.is_empty() => {
            return Err("it holds the rim, but only shells have one, and not closed ones".to_owned());
        }
        Region::Rim => rim.to_vec(),
        Region::Nodes(nodes) => by_number(nodes, points.len())?,
        Region::Point(_) | Region::Axis(_) => {
            return Err(
                "only an affine body is held at a point or an axis: say kind = \"affine\", or choose nodes".to_owned()
            );
        }
    };
    if chosen.is_empty() {
        return Err("it selects no node: compare its region with the body's bounding box (`visviva check`)".to_owned());
    }
    Ok(chosen)
}

fn by_number(nodes: &[usize], count: usize) -> Result<Vec<usize>, String> {
    if let Some(&node) = nodes.iter().find(|&&node| node >= count) {
        return Err(format!("node {node} does not exist: the body has {count} (0 to {})", count - 1));
    }
    let mut chosen = nodes.to_vec();
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

fn bounding_diagonal(points: &[Vector3<f64>]) -> f64 {
    let low = points.iter().fold(Vector3::repeat(f64::INFINITY), |m, p| m.inf(p));
    let high = points.iter().fold(Vector3::repeat(f64::NEG_INFINITY), |m, p| m.sup(p));
    (high - low).norm()
}
