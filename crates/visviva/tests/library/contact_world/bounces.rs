//! A ball dropped from a metre: what each method makes of it.

use super::{scene, simulation, world};
use visviva::integrate::StepError;
use visviva::model::bodies::node_of;
use visviva::simulation::Simulation;
use visviva::solve::BodiesSolver;

/// Contacts that lose nothing: the method alone is judged.
const BALL: &str = r#"
[contact]
restitution = 1
[[material]]
name = "rubber"
youngs_modulus = 1e6
[[body]]
name = "ball"
material = "rubber"
ball = { radius = 0.05, shells = 3 }
translate = [0, 0, 1.05]
[[obstacle]]
name = "ground"
plane = { size = 2 }
"#;

#[derive(Debug, Default)]
struct Bounce {
    /// Highest place of the lowest point after the first contact `[m]`
    apex: f64,
    /// Largest total over the start's
    most: f64,
    /// Largest difference of total and target in flight after the first contact, over the start energy
    off_target: f64,
    /// The same in the first steps after a contact
    off_at_take_off: f64,
    unconverged: usize,
    /// What the books say the method itself put in, over the start energy
    own: f64,
    end: Option<StepError>,
}

fn lowest(simulation: &Simulation<&mut BodiesSolver>) -> f64 {
    (0..simulation.state.x.len() / 3 - 3).map(|i| node_of(&simulation.state.x, i).z).fold(f64::INFINITY, f64::min)
}

fn bounce(integrator: &str, changes: &[&str], steps: usize) -> Bounce {
    let integrator = format!("run.integrator={integrator}");
    let changes: Vec<&str> = changes.iter().copied().chain([integrator.as_str()]).collect();
    let built = scene(BALL, &changes);
    let mut world = world(&built);
    let mut simulation = simulation(&built, &mut world, built.start.clone());
    let start = simulation.total_energy();
    let (mut bounce, mut touched, mut was_in_contact) = (Bounce::default(), false, false);
    for _ in 0..steps {
        match simulation.step() {
            Ok(report) => {
                bounce.unconverged += usize::from(!report.solve.converged);
                bounce.own += report.ledger.integrator / start;
                bounce.most = bounce.most.max(report.ledger.total / start);
                let in_contact = simulation.evaluation().contact_state().active_pairs > 0;
                touched |= in_contact;
                if touched && !in_contact {
                    bounce.apex = bounce.apex.max(lowest(&simulation));
                    let off = (report.ledger.total - report.target).abs() / start;
                    bounce.off_target = bounce.off_target.max(off);
                    if was_in_contact {
                        bounce.off_at_take_off = bounce.off_at_take_off.max(off);
                    }
                }
                was_in_contact = in_contact;
            }
            Err(error) => {
                bounce.end = Some(error);
                break;
            }
        }
    }
    println!("{}: {bounce:?}", changes.join(" "));
    bounce
}

#[test]
fn a_search_brings_the_ball_back_and_bdf2_does_not() {
    for stiffness in ["1e5", "1e6", "1e7"] {
        let stiffness = format!("material.0.youngs_modulus={stiffness}");
        let search = bounce("a-search", &[&stiffness], 180);
        assert!(search.end.is_none() && search.unconverged == 0);
        assert!(search.apex >= 0.95 && search.apex < 1.0, "{stiffness}: {search:?}");
        assert!(search.most < 1.0 + 1e-9 && search.off_at_take_off < 1e-9, "{stiffness}: {search:?}");
        let bdf2 = bounce("bdf2", &[&stiffness], 180);
        assert!(bdf2.end.is_none() && bdf2.apex < 0.6, "{stiffness}: {bdf2:?}");
    }
}

#[test]
fn a_1_does_not_gain_energy_in_contact() {
    let plain = bounce("a-1", &[], 240);
    assert!(plain.end.is_none() && plain.most < 1.05, "{plain:?}");
}

#[test]
fn trapezoidal_steps_throw_the_ball_higher_than_it_was_and_the_books_say_so() {
    let wild = bounce("trapezoidal", &[], 240);
    // It does not fail: it gains. Measured 2.8 times the start energy after two contacts.
    assert!(wild.end.is_none() && wild.most > 1.5 && wild.apex > 1.5, "{wild:?}");
    assert!((wild.own - (wild.most - 1.0)).abs() < 0.05, "{wild:?}");
}

#[test]
fn a_decaying_target_is_met_at_every_take_off() {
    let tau = 6.0f64;
    let decay = bounce("a-search", &["energy.target=decay", &format!("energy.tau={tau}")], 240);
    assert!(decay.end.is_none() && decay.off_at_take_off < 1e-9, "{decay:?}");
    // In flight only vibration can be taken: the target falls on for the 0.9 s between two contacts, the total hardly.
    assert!(decay.off_target < 1.0 - (-0.9 / tau).exp(), "{decay:?}");
    assert!(decay.apex < 0.95, "{decay:?}");
}
