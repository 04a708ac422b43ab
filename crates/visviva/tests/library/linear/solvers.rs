//! Cholesky, conjugate gradients and the choice between them.

use super::tet_box::{Noise, TetBox, contacts, residual};
use std::sync::Arc;
use visviva::solve::linear::{
    BlockMatrix, BlockPattern, Choice, Cholesky, GrowingPattern, LinearError, LinearMemory, LinearSolver, Pcg, Scatter,
    Touching,
};

const STIFFNESSES: [f64; 3] = [1e4, 1e6, 1e9];

#[test]
fn cholesky_solves_soft_and_stiff_boxes_to_rounding() {
    for cells in [[5, 5, 5], [10, 10, 10]] {
        let tets = TetBox::new(cells, 0.05);
        let b = Noise(1).vector(3 * tets.node_count);
        let mut cholesky = Cholesky::new();
        for young in STIFFNESSES {
            let matrix = tets.matrix(young);
            let mut x = b.clone();
            cholesky.factor(&matrix).unwrap();
            cholesky.solve(&mut x).unwrap();
            let error = residual(&matrix, &x, &b);
            assert!(error < 1e-11, "{cells:?} at {young:e} Pa: {error:e}");
        }
        assert_eq!(cholesky.analysis_count(), 1, "values changed, the pattern did not");
    }
}

#[test]
fn trees_whose_numbers_stay_keep_their_factor_to_the_bit() {
    // Two chains of nodes that nothing joins, each a tree of its own.
    let stencils: Vec<[u32; 2]> = (0..40).filter(|k| k % 20 != 19).map(|k| [k, k + 1]).collect();
    let pattern = Arc::new(BlockPattern::from_stencils(40, stencils.iter().map(|s| s.as_slice())).unwrap());
    let matrix = |stiffness: [f64; 2]| {
        let mut matrix = BlockMatrix::zeros(Arc::clone(&pattern));
        matrix.add_diagonal(&[1.0; 40]).unwrap();
        for stencil in &stencils {
            let k = stiffness[stencil[0] as usize / 20] * (1.0 + 0.1 * stencil[0] as f64);
            let block = |k: f64| [k, 0.0, 0.0, 0.0, k, 0.0, 0.0, 0.0, k];
            matrix.add_stencil(stencil, &[block(k), block(-k), block(k)]).unwrap();
        }
        matrix
    };
    let b = Noise(9).vector(120);
    let solved = |cholesky: &mut Cholesky, matrix: &BlockMatrix| {
        let mut x = b.clone();
        cholesky.factor(matrix).unwrap();
        cholesky.solve(&mut x).unwrap();
        x
    };
    let mut kept = Cholesky::new();
    for stiffness in [[1.0, 2.0], [1.0, 3.0], [5.0, 3.0], [5.0, 3.0], [1.0, 2.0]] {
        let matrix = matrix(stiffness);
        let x = solved(&mut kept, &matrix);
        assert!(x == solved(&mut Cholesky::new(), &matrix), "{stiffness:?}");
        assert!(residual(&matrix, &x, &b) < 1e-13);
    }
}

#[test]
fn conjugate_gradients_reach_their_tolerance_and_agree_with_cholesky() {
    let tets = TetBox::new([8, 8, 8], 0.05);
    let b = Noise(2).vector(3 * tets.node_count);
    for young in STIFFNESSES {
        let matrix = tets.matrix(young);
        let mut x = vec![0.0; b.len()];
        let report = Pcg::new().solve(&matrix, &b, &mut x, 1e-9, 10_000).unwrap();
        assert!(report.converged && report.residual <= 1e-9, "{young:e} Pa: {report:?}");
        assert!(residual(&matrix, &x, &b) < 1e-7);
        let mut cholesky = Cholesky::new();
        let mut exact = b.clone();
        cholesky.factor(&matrix).unwrap();
        cholesky.solve(&mut exact).unwrap();
        let scale = exact.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        assert!(x.iter().zip(&exact).all(|(a, b)| (a - b).abs() < 1e-6 * scale));
    }
}

