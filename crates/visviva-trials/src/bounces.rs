//! One bounce of a ball that is thrown at a floor without friction and turned at random: what of its motion is flight, spin and
//! vibration afterwards, by method and step, beside steps that resolve the contact.

use anyhow::{Context, Result};
use rayon::prelude::*;
use visviva::scene::SceneSource;
use visviva::session::Session;
use visviva_trials::chance::Chance;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The ball's shape, as in a scene
    #[arg(long, default_value = "ball = { radius = 0.05, shells = 5 }")]
    shape: String,
    /// Only the ball of this modulus [Pa]
    #[arg(long)]
    modulus: Option<f64>,
    /// How often it is thrown, turned differently
    #[arg(long, default_value_t = 4)]
    throws: usize,
    /// Only methods whose name with its step contains this
    #[arg(long)]
    only: Option<String>,
}

/// Young's modulus [Pa], how long until it has left the floor [s], and how far its flight may be from the reference's where steps
/// follow the contact
const BALLS: [(f64, f64, Option<f64>); 3] = [(1e5, 0.12, Some(0.05)), (1e6, 0.08, None), (1e7, 0.08, Some(0.05))];

const SPEED: f64 = 4.4;

/// Method, 1/h and, where steps are adaptive, 1/min
type Way = (&'static str, u32, Option<u32>);

const REFERENCE: Way = ("sdirk2", 3840, None);

const JUDGED: [Way; 2] = [("a-spin", 60, Some(480)), ("a-spin", 120, Some(480))];

const SHOWN: [Way; 16] = [
    ("bdf2", 3840, None),
    ("a-spin", 60, None),
    ("a-spin", 120, None),
    ("a-spin", 240, None),
    ("a-spin", 480, None),
    ("a-spin", 960, None),
    ("a-spin", 1920, None),
    ("a-spin", 3840, None),
    ("a-search", 120, None),
    ("a-1", 120, None),
    ("bdf2", 120, None),
    ("a-spin", 120, Some(960)),
    ("a-spin", 120, Some(1920)),
    ("a-search", 120, Some(480)),
    ("bdf2", 120, Some(480)),
    ("bdf2", 120, Some(1920)),
];

/// Parts of the energy that it came with.
#[derive(Debug, Clone, Copy, Default)]
struct Left {
    flight: f64,
    spin: f64,
    vibration: f64,
    steps: f64,
    newton: f64,
    /// It still touches the floor, or a step did not converge.
    is_bad: bool,
}

/// Whether steps that follow the contact leave in flight what they must.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let mut held = true;
    for (modulus, duration, within) in BALLS.into_iter().filter(|ball| arguments.modulus.is_none_or(|m| m == ball.0)) {
        println!("{modulus:.0e} Pa, {}: parts of the energy of motion after a bounce", arguments.shape);
        println!("  {:<26} flight  vibration  spin, mean and largest  steps  Newton", "");
        let ways: Vec<Way> = [REFERENCE].into_iter().chain(SHOWN).chain(JUDGED).collect();
        let ways: Vec<Way> = ways.into_iter().filter(|way| is_wanted(arguments, *way)).collect();
        let mut reference = None;
        for way in ways {
            let throws: Vec<usize> = (0..arguments.throws.max(1)).collect();
            let thrown = |&throw: &usize| left_after(&arguments.shape, modulus, duration, way, throw);
            let left: Vec<Left> = throws.par_iter().map(thrown).collect::<Result<_>>()?;
            let mean = |of: fn(&Left) -> f64| left.iter().map(of).sum::<f64>() / left.len() as f64;
            let flight = mean(|left| left.flight);
            if way == REFERENCE {
                reference = Some(flight);
            }
            let off = reference.map_or(0.0, |reference: f64| (flight - reference).abs());
            let is_wrong = JUDGED.contains(&way) && within.is_some_and(|within| off > within);
            let is_bad = is_wrong || left.iter().any(|left| left.is_bad);
            held &= !is_bad;
            println!(
                "  {:<26} {flight:6.3}  {:9.3}  {:10.5}  {:10.5}  {:5.0}  {:6.0}{}",
                name(way),
                mean(|left| left.vibration),
                mean(|left| left.spin),
                left.iter().map(|left| left.spin).fold(0.0, f64::max),
                mean(|left| left.steps),
                mean(|left| left.newton),
                if is_bad { " !" } else { "" }
            );
        }
    }
    Ok(held)
}

fn is_wanted(arguments: &Arguments, way: Way) -> bool {
    way == REFERENCE || arguments.only.as_ref().is_none_or(|part| name(way).contains(part.as_str()))
}

fn name((method, h, min): Way) -> String {
    min.map_or(format!("{method} 1/{h}"), |min| format!("{method} 1/{h} to 1/{min}"))
}

fn left_after(shape: &str, modulus: f64, duration: f64, way: Way, throw: usize) -> Result<Left> {
    let (method, h, min) = way;
    let mut chance = Chance::new(throw as u64);
    let mut part = || chance.below(1 << 20) as f64 / f64::from(1 << 20);
    let (axis, angle) = ([part() - 0.5, part() - 0.5, part() - 0.5], 3.0 * part());
    let height = 0.06 + 0.03 * part();
    let adaptive = min.map_or(String::new(), |min| format!(", adaptive = {{ min = \"1/{min}\" }}"));
    let text = format!(
        "title = \"trial\"\nrun = {{ integrator = \"{method}\", h = \"1/{h}\", duration = {duration}{adaptive} }}\n\
         [contact]\nrestitution = 1\n[[body]]\nname = \"ball\"\n\
         material = {{ youngs_modulus = {modulus:?}, law = \"neo-hookean\" }}\n{shape}\n\
         rotate = {{ axis = {axis:?}, angle = {angle} }}\ntranslate = [0, 0, {height}]\n\
         velocity = {{ linear = [0, 0, -{SPEED}] }}\n[[obstacle]]\nname = \"floor\"\nplane = {{ size = 4 }}\n"
    );
    let source = SceneSource { name: "trial".into(), text, folder: std::env::temp_dir() };
    let mut session = Session::new(source.parse(&[])?).with_context(|| name(way))?;
    let (start, came_with) = (session.energies().gravity, session.parts()[0].motion.translation);
    let mut left = Left::default();
    while session.time() < duration * (1.0 - 1e-9) {
        let report = session.step().with_context(|| name(way))?;
        left.steps += 1.0;
        left.newton += session.row().newton as f64;
        left.is_bad |= !report.solve.converged;
    }
    left.is_bad |= session.row().active_pairs != Some(0);
    let (part, energies) = (session.parts()[0], session.energies());
    left.flight = (part.motion.translation + energies.gravity - start) / came_with;
    left.spin = part.motion.rotation / came_with;
    left.vibration = (part.motion.vibration + energies.elastic) / came_with;
    Ok(left)
}
