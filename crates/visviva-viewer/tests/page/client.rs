//! A raw client: a websocket without a browser, and plain requests.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

/// A page without a screen; each has a runtime of its own, so that one may hang.
pub struct Client {
    runtime: Runtime,
    socket: Socket,
    next: u32,
    /// Told unasked, in their order
    pub events: Vec<Value>,
}

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// Host and port of an address, and its query.
pub fn parts(address: &str) -> (String, String) {
    let (site, query) = address.strip_prefix("http://").unwrap().split_once("/?").unwrap();
    (site.to_owned(), query.to_owned())
}

/// The status line's code of a plain request with these headers, and all that came.
pub fn request(address: &str, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let (site, _) = parts(address);
    let mut stream = TcpStream::connect(&site).unwrap();
    let host =
        if headers.iter().any(|(name, _)| *name == "Host") { String::new() } else { format!("Host: {site}\r\n") };
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    write!(stream, "GET {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.read_to_end(&mut answer).unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let code = answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    (code, answer)
}

impl Client {
    pub fn connect(address: &str) -> Self {
        let (site, query) = parts(address);
        Self::try_connect(&site, &query, Some(&format!("http://{site}"))).unwrap_or_else(|code| panic!("{code}"))
    }

    /// With a query and an origin of one's own; on a refusal its code.
    pub fn try_connect(site: &str, query: &str, origin: Option<&str>) -> Result<Self, u16> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let mut request = format!("ws://{site}/socket?{query}").into_client_request().unwrap();
        origin.map(|origin| request.headers_mut().insert("Origin", origin.parse().unwrap()));
        match runtime.block_on(connect_async(request)) {
            Ok((socket, _)) => Ok(Self { runtime, socket, next: 0, events: Vec::new() }),
            Err(Error::Http(response)) => Err(response.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    pub fn send(&mut self, message: Message) -> Result<(), Error> {
        self.runtime.block_on(self.socket.send(message))
    }

    /// The next message that is no event; none where the connection is over.
    pub fn receive(&mut self) -> Option<Message> {
        loop {
            let next = self.socket.next();
            let received =
                self.runtime.block_on(async { tokio::time::timeout(PATIENCE, next).await.expect("an answer") });
            match received?.ok()? {
                Message::Text(text) => match serde_json::from_str::<Value>(&text) {
                    Ok(event) if event.get("event").is_some() => self.events.push(event),
                    _ => return Some(Message::Text(text)),
                },
                Message::Close(_) => return None,
                other => return Some(other),
            }
        }
    }

    /// The answer may come later.
    pub fn send_only(&mut self, ask: &str, mut with: Value) {
        self.next += 1;
        with["id"] = self.next.into();
        with["ask"] = ask.into();
        self.send(Message::text(with.to_string())).unwrap();
    }

    /// What is answered, or the words of an error.
    pub fn ask(&mut self, ask: &str, with: Value) -> Result<Value, String> {
        self.send_only(ask, with);
        self.answer()
    }

    pub fn answer(&mut self) -> Result<Value, String> {
        let Some(Message::Text(text)) = self.receive() else { panic!("no answer in words") };
        let answer: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(answer["id"], json!(self.next), "{answer}");
        match answer["error"].as_str() {
            Some(words) => Err(words.to_owned()),
            None => Ok(answer["ok"].clone()),
        }
    }

    pub fn ok(&mut self, ask: &str, with: Value) -> Value {
        self.ask(ask, with).unwrap_or_else(|words| panic!("{ask}: {words}"))
    }

    pub fn binary(&mut self, ask: &str, with: Value) -> Vec<u8> {
        self.send_only(ask, with);
        match self.receive() {
            Some(Message::Binary(bytes)) => bytes.to_vec(),
            other => panic!("{ask}: {other:?}"),
        }
    }

    /// Asks until the run is in a state, as `open` tells it.
    pub fn wait_for(&mut self, run: &str, state: &str) -> Value {
        for _ in 0..600 {
            let told = self.ok("open", json!({ "run": run }));
            if told["state"] == state {
                return told;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("{run} never was {state}")
    }
}

/// The words of a message's head and payload from a byte on.
pub fn head(bytes: &[u8]) -> [u32; 4] {
    std::array::from_fn(|k| u32::from_le_bytes(bytes[4 * k..4 * k + 4].try_into().unwrap()))
}

pub fn singles(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect()
}

/// Time and positions of a frame message.
pub fn frame(bytes: &[u8], count: usize) -> (f64, Vec<[f64; 3]>) {
    let t = f64::from_le_bytes(bytes[16..24].try_into().unwrap());
    let place = singles(&bytes[24..40]);
    let step = |i: usize| f64::from(u16::from_le_bytes(bytes[40 + 2 * i..42 + 2 * i].try_into().unwrap()));
    let position = |i: usize| std::array::from_fn(|k| f64::from(place[k]) + f64::from(place[3]) * step(3 * i + k));
    (t, (0..count).map(position).collect())
}