#[test]
fn conjugate_gradients_say_when_they_stop_short() {
    let tets = TetBox::new([5, 5, 5], 0.0);
    let b = Noise(2).vector(3 * tets.node_count);
    let mut x = vec![0.0; b.len()];
    let report = Pcg::new().solve(&tets.matrix(1e8), &b, &mut x, 1e-10, 5).unwrap();
    assert!(!report.converged && report.iterations == 5 && report.residual > 1e-10);
}

#[test]
fn going_on_gives_the_bits_of_a_tighter_solve() {
    let tets = TetBox::new([5, 5, 5], 0.0);
    let matrix = tets.matrix(1e6);
    let b = Noise(2).vector(3 * tets.node_count);
    let (mut x, mut once) = (vec![0.0; b.len()], vec![0.0; b.len()]);
    let mut pcg = Pcg::new();
    let first = pcg.solve(&matrix, &b, &mut x, 1e-2, 1000).unwrap();
    let both = pcg.go_on(&matrix, &mut x, 1e-6, 1000).unwrap();
    assert!(first.converged && first.iterations < both.iterations);
    assert_eq!(both, Pcg::new().solve(&matrix, &b, &mut once, 1e-6, 1000).unwrap());
    assert_eq!(x, once);
}

#[test]
fn contact_renews_the_symbolic_part_and_both_solvers_follow() {
    let tets = TetBox::new([10, 10, 10], 0.05);
    let touching = contacts(tets.node_count, 60, 1e6, 4);
    let mut growing = GrowingPattern::new(tets.pattern.clone());
    let mut cholesky = Cholesky::new();
    cholesky.factor(&tets.matrix(1e6)).unwrap();
    let mut matrix = BlockMatrix::zeros(tets.pattern.clone());
    for count in [20, 60, 50, 0] {
        let now = &touching[..count];
        matrix.reset(growing.update(now.iter().map(|(nodes, _)| nodes.as_slice())).unwrap());
        tets.scatter.add_blocks(&tets.blocks(1e6), &mut matrix).unwrap();
        matrix.add_diagonal(&tets.mass_over_h2).unwrap();
        now.iter().for_each(|(nodes, blocks)| matrix.add_stencil(nodes, blocks).unwrap());
        let b = Noise(3).vector(3 * tets.node_count);
        let mut x = b.clone();
        cholesky.factor(&matrix).unwrap();
        cholesky.solve(&mut x).unwrap();
        assert!(residual(&matrix, &x, &b) < 1e-11);
        Pcg::new().solve(&matrix, &b, &mut x, 1e-9, 10_000).unwrap();
        assert!(residual(&matrix, &x, &b) < 1e-7);
    }
    // Elastic, 20 pairs, 60 pairs; 50 of the 60 change nothing; none at all still fits the slack.
    assert_eq!(cholesky.analysis_count(), 3);
}

