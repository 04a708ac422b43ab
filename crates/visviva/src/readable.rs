//! Quantities as people read them, 3.2 g, 85 µm, 1.5 kN, and names as they meant them.

/// Of a length given in metres `[m]`: metres, millimetres and less.
pub fn length(metres: f64) -> String {
    prefixed(metres, "m", &PREFIXES[3..])
}

/// Of a mass given in kilograms `[kg]`: kilograms, grams and less.
pub fn mass(kilograms: f64) -> String {
    // What three digits round to 1 kg is no 1000 g.
    if kilograms.abs() >= 0.9995 {
        prefixed(kilograms, "kg", &PREFIXES[3..4])
    } else {
        prefixed(1e3 * kilograms, "g", &PREFIXES[3..])
    }
}

/// Of a force given in newtons `[N]`.
pub fn force(newtons: f64) -> String {
    prefixed(newtons, "N", &PREFIXES)
}

/// Of an energy given in joules `[J]`.
pub fn energy(joules: f64) -> String {
    prefixed(joules, "J", &PREFIXES)
}

/// Of a time given in seconds `[s]`: `4 min`, `2 h 5 min`.
pub fn duration(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round();
    match seconds {
        s if s < 10.0 => format!("{} s", digits(s)),
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{minutes} min"),
        s if s < 1.8e5 => format!("{} h {} min", (minutes / 60.0).floor(), minutes % 60.0),
        s => format!("{:.0} days", s / 86400.0),
    }
}

/// Of a time in seconds `[s]`, to the microsecond.
pub fn moment(seconds: f64) -> String {
    format!("{}", (1e6 * seconds).round() / 1e6)
}

/// Of a time step in seconds `[s]`: 1/120 for 0.008333…, where it is one.
pub fn time_step(seconds: f64) -> String {
    let inverse = (1.0 / seconds).round();
    if inverse >= 2.0 && (seconds * inverse - 1.0).abs() < 1e-12 {
        format!("1/{inverse}")
    } else {
        format!("{seconds}")
    }
}

/// The known name that a wrong one is most like, if it is like any.
pub fn suggestion<'a>(wrong: &str, known: &[&'a str]) -> Option<&'a str> {
    let likeness = |name: &str| strsim::jaro_winkler(wrong, name);
    let nearest = known.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    nearest.filter(|near| likeness(near) > 0.7)
}

/// `; did you mean …?`, or nothing.
pub fn did_you_mean(wrong: &str, known: &[&str]) -> String {
    suggestion(wrong, known).map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}

const PREFIXES: [(f64, &str); 8] =
    [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"), (1e-12, "p")];

/// With the largest prefix that leaves at least 1; powers of ten beyond them all.
fn prefixed(value: f64, unit: &str, prefixes: &[(f64, &str)]) -> String {
    let size = value.abs();
    match prefixes.iter().find(|(factor, _)| size >= *factor) {
        Some((factor, prefix)) if size < 1e5 * prefixes[0].0 => format!("{} {prefix}{unit}", digits(value / factor)),
        None if size == 0.0 => format!("0 {unit}"),
        _ => format!("{value:.2e} {unit}"),
    }
}

/// Three of them, or all before the point.
fn digits(value: f64) -> String {
    let before = value.abs().log10().floor();
    let decimals = if before.is_finite() { (2.0 - before).clamp(0.0, 9.0) as usize } else { 0 };
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_keep_three_digits_and_a_unit_of_their_size() {
        let lengths = [(85e-6, "85 µm"), (1.0, "1 m"), (0.01234, "12.3 mm"), (1234.4, "1234 m"), (0.0, "0 m")];
        assert!(lengths.iter().all(|(value, text)| length(*value) == *text), "{:?}", lengths.map(|(v, _)| length(v)));
        assert_eq!([length(9.2e18), length(3e-14)], ["9.20e18 m", "3.00e-14 m"]);
        assert_eq!([mass(3.2e-3), mass(2.5), mass(1.2e-9)], ["3.2 g", "2.5 kg", "1.2 µg"]);
        assert_eq!([force(1500.0), force(-2e-3), force(f64::NAN)], ["1.5 kN", "-2 mN", "NaN N"]);
        assert_eq!([duration(0.25), duration(75.0), duration(7500.0)], ["0.25 s", "75 s", "2 h 5 min"]);
    }

    #[test]
    fn steps_read_as_they_were_written() {
        assert_eq!(time_step(1.0 / 30000.0), "1/30000");
        assert_eq!(time_step(0.3), "0.3");
        assert_eq!((moment(61.0 / 60.0), moment(1.5)), ("1.016667".into(), "1.5".into()));
    }
}
