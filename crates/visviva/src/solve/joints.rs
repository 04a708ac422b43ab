//! All joints of a model: their energy, forces and stiffness, and what motors of limited strength do. They are few, and taken in order.

use super::linear::{BlockMatrix, LinearError};
use crate::laws::drive::Drive;
use crate::laws::joint::{BLOCKS, DIAL, NODES, Points};
use crate::model::ModelJoint;
use crate::model::bodies::Model;
use nalgebra::{Matrix3, Vector3};

const NOTHING: Points = [Vector3::new(0.0, 0.0, 0.0); NODES];

/// Σ W(x) `[J]`
pub fn energy(model: &Model, x: &[f64]) -> f64 {
    model.joints.iter().map(|joint| energy_of(joint, x)).sum()
}

/// Gives each joint's energy `[J]` to its bodies.
pub fn share_energy(model: &Model, x: &[f64], mut give: impl FnMut(usize, f64)) {
    model.joints.iter().for_each(|joint| share(joint, energy_of(joint, x), &mut give));
}

/// Halves, or all of it where the world or an obstacle is the other side.
pub fn share(joint: &ModelJoint, amount: f64, mut give: impl FnMut(usize, f64)) {
    match joint.bodies() {
        [Some(a), Some(b)] => [a, b].into_iter().for_each(|body| give(body, 0.5 * amount)),
        [Some(body), None] | [None, Some(body)] => give(body, amount),
        [None, None] => {}
    }
}

fn energy_of(joint: &ModelJoint, x: &[f64]) -> f64 {
    let points = joint.points(x);
    joint.stiffness * joint.ties.iter().map(|tie| tie.energy(&points)).sum::<f64>()
}

/// g ← g + ∇W on all nodes `[N]`, on those that move by themselves too
pub fn add_gradient(model: &Model, x: &[f64], g: &mut [f64]) {
    for joint in &model.joints {
        let (points, mut gradient) = (joint.points(x), NOTHING);
        joint.ties.iter().for_each(|tie| tie.add_gradient(joint.stiffness, &points, &mut gradient));
        joint.scatter(&gradient, g);
    }
}

/// out ← out + K d on all nodes
pub fn add_product(model: &Model, x: &[f64], d: &[f64], out: &mut [f64]) {
    for joint in &model.joints {
        let (points, way, mut force) = (joint.points(x), joint.points(d), NOTHING);
        for equation in joint.ties.iter().flat_map(|tie| tie.equations(&points)) {
            let change: f64 = equation.slopes.iter().zip(&way).map(|(slope, way)| slope.dot(way)).sum();
            force.iter_mut().zip(&equation.slopes).for_each(|(f, slope)| *f += joint.stiffness * change * slope);
        }
        joint.scatter(&force, out);
    }
}

/// The rows that each joint couples; `rows` gives each node's.
pub fn stencils(model: &Model, rows: impl Fn(usize) -> u32) -> Vec<[u32; DIAL]> {
    model.joints.iter().map(|joint| joint.nodes().map(|node| rows(node as usize))).collect()
}

/// matrix ← matrix + K
pub fn add_blocks(model: &Model, x: &[f64], rows: &[u32], matrix: &mut BlockMatrix) -> Result<(), LinearError> {
    for joint in &model.joints {
        let (points, mut blocks) = (joint.points(x), [Matrix3::zeros(); BLOCKS]);
        joint.ties.iter().for_each(|tie| tie.add_hessian(joint.stiffness, &points, &mut blocks));
        add(joint, &blocks, rows, matrix)?;
    }
    Ok(())
}

fn add(
    joint: &ModelJoint,
    blocks: &[Matrix3<f64>; BLOCKS],
    rows: &[u32],
    matrix: &mut BlockMatrix,
) -> Result<(), LinearError> {
    let blocks = blocks.map(|block| std::array::from_fn(|i| block.as_slice()[i]));
    matrix.add_stencil(&joint.nodes().map(|node| rows[node as usize]), &blocks)
}

/// Whether any motor's strength is limited: those do what friction does, from the start of a step on.
pub fn are_driven(model: &Model) -> bool {
    model.joints.iter().any(|joint| joint.drive.is_some())
}

/// G of each motor at a position
pub fn freeze(model: &Model, x: &[f64], frozen: &mut Vec<Points>) {
    frozen.clear();
    frozen.extend(model.joints.iter().filter_map(|joint| Some(joint.drive?.slopes(&joint.points(x)))));
}

fn driven<'a>(
    model: &'a Model,
    frozen: &'a [Points],
    v: &'a [f64],
) -> impl Iterator<Item = (&'a ModelJoint, Drive, &'a Points, f64)> {
    let motors = model.joints.iter().filter_map(|joint| Some((joint, joint.drive?)));
    motors.zip(frozen).map(move |((joint, drive), slopes)| {
        let rate = slopes.iter().zip(&joint.points(v)).map(|(slope, v)| slope.dot(v)).sum();
        (joint, drive, slopes, rate)
    })
}

/// R(v) `[W]`
pub fn drive_power(model: &Model, frozen: &[Points], v: &[f64]) -> f64 {
    driven(model, frozen, v).map(|(_, drive, _, rate)| drive.value(rate)).sum()
}

/// g ← g + weight ∇R(v), on all nodes
pub fn add_drives(model: &Model, frozen: &[Points], v: &[f64], weight: f64, g: &mut [f64]) {
    for (joint, drive, slopes, rate) in driven(model, frozen, v) {
        joint.scatter(&slopes.map(|slope| weight * drive.slope(rate) * slope), g);
    }
}

/// matrix ← matrix + scale ∇²R(v)
pub fn add_drive_blocks(
    model: &Model,
    frozen: &[Points],
    v: &[f64],
    scale: f64,
    rows: &[u32],
    matrix: &mut BlockMatrix,
) -> Result<(), LinearError> {
    for (joint, drive, slopes, rate) in driven(model, frozen, v) {
        let curvature = scale * drive.curvature(rate);
        let mut blocks = [Matrix3::zeros(); BLOCKS];
        let pairs = (0..DIAL).flat_map(|a| (a..DIAL).map(move |b| (a, b)));
        let outer = pairs.map(|(a, b)| curvature * slopes[a] * slopes[b].transpose());
        blocks.iter_mut().zip(outer).for_each(|(block, outer)| *block = outer);
        add(joint, &blocks, rows, matrix)?;
    }
    Ok(())
}
