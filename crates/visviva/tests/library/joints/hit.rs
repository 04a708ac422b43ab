//! Joints hold whatever hits them, and what is joined still touches all else.

use super::*;

#[test]
fn joints_hold_under_a_hard_hit() {
    let ball = "[[body]]\nname = \"ball\"\nkind = \"affine\"\nmaterial = { youngs_modulus = 1e9 }\nmass = 5\n\
                icosphere = { radius = 0.08, subdivisions = 2 }\ntranslate = [0.3, 0.01, -0.8]\nvelocity = { linear = [-20, 0, 0] }\n";
    let text = rod("upper", [0.0; 2], 0.0)
        + &rod("lower", [0.0, -0.5], 0.0)
        + ball
        + &hinge("\"upper\"", [0.0; 2])
        + "[[joint]]\nbodies = [\"lower\", \"upper\"]\nball = { at = [0, 0, -0.5] }\n";
    for integrator in ["a-search", "bdf2"] {
        let built = scene(&text, &["run.h=1/120", &format!("run.integrator={integrator}")]);
        let mut simulation = simulation(&built);
        let mut touched = false;
        for step in 0..60 {
            simulation.step().unwrap();
            let x = &simulation.state.x;
            let gap = widest_gap(&built.model, x);
            // 5 kg that lose 20 m/s in a step pull with 12 kN.
            assert!(gap < 1e-6, "{integrator} {step}: {gap}");
            assert!(!intersects(&built.model, x), "{integrator} {step}");
            touched |= simulation.evaluation().contact_state().active_pairs > 0;
        }
        assert!(touched && centre(&built.model, 1, &simulation.state.x).x < -0.1, "it was hit");
    }
}

#[test]
fn what_is_joined_overlaps_unless_it_shall_touch() {
    let text = rod("upper", [0.0; 2], 0.0) + &rod("lower", [0.0, -0.48], 0.0) + &hinge("\"upper\"", [0.0; 2]);
    let elbow = hinge("\"lower\", \"upper\"", [0.0, -0.49]);
    assert!(scene(&(text.clone() + &elbow), &[]).model.contact.is_some());
    let refused = refusal(&(text + &elbow + "contact = true\n"), &[]);
    assert!(refused.contains("`upper` and `lower` intersect at the start"), "{refused}");
}
