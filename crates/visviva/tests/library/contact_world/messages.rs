//! What is wrong with contact in a scene is named: bodies, places, keys.

use super::{CUBE, GROUND, scene, try_scene};

fn message(text: &str, changes: &[&str]) -> String {
    try_scene(text, changes).expect_err("the scene should be refused").to_string()
}

fn has(text: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(text.contains(part), "`{part}` is missing in: {text}"));
}

#[test]
fn bodies_that_intersect_at_the_start_are_named_with_the_place() {
    let text = message(&format!("{CUBE}translate = [0, 0, 0.04]\n{GROUND}"), &[]);
    has(&text, &["`cube`", "`ground`", "intersect", "triangle", "-0.0100"]);
    let text = message(&format!("{CUBE}translate = [0, 0, 0.05]\n{GROUND}"), &[]);
    has(&text, &["`cube`", "`ground`"]);
}

#[test]
fn a_gap_that_numbers_cannot_resolve_is_refused() {
    let text = message(&format!("{CUBE}translate = [0, 0, 0.05000000000001]\n{GROUND}"), &[]);
    has(&text, &["`cube`", "`ground`", "apart", "resolve"]);
}

#[test]
fn impossible_values_are_named_by_key() {
    let text = format!("{CUBE}translate = [0, 0, 0.2]\n{GROUND}");
    for (change, part) in [
        ("contact.reach=0", "contact.reach"),
        ("contact.stiffness=-1", "contact.stiffness"),
        ("contact.friction=-0.1", "contact.friction"),
        ("contact.friction_speed=0", "contact.friction_speed"),
        ("obstacle.0.friction=-1", "obstacle `ground`"),
        ("material.0.friction=-1", "body `cube`"),
        ("obstacle.0.plane.normal=[0,0,0]", "normal"),
        ("obstacle.0.box={size=[1,1,1]}", "2 shapes"),
        ("obstacle.0.name=cube", "`cube`"),
    ] {
        has(&message(&text, &[change]), &[part]);
    }
    let pair = "[[friction]]\nbetween = [\"cube\", \"grund\"]\ncoefficient = 0.5\n";
    has(&message(&format!("{text}{pair}"), &[]), &["no `grund`", "cube, ground"]);
}

#[test]
fn a_long_reach_and_overlapping_obstacles_are_warned_of() {
    let wall = "[[obstacle]]\nname = \"wall\"\nbox = { size = [0.1, 1, 1] }\ntranslate = [1, 0, 0]\n";
    let text = format!("{CUBE}translate = [0, 0, 0.2]\n{GROUND}{wall}");
    let warnings = scene(&text, &["contact.reach=0.05"]).warnings.join("\n");
    has(&warnings, &["contact.reach", "`cube`", "`ground` and `wall` overlap"]);
    assert!(scene(&format!("{CUBE}translate = [0, 0, 0.2]\n{GROUND}"), &[]).warnings.is_empty());
}

#[test]
fn a_reach_that_makes_everything_repel_everything_is_refused_at_once() {
    let ball = |name: &str, x: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nkind = \"affine\"\nmaterial = {{ youngs_modulus = 1e8 }}\n\
             icosphere = {{ radius = 0.1, subdivisions = 4 }}\ntranslate = [{x}, 0, 0]\n"
        )
    };
    let text = ball("one", 0.0) + &ball("other", 0.3);
    has(&message(&text, &["contact.reach=9223372036854775807"]), &["contact.reach = 9.223e18 m", "shortest edge"]);
    has(&message(&text, &["body.0.contact_thickness=1e9"]), &["contact_thickness"]);
    assert!(try_scene(&text, &[]).is_ok());
}

#[test]
fn surfaces_much_thicker_than_their_gap_are_refused() {
    let text = format!("{CUBE}translate = [0, 0, 0.2]\n{GROUND}");
    has(
        &message(&text, &["body.0.contact_thickness=7"]),
        &["`cube` and `ground`", "contact_thickness keeps them 3.5 m apart"],
    );
}

#[test]
fn a_start_within_the_reach_is_told_with_its_force() {
    let text = format!("{CUBE}translate = [0, 0, 0.0505]\n{GROUND}");
    let warnings = scene(&text, &[]).warnings.join("\n");
    has(
        &warnings,
        &[
            "`cube` starts 500 µm from `ground`, within contact.reach (1 mm)",
            "pushes with 1.91 kN, 194.80 of the weight of `cube`",
        ],
    );
}

#[test]
fn coefficients_are_geometric_means_unless_a_pair_says_otherwise() {
    let other = CUBE[CUBE.find("[[body]]").unwrap()..].replace("\"cube\"", "\"other\"");
    let pair = "[[friction]]\nbetween = [\"other\", \"ground\"]\ncoefficient = 0.9\n";
    let text =
        format!("{CUBE}translate = [0, 0, 0.2]\n{other}translate = [0, 0, 0.5]\n{GROUND}friction = 0.25\n{pair}");
    let built = scene(&text, &["material.0.friction=0.64"]);
    let mu = &built.model.contact.as_ref().unwrap().friction;
    assert!((mu.between(0, 2) - 0.4).abs() < 1e-15 && (mu.between(2, 0) - 0.4).abs() < 1e-15);
    assert!((mu.between(0, 1) - 0.64).abs() < 1e-15);
    assert_eq!((mu.between(1, 2), mu.between(2, 1)), (0.9, 0.9));
}

#[test]
fn a_turn_that_no_step_resolves_is_warned_of_or_refused_with_the_step_that_would() {
    let wheel = |angle: f64| {
        format!(
            "[[body]]\nname = \"ball\"\nmaterial = {{ youngs_modulus = 1e5 }}\nball = {{ radius = 0.05, shells = 2 }}\n\
             translate = [0, 0, 1]\n[[obstacle]]\nname = \"wheel\"\nbox = {{ size = [1, 1, 0.1] }}\n\
             turn = {{ axis = [0, 0, 1], centre = [0, 0, 0], angle = [[0, 0], [1, {angle}]] }}\n"
        )
    };
    let warned = |angle: f64| scene(&wheel(angle), &[]).warnings.join("\n");
    has(&warned(240.0), &["obstacle `wheel` turns by 2.0 rad", "the work it puts in", "run.h below 4.2e-3 s"]);
    assert_eq!(warned(62.0), "", "half a radian a step");
    let refused = message(&wheel(1920.0), &[]);
    has(&refused, &["obstacle `wheel`", "turns by 16.0 rad", "which way", "run.h below 5.2e-4 s"]);
}
