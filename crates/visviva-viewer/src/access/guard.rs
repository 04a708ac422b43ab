//! Whether a request is let in: by its token, by the name it calls this machine, and by the page that it comes from.
//!
//! Another site's page can send requests here, and can have its own name point here. It knows no token, its `Host` is no
//! loopback name, and its `Origin` is not ours.

use super::Token;
use axum::http::{HeaderMap, HeaderName, header};
use std::net::IpAddr;

#[derive(Debug, Clone)]
pub struct Guard {
    pub token: Token,
    /// Whether others than this machine may ask; they call it by a number
    pub is_open: bool,
}

/// Why not, in words for whoever sees them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the token is missing or of an earlier start: open the whole address that visviva printed")]
    Token,
    #[error(
        "this page answers to localhost and to numbers such as 127.0.0.1 only: open the address that visviva printed"
    )]
    Host,
    #[error("only the page that visviva itself served may talk to it")]
    Origin,
    #[error("there are too many pages open: close one")]
    TooMany,
}

impl Guard {
    /// Of any request.
    pub fn admit(&self, query: Option<&str>, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = text(headers, header::HOST).ok_or(Refusal::Host)?;
        if !self.is_ours(host) {
            return Err(Refusal::Host);
        }
        if self.token.is_in(query) { Ok(()) } else { Err(Refusal::Token) }
    }

    /// Of one that opens a socket: browsers let pages of other sites do that, and say whose they are.
    pub fn admit_socket(&self, query: Option<&str>, headers: &HeaderMap) -> Result<(), Refusal> {
        self.admit(query, headers)?;
        let host = text(headers, header::HOST).unwrap_or_default();
        let origin = text(headers, header::ORIGIN).ok_or(Refusal::Origin)?;
        let site = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if site.is_some_and(|site| site.eq_ignore_ascii_case(host)) { Ok(()) } else { Err(Refusal::Origin) }
    }

    /// A forwarded port may be another than ours.
    fn is_ours(&self, host: &str) -> bool {
        let (name, port) = match host.strip_prefix('[') {
            Some(rest) => rest.split_once(']').unwrap_or((rest, "none")),
            None => host.split_at(host.rfind(':').unwrap_or(host.len())),
        };
        // What a page is told of its own site holds these words: nothing else may stand in them.
        let is_port = port.is_empty() || port.strip_prefix(':').is_some_and(|digits| digits.parse::<u16>().is_ok());
        let number = name.parse::<IpAddr>().ok();
        let is_name = name.eq_ignore_ascii_case("localhost");
        is_port && (is_name || number.is_some_and(|number| self.is_open || number.is_loopback()))
    }
}

/// Host and port by which a request that was let in calls us.
pub fn site(headers: &HeaderMap) -> &str {
    text(headers, header::HOST).unwrap_or_default()
}

/// Said once only: two of them are nobody's browser.
fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    values.next().filter(|_| values.next().is_none())?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        origin.map(|origin| headers.insert(header::ORIGIN, origin.parse().unwrap()));
        headers
    }

    #[test]
    fn names_of_this_machine_are_let_in_and_others_are_not() {
        let guard = Guard { token: Token::random().unwrap(), is_open: false };
        let query = format!("token={}", guard.token);
        let asked = |host: &str| guard.admit(Some(&query), &headers(host, None));
        for host in ["127.0.0.1:8000", "localhost:9000", "LOCALHOST", "[::1]:80", "127.0.0.2"] {
            assert_eq!(asked(host), Ok(()), "{host}");
        }
        for host in [
            "evil.example:8000",
            "localhost.evil.example",
            "192.168.1.7:80",
            "",
            ":",
            "[",
            "127.0.0.1.evil.example",
            "localhost:80; x",
        ] {
            assert_eq!(asked(host), Err(Refusal::Host), "{host}");
        }
        let open = Guard { is_open: true, ..guard };
        assert_eq!(open.admit(Some(&query), &headers("192.168.1.7:80", None)), Ok(()));
        assert_eq!(open.admit(Some(&query), &headers("evil.example", None)), Err(Refusal::Host));
        assert_eq!(open.admit(None, &headers("localhost", None)), Err(Refusal::Token));
    }

    #[test]
    fn a_socket_is_opened_by_our_own_page_alone() {
        let guard = Guard { token: Token::random().unwrap(), is_open: false };
        let query = format!("token={}", guard.token);
        let asked = |origin| guard.admit_socket(Some(&query), &headers("localhost:9000", origin));
        assert_eq!(asked(Some("http://localhost:9000")), Ok(()));
        for origin in [None, Some("null"), Some("http://evil.example"), Some("http://localhost:9001"), Some("file://")]
        {
            assert_eq!(asked(origin), Err(Refusal::Origin), "{origin:?}");
        }
        let mut twice = headers("localhost:9000", Some("http://localhost:9000"));
        twice.append(header::ORIGIN, "http://evil.example".parse().unwrap());
        assert_eq!(guard.admit_socket(Some(&query), &twice), Err(Refusal::Origin));
    }
}
