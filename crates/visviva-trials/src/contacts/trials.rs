//! Each trial: what is measured, in which cases, and between what it must lie.

use super::worlds::{GRAVITY, Setting, World};
use anyhow::Result;

pub struct Measure {
    pub value: f64,
    pub unconverged: u32,
}

/// Of a kind of body, a method and a step of 1/h s
type Measuring = dyn Fn(&str, &str, u32) -> Result<Measure> + Sync;

pub struct Trial {
    pub name: String,
    /// `[least, most]`
    range: [f64; 2],
    /// What the least grows smaller by, times h in seconds: the way of half a step, where positions come a step late
    late: f64,
    unit: &'static str,
    pub digits: usize,
    pub kinds: &'static [&'static str],
    pub methods: &'static [&'static str],
    pub steps: &'static [u32],
    pub measure: Box<Measuring>,
}

impl Trial {
    pub fn allows(&self, value: f64, h: u32) -> bool {
        (self.range[0] - self.late / f64::from(h)..=self.range[1]).contains(&value)
    }

    pub fn must(&self) -> String {
        let Self { range: [least, most], unit, late, .. } = self;
        let late = if *late > 0.0 { format!("; less {late} a second of step") } else { String::new() };
        format!("{least} to {most} {unit}{late}")
    }
}

const ALL: &[&str] = &["a-search", "a-spin", "a-1", "bdf2", "implicit-euler"];
const BOTH: &[&str] = &["affine", "solid"];
const STEPS: &[u32] = &[60, 120, 240, 480, 960, 1920];
const BLOCK: &str = "box = { size = [0.1, 0.1, 0.1], cells = [3, 3, 3] }";
/// Of tan ½
const SLOPE: [f64; 3] = [4.382693235899588, 0.0, -8.765386471799175];
const LEVEL: [f64; 3] = [0.0, 0.0, -GRAVITY];
/// Some µm from where the block rests on the slope
const RESTING: f64 = 0.050957875525045486;

fn block(kind: &str, gravity: [f64; 3], height: f64, contact: String) -> Setting<'_> {
    Setting { gravity, kind, modulus: 1e7, shape: BLOCK, height, contact }
}

/// A block on a slope of tan ½: its way in 1 s `[mm]`.
fn slid(mu: f64) -> impl Fn(&str, &str, u32) -> Result<Measure> + Sync {
    move |kind, method, h| {
        let mut world = block(kind, SLOPE, RESTING, format!("friction = {mu}")).world(method, h)?;
        let start = world.centre().x;
        world.run(h)?;
        Ok(Measure { value: 1e3 * (world.centre().x - start), unconverged: world.unconverged })
    }
}

/// The same for one that has leaned into the slope before: with more friction it came to rest there.
fn slid_from_rest(kind: &str, method: &str, h: u32) -> Result<Measure> {
    let mut settled = block(kind, SLOPE, RESTING, "friction = 0.7".into()).world("implicit-euler", 120)?;
    settled.run(120)?;
    let mut state = settled.simulation.state.clone();
    state.v.fill(0.0);
    let start = settled.centre().x;
    let mut world = block(kind, SLOPE, RESTING, "friction = 0.49".into()).world(method, h)?.started_from(state)?;
    world.run(h)?;
    Ok(Measure { value: 1e3 * (world.centre().x - start), unconverged: world.unconverged })
}

/// A block at rest on level ground is pushed to 1 m/s, and stops.
fn pushed(kind: &str, method: &str, h: u32) -> Result<World> {
    let setting = block(kind, LEVEL, 0.05095, "friction = 0.5".into());
    let mut settled = setting.world("implicit-euler", 120)?;
    settled.run(120)?;
    let mut state = settled.simulation.state.clone();
    for node in settled.built.model.bodies[0].nodes.clone() {
        state.v[3 * node..3 * node + 3].copy_from_slice(&[1.0, 0.0, 0.0]);
    }
    let mut world = setting.world(method, h)?.started_from(state)?;
    world.run(h / 2)?;
    Ok(world)
}

/// How far it comes `[mm]`
fn stops(kind: &str, method: &str, h: u32) -> Result<Measure> {
    let world = pushed(kind, method, h)?;
    let start = block(kind, LEVEL, 0.05095, String::new()).world(method, h)?.centre().x;
    Ok(Measure { value: 1e3 * (world.centre().x - start), unconverged: world.unconverged })
}

/// What is booked as friction, by the energy it had
fn booked(kind: &str, method: &str, h: u32) -> Result<Measure> {
    let world = pushed(kind, method, h)?;
    let mass: f64 = world.built.model.node_mass[world.built.model.bodies[0].nodes.clone()].iter().sum();
    Ok(Measure { value: world.friction_loss / (0.5 * mass), unconverged: world.unconverged })
}

/// How much a block moves that fell from 5 mm a second ago `[mm]`
fn dropped(kind: &str, method: &str, h: u32) -> Result<Measure> {
    let mut world = block(kind, LEVEL, 0.056, "friction = 0.3".into()).world(method, h)?;
    world.run(h)?;
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for _ in 0..h / 2 {
        world.step()?;
        let z = world.centre().z;
        (low, high) = (low.min(z), high.max(z));
    }
    Ok(Measure { value: 1e3 * (high - low), unconverged: world.unconverged })
}

