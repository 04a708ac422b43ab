//! What a branch may set: keys of the scene that may change under way, each made a change; and why the others may not.

use super::branching::BranchError;
use crate::run::OutputError;
use crate::scene::{ChangeEntry, Energy, Ground, Run, Scene, SceneSource};
use std::ops::ControlFlow;

/// Keys, or tables of them.
const CHANGEABLE: [&str; 8] =
    ["energy", "gravity", "run.integrator", "run.duration", "run.keep_checkpoints", "title", "description", "camera"];

/// The first that a key lies in says why it stays as it is.
const FIXED: [(&str, &str); 9] = [
    ("energy.start_scale", "a branch starts from the present level"),
    ("run.contacts", "the frames before the branch have none"),
    ("run.by_body", "the steps before the branch have no rows by body"),
    ("run", "steps and frames are counted, and their numbers must go on meaning the same times"),
    ("solver", "equations are solved in one way from the start to the end, so that run.toml tells how"),
    ("change", "set the key itself, such as energy.tau=0.5: the branch begins with it"),
    ("provenance", "it tells how the run came to be"),
    ("contact", "what touches, and how, is built before the first step"),
    ("", "bodies and what they meet are built before the first step"),
];

/// The scene of a branch that leaves a run after so many steps: with what is set as changes made there. Later changes of the same
/// kind are the run's own and left out; how many is told.
pub(super) fn branched(scene: &Scene, step: u64, set: &[String]) -> Result<(Scene, usize), BranchError> {
    let now = in_force(scene, step);
    let text = now.to_toml().map_err(OutputError::from)?;
    let source = SceneSource { name: "the scene as it stands there".into(), text, folder: scene.folder.clone() };
    let wanted = source.parse(set).map_err(OutputError::from)?;
    set.iter().try_for_each(|assignment| may_change(assignment))?;

    let entry = || ChangeEntry { step, ..ChangeEntry::default() };
    let mut changes = Vec::new();
    if wanted.gravity != now.gravity {
        changes.push(ChangeEntry { gravity: Some(wanted.gravity), ..entry() });
    }
    if wanted.energy != now.energy {
        changes.push(ChangeEntry { energy: Some(with_ground(&wanted)?), ..entry() });
    }
    if wanted.run.integrator != now.run.integrator {
        changes.push(ChangeEntry { integrator: Some(wanted.run.integrator.clone()), ..entry() });
    }
    for (body, _) in wanted.bodies.iter().zip(&now.bodies).filter(|(body, now)| body.energy != now.energy) {
        changes.push(ChangeEntry { energy: body.energy.clone(), body: Some(body.name.clone()), ..entry() });
    }
    /// The key of the scene that a change has a new value for, and whose it is.
    fn kind(change: &ChangeEntry) -> ([bool; 3], &Option<String>) {
        ([change.gravity.is_some(), change.energy.is_some(), change.integrator.is_some()], &change.body)
    }
    let replaced = |old: &ChangeEntry| !old.is_of_the_hand() && changes.iter().any(|new| kind(new) == kind(old));
    let stays = |old: &ChangeEntry| old.step <= step || !replaced(old);
    let mut kept: Vec<ChangeEntry> = scene.changes.iter().filter(|old| stays(old)).cloned().collect();
    let left_out = scene.changes.len() - kept.len();
    let after = kept.iter().position(|old| old.step > step).unwrap_or(kept.len());
    kept.splice(after..after, changes);
    let (integrator, energy, gravity) = (scene.run.integrator.clone(), scene.energy.clone(), scene.gravity);
    let run = Run { integrator, ..wanted.run.clone() };
    let bodies = scene.bodies.clone();
    Ok((Scene { run, energy, gravity, bodies, changes: kept, ..wanted }, left_out))
}

/// The scene as if it began with what holds after so many steps.
fn in_force(scene: &Scene, step: u64) -> Scene {
    let mut now = Scene { changes: Vec::new(), provenance: None, ..scene.clone() };
    now.energy.start_scale = 1.0;
    for made in scene.changes.iter().filter(|change| change.step <= step) {
        let whose = made.body.as_ref().and_then(|name| now.bodies.iter_mut().find(|body| body.name == *name));
        match (&made.energy, whose) {
            (Some(energy), Some(body)) => body.energy = Some(energy.clone()),
            (Some(energy), None) => now.energy = energy.clone(),
            (None, _) => {}
        }
        now.gravity = made.gravity.unwrap_or(now.gravity);
        now.run.integrator = made.integrator.clone().unwrap_or(now.run.integrator);
    }
    now
}

/// Its ground in joules, found where it is to be that of the bodies at rest.
fn with_ground(scene: &Scene) -> Result<Energy, BranchError> {
    let mut energy = scene.energy.clone();
    if matches!(energy.ground, Ground::Named(_))
        && let Some(found) = scene.build()?.find_ground(&mut |_| ControlFlow::Continue(()))?
    {
        energy.ground = Ground::Joules(found.energy);
    }
    Ok(energy)
}

