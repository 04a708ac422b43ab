//! A symmetric band matrix and its Cholesky factorisation, for the small worlds; with full bandwidth it is a dense one.

/// Lower band, row by row: row i holds columns i − bandwidth … i.
#[derive(Debug, Clone)]
pub struct BandMatrix {
    size: usize,
    bandwidth: usize,
    data: Vec<f64>,
}

/// The matrix is not positive definite: the pivot of this row is not positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotPositiveDefinite {
    pub row: usize,
}

impl BandMatrix {
    pub fn new(size: usize, bandwidth: usize) -> Self {
        Self { size, bandwidth, data: vec![0.0; size * (bandwidth + 1)] }
    }

    pub fn clear(&mut self) {
        self.data.fill(0.0);
    }

    fn index(&self, row: usize, column: usize) -> usize {
        debug_assert!(row >= column && row - column <= self.bandwidth, "({row}, {column}) lies outside the band");
        row * (self.bandwidth + 1) + self.bandwidth + column - row
    }

    /// Adds to the entry (i, j) and, the matrix being symmetric, to (j, i).
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        let index = self.index(i.max(j), i.min(j));
        self.data[index] += value;
    }

    /// Adds k (eᵢ − eⱼ)(eᵢ − eⱼ)ᵀ: a spring between two coordinates.
    pub fn add_spring(&mut self, i: usize, j: usize, k: f64) {
        self.add(i, i, k);
        self.add(j, j, k);
        self.add(i, j, -k);
    }

    /// Makes coordinate i a known one: its row and column become those of the identity.
    pub fn fix(&mut self, i: usize) {
        for j in i.saturating_sub(self.bandwidth)..=(i + self.bandwidth).min(self.size - 1) {
            let index = self.index(i.max(j), i.min(j));
            self.data[index] = if i == j { 1.0 } else { 0.0 };
        }
    }

    pub fn scale(&mut self, s: f64) {
        self.data.iter_mut().for_each(|a| *a *= s);
    }

    /// y ← y + A x
    pub fn add_product(&self, x: &[f64], y: &mut [f64]) {
        for i in 0..self.size {
            for j in i.saturating_sub(self.bandwidth)..=i {
                let a = self.data[self.index(i, j)];
                y[i] += a * x[j];
                if i != j {
                    y[j] += a * x[i];
                }
            }
        }
    }

    /// Replaces the matrix A = L Lᵀ by L.
    pub fn factor(&mut self) -> Result<(), NotPositiveDefinite> {
        for i in 0..self.size {
            let first = i.saturating_sub(self.bandwidth);
            for j in first..=i {
                let mut sum = self.data[self.index(i, j)];
                for k in first.max(j.saturating_sub(self.bandwidth))..j {
                    sum -= self.data[self.index(i, k)] * self.data[self.index(j, k)];
                }
                let index = self.index(i, j);
                if i == j {
                    // Also catches NaN.
                    if sum.is_nan() || sum <= 0.0 {
                        return Err(NotPositiveDefinite { row: i });
                    }
                    self.data[index] = sum.sqrt();
                } else {
                    self.data[index] = sum / self.data[self.index(j, j)];
                }
            }
        }
        Ok(())
    }

    /// Solves L Lᵀ x = b in place, after `factor`.
    pub fn solve(&self, b: &mut [f64]) {
        for i in 0..self.size {
            let mut sum = b[i];
            for j in i.saturating_sub(self.bandwidth)..i {
                sum -= self.data[self.index(i, j)] * b[j];
            }
            b[i] = sum / self.data[self.index(i, i)];
        }
        for i in (0..self.size).rev() {
            b[i] /= self.data[self.index(i, i)];
            for j in i.saturating_sub(self.bandwidth)..i {
                b[j] -= self.data[self.index(i, j)] * b[i];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(size: usize, bandwidth: usize) -> BandMatrix {
        let mut a = BandMatrix::new(size, bandwidth);
        for i in 0..size {
            a.add(i, i, 5.0 + i as f64);
            for j in i.saturating_sub(bandwidth)..i {
                a.add(i, j, 1.0 / (1.0 + (i * 3 + j) as f64));
            }
        }
        a
    }

    #[test]
    fn factor_and_solve_invert_the_product_for_every_bandwidth() {
        for (size, bandwidth) in [(1, 0), (2, 1), (7, 1), (7, 3), (6, 5)] {
            let a = example(size, bandwidth);
            let x: Vec<f64> = (0..size).map(|i| (i as f64 - 1.5).sin()).collect();
            let mut b = vec![0.0; size];
            a.add_product(&x, &mut b);
            let mut l = a.clone();
            l.factor().unwrap();
            l.solve(&mut b);
            for i in 0..size {
                assert!((b[i] - x[i]).abs() < 1e-14, "{size} {bandwidth}: {} {}", b[i], x[i]);
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_is_reported_with_its_row() {
        let mut a = example(5, 2);
        a.add(3, 3, -100.0);
        assert_eq!(a.factor(), Err(NotPositiveDefinite { row: 3 }));
        let mut a = example(5, 2);
        a.add(1, 1, f64::NAN);
        assert_eq!(a.factor(), Err(NotPositiveDefinite { row: 1 }));
    }

    #[test]
    fn fixing_a_coordinate_decouples_it() {
        let mut a = example(4, 2);
        a.fix(1);
        a.factor().unwrap();
        let mut b = vec![1.0, 7.0, 1.0, 1.0];
        a.solve(&mut b);
        assert_eq!(b[1], 7.0);
    }
}
