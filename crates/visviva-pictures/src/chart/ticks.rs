//! Tick places and their numbers: steps of 1, 2 or 5 times a power of ten, decades on a logarithmic axis.
use super::Scale;

/// The ticks of one axis, ascending and inside its range.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Ticks {
    pub major: Vec<(f64, String)>,
    pub minor: Vec<f64>,
    /// What every number is to be multiplied with or added to, such as `×10^-3`; empty for plain numbers.
    pub factor: String,
}

/// About `wanted` ticks within `range`, which is ascending, and positive on a logarithmic axis.
pub(crate) fn ticks(scale: Scale, range: (f64, f64), wanted: usize) -> Ticks {
    match scale {
        Scale::Linear => linear(range, wanted),
        Scale::Log10 => logarithmic(range, wanted),
    }
}

fn linear((low, high): (f64, f64), wanted: usize) -> Ticks {
    let (lead, exponent) = nice_step((high - low) / wanted.max(1) as f64);
    let step = times_power(lead, exponent);
    // A hair of slack: 0.3 / 0.1 is below 3 in floating point.
    let first = (low / step - 1e-6).ceil();
    let last = (high / step + 1e-6).floor();
    // Ticks are `lead * k` in units of 10^exponent, exact integers as long as doubles count that far.
    let counts: Vec<f64> = (0..=(last - first) as usize).map(|i| lead * (first + i as f64)).collect();
    let largest = counts.iter().fold(0.0f64, |m, c| m.max(c.abs()));

    // Beyond six digits the shared leading ones move to the corner of the axis.
    let base = if largest >= 1e6 { roundest_near(counts[0], counts[counts.len() - 1]) } else { 0.0 };
    let shown = counts.iter().fold(0.0f64, |m, c| m.max((c - base).abs()));
    let top = exponent + if shown > 0.0 { shown.log10().floor() as i32 } else { 0 };
    let power = if (-2..=4).contains(&top) { 0 } else { top.div_euclid(3) * 3 };
    let decimals = (power - exponent).max(0) as usize;

    let label = |count: f64| number(times_power(count - base, exponent - power), decimals);
    let mut factor = if power == 0 { String::new() } else { format!("×10^{power}") };
    if base != 0.0 {
        let (sign, decimals) = (if base < 0.0 { "−" } else { "+" }, (-exponent).max(0) as usize);
        factor = format!("{factor} {sign} {}", trimmed(times_power(base.abs(), exponent), decimals)).trim().into();
    }
    let major = counts.iter().map(|&c| (times_power(c, exponent).clamp(low, high), label(c))).collect();
    Ticks { major, minor: Vec::new(), factor }
}

fn logarithmic((low, high): (f64, f64), wanted: usize) -> Ticks {
    let inside = |v: f64| v >= low * (1.0 - 1e-9) && v <= high * (1.0 + 1e-9);
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let decades: Vec<i32> = (first..=last).filter(|&k| inside(times_power(1.0, k))).collect();
    let between = |leads: &[f64]| -> Vec<(f64, i32)> {
        let all = (first..=last).flat_map(|k| leads.iter().map(move |&lead| (lead, k)));
        all.filter(|&(lead, k)| inside(times_power(lead, k))).collect()
    };
    if decades.len() < 2 {
        let few = between(&[1.0, 2.0, 5.0]);
        // Less than a third of a decade is as good as linear.
        if few.len() < 3 {
            return linear((low, high), wanted);
        }
        let plain = first >= -3 && last <= 4;
        let label = |lead: f64, k: i32| match (plain, lead == 1.0) {
            (true, _) => number(times_power(lead, k), (-k).max(0) as usize),
            (false, true) => power_of_ten(k),
            (false, false) => format!("{lead}×{}", power_of_ten(k)),
        };
        let major = few.iter().map(|&(lead, k)| (times_power(lead, k).clamp(low, high), label(lead, k))).collect();
        let minor = between(&[3.0, 4.0, 6.0, 7.0, 8.0, 9.0]);
        return Ticks { major, minor: minor.iter().map(|&(l, k)| times_power(l, k)).collect(), ..Ticks::default() };
    }
    let stride = decades.len().div_ceil(wanted.max(2)) as i32;
    let (labelled, silent): (Vec<i32>, Vec<i32>) = decades.iter().partition(|&&k| k.rem_euclid(stride) == 0);
    let minor = match stride {
        1 => between(&[2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]).iter().map(|&(l, k)| times_power(l, k)).collect(),
        _ => silent.iter().map(|&k| times_power(1.0, k)).collect(),
    };
    let major = labelled.iter().map(|&k| (times_power(1.0, k).clamp(low, high), power_of_ten(k))).collect();
    Ticks { major, minor, ..Ticks::default() }
}

