//! The bar thrown at a wall: an independent prototype's table and the paper's, with the tolerances each entry deserves.

use super::spec;
use rayon::prelude::*;
use visviva::study::collision::{Case, PAPER_STEPS, Setup, mean_velocity, paper_value, run};

const INTEGRATORS: [&str; 3] = ["bdf2", "a-1", "a-search"];

/// What the prototype found, rows h = 1/30 … 1/30000, columns as above.
fn prototype(case: Case) -> [[f64; 3]; 4] {
    match case {
        Case::Soft => {
            [[0.7767, 0.8105, 0.8189], [0.7601, 0.8357, 0.8164], [0.8494, 0.8500, 0.8613], [0.8655, 0.8665, 0.8564]]
        }
        Case::Medium => {
            [[0.7424, 0.6433, 0.6316], [0.9368, 0.9344, 0.9315], [0.9652, 0.9710, 0.9724], [0.9774, 0.9775, 0.9711]]
        }
        Case::Stiff => {
            [[0.7955, 0.9767, 1.000], [0.8425, 0.7819, 0.7785], [0.9931, 0.9926, 0.9922], [0.9993, 0.9994, 0.9994]]
        }
        Case::DampedSoft => {
            [[0.6385, 0.6588, 0.6654], [0.6240, 0.6394, 0.6339], [0.6323, 0.6321, 0.6379], [0.6418, 0.6414, 0.6342]]
        }
    }
}

#[derive(PartialEq)]
enum Trust {
    /// Converged or insensitive
    Firm,
    /// Depends on where in a step the bar meets the wall
    Phase,
    Chaotic,
}

fn trust(case: Case, row: usize, column: usize) -> Trust {
    match (case, row, column) {
        (Case::Soft, 1 | 2, 1 | 2) => Trust::Chaotic,
        (Case::Soft, _, 0) | (Case::Soft, 0, 1) | (Case::Soft, 3, _) => Trust::Firm,
        (Case::Medium, 1.., 0 | 1) | (Case::Stiff, 2.., _) | (Case::Stiff, 1, 1) | (Case::Stiff, 0, 2) => Trust::Firm,
        _ => Trust::Phase,
    }
}

#[test]
fn final_velocities_are_the_prototypes_and_where_firm_the_papers() {
    let entries: Vec<_> = Case::ALL
        .into_iter()
        .flat_map(|case| (0..4).flat_map(move |row| (0..3).map(move |column| (case, row, column))))
        .collect();
    let wrong: Vec<String> = entries
        .par_iter()
        .filter_map(|&(case, row, column)| {
            let (name, h) = (INTEGRATORS[column], PAPER_STEPS[row]);
            let result = run(&Setup::new(case, spec(name), h), |_, _| {}).unwrap();
            assert_eq!(result.tally.unconverged, 0, "{case:?} {name} {h}");
            let v = result.final_velocity.expect("every entry completes");
            let trust = trust(case, row, column);
            let tolerance = match trust {
                Trust::Firm => 0.002,
                Trust::Phase => 0.005,
                Trust::Chaotic => 0.02,
            };
            let expected = prototype(case)[row][column];
            let paper = paper_value(case, name, h).expect("the table has every entry");
            let near_paper = trust != Trust::Firm || (v - paper).abs() < 0.003;
            ((v - expected).abs() > tolerance || !near_paper)
                .then(|| format!("{} {name} h = {h}: {v:.4}, prototype {expected}, paper {paper}", case.name()))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn trapezoidal_explodes_where_a_search_does_not() {
    let run = |name: &str| run(&Setup::new(Case::Soft, spec(name), 1.0 / 300.0), |_, _| {}).unwrap();
    let energy = |name: &str| run(name).final_energy.unwrap_or(f64::INFINITY);
    assert!(energy("trapezoidal") > 50.0, "{}", energy("trapezoidal"));
    assert!((energy("a-search") - 5.0).abs() < 0.05, "{}", energy("a-search"));
}

#[test]
fn ablations_of_the_medium_bar_are_the_prototypes() {
    use visviva::study::ablation;
    for (name, velocity, middle, high) in [
        ("a-1", 0.9344, 0.031, 0.008),
        ("a-search", 0.9315, 0.272, 0.020),
        ("a-search:min=0.9", 0.9317, f64::NAN, f64::NAN),
        ("a-search:max=2", 0.9360, f64::NAN, f64::NAN),
        ("a-search-sparse", 0.9436, 0.050, 0.005),
    ] {
        let row = ablation::run(&spec(name), 1.0 / 300.0).unwrap();
        assert!((row.final_velocity.unwrap() - velocity).abs() < 5e-4, "{name}: {row:?}");
        for (measured, expected) in [(row.energy_modes_16_to_23, middle), (row.energy_modes_24_to_30, high)] {
            assert!(expected.is_nan() || (measured - expected).abs() < 1e-3, "{name}: {measured} {expected}");
        }
    }
}

#[test]
fn modes_at_rest_have_the_frequencies_of_a_lumped_free_bar() {
    // ω_k = 2 (c/dx) sin(kπ/2n)
    let modes = visviva::study::spectrum::Modes::new(Case::Medium);
    for (k, omega) in modes.frequencies.iter().enumerate() {
        let expected = 2.0 * 10.0 * 30.0 * (k as f64 * std::f64::consts::PI / 60.0).sin();
        assert!((omega - expected).abs() < 1e-5 * expected.max(1.0), "mode {k}: {omega} {expected}");
    }
}

#[test]
fn two_step_methods_start_as_if_the_bar_had_flown_before() {
    let h = 1.0 / 30.0;
    let mut velocities = Vec::new();
    let setup = Setup { duration: h, ..Setup::new(Case::DampedSoft, spec("bdf2"), h) };
    run(&setup, |state, _| velocities.push(mean_velocity(&state.v))).unwrap();
    // A free bar decays at 0.05 /s: (3v₁ − 4v₀ + v₋₁)/2h = −0.05 v₁ with v₋₁ = v₀; implicit Euler would have 1/(1 + 0.05 h).
    let expected = velocities[0] / (1.0 + 2.0 / 3.0 * 0.05 * h);
    assert!((velocities[1] - expected).abs() < 1e-12, "{} {expected}", velocities[1]);
}
