//! The server: the page at `/`, its socket at `/socket`, nothing else; on loopback unless its user opens it up.

use crate::access::{Guard, Refusal, Token, site};
use crate::connection::{LONGEST_ASK, Log, serve};
use crate::error::AskError;
use crate::live::Pilot;
use crate::page;
use crate::replay::ShownRun;
use crate::shelf::{OfferedScene, Shelf};
use axum::Router;
use axum::extract::{RawQuery, State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use visviva::session::Session;

/// Tried first, so that a forwarded port can be the same every day.
const USUAL_PORT: u16 = 8017;
/// Pages at once.
const MOST_PAGES: usize = 16;
/// Connections at once that have not said what they want, or are being answered.
const MOST_REQUESTS: usize = 64;
/// Of a connection that is no page's socket: long enough to take the page over a slow line.
const LONGEST: Duration = Duration::from_secs(120);

pub struct ViewerOptions {
    pub bind: IpAddr,
    /// Where none is given, the usual one, or any that is free
    pub port: Option<u16>,
    /// What pages may start
    pub scenes: Vec<OfferedScene>,
    /// Where runs are looked for and begun
    pub runs_below: PathBuf,
    /// Set from outside to end what pages have started
    pub stop: Arc<AtomicBool>,
    /// Hears what is worth a line on a terminal
    pub log: Log,
    /// Whoever has not said by then what it wants is not listened to any longer
    pub patience: Duration,
}

impl Default for ViewerOptions {
    fn default() -> Self {
        Self {
            bind: Ipv4Addr::LOCALHOST.into(),
            port: None,
            scenes: Vec::new(),
            runs_below: "runs".into(),
            stop: Arc::default(),
            log: Arc::new(|_| {}),
            patience: Duration::from_secs(10),
        }
    }
}

impl std::fmt::Debug for ViewerOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ViewerOptions").field("bind", &self.bind).field("port", &self.port).finish_non_exhaustive()
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ViewerError {
    #[error("cannot listen on {address}: {problem}; give another one with --port or --bind")]
    Listen { address: SocketAddr, problem: std::io::Error },
    #[error(
        "this machine has no address {0}: --bind takes one of its own, such as `ip address` lists, or 0.0.0.0 for all of them; \
         without --bind the page is for this machine alone"
    )]
    NotOurs(IpAddr),
    #[error("the server cannot begin: {0}")]
    Begin(#[from] std::io::Error),
    #[error("the system gives no randomness for the address: {0}")]
    Token(#[from] getrandom::Error),
}

/// A server that goes on until it is dropped.
#[derive(Debug)]
pub struct Viewer {
    shelf: Arc<Shelf>,
    address: SocketAddr,
    token: Token,
    /// Gone once it is stopped
    runtime: Option<Runtime>,
}

#[derive(Clone)]
struct Service {
    guard: Guard,
    shelf: Arc<Shelf>,
    pages: Arc<Semaphore>,
    stop: Arc<AtomicBool>,
    log: Log,
}

impl Viewer {
    pub fn start(options: ViewerOptions) -> Result<Self, ViewerError> {
        let ViewerOptions { bind, port, scenes, runs_below, stop, log, patience } = options;
        let listener = listen(bind, port)?;
        let address = listener.local_addr()?;
        let token = Token::random()?;
        let shelf = Arc::new(Shelf::new(scenes, runs_below));
        let guard = Guard { token: token.clone(), is_open: !bind.is_loopback() };
        let pages = Arc::new(Semaphore::new(MOST_PAGES));
        let service = Service { guard, shelf: shelf.clone(), pages, stop, log };
        // Few threads: the simulation needs the cores, and a page that waits a moment is no harm.
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(4)
            .thread_name("visviva page")
            .enable_all()
            .build()?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(listener)?
        };
        let router = Router::new().route("/", get(give_page)).route("/socket", get(open_socket)).with_state(service);
        runtime.spawn(accept(listener, router, patience));
        Ok(Self { shelf, address, token, runtime: Some(runtime) })
    }

    /// What to open in a browser.
    pub fn address(&self) -> String {
        let host = match self.address.ip() {
            ip if ip.is_unspecified() => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), self.address.port()),
            _ => self.address,
        };
        format!("http://{host}/?token={}", self.token)
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Has pages show a run folder, whose scene, shapes and list of frames can be read.
    pub fn show(&self, folder: &Path) -> Result<(), AskError> {
        ShownRun::open(folder)?;
        self.shelf.add(folder, None, true).map(drop)
    }

    /// Has pages show and steer a session that is recorded into a folder; whoever has the pilot lets it fly. One that begins paused waits
    /// for a page to let it go.
    pub fn steer(
        &self,
        session: Session,
        folder: &Path,
        stop: Arc<AtomicBool>,
        paused: bool,
    ) -> Result<Pilot, AskError> {
        let (pilot, live) = Pilot::new(session, stop, paused);
        self.shelf.add(folder, Some(live), true)?;
        Ok(pilot)
    }
}

