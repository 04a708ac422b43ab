//! Names of folders that say what was changed: `h=1-240,youngs_modulus=1e6`.

use std::collections::HashSet;
use xxhash_rust::xxh3::xxh3_64;

/// File systems end names at 255 bytes, and people long before.
const LONGEST: usize = 120;

/// What changed, each by the last part of its key, or by as many as it takes to tell them apart.
pub fn of_changes(changes: &[(String, String)]) -> String {
    let keys: Vec<Vec<&str>> = changes.iter().map(|(key, _)| key.split('.').collect()).collect();
    let last = |key: &[&str], parts: usize| key[key.len().saturating_sub(parts)..].join(".");
    let deepest = keys.iter().map(Vec::len).max().unwrap_or(1);
    let distinct = |parts: &usize| keys.iter().map(|key| last(key, *parts)).collect::<HashSet<_>>().len() == keys.len();
    let parts = (1..=deepest).find(distinct).unwrap_or(deepest);
    let each = changes.iter().zip(&keys).map(|((_, value), key)| format!("{}={}", last(key, parts), of_value(value)));
    shortened(plain(&each.collect::<Vec<_>>().join(",")))
}

/// `[4,2,2]` is `4x2x2`, `"1/60"` is `1-60`, 50000.0 is `5e4`.
fn of_value(text: &str) -> String {
    if let Ok(number) = text.parse::<f64>() {
        return of_number(number);
    }
    text.replace(['[', ']', '"', ' '], "").replace(',', "x").replace('/', "-")
}

/// As shortly as it can be written without losing a digit.
pub fn of_number(number: f64) -> String {
    let (plain, powers) = (number.to_string(), format!("{number:e}"));
    if powers.len() < plain.len() { powers } else { plain }
}

/// As every file system takes it.
pub fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || "-_.,=+".contains(c) { c } else { '_' }).collect()
}

/// What is too long ends with a hash of the whole.
fn shortened(name: String) -> String {
    if name.len() <= LONGEST {
        return name;
    }
    let end = (0..=LONGEST).rev().find(|&at| name.is_char_boundary(at)).unwrap_or(0);
    format!("{}…{:08x}", &name[..end], xxh3_64(name.as_bytes()) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(changes: &[(&str, &str)]) -> String {
        of_changes(&changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect::<Vec<_>>())
    }

    #[test]
    fn names_say_what_changed_as_shortly_as_they_can() {
        assert_eq!(named(&[("run.h", "\"1/240\"")]), "h=1-240");
        assert_eq!(named(&[("run.h", "1/60"), ("body.0.box.cells", "[4, 2, 2]")]), "h=1-60,cells=4x2x2");
        assert_eq!(named(&[("a.x", "50000.0"), ("a.y", "0.02"), ("a.z", "120")]), "x=5e4,y=0.02,z=120");
        let two = [("material.a.density", "1"), ("material.b.density", "2")];
        assert_eq!(named(&two), "a.density=1,b.density=2");
        assert_eq!(named(&[("run.integrator", "a-search:max=2")]), "integrator=a-search_max=2");
    }

    #[test]
    fn long_names_end_and_stay_apart() {
        let long = |end: &str| named(&[("title", &format!("{}{end}", "ä".repeat(200)))]);
        assert!(long("1").len() < 140 && long("1") != long("2"));
    }
}
