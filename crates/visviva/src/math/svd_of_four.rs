//! Four singular value decompositions at once, a matrix in each lane: every lane goes through what it would alone, bit for bit.
//!
//! Alone a rotation of two columns waits for two roots and two divisions; four abreast wait for them together.

use nalgebra::{Matrix3, Vector3};

use super::svd::{COSINE, SWEEPS, Svd, finish, is_ordinary, svd};

type Lanes = [f64; 4];
/// Three columns
type Columns = [[Lanes; 3]; 3];

/// [`svd`] of each.
pub fn svd_of_four(f: &[Matrix3<f64>; 4]) -> [Svd; 4] {
    // Sums, which what is not a number makes one that is not either.
    let ordinary = |f: &Matrix3<f64>| is_ordinary(f.amax()) && f.iter().sum::<f64>().is_finite();
    if !f.iter().all(ordinary) {
        return f.map(|f| svd(&f));
    }
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx") {
        // SAFETY: the feature was just found. The same operations in the same order, hence the same bits.
        return unsafe { with_avx(f) };
    }
    plain(f)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
fn with_avx(f: &[Matrix3<f64>; 4]) -> [Svd; 4] {
    plain(f)
}

#[inline(always)]
fn plain(f: &[Matrix3<f64>; 4]) -> [Svd; 4] {
    let mut a: Columns = [[[0.0; 4]; 3]; 3];
    let mut v = a;
    for column in 0..3 {
        v[column][column] = [1.0; 4];
        for row in 0..3 {
            for lane in 0..4 {
                a[column][row][lane] = f[lane][(row, column)];
            }
        }
    }
    for _ in 0..SWEEPS {
        let turned = orthogonalise::<0, 1>(&mut a, &mut v)
            | orthogonalise::<0, 2>(&mut a, &mut v)
            | orthogonalise::<1, 2>(&mut a, &mut v);
        if !turned {
            break;
        }
    }
    let column = |of: &Columns, column: usize, lane: usize| Vector3::from_fn(|row, _| of[column][row][lane]);
    let columns = |of: &Columns, lane: usize| [column(of, 0, lane), column(of, 1, lane), column(of, 2, lane)];
    std::array::from_fn(|lane| finish(columns(&a, lane), columns(&v, lane)))
}

/// As alone; lanes that are not skew keep what they have.
#[inline(always)]
fn orthogonalise<const P: usize, const Q: usize>(a: &mut Columns, v: &mut Columns) -> bool {
    let (alpha, beta, gamma) = (dot(&a[P], &a[P]), dot(&a[Q], &a[Q]), dot(&a[P], &a[Q]));
    let square = lanes(|l| gamma[l] * gamma[l]);
    let least = lanes(|l| COSINE * COSINE * alpha[l] * beta[l]);
    if !(0..4).any(|l| square[l] > least[l]) {
        return false;
    }
    let half = lanes(|l| 0.5 * (alpha[l] - beta[l]));
    let inverse = lanes(|l| 1.0 / (half[l] * half[l] + square[l]).sqrt());
    let big = lanes(|l| (0.5 + 0.5 * half[l].abs() * inverse[l]).sqrt());
    let small = lanes(|l| 0.5 * gamma[l].abs() * inverse[l] / big[l]);
    let c = lanes(|l| if half[l] >= 0.0 { big[l] } else { small[l] });
    let s = lanes(|l| if half[l] >= 0.0 { small[l] } else { big[l] });
    let s = lanes(|l| s[l].copysign(gamma[l]));
    for columns in [a, v] {
        for row in 0..3 {
            let (p, q) = (columns[P][row], columns[Q][row]);
            columns[P][row] = lanes(|l| if square[l] > least[l] { p[l] * c[l] + q[l] * s[l] } else { p[l] });
            columns[Q][row] = lanes(|l| if square[l] > least[l] { q[l] * c[l] - p[l] * s[l] } else { q[l] });
        }
    }
    true
}

#[inline(always)]
fn dot(a: &[Lanes; 3], b: &[Lanes; 3]) -> Lanes {
    lanes(|l| a[0][l] * b[0][l] + a[1][l] * b[1][l] + a[2][l] * b[2][l])
}

#[inline(always)]
fn lanes(value: impl Fn(usize) -> f64) -> Lanes {
    [value(0), value(1), value(2), value(3)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sampling::Sampler;

    #[test]
    fn each_of_four_has_the_bits_that_it_has_alone() {
        let mut random = Sampler::new(17);
        let special = [
            Matrix3::zeros(),
            Matrix3::identity(),
            -Matrix3::identity(),
            Matrix3::repeat(f64::NAN),
            Matrix3::repeat(f64::INFINITY),
            Matrix3::identity() * 1e200,
            Matrix3::identity() * 1e-200,
        ];
        for k in 0..20_000 {
            let four: [Matrix3<f64>; 4] = std::array::from_fn(|lane| match (k + lane) % 7 {
                0 => random.matrix() * 2.0,
                1 => random.rotation() + random.matrix() * 10f64.powi(-(k as i32 % 16)),
                2 => random.with_stretches([1.0, 0.0, 0.0]),
                3 => random.with_stretches([2.0, 1e-9, -1e-9]),
                4 => random.rotation(),
                5 => Matrix3::from_diagonal(&random.vector()),
                _ if k % 5 == 0 => special[k / 5 % special.len()],
                _ => random.with_stretches([1.0, 1.0, -1.0]),
            });
            let bits = |svd: Svd| {
                let values = svd.u.iter().chain(&svd.sigma).chain(&svd.v).map(|value| value.to_bits());
                values.collect::<Vec<u64>>()
            };
            assert_eq!(svd_of_four(&four).map(bits), four.map(|f| bits(svd(&f))));
        }
    }
}
