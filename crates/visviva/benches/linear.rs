//! Times of the linear systems' parts, the least of several runs each: pattern, assembly, Cholesky, conjugate gradients.

#[path = "../tests/library/linear/tet_box.rs"]
#[allow(dead_code)]
mod tet_box;

use std::time::Instant;
use tet_box::{Noise, TetBox, contacts, residual};
use visviva::solve::linear::{BlockMatrix, BlockPattern, Cholesky, GrowingPattern, Pcg, Scatter};

/// Least time of `runs` runs `[ms]`.
fn least<R>(runs: usize, mut work: impl FnMut() -> R) -> f64 {
    let time = |_| {
        let start = Instant::now();
        std::hint::black_box(work());
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..runs).map(time).fold(f64::INFINITY, f64::min)
}

fn main() {
    let quick = std::env::args().any(|arg| arg == "quick");
    let boxes: &[[usize; 3]] = &[[5, 5, 5], [10, 10, 10], [20, 20, 10], [24, 24, 19], [29, 29, 29]];
    for &cells in if quick { &boxes[..3] } else { boxes } {
        let runs = if cells[2] > 20 { 3 } else { 40 };
        let tets = TetBox::new(cells, 0.0);
        let stencils = || tets.tets.iter().map(|tet| tet.as_slice());
        println!("{} nodes, {} tets, {} blocks", tets.node_count, tets.tets.len(), tets.pattern.block_count());
        let pattern = least(3, || BlockPattern::from_stencils(tets.node_count, stencils()).unwrap());
        let map = least(3, || Scatter::new(&tets.pattern, stencils()).unwrap());
        println!("  once: pattern {pattern:.2} ms, scatter map {map:.2} ms");

        let pairs = contacts(tets.node_count, tets.node_count / 20, 1e6, 3);
        let mut growing = GrowingPattern::new(tets.pattern.clone());
        let union = least(runs, || {
            growing.update([]).unwrap();
            growing.update(pairs.iter().map(|(nodes, _)| nodes.as_slice())).unwrap();
        });
        println!("  contact pattern with {} pairs {union:.3} ms", pairs.len());

        let matrix = tets.matrix(1e6);
        let b = Noise(5).vector(3 * tets.node_count);
        let mut x = b.clone();
        let mut cholesky = Cholesky::new();
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut blocks = tets.blocks(1e6);
                let mut fresh = BlockMatrix::zeros(tets.pattern.clone());
                let evaluate = least(runs, || tets.write_blocks(1e6, &mut blocks));
                let assemble = least(runs, || {
                    fresh.reset(&tets.pattern);
                    tets.scatter.add_blocks(&blocks, &mut fresh).unwrap();
                    fresh.add_diagonal(&tets.mass_over_h2).unwrap();
                });
                let entries = vec![[1.0; 3]; tets.scatter.entry_count()];
                let mut gradient = vec![0.0; 3 * tets.node_count];
                let gather = least(runs, || tets.scatter.add_gradient(&entries, &mut gradient).unwrap());
                let (mut pcg, iterations) = (Pcg::new(), 50);
                let each = least(runs, || pcg.solve(&matrix, &b, &mut x, 0.0, iterations).unwrap()) / iterations as f64;
                let first = least(2, || Cholesky::new().factor(&matrix).unwrap());
                cholesky.factor(&matrix).unwrap();
                let factor = least(runs, || cholesky.factor(&matrix).unwrap());
                let solve = least(runs, || {
                    x.copy_from_slice(&b);
                    cholesky.solve(&mut x).unwrap();
                });
                println!(
                    "  {threads} threads: toy Hessians {evaluate:.2} ms, assembly {assemble:.3} ms, gradient {gather:.3} ms"
                );
                println!(
                    "    Cholesky: first {first:.1} ms, factor {factor:.2} ms, solve {solve:.2} ms; \
                     conjugate gradients {:.1} µs an iteration; break-even {:.0} iterations",
                    1e3 * each,
                    (factor + solve) / each
                );
            });
        }
        println!(
            "  factor of {:.2} M numbers, residual {:.0e}",
            cholesky.factor_len() as f64 / 1e6,
            residual(&matrix, &x, &b)
        );
        let mut touching = BlockMatrix::zeros(growing.update(pairs.iter().map(|(n, _)| n.as_slice())).unwrap().clone());
        tets.scatter.add_blocks(&tets.blocks(1e6), &mut touching).unwrap();
        touching.add_diagonal(&tets.mass_over_h2).unwrap();
        pairs.iter().for_each(|(nodes, blocks)| touching.add_stencil(nodes, blocks).unwrap());
        let start = Instant::now();
        cholesky.factor(&touching).unwrap();
        let first = start.elapsed().as_secs_f64() * 1e3;
        let again = least(2, || cholesky.factor(&touching).unwrap());
        println!("  with contact: analysis {:.1} ms, factor {again:.2} ms", first - again);
        for young in [1e4, 1e6, 1e8] {
            let matrix = tets.matrix(young);
            let report = Pcg::new().solve(&matrix, &b, &mut x, 1e-8, 20_000).unwrap();
            println!(
                "  {young:.0e} Pa: {} iterations to 1e-8, residual {:.0e}",
                report.iterations,
                residual(&matrix, &x, &b)
            );
        }
    }
}
