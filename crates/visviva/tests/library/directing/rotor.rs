//! The method does on two masses and a spring what its linear theory says, to round-off.

use nalgebra::{Vector2, Vector3};
use visviva::energy::{AlphaRule, EnergyPlan};
use visviva::integrate::decoupled::Decoupled;
use visviva::model::bodies::node_of;
use visviva::model::{Hold, Mass, State};
use visviva::simulation::Simulation;
use visviva::solve::{Backend, DissipativeForces, Evaluation, Frozen, Island, Motion, SolveError, SolveReport, Stage};
use visviva::study::rotor::Rotor;

/// Two masses of 1 kg that a spring joins; each is drawn to their middle by k(r − l).
struct Dumbbell {
    mass: Mass,
    stiffness: f64,
    length: f64,
}

impl Dumbbell {
    fn energy(&self, x: &[f64]) -> f64 {
        let stretch = 0.5 * (node_of(x, 0) - node_of(x, 1)).norm() - self.length;
        self.stiffness * stretch * stretch
    }
}

impl Backend for Dumbbell {
    fn mass(&self) -> &Mass {
        &self.mass
    }
    fn terms(&self) -> &[&'static str] {
        &["elastic"]
    }
    fn has_dissipation(&self) -> bool {
        false
    }
    fn islands(&self, _at: &[&Evaluation]) -> Vec<Island> {
        let nodes = std::iter::once(0..2).collect();
        vec![Island { bodies: vec![0], nodes, hold: Hold::Free, touches: false }]
    }
    fn prescribe(&self, _t: f64, _x: &mut [f64]) {}
    fn evaluate(&mut self, at: &mut Evaluation) {
        at.energies = [self.energy(&at.x)].into_iter().collect();
    }
    fn gradient(&mut self, at: &Evaluation, g: &mut [f64]) {
        let half = 0.5 * (node_of(&at.x, 0) - node_of(&at.x, 1));
        let pull = self.stiffness * (half.norm() - self.length) * half.normalize();
        g.copy_from_slice(&[pull.x, pull.y, pull.z, -pull.x, -pull.y, -pull.z]);
    }
    fn stiffness_product(&mut self, _at: &Evaluation, _d: &[f64], _out: &mut [f64]) {}
    fn freeze(&mut self, _at: &Evaluation, _v: &[f64], _frozen: &mut Frozen) {}
    fn add_dissipation(&mut self, _: &Frozen, _: Motion<'_>, _: f64, _: &mut DissipativeForces) {}
    fn boundary_work(&mut self, _from: &Evaluation, _to: &Evaluation) -> f64 {
        0.0
    }
    fn minimise(&mut self, stage: &Stage<'_>, end: &mut Evaluation) -> Result<SolveReport, SolveError> {
        let [a, b] = [0, 1].map(|node| node_of(stage.predictor, node));
        let (middle, half) = (0.5 * (a + b), 0.5 * (a - b));
        let pull = stage.length * stage.length * self.stiffness;
        let half = (half.norm() + pull * self.length) / (1.0 + pull) * half.normalize();
        let [a, b] = [middle + half, middle - half];
        end.set_position(&[a.x, a.y, a.z, b.x, b.y, b.z]);
        self.evaluate(end);
        Ok(SolveReport::explicit(end.energies))
    }
}

#[test]
fn two_masses_on_a_spring_go_round_as_theory_says() {
    for (turn, stiffness, alpha) in [(0.1, 4.0, 1.0), (0.6, 30.0, 1.0), (0.6, 1e3, 0.9), (1.0, 30.0, 1.1)] {
        let rotor = Rotor { turn, stiffness, alpha };
        let world = Dumbbell { mass: Mass::lumped(3, vec![1.0; 2]).unwrap(), stiffness, length: rotor.rest_length() };
        // A little beside steady rotation, with the angular momentum of r = 1.
        let (mut polar, mut angle) = (Vector2::new(1.0 + 0.02 / stiffness, 0.02), 0.0);
        let speed = turn / polar.x;
        let state =
            State::new(vec![polar.x, 0.0, 0.0, -polar.x, 0.0, 0.0], vec![polar.y, speed, 0.0, -polar.y, -speed, 0.0]);
        let method = Box::new(Decoupled::turning(AlphaRule::Fixed(alpha)));
        let mut simulation = Simulation::new(world, state, method, &EnergyPlan::default(), 1.0).unwrap();
        for _ in 0..20 {
            simulation.step().unwrap();
            let (next, turned) = rotor.step(polar);
            (polar, angle) = (next, angle + turned);
            let place: Vector3<f64> = node_of(&simulation.state.x, 0);
            let expected = polar.x * Vector3::new(angle.cos(), angle.sin(), 0.0);
            assert!((place - expected).norm() < 1e-12, "{rotor:?}: {place} and {expected}");
            let outwards = node_of(&simulation.state.v, 0).dot(&place.normalize());
            assert!((outwards - polar.y).abs() < 1e-12, "{rotor:?}: {outwards} and {}", polar.y);
        }
    }
}
