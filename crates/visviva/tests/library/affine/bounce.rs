//! A stiff body flies and bounces as a rigid one, and as the same ball of tets does.

use super::{centre, frame, intersects, scene, simulation, world};
use visviva::model::bodies::BodyKind;

/// Contacts that lose nothing: both balls are judged by what they do themselves.
const GROUND: &str = "[contact]\nrestitution = 1\n[[obstacle]]\nname = \"ground\"\nplane = { size = 2 }\n";
const DROP: f64 = 1.0;

/// A ball whose lowest point is 1 m above the ground.
fn ball(kind: &str, stiffness: f64, shape: &str, velocity: &str) -> String {
    format!(
        "[[body]]\nname = \"ball\"\nkind = \"{kind}\"\nmaterial = {{ youngs_modulus = {stiffness} }}\n{shape}\ntranslate = [0, 0, 1.05]\n{velocity}\n{GROUND}"
    )
}

#[derive(Debug)]
struct Bounce {
    /// Highest place of the centre above its height at touch, over the drop
    apex: f64,
    /// `[s]`
    time_of_apex: f64,
    /// Largest distance of a singular value of A from one: before the touch, and at all
    strain: [f64; 2],
}

/// The first bounce; the drop takes 0.45 s.
fn bounce(text: &str) -> Bounce {
    let built = scene(text, &[]);
    let mut world = world(&built);
    let mut simulation = simulation(&built, &mut world);
    let affine = built.model.bodies[0].kind == BodyKind::Affine;
    let (mut found, mut touched) = (Bounce { apex: 0.0, time_of_apex: 0.0, strain: [0.0; 2] }, false);
    for _ in 0..132 {
        let report = simulation.step().unwrap();
        assert!(report.solve.converged);
        touched |= simulation.evaluation().contact_state().active_pairs > 0;
        let height = (centre(&built.model, 0, &simulation.state.x).z - 0.05) / DROP;
        if touched && height > found.apex {
            (found.apex, found.time_of_apex) = (height, simulation.state.t);
        }
        if affine {
            let a = frame(&built.model, 0, &simulation.state.x);
            let strain = a.singular_values().iter().map(|s| (s - 1.0).abs()).fold(0.0, f64::max);
            found.strain[1] = found.strain[1].max(strain);
            if !touched {
                found.strain[0] = found.strain[0].max(strain);
            }
        }
    }
    assert!(touched && !intersects(&built.model, &simulation.state.x));
    found
}

const ICOSPHERE: &str = "icosphere = { radius = 0.05, subdivisions = 3 }";

#[test]
fn a_stiff_body_stays_rigid_in_flight_and_through_a_bounce() {
    let spin = "velocity = { angular = [10, 4, -6], about = [0, 0, 1.05] }";
    let found = bounce(&ball("affine", 1e8, ICOSPHERE, spin));
    // In flight the spin alone strains it, by about ρ ω² r²/4κ.
    assert!(found.strain[0] < 1e-5, "{found:?}");
    assert!(found.strain[1] < 1e-3, "{found:?}");
    // Without friction the spin does not change the bounce but by the facet it lands on.
    assert!(found.apex > 0.95, "{found:?}");
}

#[test]
fn an_affine_ball_bounces_as_the_ball_of_tets_does() {
    let affine = bounce(&ball("affine", 1e7, ICOSPHERE, ""));
    let tets = bounce(&ball("solid", 1e7, "ball = { radius = 0.05, shells = 3 }", ""));
    assert!(affine.apex >= 0.97 && affine.apex < 1.0, "{affine:?}");
    assert!(tets.apex >= 0.97 && tets.apex < 1.0, "{tets:?}");
    assert!((affine.apex - tets.apex).abs() < 0.03, "{affine:?} {tets:?}");
    // The apex is flat: its time is known to a step or two of 1/120 s.
    assert!((affine.time_of_apex - tets.time_of_apex).abs() < 2.5 / 120.0, "{affine:?} {tets:?}");
}
