//! Neo-Hookean bodies never turn inside out, however they are thrown or pushed.

use super::{Noise, Setup, cuboid, simulate, solid};
use nalgebra::Vector3;
use visviva::mesh::signed_volume;
use visviva::model::State;
use visviva::model::bodies::{Model, node_of};
use visviva::model::motion::Motion;

const H: f64 = 1.0 / 30.0;

/// Volume of the flattest tet over that at rest.
fn least_volume_ratio(bodies: &Model, x: &[f64]) -> f64 {
    let ratio = |tet: usize| signed_volume(&bodies.tets.corners(tet, x)) / bodies.tets.laws[tet].shape.volume();
    (0..bodies.tets.len()).map(ratio).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_violently_shaken_cube_keeps_every_tet_positive() {
    for (integrator, young) in ["implicit-euler", "a-1", "a-search"].into_iter().flat_map(|i| [(i, 1e5), (i, 1e3)]) {
        let mut setup = Setup::new(cuboid([0.1; 3], [4, 4, 4]), solid("neo-hookean", young, 0.3));
        setup.displacement = 0.01 * H;
        let rest = setup.rest();
        let (bodies, mut world) = setup.build();
        // Neighbours 2.5 cm apart that fly at each other with up to 40 m/s would pass each other fifty times in a step.
        let v = Noise(7).flat(rest.len(), 20.0);
        let mut simulation = simulate(&mut world, State::new(rest, v), integrator, H);
        let mut least = f64::INFINITY;
        for step in 0..15 {
            let report = simulation.step().unwrap_or_else(|e| panic!("{integrator} step {step}: {e}"));
            let ratio = least_volume_ratio(&bodies, &simulation.state.x);
            assert!(ratio > 0.0, "{integrator} step {step}: {ratio}");
            assert_eq!(report.inadmissible, None);
            assert!(report.solve.converged, "{integrator} step {step}: {:?}", report.solve);
            least = least.min(ratio);
        }
        println!("{integrator}, E = {young} Pa: flattest tet {least:.4} of its volume");
        // The soft one really is driven to the brink.
        assert!(young > 1e3 || least < 0.05, "{integrator}: {least}");
    }
}

#[test]
fn a_pin_that_would_invert_elements_in_one_step_is_followed() {
    // A layer of cells is 2.5 cm thick; the pinned face goes 8 cm into the body at once, or turns by 150°.
    let pushed = Motion::FIXED.with_shift(&[(0.0, Vector3::zeros()), (H, Vector3::new(0.08, 0.0, 0.0))]).unwrap();
    let turned =
        Motion::FIXED.with_turn(Vector3::x_axis(), Vector3::new(0.0, 0.05, 0.05), vec![(0.0, 0.0), (H, 2.6)]).unwrap();
    for (name, motion) in [("pushed", pushed), ("turned", turned)] {
        for integrator in ["implicit-euler", "bdf2", "a-1", "a-search"] {
            let mut setup =
                Setup::new(cuboid([0.1; 3], [4, 4, 4]), solid("neo-hookean", 1e5, 0.3)).pinned_where(|p| p.x < 1e-9);
            setup.pins[0].motion = motion.clone();
            setup.displacement = 0.01 * H;
            let pinned = setup.pins[0].nodes.clone();
            let rest = setup.rest();
            let (bodies, mut world) = setup.build();
            let v = vec![0.0; rest.len()];
            let mut simulation = simulate(&mut world, State::new(rest, v), integrator, H);
            for step in 0..5 {
                let report = simulation.step().unwrap_or_else(|e| panic!("{name} {integrator} step {step}: {e}"));
                assert!(report.solve.converged, "{name} {integrator} step {step}: {:?}", report.solve);
                let x = &simulation.state.x;
                assert!(least_volume_ratio(&bodies, x) > 0.0, "{name} {integrator} step {step}");
                for pin in &pinned {
                    let place = motion.at(pin.start, simulation.state.t);
                    assert_eq!(node_of(x, pin.node), place, "{name} {integrator} step {step}");
                }
            }
        }
    }
}
