//! Reproducible random numbers: SplitMix64 (Steele, Lea, Flood 2014). Tests and benchmarks outside the crate include this file.

/// The next 64 bits.
pub(crate) fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Uniform in [−1, 1).
pub(crate) fn signed(state: &mut u64) -> f64 {
    (splitmix64(state) >> 11) as f64 * 2f64.powi(-52) - 1.0
}
