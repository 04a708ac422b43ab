//! Values that no shape or law checks for itself.

use crate::scene::{Adaptive, Detail, Energy, Ground, Run, Scene};
use nalgebra::Vector3;

/// Its inverse square must be a number that one can compute with `[s]`.
const SHORTEST_STEP: f64 = 1e-15;

/// The first impossible value, named by its key.
pub fn values(scene: &Scene) -> Result<(), String> {
    let positive = |key: String, value: f64| {
        if value > 0.0 && value.is_finite() {
            Ok(())
        } else {
            Err(format!("{key} = {value}: it must be positive and finite"))
        }
    };
    for (key, number) in [("run.h", &scene.run.h), ("run.duration", &scene.run.duration)] {
        if let Some(problem) = number.problem() {
            return Err(format!("{key}: {problem}"));
        }
        positive(key.into(), number.value)?;
    }
    if scene.run.h.value < SHORTEST_STEP {
        let h = scene.run.h.value;
        return Err(format!("run.h = {h:e} s: a step must be at least {SHORTEST_STEP:e} s; nothing moves faster"));
    }
    positive("run.frame_rate".into(), scene.run.frame_rate)?;
    scene.run.keep_checkpoints.map_or(Ok(()), |every| positive("run.keep_checkpoints".into(), every))?;
    if scene.run.h.value > scene.run.duration.value {
        return Err(format!(
            "run.h = {} s is longer than run.duration = {} s: take a shorter step or a longer duration",
            scene.run.h.value, scene.run.duration.value
        ));
    }
    adaptive(&scene.run)?;
    energy(&scene.energy)?;
    positive("solver.tolerance".into(), scene.solver.tolerance)?;
    positive("solver.gap_tolerance".into(), scene.solver.gap_tolerance)?;
    positive("solver.linear_tolerance".into(), scene.solver.linear_tolerance)?;
    if scene.solver.linear_tolerance >= 1.0 {
        return Err(format!("solver.linear_tolerance = {}: it must lie below 1", scene.solver.linear_tolerance));
    }
    if scene.solver.max_iterations == 0 {
        return Err("solver.max_iterations = 0: at least one is needed".into());
    }
    if scene.gravity.iter().any(|g| !g.is_finite()) {
        return Err(format!("gravity = {:?} is not finite", scene.gravity));
    }
    if scene.bodies.is_empty() {
        return Err("there is no [[body]]: describe at least one, with a name, a material and a shape".into());
    }
    for (i, body) in scene.bodies.iter().enumerate() {
        if body.name.is_empty() {
            return Err(format!("body {i} has an empty name"));
        }
        let key = |key: &str| format!("body `{}`: {key}", body.name);
        body.height.map_or(Ok(()), |height| positive(key("height"), height))?;
        match body.filling.detail {
            Some(Detail::Cell(cell)) => positive(key("cell"), cell)?,
            Some(Detail::Cells(0)) => return Err(format!("{} = 0: at least one is needed", key("cells"))),
            _ => {}
        }
        if scene.bodies[..i].iter().any(|other| other.name == body.name) {
            return Err(format!("two bodies are called `{}`", body.name));
        }
    }
    if let Some(camera) = &scene.camera {
        let finite = [camera.eye, camera.target, camera.up].iter().flatten().all(|x| x.is_finite());
        let (view, up) = (Vector3::from(camera.target) - Vector3::from(camera.eye), Vector3::from(camera.up));
        if !finite || view.cross(&up).norm() <= 1e-9 * view.norm() * up.norm() {
            let (eye, target, up) = (camera.eye, camera.target, camera.up);
            return Err(format!(
                "camera: eye {eye:?}, target {target:?}: they must differ, and not lie along up {up:?}"
            ));
        }
        if !(camera.field_of_view > 0.0 && camera.field_of_view < std::f64::consts::PI) {
            let angle = camera.field_of_view;
            let radians = angle.to_radians();
            return Err(format!(
                "camera.field_of_view = {angle} rad: it must lie between 0 and π ({angle}° is {radians:.4}, or write \"{angle}deg\")"
            ));
        }
    }
    for (i, obstacle) in scene.obstacles.iter().enumerate() {
        let name = &obstacle.name;
        if name.is_empty() {
            return Err(format!("obstacle {i} has an empty name"));
        }
        obstacle.height.map_or(Ok(()), |height| positive(format!("obstacle `{name}`: height"), height))?;
        let bodies = scene.bodies.iter().map(|body| &body.name);
        if bodies.chain(scene.obstacles[..i].iter().map(|other| &other.name)).any(|other| other == name) {
            return Err(format!("obstacle {i} is called `{name}`, as something before it is"));
        }
    }
    for (i, material) in scene.materials.iter().enumerate() {
        if material.name.is_empty() {
            return Err(format!("material {i} has no name"));
        }
        if scene.materials[..i].iter().any(|other| other.name == material.name) {
            return Err(format!("two materials are called `{}`", material.name));
        }
    }
    Ok(())
}

fn adaptive(run: &Run) -> Result<(), String> {
    let Some(Adaptive::Within(given)) = &run.adaptive else { return Ok(()) };
    for (key, number) in [("min", &given.min), ("max", &given.max)] {
        if let Some(problem) = number.as_ref().and_then(|number| number.problem()) {
            return Err(format!("run.adaptive.{key}: {problem}"));
        }
    }
    let Some(bounds) = run.step_bounds() else { return Ok(()) };
    let (h, min, max) = (bounds.first, bounds.min, bounds.max);
    if !(SHORTEST_STEP <= min && min <= h && h <= max && max.is_finite()) {
        return Err(format!(
            "run.adaptive: min = {min} s and max = {max} s: run.h = {h} s, the first step, must lie between them"
        ));
    }
    if !(bounds.tolerance > 0.0 && bounds.tolerance < 1.0) {
        return Err(format!("run.adaptive.tolerance = {}: it must lie between 0 and 1", bounds.tolerance));
    }
    Ok(())
}

/// What the target does not use is not looked at elsewhere, and should be a number all the same.
fn energy(energy: &Energy) -> Result<(), String> {
    let pairs = |pairs: &[(f64, f64)]| pairs.iter().any(|(time, value)| time.is_nan() || value.is_nan());
    let mut keys = energy.curve.iter().map(|key| key.keyframe(energy.easing));
    let ground = matches!(energy.ground, Ground::Joules(joules) if joules.is_nan());
    let wrong = [
        ("tau", energy.tau.is_some_and(f64::is_nan)),
        ("half_life", energy.half_life.is_some_and(f64::is_nan)),
        ("ground", ground),
        ("schedule", pairs(&energy.schedule)),
        ("half_lives", pairs(&energy.half_lives)),
        ("rest_at", energy.rest_at.is_some_and(f64::is_nan)),
        ("rest_from", energy.rest_from.is_some_and(f64::is_nan)),
        ("curve", keys.any(|(time, value, _)| time.is_nan() || value.is_nan())),
    ];
    match wrong.into_iter().find(|(_, is_nan)| *is_nan) {
        Some((key, _)) => Err(format!("energy.{key} holds nan, which is no number")),
        None => Ok(()),
    }
}