/// The number with most trailing zeros within a span of the middle.
fn roundest_near(first: f64, last: f64) -> f64 {
    let (middle, span) = (first / 2.0 + last / 2.0, (last - first).max(1.0));
    let coarsest = middle.abs().log10().ceil() as i32;
    let candidates = (0..=coarsest).rev().map(|k| times_power(times_power(middle, -k).round(), k));
    candidates.into_iter().find(|c| (c - middle).abs() <= span).unwrap_or(first)
}

/// The step nearest to `rough` among 1, 2 and 5 times a power of ten.
fn nice_step(rough: f64) -> (f64, i32) {
    let exponent = rough.log10().floor() as i32;
    let lead = times_power(rough, -exponent);
    match lead {
        l if l < 1.42 => (1.0, exponent),
        l if l < 3.2 => (2.0, exponent),
        l if l < 7.1 => (5.0, exponent),
        _ => (1.0, exponent + 1),
    }
}

/// Division by 10^k rounds once; multiplication by 10^-k would round twice and leave 0.30000000000000004.
fn times_power(value: f64, exponent: i32) -> f64 {
    if exponent < 0 { value / 10f64.powi(-exponent) } else { value * 10f64.powi(exponent) }
}

fn power_of_ten(k: i32) -> String {
    match k {
        0 => "1".into(),
        1 => "10".into(),
        _ => format!("10^{k}"),
    }
}

/// Fixed decimals, with a true minus sign and never a negative zero.
fn number(value: f64, decimals: usize) -> String {
    let digits = format!("{:.decimals$}", value.abs());
    let negative = value < 0.0 && digits.bytes().any(|b| (b'1'..=b'9').contains(&b));
    if negative { format!("−{digits}") } else { digits }
}

fn trimmed(value: f64, decimals: usize) -> String {
    let digits = number(value, decimals);
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.').into() } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(t: &Ticks) -> Vec<&str> {
        t.major.iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn ticks_ascend_inside_their_range() {
        for range in [(0.0, 1.0), (-3.7, 12.1), (1e-9, 3e-9), (-1e7, 1e9), (1.0, 1.0 + 1e-9), (5e-3, 4e6), (0.31, 0.69)]
        {
            for scale in [Scale::Linear, Scale::Log10] {
                if scale == Scale::Log10 && range.0 <= 0.0 {
                    continue;
                }
                let t = ticks(scale, range, 6);
                assert!(t.major.len() >= 2 && t.major.len() <= 12, "{scale:?} {range:?}: {:?}", t.major);
                assert!(t.major.windows(2).all(|w| w[0].0 < w[1].0), "{range:?}: {:?}", t.major);
                assert!(t.major.iter().all(|m| m.0 >= range.0 && m.0 <= range.1), "{range:?}: {:?}", t.major);
                let mut distinct = labels(&t);
                distinct.dedup();
                assert_eq!(distinct.len(), t.major.len(), "{range:?}: {distinct:?}");
            }
        }
    }

    #[test]
    fn numbers_carry_no_floating_point_noise() {
        assert_eq!(labels(&ticks(Scale::Linear, (0.0, 0.5), 5)), ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(labels(&ticks(Scale::Linear, (-0.2, 0.2), 4)), ["−0.2", "−0.1", "0.0", "0.1", "0.2"]);
    }

    #[test]
    fn large_and_small_numbers_share_a_power_of_ten() {
        let t = ticks(Scale::Linear, (0.0, 2e-6), 4);
        assert_eq!((labels(&t), t.factor.as_str()), (vec!["0.0", "0.5", "1.0", "1.5", "2.0"], "×10^-6"));
        let t = ticks(Scale::Linear, (1.0, 1.0 + 2e-9), 2);
        assert_eq!((labels(&t), t.factor.as_str()), (vec!["0", "1", "2"], "×10^-9 + 1"));
    }

    #[test]
    fn decades_are_powers_with_silent_ticks_between() {
        let t = ticks(Scale::Log10, (1e-3, 1e2), 6);
        assert_eq!(labels(&t), ["10^-3", "10^-2", "10^-1", "1", "10", "10^2"]);
        assert_eq!(t.minor.len(), 5 * 8);
        assert!(ticks(Scale::Log10, (1e-30, 1e2), 6).major.len() <= 7);
    }
}
