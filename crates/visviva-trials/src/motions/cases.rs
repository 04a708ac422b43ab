//! Each case: a scene, for how long, at which steps, and what must be seen of it.

use super::watch::{Watched, lowest};

pub struct Case {
    pub name: String,
    /// TOML
    pub text: String,
    /// `[s]`
    pub duration: f64,
    /// 1/h `[1/s]`
    pub steps: Vec<u32>,
    /// Method and 1/h of what it is compared with
    pub reference: Option<(&'static str, u32)>,
    /// Part of the reference's turns that may be missing or too much
    turns: Option<f64>,
    /// How far the end may be turned from the reference's `[rad]`
    tilt: Option<f64>,
    /// Part of the angular momentum that may be lost or gained
    spin: Option<f64>,
    /// Part of the drop that the last five apexes reach
    apex: Option<f64>,
    /// A point that is held: angular momentum is about it `[m]`
    pub held: Option<[f64; 3]>,
    /// Part of the kinetic energy that the total may be above its target
    over: f64,
}

/// Sums of a run's coordinates, some metres and m/s, each rounded
const ROUND_OFF: f64 = 1e-11;

impl Case {
    fn new(name: &str, text: String, duration: f64, steps: &[u32]) -> Self {
        Self {
            name: name.to_owned(),
            text,
            duration,
            steps: steps.to_vec(),
            reference: None,
            turns: None,
            tilt: None,
            spin: None,
            apex: None,
            held: None,
            over: 0.01,
        }
    }

