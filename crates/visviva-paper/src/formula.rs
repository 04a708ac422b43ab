//! What a claim says of numbers: `{a-search: ball.rebound.1} > 1.5 * {bdf2: ball.rebound.1}`.
//!
//! Numbers, + − * /, brackets, `abs`, `min` and `max`, one comparison; in braces what a run's measure is, `{RUN: MEASURE}`, or what
//! it is against another run, `{RUN: MEASURE vs RUN}`. A run of another experiment is `EXPERIMENT/RUN`.

use std::fmt;

/// A value of a run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wanted {
    pub run: String,
    pub measure: String,
    /// The run it is compared with
    pub versus: Option<String>,
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.run, self.measure)?;
        self.versus.iter().try_for_each(|other| write!(f, " vs {other}"))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    Number(f64),
    Value(Wanted),
    Negative(Box<Term>),
    Operation(char, Box<Term>, Box<Term>),
    Function(Function, Vec<Term>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    Abs,
    Min,
    Max,
}

/// Two sides and what stands between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    pub text: String,
    pub left: Term,
    pub comparison: Comparison,
    pub right: Term,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Less,
    LessOrEqual,
    More,
    MoreOrEqual,
}

impl Comparison {
    pub fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Self::Less => left < right,
            Self::LessOrEqual => left <= right,
            Self::More => left > right,
            Self::MoreOrEqual => left >= right,
        }
    }
}

/// Where `f64::min` would pass over what is no number, this does not.
pub fn least(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.min(b) }
}

/// Where `f64::max` would pass over what is no number, this does not.
pub fn most(a: f64, b: f64) -> f64 {
    -least(-a, -b)
}

impl Term {
    /// The value, or why one of its parts has none.
    pub fn value<E>(&self, of: &mut impl FnMut(&Wanted) -> Result<f64, E>) -> Result<f64, E> {
        Ok(match self {
            Self::Number(number) => *number,
            Self::Value(wanted) => of(wanted)?,
            Self::Negative(term) => -term.value(of)?,
            Self::Operation(operator, left, right) => {
                let (left, right) = (left.value(of)?, right.value(of)?);
                match operator {
                    '+' => left + right,
                    '-' => left - right,
                    '*' => left * right,
                    _ => left / right,
                }
            }
            Self::Function(function, terms) => {
                let values = terms.iter().map(|term| term.value(of)).collect::<Result<Vec<f64>, E>>()?;
                match function {
                    Function::Abs => values.first().map_or(f64::NAN, |value| value.abs()),
                    Function::Min => values.into_iter().fold(f64::INFINITY, least),
                    Function::Max => values.into_iter().fold(f64::NEG_INFINITY, most),
                }
            }
        })
    }

    /// All values it is made of.
    pub fn wanted(&self) -> Vec<&Wanted> {
        match self {
            Self::Number(_) => Vec::new(),
            Self::Value(wanted) => vec![wanted],
            Self::Negative(term) => term.wanted(),
            Self::Operation(_, left, right) => [left.wanted(), right.wanted()].concat(),
            Self::Function(_, terms) => terms.iter().flat_map(Term::wanted).collect(),
        }
    }
}

impl Check {
    pub fn read(text: &str) -> Result<Self, String> {
        let mut reader = Reader { rest: text };
        let left = reader.sum()?;
        let comparison = match () {
            _ if reader.takes("<=") => Comparison::LessOrEqual,
            _ if reader.takes(">=") => Comparison::MoreOrEqual,
            _ if reader.takes("<") => Comparison::Less,
            _ if reader.takes(">") => Comparison::More,
            _ => return Err(format!("`{text}`: a comparison (<, <=, >, >=) is missing before `{}`", reader.rest)),
        };
        let right = reader.sum()?;
        if !reader.rest.trim().is_empty() {
            return Err(format!("`{text}`: `{}` is left over", reader.rest));
        }
        Ok(Self { text: text.to_owned(), left, comparison, right })
    }

    pub fn wanted(&self) -> Vec<&Wanted> {
        [self.left.wanted(), self.right.wanted()].concat()
    }
}

/// A sentence with values in braces.
pub fn read_sentence(text: &str) -> Result<Vec<(String, Option<Term>)>, String> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some(at) = rest.find('{') {
        let end = rest[at..].find('}').ok_or_else(|| format!("`{text}`: a brace is not closed"))? + at;
        parts.push((rest[..at].to_owned(), Some(Term::Value(value(&rest[at + 1..end])?))));
        rest = &rest[end + 1..];
    }
    parts.push((rest.to_owned(), None));
    Ok(parts)
}

