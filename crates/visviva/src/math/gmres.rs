//! GMRES without restarts (Saad and Schultz 1986), for small nonsymmetric systems known only by their product.

use super::vector;

/// Solves A x = b to the relative residual `tolerance`; returns x and the iterations taken.
pub fn solve(
    mut product: impl FnMut(&[f64], &mut [f64]),
    b: &[f64],
    tolerance: f64,
    max_iterations: usize,
) -> (Vec<f64>, usize) {
    let n = b.len();
    let norm = vector::dot(b, b).sqrt();
    let mut x = vec![0.0; n];
    if norm == 0.0 || !norm.is_finite() {
        return (x, 0);
    }
    let mut basis = vec![b.iter().map(|b| b / norm).collect::<Vec<f64>>()];
    // Columns of the triangle that Givens rotations make of the Hessenberg matrix.
    let mut triangle: Vec<Vec<f64>> = Vec::new();
    let mut rotations: Vec<(f64, f64)> = Vec::new();
    let mut rhs = vec![norm];
    for k in 0..max_iterations.min(n) {
        let mut w = vec![0.0; n];
        product(&basis[k], &mut w);
        let mut column = Vec::with_capacity(k + 2);
        // Twice is enough: the second pass removes what rounding left.
        for pass in 0..2 {
            for (i, q) in basis.iter().enumerate() {
                let along = vector::dot(q, &w);
                vector::add_scaled(&mut w, -along, q);
                if pass == 0 { column.push(along) } else { column[i] += along }
            }
        }
        let length = vector::dot(&w, &w).sqrt();
        for (i, &(c, s)) in rotations.iter().enumerate() {
            let (upper, lower) = (column[i], column[i + 1]);
            column[i] = c * upper + s * lower;
            column[i + 1] = -s * upper + c * lower;
        }
        let radius = column[k].hypot(length);
        if radius == 0.0 || !radius.is_finite() {
            break;
        }
        let (c, s) = (column[k] / radius, length / radius);
        column[k] = radius;
        rotations.push((c, s));
        triangle.push(column);
        rhs.push(-s * rhs[k]);
        rhs[k] *= c;
        if rhs[k + 1].abs() <= tolerance * norm || length <= f64::EPSILON * radius {
            break;
        }
        basis.push(w.iter().map(|w| w / length).collect());
    }
    let m = triangle.len();
    let mut y = rhs[..m].to_vec();
    for i in (0..m).rev() {
        for j in i + 1..m {
            y[i] -= triangle[j][i] * y[j];
        }
        y[i] /= triangle[i][i];
    }
    for (y, q) in y.iter().zip(&basis) {
        vector::add_scaled(&mut x, *y, q);
    }
    (x, m)
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_solves_a_nonsymmetric_system_in_at_most_its_size() {
        let n = 12;
        let entry = |i: usize, j: usize| if i == j { 3.0 + i as f64 } else { 1.0 / (1.0 + 2.0 * i as f64 + j as f64) };
        let product = |x: &[f64], y: &mut [f64]| {
            for i in 0..n {
                y[i] = (0..n).map(|j| entry(i, j) * x[j]).sum();
            }
        };
        let expected: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        let mut b = vec![0.0; n];
        product(&expected, &mut b);
        let (x, iterations) = super::solve(product, &b, 1e-14, 100);
        assert!(iterations <= n);
        for i in 0..n {
            assert!((x[i] - expected[i]).abs() < 1e-12);
        }
    }
}
