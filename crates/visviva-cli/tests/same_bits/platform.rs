//! What the bits of a run depend on beside the program: the mathematical functions of the system and the vector units.

use xxhash_rust::xxh3::Xxh3;

/// Equal where runs have equal bits.
pub fn fingerprint() -> String {
    let mut hash = Xxh3::new();
    for k in 1..2000 {
        let x = 0.01 * f64::from(k);
        for value in [x.ln(), (-x).exp(), x.sin(), x.cos(), x.powf(1.7), x.cbrt(), x.atan(), (x / 20.0).acos()] {
            hash.update(&value.to_bits().to_le_bytes());
        }
    }
    format!("{} {} {:016x}", std::env::consts::ARCH, vector_units(), hash.digest())
}

#[cfg(target_arch = "x86_64")]
fn vector_units() -> &'static str {
    match (is_x86_feature_detected!("avx512f"), is_x86_feature_detected!("fma")) {
        (true, _) => "avx512",
        (false, true) => "fma",
        (false, false) => "sse2",
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn vector_units() -> &'static str {
    "other"
}
