//! Names that other programs take, no two alike.

use std::collections::HashSet;

/// Letters and digits of ASCII and underscores, no digit first: what USD calls an identifier.
pub fn identifiers<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    distinct(names, |name| {
        let plain = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        if plain.starts_with(|c: char| c.is_ascii_digit()) { format!("_{plain}") } else { plain }
    })
}

/// Without what some file system or archive refuses or takes for a folder.
pub fn file_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    distinct(names, |name| {
        let plain = name.replace(|c: char| c.is_control() || "/\\:*?\"<>|".contains(c), "_");
        // Windows drops what ends a name; a leading point hides one.
        plain.trim_matches(['.', ' ']).to_owned()
    })
}

/// Without white space, which would end a name in a line of words.
pub fn words<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    distinct(names, |name| name.replace(|c: char| c.is_whitespace() || c.is_control(), "_"))
}

/// Numbers those that came before; capital letters alone make no difference, as in many file systems.
fn distinct<'a>(names: impl IntoIterator<Item = &'a str>, plain: impl Fn(&str) -> String) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut free = |name: &str| {
        let name = Some(plain(name)).filter(|name| !name.is_empty()).unwrap_or("unnamed".to_owned());
        let numbered = (2..).map(|n| format!("{name}_{n}"));
        let mut candidates = std::iter::once(name.clone()).chain(numbered);
        candidates.find(|name| taken.insert(name.to_lowercase())).unwrap_or_default()
    };
    names.into_iter().map(|name| free(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_valid_and_stay_apart() {
        assert_eq!(
            identifiers(["a b", "a.b", "2nd", "", "Käse", "A_b"]),
            ["a_b", "a_b_2", "_2nd", "unnamed", "K_se", "A_b_3"]
        );
        assert_eq!(
            file_names(["net.node-1", "a/b", "..", "a:b", "Käse 2"]),
            ["net.node-1", "a_b", "unnamed", "a_b_2", "Käse 2"]
        );
        assert_eq!(words(["Red paint", "Red\tpaint", "x"]), ["Red_paint", "Red_paint_2", "x"]);
    }
}