impl Viewer {
    /// Waits for the runs that pages have started: told to stop, they end after their steps.
    pub fn finish(self) {
        self.shelf.wait_for_live_runs();
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_millis(500));
        }
    }
}

fn listen(bind: IpAddr, port: Option<u16>) -> Result<TcpListener, ViewerError> {
    let at = |port| {
        let address = SocketAddr::new(bind, port);
        TcpListener::bind(address).map_err(|problem| match problem.kind() {
            ErrorKind::AddrNotAvailable => ViewerError::NotOurs(bind),
            _ => ViewerError::Listen { address, problem },
        })
    };
    let listener = match port {
        Some(port) => at(port)?,
        None => at(USUAL_PORT).or_else(|_| at(0))?,
    };
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Each connection by itself. Sockets that pages open leave their place to others.
async fn accept(listener: tokio::net::TcpListener, router: Router, patience: Duration) {
    let places = Arc::new(Semaphore::new(MOST_REQUESTS));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience);
    loop {
        let Ok(place) = places.clone().acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // Such as too many open files: others may end meanwhile.
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let service = TowerToHyperService::new(router.clone());
        let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
        tokio::spawn(async move {
            // What goes wrong on the way concerns nobody but who sent it.
            let _ = tokio::time::timeout(LONGEST, connection).await;
            drop(place);
        });
    }
}

/// So that nothing a page might hold can call out: it talks to the site that it came from alone.
fn content_policy(site: &str) -> String {
    format!(
        "default-src 'none'; script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; img-src data: blob:; media-src blob:; \
         font-src data:; worker-src blob:; connect-src ws://{site} wss://{site}; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    )
}

async fn give_page(State(service): State<Service>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    if let Err(refusal) = service.guard.admit(query.as_deref(), &headers) {
        return refused(refusal);
    }
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let fixed = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        // The address holds the token: it goes to nobody else.
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let policy = [(header::CONTENT_SECURITY_POLICY, content_policy(site(&headers)))];
    if accepted.contains("gzip") {
        return (fixed, policy, [(header::CONTENT_ENCODING, "gzip")], page::COMPRESSED).into_response();
    }
    match page::html() {
        Ok(html) => (fixed, policy, html).into_response(),
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, "the page in this program is damaged\n").into_response(),
    }
}

async fn open_socket(
    State(service): State<Service>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    if let Err(refusal) = service.guard.admit_socket(query.as_deref(), &headers) {
        return refused(refusal);
    }
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => return rejection.into_response(),
    };
    let Service { shelf, pages, stop, log, .. } = service;
    let Ok(place) = pages.try_acquire_owned() else { return refused(Refusal::TooMany) };
    upgrade.max_message_size(2 * LONGEST_ASK).max_frame_size(2 * LONGEST_ASK).on_upgrade(move |socket| async move {
        serve(socket, shelf, stop, log).await;
        drop(place);
    })
}

fn refused(refusal: Refusal) -> Response {
    let code = if refusal == Refusal::TooMany { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::FORBIDDEN };
    (code, format!("{refusal}\n")).into_response()
}
