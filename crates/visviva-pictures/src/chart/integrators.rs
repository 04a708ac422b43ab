//! The look of each integrator, the same in every figure: colour, dash and marker, readable without colour vision and in grey print.
use crate::colour::{Colour, oklch};
use crate::drawing::{Dash, Marker};

const DASHES: [Dash; 6] = [Dash::Solid, Dash::Dashed, Dash::Dotted, Dash::DashDot, Dash::LongDash, Dash::DashDotDot];
const MARKERS: [Marker; 4] = [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond];

/// The four that meet in most figures (implicit-euler, bdf2, a-1, a-search) lie farthest apart.
#[rustfmt::skip]
const INTEGRATORS: [(&str, Colour, Dash, Marker); 18] = [
    ("explicit-euler",    Colour(0xE6, 0x9F, 0x00), Dash::Dotted,     Marker::Triangle),
    ("symplectic-euler",  Colour(0x99, 0x99, 0x33), Dash::DashDot,    Marker::Diamond),
    ("stormer-verlet",    Colour(0x8C, 0x6D, 0x31), Dash::LongDash,   Marker::Square),
    ("implicit-euler",    Colour(0x33, 0x22, 0x88), Dash::Dashed,     Marker::Square),
    ("implicit-midpoint", Colour(0xCC, 0x79, 0xA7), Dash::Solid,      Marker::Diamond),
    ("trapezoidal",       Colour(0xAA, 0x44, 0x99), Dash::Dashed,     Marker::Triangle),
    ("theta-inner",       Colour(0x88, 0x22, 0x55), Dash::DashDot,    Marker::Circle),
    ("theta-outer",       Colour(0x88, 0x22, 0x55), Dash::Dotted,     Marker::Square),
    ("newmark",           Colour(0xCC, 0x66, 0x77), Dash::LongDash,   Marker::Diamond),
    ("bdf2",              Colour(0x00, 0x9E, 0x73), Dash::DashDot,    Marker::Triangle),
    ("sdirk2",            Colour(0x11, 0x77, 0x33), Dash::Dashed,     Marker::Diamond),
    ("tr-bdf2",           Colour(0x44, 0xAA, 0x99), Dash::Dotted,     Marker::Square),
    ("blending",          Colour(0x00, 0x72, 0xB2), Dash::DashDotDot, Marker::Circle),
    ("a-1",               Colour(0x56, 0xB4, 0xE9), Dash::LongDash,   Marker::Diamond),
    ("a-search",          Colour(0xD5, 0x5E, 0x00), Dash::Solid,      Marker::Circle),
    ("a-search-sparse",   Colour(0xB3, 0x47, 0x00), Dash::Dashed,     Marker::Square),
    ("decoupled",         Colour(0x77, 0x77, 0x77), Dash::Dashed,     Marker::Circle),
    ("reference",         Colour(0x22, 0x22, 0x22), Dash::Solid,      Marker::Square),
];

/// The colour and dash of an integrator in every figure.
///
/// Parameters after a colon (`a-search:max=2`) keep the colour family and change the dash; a name not in the
/// table gets a colour of its own that does not change from run to run.
pub fn integrator_style(name: &str) -> (Colour, Dash) {
    let (base, parameters) = match name.split_once(':') {
        Some((base, parameters)) => (base, Some(parameters)),
        None => (name, None),
    };
    let (colour, dash) = match INTEGRATORS.iter().find(|row| row.0 == base) {
        Some(&(_, colour, dash, _)) => (colour, dash),
        None => {
            let hash = fnv1a(base);
            (oklch(0.58, 0.14, (hash % 360) as f64), DASHES[(hash / 360) as usize % DASHES.len()])
        }
    };
    let Some(parameters) = parameters else { return (colour, dash) };
    let hash = fnv1a(parameters);
    let others = DASHES.len() as u64 - 1;
    let k = DASHES.iter().position(|&d| d == dash).unwrap_or(0) + 1 + (hash % others) as usize;
    // Three shades as well: five dashes alone would soon repeat.
    let shade = [0.0, 0.25, -0.25][(hash / others % 3) as usize];
    (colour.shaded(shade), DASHES[k % DASHES.len()])
}

/// The marker of an integrator in every figure; parameters keep it.
pub fn integrator_marker(name: &str) -> Marker {
    let base = name.split(':').next().unwrap_or(name);
    let row = INTEGRATORS.iter().find(|row| row.0 == base);
    row.map_or_else(|| MARKERS[(fnv1a(base) / 7) as usize % MARKERS.len()], |row| row.3)
}

/// FNV-1a, 64 bits: the standard library promises no stable hash.
fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf29ce484222325, |hash, byte| (hash ^ byte as u64).wrapping_mul(0x100000001b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::sight::{linear, oklab};

    /// Full colour vision, then protanopia, deuteranopia and tritanopia after Machado et al. 2009.
    const SIGHT: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ];

    fn seen(colour: Colour, sight: &[[f64; 3]; 3]) -> [f64; 3] {
        let c = linear(colour);
        oklab([0, 1, 2].map(|i| (0..3).map(|j| sight[i][j] * c[j]).sum()))
    }

    #[test]
    fn main_integrators_stay_apart_for_every_kind_of_sight() {
        let main = ["implicit-euler", "bdf2", "a-1", "a-search"].map(integrator_style);
        for (i, (first, first_dash)) in main.iter().enumerate() {
            for (second, second_dash) in &main[i + 1..] {
                assert_ne!(first_dash, second_dash, "grey print tells them apart by dash");
                for sight in &SIGHT {
                    let (p, q) = (seen(*first, sight), seen(*second, sight));
                    let distance = (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt();
                    assert!(distance > 0.1, "{first} and {second}: {distance}");
                }
            }
        }
    }

    #[test]
    fn no_two_integrators_share_colour_and_dash() {
        for (i, first) in INTEGRATORS.iter().enumerate() {
            for second in &INTEGRATORS[i + 1..] {
                assert_ne!((first.1, first.2), (second.1, second.2), "{} and {}", first.0, second.0);
            }
        }
    }

    #[test]
    fn parameters_change_the_dash_and_unknown_names_keep_their_colour() {
        for (name, _, dash, _) in INTEGRATORS {
            for parameters in ["max=2", "max=4", "beta=0.25"] {
                assert_ne!(integrator_style(&format!("{name}:{parameters}")).1, dash);
            }
        }
        assert_eq!(integrator_style("leapfrog"), integrator_style("leapfrog"));
        assert_eq!(fnv1a("a"), 0xaf63dc4c8601ec8c);
    }
}
