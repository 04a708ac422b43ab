//! What the address holds that nobody can guess: 128 random bits, new with every start.

use std::fmt;

#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// In a time that does not tell how much of it was right.
    pub fn is(&self, given: &str) -> bool {
        let differences = self.0.bytes().zip(given.bytes()).fold(0, |sum, (own, other)| sum | (own ^ other));
        differences == 0 && self.0.len() == given.len()
    }

    /// From the query of a request, such as `token=…&page=1`.
    pub fn is_in(&self, query: Option<&str>) -> bool {
        let given = query.unwrap_or_default().split('&').filter_map(|part| part.strip_prefix("token="));
        given.take(1).any(|given| self.is(given))
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Logs may hold it otherwise.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_counts_and_no_two_starts_share_one() {
        let token = Token::random().unwrap();
        let text = token.to_string();
        assert_eq!(text.len(), 32);
        assert!(token.is(&text) && token.is_in(Some(&format!("token={text}"))));
        assert!(token.is_in(Some(&format!("page=1&token={text}"))));
        for wrong in ["", &text[1..], &format!("{text}0"), &text.replace(&text[..1], "x")] {
            assert!(!token.is(wrong), "{wrong}");
        }
        assert!(!token.is_in(None) && !token.is_in(Some("token=")) && !token.is_in(Some(&text)));
        assert_ne!(Token::random().unwrap(), token);
        assert!(!format!("{token:?}").contains(&text));
    }
}