fn value(text: &str) -> Result<Wanted, String> {
    let (run, measure) = text
        .split_once(": ")
        .ok_or_else(|| format!("`{{{text}}}`: write {{RUN: MEASURE}} or {{RUN: MEASURE vs RUN}}"))?;
    let (measure, versus) = match measure.split_once(" vs ") {
        Some((measure, versus)) => (measure, Some(versus.trim().to_owned())),
        None => (measure, None),
    };
    Ok(Wanted { run: run.trim().to_owned(), measure: measure.trim().to_owned(), versus })
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn takes(&mut self, token: &str) -> bool {
        let found = self.rest.trim_start().strip_prefix(token);
        found.inspect(|rest| self.rest = rest).is_some()
    }

    fn sum(&mut self) -> Result<Term, String> {
        let mut term = self.product()?;
        loop {
            let operator = if self.takes("+") {
                '+'
            } else if self.takes("-") {
                '-'
            } else {
                return Ok(term);
            };
            term = Term::Operation(operator, Box::new(term), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Result<Term, String> {
        let mut term = self.factor()?;
        loop {
            let operator = if self.takes("*") {
                '*'
            } else if self.takes("/") {
                '/'
            } else {
                return Ok(term);
            };
            term = Term::Operation(operator, Box::new(term), Box::new(self.factor()?));
        }
    }

    fn factor(&mut self) -> Result<Term, String> {
        if self.takes("-") {
            return Ok(Term::Negative(Box::new(self.factor()?)));
        }
        if self.takes("(") {
            let term = self.sum()?;
            return if self.takes(")") {
                Ok(term)
            } else {
                Err(format!("a bracket is not closed before `{}`", self.rest))
            };
        }
        if self.takes("{") {
            let end = self.rest.find('}').ok_or_else(|| format!("a brace is not closed: `{}`", self.rest))?;
            let wanted = value(&self.rest[..end])?;
            self.rest = &self.rest[end + 1..];
            return Ok(Term::Value(wanted));
        }
        for (name, function) in [("abs(", Function::Abs), ("min(", Function::Min), ("max(", Function::Max)] {
            if self.takes(name) {
                let mut terms = vec![self.sum()?];
                while self.takes(",") {
                    terms.push(self.sum()?);
                }
                return if self.takes(")") {
                    Ok(Term::Function(function, terms))
                } else {
                    Err(format!("`{name}` is not closed before `{}`", self.rest))
                };
            }
        }
        let text = self.rest.trim_start();
        let is_number = |(k, c): (usize, char)| {
            let signs_an_exponent = (c == '-' || c == '+') && text[..k].ends_with(['e', 'E']);
            c.is_ascii_digit() || c == '.' || c == 'e' || c == 'E' || signs_an_exponent
        };
        let end = text.char_indices().find(|&at| !is_number(at)).map_or(text.len(), |(k, _)| k);
        let number = text[..end].parse().map_err(|_| format!("a number or a value is missing before `{text}`"))?;
        self.rest = &text[end..];
        Ok(Term::Number(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str) -> bool {
        let check = Check::read(text).unwrap();
        let mut of = |wanted: &Wanted| -> Result<f64, ()> { if wanted.run == "a" { Ok(2.0) } else { Err(()) } };
        check.comparison.holds(check.left.value(&mut of).unwrap(), check.right.value(&mut of).unwrap())
    }

    #[test]
    fn arithmetic_is_that_of_school() {
        assert!(holds("{a: x} * 3 - 1 > 4.9") && !holds("2 * (3 + 4) < 14") && holds("2 * (3 + 4) <= 14"));
        assert!(holds("abs(-3 + {a: x}) < 1.5e0") && holds("max(1, {a: y}, -7) >= 2") && holds("1e-3 < 2 / 4"));
    }

    #[test]
    fn what_is_missing_is_missing_from_the_whole() {
        let check = Check::read("{a: x} + {b: turns vs ref} > 1").unwrap();
        let wanted: Vec<String> = check.wanted().iter().map(|w| w.to_string()).collect();
        assert_eq!(wanted, ["a: x", "b: turns vs ref"]);
        assert_eq!(check.left.value(&mut |w: &Wanted| if w.run == "a" { Ok(1.0) } else { Err("gone") }), Err("gone"));
    }

    #[test]
    fn what_is_no_number_is_not_passed_over() {
        let nan = &mut |_: &Wanted| Ok::<f64, ()>(f64::NAN);
        for text in ["max({a: x}, 1) > 0", "max(1, {a: x}) > 0", "min({a: x}, 1) > 0", "min(1, {a: x}, 2) > 0"] {
            assert!(Check::read(text).unwrap().left.value(nan).unwrap().is_nan(), "{text}");
        }
    }

    #[test]
    fn mistakes_are_told() {
        for wrong in ["1", "{a} > 1", "{a: x > 1", "(1 > 2", "1 > 2 3", "abs(1 > 2", "> 1", "1 > x"] {
            assert!(Check::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sentences_hold_values() {
        let parts = read_sentence("it leaves at {a: x}, not 1.").unwrap();
        assert_eq!((parts.len(), parts[1].0.as_str()), (2, ", not 1."));
    }
}