    fn turns_as(mut self, reference: (&'static str, u32), within: f64) -> Self {
        (self.reference, self.turns) = (Some(reference), Some(within));
        self
    }

    fn beside(mut self, reference: (&'static str, u32)) -> Self {
        self.reference = Some(reference);
        self
    }

    fn tilted_by_at_most(mut self, radians: f64) -> Self {
        self.tilt = Some(radians);
        self
    }

    fn keeps_spin(mut self) -> Self {
        self.spin = Some(ROUND_OFF);
        self
    }

    fn about(mut self, held: [f64; 3]) -> Self {
        self.held = Some(held);
        self
    }

    fn returns_to(mut self, apex: f64) -> Self {
        (self.apex, self.over) = (Some(apex), 1e-3);
        self
    }

    /// Whether it is about bounces
    pub fn returns(&self) -> bool {
        self.apex.is_some()
    }

    pub fn must(&self) -> String {
        let part = |part: Option<f64>, what: &str| part.map(|part| format!("{what} {part}"));
        let asked = [
            part(self.turns, "turns within a part of"),
            part(self.tilt, "ends turned within"),
            part(self.spin, "spin kept to"),
            part(self.apex, "apexes at least"),
            part(Some(self.over), "above target at most"),
        ];
        asked.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    pub fn faults(&self, seen: &Watched, reference: Option<&Watched>) -> Vec<String> {
        let mut faults = Vec::new();
        if let (Some(within), Some(reference)) = (self.turns, reference) {
            let off = seen.turns / reference.turns - 1.0;
            if off.abs() > within {
                faults.push(format!("turns off by {:.2} %", 100.0 * off));
            }
        }
        if let (Some(within), Some(reference)) = (self.tilt, reference) {
            let between = seen.orientation * reference.orientation.transpose();
            let angle = (0.5 * (between.trace() - 1.0)).clamp(-1.0, 1.0).acos();
            if angle > within {
                faults.push(format!("ends turned by {angle:.3} rad"));
            }
        }
        if self.spin.is_some_and(|most| seen.spin_off > most) {
            faults.push("spin is not kept".into());
        }
        if self.apex.is_some_and(|least| lowest(&seen.apexes) < least) {
            faults.push("it does not return".into());
        }
        if seen.over > self.over {
            faults.push("energy above its target".into());
        }
        if seen.unconverged > 0 {
            faults.push("unconverged".into());
        }
        faults
    }
}

const NO_GRAVITY: &str = "gravity = [0, 0, 0]\n";
const BLOCK: &str = "box = { size = [0.2, 0.1, 0.06], cells = [6, 3, 2] }\n";

fn scene(head: &str, bodies: &str) -> String {
    format!("title = \"trial\"\n{head}{bodies}")
}

fn body(name: &str, kind: &str, modulus: f64, rest: &str) -> String {
    let law = if kind == "solid" { ", law = \"neo-hookean\"" } else { "" };
    format!(
        "[[body]]\nname = \"{name}\"\nkind = \"{kind}\"\nmaterial = {{ youngs_modulus = {modulus:?}{law} }}\n{rest}\n"
    )
}

fn ball(kind: &str, modulus: f64, shape: &str) -> String {
    let rest = format!("{shape}\ntranslate = [0, 0, 1.05]");
    let body = body("ball", kind, modulus, &rest);
    scene("[contact]\nrestitution = 1\n", &body) + "[[obstacle]]\nname = \"floor\"\nplane = { size = 4 }\n"
}

pub fn all() -> Vec<Case> {
    let fine = ("bdf2", 6000);
    let spin = |angular: &str| format!("velocity = {{ angular = {angular} }}");
    let calm = |modulus| body("block", "solid", modulus, &format!("{BLOCK}{}", spin("[0, 0, 15]")));
    let ringing = format!(
        "{BLOCK}{}\ndeform = [{{ kind = \"stretch\", axis = \"x\", from = -0.1, to = 0.1, amount = 1.25 }}]",
        spin("[0, 0, 13]")
    );
    let brick = "box = { size = [0.2, 0.1, 0.05], cells = [1, 1, 1] }\n";
    // About the middle axis, and a little beside it: it turns over and over.
    let tumbling = format!("{brick}{}", spin("[0.3, 0.1, 8]").replace("[0.3, 0.1, 8]", "[0.3, 8, 0.1]"));
    let two_blocks = |kind: &str, modulus: f64, shape: &str| {
        let at = |x: f64, y: f64, v: f64, angular: &str| {
            format!(
                "{shape}translate = [{x}, {y}, 0]\nvelocity = {{ linear = [{v}, 0, 0], angular = {angular}, about = [{x}, {y}, 0] }}"
            )
        };
        let bodies = [("left", at(-0.2, 0.02, 1.0, "[0, 0, 9]")), ("right", at(0.2, -0.03, -1.0, "[2, 0, 5]"))];
        let bodies: String = bodies.iter().map(|(name, rest)| body(name, kind, modulus, rest)).collect();
        scene(&format!("{NO_GRAVITY}[contact]\nrestitution = 1\n"), &bodies)
    };
    let ring = "torus = { major_radius = 0.08, minor_radius = 0.02, rings = 2, around = 24 }\n";
    let sheet = "[[body]]\nname = \"sheet\"\nkind = \"shell\"\nmaterial = { youngs_modulus = 1e6, density = 300, thickness = 1e-3 }\n\
                 rectangle = { size = [0.3, 0.2], cells = [9, 6] }\nvelocity = { linear = [1, 0, 2], angular = [0.5, 12, 1] }\n";
    let chain = "[[body]]\nname = \"chain\"\nkind = \"affine\"\nmaterial = { youngs_modulus = 1e7 }\n\
                 chain_net = { rings = [3, 1], major_radius = 0.05, minor_radius = 0.008, segments = [24, 8] }\n\
                 velocity = { linear = [0, 0, 3], angular = [0, 6, 4] }\n";
    let oblique = "[contact]\nrestitution = 1\nfriction = 0.3\n[[body]]\nname = \"ball\"\nkind = \"affine\"\nmaterial = { youngs_modulus = 1e7 }\n\
                   icosphere = { radius = 0.05, subdivisions = 3 }\ntranslate = [0, 0, 0.5]\n\
                   velocity = { linear = [1, 0, 0], angular = [0, -20, 5], about = [0, 0, 0.5] }\n\
                   [[obstacle]]\nname = \"floor\"\nplane = { size = 8 }\n";
    let gyroscope = "[[body]]\nname = \"disc\"\nkind = \"affine\"\nmaterial = { youngs_modulus = 1e9 }\n\
                     cylinder = { radius = 0.1, height = 0.02, rings = 3, layers = 1 }\nrotate = { axis = [0, 1, 0], angle = \"60deg\" }\n\
                     translate = [0.0866, 0, 0.05]\nvelocity = { angular = [31.2, 0, 18] }\n[[pin]]\nbody = \"disc\"\npoint = [0, 0, 0]\n";
    let free = |text: String| scene(NO_GRAVITY, &text);
    let mut cases = vec![
        Case::new("a ringing block turns", free(body("block", "solid", 5e4, &ringing)), 2.0, &[60, 120])
            .turns_as(fine, 0.02)
            .keeps_spin(),
        Case::new("a calm block turns", free(calm(5e6)), 2.0, &[30, 60]).turns_as(fine, 0.01).keeps_spin(),
        Case::new(
            "an affine block turns",
            free(body("block", "affine", 1e7, &format!("{brick}{}", spin("[0, 0, 18]")))),
            2.0,
            &[30, 60],
        )
        .turns_as(("a-spin", 6000), 0.01)
        .keeps_spin(),
        Case::new(
            "a brick of three inertias tumbles",
            free(body("brick", "affine", 1e8, &tumbling)),
            2.0,
            &[30, 60, 120],
        )
        .turns_as(("a-spin", 12000), 0.01)
        .tilted_by_at_most(0.1)
        .keeps_spin(),
        Case::new("two blocks collide", two_blocks("solid", 1e6, BLOCK), 1.0, &[60, 120]).keeps_spin(),
        Case::new("two spinning rings collide", two_blocks("affine", 1e7, ring), 1.0, &[60, 120]).keeps_spin(),
        Case::new("a sheet is thrown", scene("", sheet), 1.0, &[60, 120]).beside(fine).keeps_spin(),
        Case::new("a chain is thrown", scene("[contact]\nrestitution = 1\n", chain), 1.0, &[60, 120]).keeps_spin(),
        Case::new("a spinning ball bounces off at an angle", scene("", oblique), 2.0, &[60, 120])
            .beside(("a-spin", 1920)),
        Case::new("a gyroscope on a pin", scene("", gyroscope), 1.0, &[60, 120])
            .turns_as(("a-spin", 6000), 0.01)
            .tilted_by_at_most(0.2)
            .about([0.0; 3]),
        Case::new(
            "the soft cube of the paper",
            include_str!("../../../../scenes/rotating-cube-soft.toml").into(),
            10.0,
            &[30, 60],
        )
        .beside(("bdf2", 3000)),
        Case::new(
            "the stiff cube of the paper",
            include_str!("../../../../scenes/rotating-cube-stiff.toml").into(),
            10.0,
            &[30, 60],
        )
        .turns_as(("bdf2", 3000), 0.01),
    ];
    let shapes = |kind| match kind {
        "affine" => [3, 4].map(|n| format!("icosphere = {{ radius = 0.05, subdivisions = {n} }}")).to_vec(),
        _ => {
            let mut shapes = [5, 7].map(|n| format!("ball = {{ radius = 0.05, shells = {n} }}")).to_vec();
            for (cells, layers) in [("[8, 6, 4]", 2), ("[10, 8, 5]", 3)] {
                let wrapped = format!("ball = {{ radius = 0.05, cells = {cells}, layers = {layers} }}");
                // As it is made it falls on a node in two planes of symmetry; turned it lands where its facets have it.
                shapes.extend([wrapped.clone(), format!("{wrapped}\nrotate = {{ axis = [1, 2, 3], angle = 1 }}")]);
            }
            shapes
        }
    };
    for (kind, moduli) in [("affine", [1e6, 1e7, 1e8]), ("solid", [3e6, 1e7, 3e7])] {
        for (modulus, shape) in
            moduli.into_iter().flat_map(|modulus| shapes(kind).into_iter().map(move |shape| (modulus, shape)))
        {
            let name = format!("a ball bounces: {kind} {modulus:.0e} {}", shape.replace('\n', ", "));
            cases.push(Case::new(&name, ball(kind, modulus, &shape), 60.0, &[60, 120, 240]).returns_to(0.9));
        }
    }
    cases
}
