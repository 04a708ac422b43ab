//! What is wrong with a joint is named, with what to do.

use super::*;

fn refused(joint: &str) -> String {
    let soft = "[[body]]\nname = \"jelly\"\nmaterial = \"jelly\"\nbox = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }\ntranslate = [0, 3, 0]\n";
    let row = block("row", [0.1, 0.1, 0.1], [0.0, 5.0, 0.0], "array = { counts = [2, 1, 1], spacing = 0.3 }");
    refusal(&(rod("arm", [0.0; 2], 0.0) + soft + &row + &format!("[[joint]]\n{joint}\n")), &[])
}

#[test]
fn joints_that_cannot_be_are_refused_by_name() {
    let hinge = "hinge = { at = [0, 0, 0], axis = [0, 1, 0] }";
    for (joint, message) in [
        (format!("bodies = [\"arn\"]\n{hinge}"), "there is no body `arn`; did you mean `arm`?"),
        (format!("bodies = [\"arm\", \"jelly\"]\n{hinge}"), "body `jelly` is not affine"),
        (format!("bodies = [\"arm\", \"arm\"]\n{hinge}"), "it joins `arm` to itself"),
        (
            format!("bodies = [\"arm\", \"row\"]\n{hinge}"),
            "`row` means 2 bodies: a joint holds one, such as `row.0-0-0`",
        ),
        (
            "bodies = [\"arm\"]\nhinge = { at = [0, 0, 0], axis = [0, 0, 0] }".into(),
            "axis = [0.0, 0.0, 0.0]: it must not be zero",
        ),
        ("bodies = [\"arm\"]\nball = { at = [nan, 0, 0] }".into(), "is not finite"),
        (
            format!("bodies = [\"arm\"]\nfixed = true\n{hinge}"),
            "2 kinds of joint: give exactly one of ball, hinge, slider, fixed",
        ),
        ("bodies = [\"arm\"]".into(), "0 kinds of joint"),
        (format!("bodies = []\n{hinge}"), "bodies names one body, or two"),
        ("bodies = [\"arm\"]\nfixed = true\nmotor = { speed = 1 }".into(), "it turns a hinge or moves a slider"),
        (format!("bodies = [\"arm\"]\n{hinge}\nmotor = {{}}"), "give speed or angle, one of them"),
        (
            format!("bodies = [\"arm\"]\n{hinge}\nmotor = {{ way = [[0, 0]] }}"),
            "a hinge takes speed, angle and max_torque",
        ),
        (
            format!("bodies = [\"arm\"]\n{hinge}\nmotor = {{ speed = 1, max_torque = -2 }}"),
            "must be positive and finite",
        ),
        (
            format!("bodies = [\"arm\"]\n{hinge}\nmotor = {{ angle = [[0, 0]], max_torque = 2 }}"),
            "a limit belongs to a speed",
        ),
        (format!("bodies = [\"arm\"]\n{hinge}\nmotor = {{ speed = \"fast\" }}"), "`fast` is no angle"),
    ] {
        let found = refused(&joint);
        assert!(found.contains(message), "{joint}\n{found}\n{message}");
    }
}

#[test]
fn a_motor_that_the_other_joints_hold_is_refused_and_what_holds_itself_is_told() {
    let arm = rod("arm", [0.0; 2], 0.0) + &hinge("\"arm\"", [0.0; 2]);
    let other = hinge("\"arm\"", [0.0, -0.5]);
    let found = refusal(&(arm.clone() + "motor = { speed = 1 }\n" + &other), &[]);
    assert!(found.contains("hold each other so that a motor among them cannot move"), "{found}");
    let built = scene(&(arm + &other), &[]);
    assert!(built.warnings.iter().any(|w| w.contains("hold each other still")), "{:?}", built.warnings);
}

#[test]
fn pins_at_a_point_or_an_axis_are_of_stiff_bodies_that_have_one_and_stand_still() {
    let arm = rod("arm", [0.0; 2], 0.0);
    let soft =
        "[[body]]\nname = \"jelly\"\nmaterial = \"jelly\"\nbox = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }\n";
    let point = "[[pin]]\nbody = \"arm\"\npoint = [0, 0, 0]\n";
    for (text, message) in [
        (soft.to_owned() + &point.replace("arm", "jelly"), "only an affine body is held at a point or an axis"),
        (arm.clone() + point + &point.replace("[0, 0, 0]", "[0, 0, 1]"), "already held at another point or axis"),
        (arm.clone() + point + "shift = [[0, 0, 0, 0], [1, 0, 0, 1]]\n", "join the body to a moving obstacle"),
        (arm.clone() + "[[pin]]\nbody = \"arm\"\naxis = { at = [0, 0, 0], axis = [0, 0, 0] }\n", "it must not be zero"),
    ] {
        let found = refusal(&text, &[]);
        assert!(found.contains(message), "{found}\n{message}");
    }
}

#[test]
fn a_scene_with_joints_reads_as_it_was_written() {
    use visviva::scene::{Body, Joint, Material, Motor, Pin, Scene, SceneSource};
    let body = |name: &str, x: f64| {
        Body::cuboid([0.1, 0.1, 0.1], [1, 1, 1]).named(name).material(Material::new(1e9)).affine().at([x, 0.0, 0.0])
    };
    let scene = Scene::new("joints")
        .body(body("a", 0.0))
        .body(body("b", 1.0))
        .joint(Joint::of("a").hinge([0.0, 0.0, 0.1], [0.0, 1.0, 0.0]).motor(Motor::speed(1.5).at_most(2.0)))
        .joint(Joint::of("b").slider([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]).with("a").touching())
        .joint(Joint::of("b").ball([0.5, 0.0, 0.0]).with("a"))
        .joint(Joint::of("b").fixed())
        .pin(Pin::of("a").axis([0.0; 3], [0.0, 0.0, 1.0]))
        .pin(Pin::of("b").point([1.0, 0.0, 0.0]))
        .step("1/60")
        .duration(1.0);
    let text = scene.to_toml().unwrap();
    let source = SceneSource { name: "again".into(), text, folder: Default::default() };
    assert_eq!(source.parse(&[]).unwrap(), scene);
}