/// What is left of a ball's speed after its first bounce from a height `[m]`, by its highest place after
fn bounced(height: f64, e: f64) -> impl Fn(&str, &str, u32) -> Result<Measure> + Sync {
    move |kind, method, h| {
        let shape = match kind {
            "affine" => "icosphere = { radius = 0.05, subdivisions = 2 }",
            _ => "ball = { radius = 0.05, shells = 3 }",
        };
        let contact = format!("restitution = {e}");
        let modulus = if kind == "affine" { 1e7 } else { 3e7 };
        let setting = Setting { gravity: LEVEL, kind, modulus, shape, height: 0.051 + height, contact };
        let mut world = setting.world(method, h)?;
        let fall = (2.0 * height / GRAVITY).sqrt();
        world.run((fall * f64::from(h)) as u32)?;
        let mut highest: f64 = 0.0;
        for _ in 0..(1.2 * fall * f64::from(h)) as u32 {
            world.step()?;
            let (z, v) = (world.centre().z - 0.051, world.velocity().z);
            // Where this flight leads, once it has begun: an apex between two steps is not missed.
            if v > 0.0 && z > 0.0 {
                highest = highest.max(z + v * v / (2.0 * GRAVITY));
            }
        }
        Ok(Measure { value: (highest / height).sqrt(), unconverged: world.unconverged })
    }
}

/// Acceleration of what rolls down a slope of 1:5, by that of a rigid body with the inertia of its mesh
fn rolled(kind: &str, method: &str, h: u32) -> Result<Measure> {
    let (sin, cos) = 0.2f64.atan().sin_cos();
    let (shape, height, contact) = match kind {
        "affine" => ("icosphere = { radius = 0.05, subdivisions = 4 }", 0.0508, "friction = 0.5"),
        _ => (
            "cylinder = { radius = 0.05, height = 0.04, rings = 10, layers = 1 }\nrotate = { axis = [1, 0, 0], angle = 1.5707963267948966 }",
            0.0535,
            "friction = 0.8\nreach = 5e-3\nstiffness = 2e3",
        ),
    };
    let modulus = if kind == "affine" { 1e7 } else { 1e6 };
    let gravity = [GRAVITY * sin, 0.0, -GRAVITY * cos];
    let setting = Setting { gravity, kind, modulus, shape, height, contact: contact.into() };
    let mut world = setting.world(method, h)?;
    let rigid = GRAVITY * sin / (1.0 + world.roundness());
    world.run(h / 8)?;
    let first = world.velocity().x;
    world.run(h / 2)?;
    let value = (world.velocity().x - first) / (f64::from(h / 2) / f64::from(h)) / rigid;
    Ok(Measure { value, unconverged: world.unconverged })
}

pub fn all() -> Vec<Trial> {
    let trial = |name: String, range, unit, measure| Trial {
        name,
        range,
        late: 0.0,
        unit,
        digits: 2,
        kinds: BOTH,
        methods: ALL,
        steps: STEPS,
        measure,
    };
    let mut trials = Vec::new();
    for mu in [0.51, 0.7] {
        let name = format!("sticks with μ = {mu}, way in 1 s");
        trials.push(trial(name, [0.0, 1.5], "mm", Box::new(slid(mu))));
    }
    let name = "slides from rest with μ = 0.49, way in 1 s";
    // A rigid block slides 43.8 mm; below 1 mm/s friction is smoothed, which adds a little.
    trials.push(trial(name.into(), [43.4, 45.5], "mm", Box::new(slid_from_rest)));
    // v²/2μg within 2 %
    let way = 1e3 / GRAVITY;
    let range = [(0.98 * way).round(), (1.02 * way).round()];
    let stopping = trial("stops from 1 m/s with μ = 0.5, way".into(), range, "mm", Box::new(stops));
    trials.push(Trial { late: 500.0, ..stopping });
    let booking = trial("books its energy as friction".into(), [0.998, 1.002], "of it", Box::new(booked));
    trials.push(Trial { digits: 4, ..booking });
    let drop = trial("dropped from 5 mm, moves a second later".into(), [0.0, 0.1], "mm", Box::new(dropped));
    trials.push(Trial { digits: 3, steps: &[60, 120, 480], ..drop });
    for (height, e) in [(0.5f64, 1.0f64), (0.5, 0.9), (0.5, 0.7), (0.1, 0.9)] {
        let name = format!("bounces from {height} m with e = {e}, speed left");
        let bounce = trial(name, [(100.0 * e - 2.0).round() / 100.0, 1.0], "of it", Box::new(bounced(height, e)));
        trials.push(Trial { digits: 3, methods: &["a-search", "a-spin", "a-1"], ..bounce });
    }
    let roll = trial("rolls down, acceleration".into(), [0.97, 1.03], "of a rigid body's", Box::new(rolled));
    trials.push(Trial { digits: 3, methods: &["a-search", "a-spin", "bdf2"], steps: &[240, 480, 960], ..roll });
    trials
}