fn may_change(assignment: &str) -> Result<(), BranchError> {
    let key = assignment.split('=').next().unwrap_or_default().trim();
    let lies_in = |table: &str| {
        table.is_empty() || key.strip_prefix(table).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    if let ["body", _, "energy", ..] = key.split('.').collect::<Vec<_>>()[..] {
        return Ok(());
    }
    let (table, why) = FIXED.into_iter().find(|(table, _)| lies_in(table)).unwrap_or_default();
    // The longer name is the nearer one: energy may change, energy.start_scale may not.
    match CHANGEABLE.into_iter().find(|key| lies_in(key)) {
        Some(changeable) if changeable.len() >= table.len() => Ok(()),
        _ => Err(BranchError::Fixed { assignment: assignment.to_owned(), why }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::TargetKind;

    fn scene(changes: &str) -> Scene {
        let text = format!("title = \"t\"\nrun = {{ h = 0.1, duration = 1 }}\n{changes}");
        toml::from_str(&text).unwrap()
    }

    fn set(scene: &Scene, step: u64, assignments: &[&str]) -> Result<(Scene, usize), BranchError> {
        branched(scene, step, &assignments.iter().map(|a| (*a).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_set_becomes_a_change_from_what_holds_there_and_replaces_later_ones_of_its_kind() {
        let parent = scene(
            "[[change]]\nstep = 2\nenergy = { target = \"decay\", tau = 3, ground = -1 }\n\
             [[change]]\nstep = 6\ngravity = [0, 0, 0]\n[[change]]\nstep = 7\nenergy = { target = \"conserve\" }\n",
        );
        let (branch, left_out) = set(&parent, 5, &["energy.tau=0.5", "run.integrator=bdf2", "title=other"]).unwrap();
        assert_eq!((left_out, branch.title.as_str(), branch.run.integrator.as_str()), (1, "other", "a-search"));
        let steps: Vec<u64> = branch.changes.iter().map(|change| change.step).collect();
        assert_eq!(steps, [2, 5, 5, 6]);
        let energy = branch.changes[1].energy.clone().unwrap();
        assert_eq!((energy.tau, energy.ground), (Some(0.5), Ground::Joules(-1.0)));
        assert_eq!(branch.changes[2].integrator.as_deref(), Some("bdf2"));
        assert_eq!(set(&parent, 5, &[]).unwrap().0.changes, parent.changes, "nothing set, nothing changed");
    }

    #[test]
    fn a_bodys_own_energy_becomes_a_change_of_that_body_alone() {
        let body = |name: &str| {
            format!("[[body]]\nname = \"{name}\"\nmaterial = \"rubber\"\nball = {{ radius = 0.1, shells = 1 }}\n")
        };
        let parent = scene(&format!(
            "{}{}[[change]]\nstep = 2\nbody = \"b\"\nenergy = {{ target = \"decay\", tau = 3 }}\n\
             [[change]]\nstep = 8\nbody = \"b\"\nenergy = {{ target = \"conserve\" }}\n\
             [[change]]\nstep = 9\nbody = \"a\"\nenergy = {{ target = \"conserve\" }}\n",
            body("a"),
            body("b")
        ));
        let (branch, left_out) = set(&parent, 5, &["body.1.energy.tau=0.5"]).unwrap();
        assert_eq!((left_out, &branch.bodies), (1, &parent.bodies), "only the later change of the same body goes");
        let changes: Vec<(u64, &str)> =
            branch.changes.iter().map(|change| (change.step, change.body.as_deref().unwrap())).collect();
        assert_eq!(changes, [(2, "b"), (5, "b"), (9, "a")]);
        let energy = branch.changes[1].energy.clone().unwrap();
        assert_eq!((energy.target, energy.tau), (TargetKind::Decay, Some(0.5)), "from what holds there");
        let refused = set(&parent, 5, &["body.1.material=foam"]).unwrap_err().to_string();
        assert!(refused.contains("before the first step"), "{refused}");
    }

    #[test]
    fn what_may_not_change_is_refused_with_the_reason() {
        for (assignment, part) in [
            ("run.h=1/240", "steps and frames are counted"),
            ("run.frame_rate=60", "steps and frames are counted"),
            ("run.contacts=true", "frames before the branch"),
            ("energy.start_scale=0.9", "present level"),
            ("solver.tolerance=0.1", "run.toml"),
            ("contact.friction=1", "before the first step"),
            ("change=[]", "set the key itself"),
            ("energy.tua=1", "unknown"),
        ] {
            let message = set(&scene(""), 5, &[assignment]).unwrap_err().to_string();
            assert!(message.contains(part) && message.contains(assignment.split('=').next().unwrap()), "{message}");
        }
    }
}
