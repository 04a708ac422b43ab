//! Values that look like other units than SI: degrees, tonnes, megapascals.

use crate::scene::{DeformationKind, Material, MaterialChoice, Scene, Turn};
use std::f64::consts::TAU;

/// From a thin gas to beyond the densest metal, osmium at 22 600 `[kg/m³]`
const DENSITIES: [f64; 2] = [0.1, 25_000.0];
/// From softer than any jelly to beyond diamond at 1.2e12 `[Pa]`
const STIFFNESSES: [f64; 2] = [1.0, 2e12];

/// What is legal but hardly meant, named by its key.
pub fn units(scene: &Scene) -> Vec<String> {
    let mut doubts = Vec::new();
    for material in &scene.materials {
        doubts.extend(of_material(&format!("material `{}`", material.name), material));
    }
    for body in &scene.bodies {
        let name = &body.name;
        if let MaterialChoice::Inline(material) = &body.material {
            doubts.extend(of_material(&format!("body `{name}`: material"), material));
        }
        doubts.extend(body.rotate.iter().filter_map(|r| beyond_a_turn(&format!("body `{name}`"), r.angle)));
        let angles = body.deform.iter().filter(|deformation| deformation.kind != DeformationKind::Stretch);
        doubts.extend(angles.filter_map(|d| in_degrees(&format!("body `{name}`: deform: amount"), d.amount)));
    }
    for obstacle in &scene.obstacles {
        let name = format!("obstacle `{}`", obstacle.name);
        doubts.extend(obstacle.rotate.iter().filter_map(|r| beyond_a_turn(&name, r.angle)));
        doubts.extend(of_turn(&name, obstacle.turn.as_ref()));
    }
    for pin in &scene.pins {
        doubts.extend(of_turn(&format!("pin of body `{}`", pin.body), pin.turn.as_ref()));
    }
    doubts
}

fn of_material(name: &str, material: &Material) -> Vec<String> {
    let outside = |value: f64, [least, most]: [f64; 2]| value > 0.0 && !(least..=most).contains(&value);
    let mut doubts = Vec::new();
    if let Some(density) = material.density.filter(|&density| outside(density, DENSITIES)) {
        doubts.push(format!(
            "{name}: density = {density} kg/m³: no matter is like that (water has 1000, osmium 22 600); is it in kg/m³?"
        ));
    }
    if outside(material.youngs_modulus, STIFFNESSES) {
        let modulus = material.youngs_modulus;
        doubts.push(format!(
            "{name}: youngs_modulus = {modulus} Pa: nothing is like that (jelly has 1e3, rubber 1e6, steel 2e11); is it in Pa?"
        ));
    }
    doubts
}

/// A turn at rest needs no more than a whole one.
fn beyond_a_turn(name: &str, angle: f64) -> Option<String> {
    (angle.abs() > TAU).then(|| degrees(&format!("{name}: rotate.angle"), angle))
}

fn of_turn(name: &str, turn: Option<&Turn>) -> Option<String> {
    turn?.angle.iter().find_map(|&(_, angle)| in_degrees(&format!("{name}: turn.angle"), angle))
}

/// Several turns may be meant, but hardly ever as a round number of degrees.
fn in_degrees(key: &str, angle: f64) -> Option<String> {
    (angle.abs() > TAU && angle % 15.0 == 0.0).then(|| degrees(key, angle))
}

fn degrees(key: &str, angle: f64) -> String {
    let (turns, radians) = (angle / TAU, angle.to_radians());
    format!(
        "{key} = {angle} rad is {turns:.1} turns; angles are in radians: {angle}° would be {radians:.4}, or \"{angle}deg\""
    )
}
