//! One, two and three threads give the same bits.

use super::tet_box::{Noise, TetBox};
use visviva::solve::linear::{Choice, LinearSolver};

#[test]
fn assembly_and_both_solvers_do_not_depend_on_the_number_of_threads() {
    let tets = TetBox::new([20, 20, 10], 0.05);
    let b = Noise(9).vector(3 * tets.node_count);
    let run = |threads: usize, choice: Choice| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let matrix = tets.matrix(1e5);
            let mut gradient = vec![0.0; b.len()];
            let entries: Vec<[f64; 3]> = (0..tets.scatter.entry_count()).map(|k| [(k as f64).sin(); 3]).collect();
            tets.scatter.add_gradient(&entries, &mut gradient).unwrap();
            let mut x = vec![0.0; b.len()];
            let report = LinearSolver::new(choice).solve(&matrix, &b, &mut x, 1e-8).unwrap();
            let bits = |v: &[f64]| v.iter().map(|a| a.to_bits()).collect::<Vec<_>>();
            (report, bits(&x), bits(&gradient))
        })
    };
    for choice in [Choice::Direct, Choice::Iterative] {
        let one = run(1, choice);
        assert_eq!(one.0.direct, choice == Choice::Direct);
        assert!((2..4).all(|threads| run(threads, choice) == one), "{choice:?}");
    }
}