#[test]
fn bodies_that_touch_are_solved_in_two_steps() {
    // Two boxes, one tet, and a box that nothing touches.
    let tets = TetBox::new([7, 7, 7], 0.02);
    let n = tets.node_count as u32;
    let shifted = |shift: u32| tets.tets.iter().map(move |tet| tet.map(|node| node.saturating_add(shift)));
    let stencils: Vec<[u32; 4]> =
        shifted(0).chain(shifted(n)).chain(shifted(2 * n)).chain([[0, 1, 2, 3].map(|k| 3 * n + k)]).collect();
    let slices = || stencils.iter().map(|stencil| stencil.as_slice());
    let base = Arc::new(BlockPattern::from_stencils(3 * n as usize + 4, slices()).unwrap());
    let scatter = Scatter::new(&base, slices()).unwrap();
    let mut growing = GrowingPattern::new(Arc::clone(&base));
    let mut solver = LinearSolver::new(Choice::Direct);
    let mut memory = LinearMemory::default();
    // Contacts come and go, one body grows stiffer, and a pair of nodes touches that was never near.
    for (round, (count, young)) in
        [(30, 1e6), (30, 1e6), (60, 1e6), (55, 2e6), (4, 2e6), (0, 2e6), (40, 1e6)].into_iter().enumerate()
    {
        let touching: Vec<_> = contacts(40, count, 1e7, 4 + round as u64 / 4)
            .into_iter()
            .map(|([a, b], blocks)| ([a, if b < 4 { 3 * n + b } else { n + b }], blocks))
            .collect();
        let mut blocks = tets.blocks(young);
        blocks.extend(tets.blocks(1e5));
        blocks.extend(tets.blocks(1e6));
        blocks.extend(&tets.blocks(1e6)[..10]);
        let union = growing.update(touching.iter().map(|(nodes, _)| nodes.as_slice())).unwrap();
        let mut matrix = BlockMatrix::zeros(Arc::clone(union));
        scatter.add_blocks(&blocks, &mut matrix).unwrap();
        matrix
            .add_diagonal(&[&tets.mass_over_h2[..], &tets.mass_over_h2, &tets.mass_over_h2, &[10.0; 4]].concat())
            .unwrap();
        touching.iter().for_each(|(nodes, blocks)| matrix.add_stencil(nodes, blocks).unwrap());
        let mut nodes: Vec<u32> = touching.iter().flat_map(|(nodes, _)| *nodes).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let touching = Touching { base: &base, nodes: &nodes };
        let b = Noise(3 + round as u64).vector(3 * matrix.node_count());
        let (mut x, mut again) = (vec![0.0; b.len()], vec![0.0; b.len()]);
        let mut restored = LinearSolver::restored(Choice::Direct, memory);
        solver.solve_touching(&matrix, touching, &b, &mut x, 1e-9).unwrap();
        restored.solve_touching(&matrix, touching, &b, &mut again, 1e-9).unwrap();
        assert!(x == again, "a solver with its memory does as the one that lived");
        let error = residual(&matrix, &x, &b);
        assert!(error < 1e-11, "round {round}: {error:e}");
        let mut once_more = b.clone();
        solver.solve_again(&mut once_more).unwrap();
        assert!(x == once_more);
        // Nothing pushes the box that is alone.
        let mut b = b;
        b[6 * n as usize..9 * n as usize].fill(0.0);
        solver.solve_again(&mut b).unwrap();
        assert!(b[6 * n as usize..9 * n as usize].iter().all(|&x| x == 0.0));
        memory = solver.memory();
    }
}

#[test]
fn an_ordering_kept_for_passing_contacts_still_factors_them() {
    let tets = TetBox::new([9, 9, 9], 0.05);
    let b = Noise(3).vector(3 * tets.node_count);
    let mut cholesky = Cholesky::new();
    for seed in 0..25 {
        let touching = contacts(tets.node_count, 1 + seed as usize % 4, 1e6, seed);
        let mut growing = GrowingPattern::new(tets.pattern.clone());
        let union = growing.update(touching.iter().map(|(nodes, _)| nodes.as_slice())).unwrap();
        let mut matrix = BlockMatrix::zeros(union.clone());
        tets.scatter.add_blocks(&tets.blocks(1e6), &mut matrix).unwrap();
        matrix.add_diagonal(&tets.mass_over_h2).unwrap();
        touching.iter().for_each(|(nodes, blocks)| matrix.add_stencil(nodes, blocks).unwrap());
        let mut x = b.clone();
        cholesky.factor(&matrix).unwrap();
        cholesky.solve(&mut x).unwrap();
        assert!(residual(&matrix, &x, &b) < 1e-11, "contacts {seed}");
    }
}

