//! How deep brackets lie in each other, looked at before a text is parsed: a parser's stack has an end.

/// Lists and tables within each other; scenes have four.
const DEEPEST: usize = 64;

/// Where, in bytes, brackets lie deeper in each other than in any scene. Strings and comments do not count.
pub fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0usize);
    while at < bytes.len() {
        at += match bytes[at] {
            b'#' => up_to_newline(&bytes[at..]),
            quote @ (b'"' | b'\'') => string_length(&bytes[at..], quote),
            b'[' | b'{' => {
                depth += 1;
                1
            }
            b']' | b'}' => {
                depth = depth.saturating_sub(1);
                1
            }
            _ => 1,
        };
        if depth > DEEPEST {
            return Some(at);
        }
    }
    None
}

fn up_to_newline(bytes: &[u8]) -> usize {
    bytes.iter().position(|&b| b == b'\n').unwrap_or(bytes.len())
}

/// Of the string that a text begins with; one that is not closed ends with its line, three quotes' one with the text.
fn string_length(bytes: &[u8], quote: u8) -> usize {
    if bytes.starts_with(&[quote; 3]) {
        let end = bytes[3..].windows(3).position(|three| three == [quote; 3]);
        return end.map_or(bytes.len(), |end| end + 6);
    }
    let mut at = 1;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if quote == b'"' && bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_brackets_count_but_not_those_in_strings_and_comments() {
        assert_eq!(too_deep(&"a = { b = 1\n".repeat(1000)), Some(12 * DEEPEST + 5));
        assert_eq!(too_deep(&"[[body]]\nsize = [1, 2]\n".repeat(1000)), None);
        for quoted in ["a = '[['\n", "a = \"[\\\"[\"\n", "# [[[\n", "a = \"[\n'\n"] {
            assert_eq!(too_deep(&quoted.repeat(1000)), None, "{quoted}");
        }
        assert_eq!(too_deep(&format!("a = '''{}'''", "[".repeat(1000))), None);
        assert_eq!(too_deep("a = \"\\"), None, "cut after a backslash");
    }
}
