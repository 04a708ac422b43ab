//! A box of cubes cut into six tets each, linear elastic: K_ab = V (λ g_a g_bᵀ + μ g_b g_aᵀ + μ g_a·g_b I), plus M/h².

use rayon::prelude::*;
use std::sync::Arc;
use visviva::solve::linear::{BlockMatrix, BlockPattern, PINNED, Scatter};

/// Density `[kg/m³]`, time step `[s]` and the cube's edge `[m]` of every box.
const DENSITY: f64 = 1000.0;
const STEP: f64 = 0.01;
const EDGE: f64 = 0.05;

pub struct TetBox {
    pub node_count: usize,
    pub tets: Vec<[u32; 4]>,
    /// Hat function gradients `[1/m]`, the same six shapes in every cube.
    gradients: [[[f64; 3]; 4]; 6],
    pub mass_over_h2: Vec<f64>,
    pub pattern: Arc<BlockPattern>,
    pub scatter: Scatter,
}

/// Reproducible numbers in [0, 1).
pub struct Noise(pub u64);

impl Noise {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64
    }

    pub fn vector(&mut self, len: usize) -> Vec<f64> {
        (0..len).map(|_| self.next() - 0.5).collect()
    }
}

impl TetBox {
    /// `pinned` is the share of nodes held fixed, taken at random.
    pub fn new(cells: [usize; 3], pinned: f64) -> Self {
        let [nx, ny, nz] = cells.map(|k| k + 1);
        let mut noise = Noise(7);
        let mut free = 0;
        let number: Vec<u32> = (0..nx * ny * nz)
            .map(|_| {
                let node = if noise.next() < pinned { PINNED } else { free };
                free += u32::from(node != PINNED);
                node
            })
            .collect();
        let at = |p: [usize; 3]| number[(p[2] * ny + p[1]) * nx + p[0]];
        // Kuhn's subdivision: one tet for each order in which a path may walk the three axes.
        const PATHS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let mut gradients = [[[0.0; 3]; 4]; 6];
        for (path, g) in PATHS.iter().zip(&mut gradients) {
            // Barycentric coordinates along a path: 1 − p₀, p₀ − p₁, p₁ − p₂, p₂.
            for (k, &axis) in path.iter().enumerate() {
                g[k][axis] -= 1.0 / EDGE;
                g[k + 1][axis] += 1.0 / EDGE;
            }
        }
        let mut tets = Vec::new();
        let mut mass_over_h2 = vec![0.0; free as usize];
        for cell in 0..cells[0] * cells[1] * cells[2] {
            let corner = [cell % cells[0], cell / cells[0] % cells[1], cell / cells[0] / cells[1]];
            for path in PATHS {
                let mut p = corner;
                let mut tet = [at(p); 4];
                for k in 0..3 {
                    p[path[k]] += 1;
                    tet[k + 1] = at(p);
                }
                for &node in tet.iter().filter(|&&node| node != PINNED) {
                    mass_over_h2[node as usize] += DENSITY * EDGE.powi(3) / 24.0 / (STEP * STEP);
                }
                tets.push(tet);
            }
        }
        // A pinned neighbourhood leaves a free node without tets, hence without mass: not here.
        mass_over_h2.iter_mut().for_each(|m| *m = m.max(1e-3));
        let stencils = || tets.iter().map(|tet| tet.as_slice());
        let pattern = Arc::new(BlockPattern::from_stencils(free as usize, stencils()).unwrap());
        let scatter = Scatter::new(&pattern, stencils()).unwrap();
        Self { node_count: free as usize, tets, gradients, mass_over_h2, pattern, scatter }
    }

    /// Element Hessians for Young's modulus `young` `[Pa]` and Poisson's ratio 0.4.
    pub fn write_blocks(&self, young: f64, blocks: &mut [[f64; 9]]) {
        let (lambda, mu) = (young * 0.4 / (1.4 * 0.2), young / 2.8);
        let volume = EDGE.powi(3) / 6.0;
        blocks.par_chunks_mut(10).enumerate().with_min_len(64).for_each(|(e, blocks)| {
            let g = &self.gradients[e % 6];
            // Slightly varying stiffness, so that no two sums are alike.
            let scale = volume * (1.0 + 0.1 * ((e * 37 % 101) as f64 / 101.0));
            let mut next = blocks.iter_mut();
            for a in 0..4 {
                for (b, block) in (a..4).zip(&mut next) {
                    let dot: f64 = (0..3).map(|k| g[a][k] * g[b][k]).sum();
                    for c in 0..3 {
                        for r in 0..3 {
                            let identity = if r == c { mu * dot } else { 0.0 };
                            block[3 * c + r] = scale * (lambda * g[a][r] * g[b][c] + mu * g[b][r] * g[a][c] + identity);
                        }
                    }
                }
            }
        });
    }

    pub fn blocks(&self, young: f64) -> Vec<[f64; 9]> {
        let mut blocks = vec![[0.0; 9]; self.scatter.block_count()];
        self.write_blocks(young, &mut blocks);
        blocks
    }

    pub fn matrix(&self, young: f64) -> BlockMatrix {
        let mut matrix = BlockMatrix::zeros(Arc::clone(&self.pattern));
        self.scatter.add_blocks(&self.blocks(young), &mut matrix).unwrap();
        matrix.add_diagonal(&self.mass_over_h2).unwrap();
        matrix
    }
}

/// Pairs of nodes far apart, pressed together along a random direction: stencils and rank-one blocks.
pub fn contacts(node_count: usize, count: usize, stiffness: f64, seed: u64) -> Vec<([u32; 2], [[f64; 9]; 3])> {
    let mut noise = Noise(seed);
    let pick = |noise: &mut Noise| (noise.next() * node_count as f64) as u32;
    (0..count)
        .map(|_| {
            let nodes = [pick(&mut noise), pick(&mut noise)];
            let n = noise.vector(3);
            let h: [f64; 9] = std::array::from_fn(|k| stiffness * n[k % 3] * n[k / 3]);
            (nodes, [h, h.map(|v| -v), h])
        })
        .collect()
}

/// A·x by the definition, block by block.
pub fn multiply(matrix: &BlockMatrix, x: &[f64]) -> Vec<f64> {
    let pattern = matrix.pattern();
    let mut y = vec![0.0; x.len()];
    for i in 0..matrix.node_count() {
        for &j in pattern.row(i) {
            let block = matrix.block(i as u32, j).unwrap();
            for k in 0..9 {
                y[3 * i + k % 3] += block[k] * x[3 * j as usize + k / 3];
            }
        }
    }
    y
}

/// ‖A·x − b‖ / ‖b‖.
pub fn residual(matrix: &BlockMatrix, x: &[f64], b: &[f64]) -> f64 {
    let norm = |v: &mut dyn Iterator<Item = f64>| v.map(|a| a * a).sum::<f64>().sqrt();
    let ax = multiply(matrix, x);
    norm(&mut ax.iter().zip(b).map(|(a, b)| a - b)) / norm(&mut b.iter().copied())
}