#[test]
fn matrices_that_are_not_positive_definite_name_a_node() {
    let tets = TetBox::new([4, 4, 4], 0.0);
    let mut matrix = tets.matrix(1e5);
    let mut minus = vec![0.0; tets.node_count];
    minus[17] = -1e9;
    matrix.add_diagonal(&minus).unwrap();
    let b = Noise(1).vector(3 * tets.node_count);
    let mut x = b.clone();
    // Elimination finds it at the node itself or at a neighbour eliminated later.
    let direct = LinearSolver::new(Choice::Direct).solve(&matrix, &b, &mut x, 1e-8);
    let Err(LinearError::NotPositiveDefinite { node }) = direct else { panic!("{direct:?}") };
    assert!(tets.pattern.slot(17, node as u32).is_some());
    let iterative = Pcg::new().solve(&matrix, &b, &mut x, 1e-8, 100);
    assert_eq!(iterative, Err(LinearError::NotPositiveDefinite { node: 17 }));
}

#[test]
fn negative_curvature_between_positive_diagonals_is_found() {
    // [1 2; 2 1] ⊗ I₃ has the eigenvalue −1.
    let pattern = Arc::new(BlockPattern::from_stencils(2, [[0u32, 1].as_slice()]).unwrap());
    let mut matrix = BlockMatrix::zeros(pattern);
    let one = |s: f64| [s, 0.0, 0.0, 0.0, s, 0.0, 0.0, 0.0, s];
    matrix.add_stencil(&[0, 1], &[one(1.0), one(2.0), one(1.0)]).unwrap();
    let b = [1.0, 0.0, 0.0, -1.0, 0.0, 0.0];
    let mut x = [0.0; 6];
    let report = Pcg::new().solve(&matrix, &b, &mut x, 1e-8, 100);
    assert_eq!(report, Err(LinearError::NegativeCurvature { iteration: 1, curvature: -2.0 }));
    assert!(matches!(Cholesky::new().factor(&matrix), Err(LinearError::NotPositiveDefinite { .. })));
}

#[test]
fn numbers_that_are_not_finite_are_errors() {
    let tets = TetBox::new([8, 8, 8], 0.0);
    let mut matrix = tets.matrix(1e5);
    let mut b = vec![1.0; 3 * tets.node_count];
    let mut x = b.clone();
    b[31] = f64::NAN;
    for choice in [Choice::Auto, Choice::Direct, Choice::Iterative] {
        let result = LinearSolver::new(choice).solve(&matrix, &b, &mut x, 1e-8);
        assert_eq!(result, Err(LinearError::NotFinite { node: 10 }));
    }
    b[31] = 1.0;
    let mut diagonal = vec![0.0; tets.node_count];
    diagonal[5] = f64::NAN;
    matrix.add_diagonal(&diagonal).unwrap();
    for choice in [Choice::Auto, Choice::Direct, Choice::Iterative] {
        assert!(LinearSolver::new(choice).solve(&matrix, &b, &mut x, 1e-8).is_err(), "{choice:?}");
    }
}

#[test]
fn systems_of_no_node_and_of_one_are_solved() {
    for choice in [Choice::Auto, Choice::Direct, Choice::Iterative] {
        let mut solver = LinearSolver::new(choice);
        let none = BlockMatrix::zeros(Arc::new(BlockPattern::from_stencils(0, []).unwrap()));
        solver.solve(&none, &[], &mut [], 1e-8).unwrap();
        let mut one = BlockMatrix::zeros(Arc::new(BlockPattern::from_stencils(1, []).unwrap()));
        one.add_diagonal(&[4.0]).unwrap();
        let mut x = [0.0; 3];
        solver.solve(&one, &[4.0, 8.0, -2.0], &mut x, 1e-8).unwrap();
        assert!((0..3).all(|k| (x[k] - [1.0, 2.0, -0.5][k]).abs() < 1e-15));
        solver.solve(&one, &[0.0; 3], &mut x, 1e-8).unwrap();
        assert_eq!(x, [0.0; 3]);
    }
}

#[test]
fn a_diagonal_of_many_nodes_needs_no_graph() {
    let mut matrix = BlockMatrix::zeros(Arc::new(BlockPattern::from_stencils(2000, []).unwrap()));
    matrix.add_diagonal(&vec![2.0; 2000]).unwrap();
    for choice in [Choice::Direct, Choice::Iterative] {
        let mut x = vec![0.0; 6000];
        LinearSolver::new(choice).solve(&matrix, &vec![1.0; 6000], &mut x, 1e-8).unwrap();
        assert!(x.iter().all(|&x| (x - 0.5).abs() < 1e-15));
    }
}

