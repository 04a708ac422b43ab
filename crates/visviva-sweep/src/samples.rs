//! Places of samples in the unit cube: independent ones, or a Latin hypercube.
//!
//! M. McKay, R. Beckman, W. Conover, Technometrics 21(2), 1979: each of n slices of every axis holds exactly one of n samples.

use crate::settings::Method;

/// SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014): the same numbers on every machine and for ever.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }

    /// From 0 to below 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Samples, each with a place from 0 to below 1 along every axis. An axis keeps its numbers when others are added after it.
pub fn places(method: Method, count: usize, axes: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut seeds = Numbers(seed);
    let columns: Vec<Vec<f64>> = (0..axes).map(|_| column(method, count, Numbers(seeds.next()))).collect();
    (0..count).map(|k| columns.iter().map(|column| column[k]).collect()).collect()
}

fn column(method: Method, count: usize, mut numbers: Numbers) -> Vec<f64> {
    if method == Method::Random {
        return (0..count).map(|_| numbers.unit()).collect();
    }
    let mut slices: Vec<usize> = (0..count).collect();
    // Fisher–Yates.
    for k in (1..count).rev() {
        slices.swap(k, (numbers.unit() * (k + 1) as f64) as usize);
    }
    slices.into_iter().map(|slice| (slice as f64 + numbers.unit()) / count as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_latin_hypercube_has_one_sample_in_each_slice_of_every_axis() {
        let samples = places(Method::LatinHypercube, 40, 3, 7);
        for axis in 0..3 {
            let mut slices: Vec<usize> = samples.iter().map(|sample| (sample[axis] * 40.0) as usize).collect();
            slices.sort_unstable();
            assert_eq!(slices, (0..40).collect::<Vec<_>>());
        }
        // Axes are independent: their correlation is that of 40 random pairs.
        let mean = samples.iter().map(|s| (s[0] - 0.5) * (s[1] - 0.5)).sum::<f64>() * 12.0 / 40.0;
        assert!(mean.abs() < 0.5, "{mean}");
    }

    #[test]
    fn a_seed_repeats_its_samples_and_another_has_others() {
        for method in [Method::Random, Method::LatinHypercube] {
            assert_eq!(places(method, 5, 2, 1), places(method, 5, 2, 1));
            assert_ne!(places(method, 5, 2, 1), places(method, 5, 2, 2));
            assert!(places(method, 100, 1, 3).iter().all(|s| (0.0..1.0).contains(&s[0])));
        }
        let (two, three) = (places(Method::Random, 5, 2, 1), places(Method::Random, 5, 3, 1));
        assert!(two.iter().zip(&three).all(|(a, b)| a[..] == b[..2]), "an axis keeps its numbers");
    }
}