#[test]
fn the_choice_is_direct_when_small_iterative_when_soft_and_direct_when_stiff() {
    let solve = |solver: &mut LinearSolver, tets: &TetBox, young: f64| {
        let b = Noise(1).vector(3 * tets.node_count);
        let mut x = vec![0.0; b.len()];
        solver.solve(&tets.matrix(young), &b, &mut x, 1e-8).unwrap()
    };
    let (small, large) = (TetBox::new([4, 4, 4], 0.0), TetBox::new([8, 8, 8], 0.0));
    let mut solver = LinearSolver::new(Choice::Auto);
    assert!(solve(&mut solver, &small, 1e4).direct);
    assert!(!solve(&mut solver, &large, 1e4).direct);
    let switched = solve(&mut solver, &large, 1e9);
    assert!(switched.direct && switched.iterations > 50, "fell back: {switched:?}");
    let settled = solve(&mut solver, &large, 1e9);
    assert!(settled.direct && settled.iterations == 0, "rests from what did not pay: {settled:?}");
    let later: Vec<_> = (0..20).map(|_| solve(&mut solver, &large, 1e4)).collect();
    assert!(later[0].direct && !later[19].direct, "returns to what pays again");
}

#[test]
fn a_restored_memory_repeats_the_bits() {
    let tets = TetBox::new([9, 9, 9], 0.1);
    let b = Noise(1).vector(3 * tets.node_count);
    let mut x = vec![0.0; b.len()];
    let mut solver = LinearSolver::new(Choice::Auto);
    let run = |solver: &mut LinearSolver, x: &mut [f64]| {
        [1e4, 1e9, 1e6, 1e4].map(|young| {
            let report = solver.solve(&tets.matrix(young), &b, x, 1e-8).unwrap();
            (report, x.to_vec())
        })
    };
    run(&mut solver, &mut x);
    let text = serde_json::to_string(&solver.memory()).unwrap();
    let memory: LinearMemory = serde_json::from_str(&text).unwrap();
    assert_eq!(memory, solver.memory());
    let mut restored = LinearSolver::restored(Choice::Auto, memory);
    assert_eq!(run(&mut solver, &mut x), run(&mut restored, &mut x));
}

#[test]
fn any_permutation_in_a_memory_is_a_valid_ordering_and_no_permutation_is_replaced() {
    let tets = TetBox::new([7, 7, 7], 0.0);
    let n = tets.node_count;
    let matrix = tets.matrix(1e6);
    let b = Noise(1).vector(3 * n);
    let scattered: Vec<u32> = (0..n as u32).map(|k| k * 211 % n as u32).collect();
    for order in [scattered, (0..n as u32).rev().collect(), vec![0; n], vec![5]] {
        let part = format!(r#"{{"order":{order:?},"left":{},"order_flops":1e300}}"#, n / 9);
        let condensed = format!(r#"{{"parts":[{part}],"order":{order:?},"order_flops":1e300}}"#);
        let text =
            format!(r#"{{"rest_left":9,"next_rest":8,"order":{order:?},"order_flops":1e300,"condensed":{condensed}}}"#);
        let mut solver = LinearSolver::restored(Choice::Auto, serde_json::from_str(&text).unwrap());
        let mut x = vec![0.0; 3 * n];
        assert!(solver.solve(&matrix, &b, &mut x, 1e-8).unwrap().direct);
        assert!(residual(&matrix, &x, &b) < 1e-12);
        let nodes: Vec<u32> = (0..n as u32).step_by(9).collect();
        let touching = Touching { base: matrix.pattern(), nodes: &nodes };
        assert!(solver.solve_touching(&matrix, touching, &b, &mut x, 1e-8).unwrap().direct);
        assert!(residual(&matrix, &x, &b) < 1e-12);
    }
}
