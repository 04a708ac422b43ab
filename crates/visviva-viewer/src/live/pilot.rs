//! The thread of a live run: step after step, orders in between, and what came of it for whoever looks on.

use super::live_run::{Standing, WAITING_ORDERS};
use super::wishes::Wishes;
use super::{LiveRun, Order, Progress, Reply, State};
use crate::error::AskError;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use visviva::scene::ChangeEntry;
use visviva::session::{Ending, Halt, Session, SessionError, Summary};

/// A pause looks so often whether it was interrupted.
const LOOK: Duration = Duration::from_millis(100);
/// Steps that one order may ask for.
const MOST_STEPS: u32 = 100_000;

/// Drives a session that is recorded; pages steer it.
#[derive(Debug)]
pub struct Pilot {
    session: Session,
    orders: Receiver<(Order, Reply)>,
    live: LiveRun,
    stop: Arc<AtomicBool>,
    wishes: Wishes,
    drive: Drive,
    pace: Option<Pace>,
    begun: Instant,
    part_at_begin: f64,
    /// Those that pages are told of, and how many there were with those of the hand
    told: (Arc<Vec<ChangeEntry>>, usize),
    /// What else pages should know
    words: String,
    _last_word: LastWord,
}

/// Says that a run is over, however its pilot ends: whoever waits for the end would else wait for ever.
#[derive(Debug)]
struct LastWord(Arc<watch::Sender<Progress>>);

impl Drop for LastWord {
    fn drop(&mut self) {
        self.0.send_if_modified(|progress| {
            let ended_early = !progress.state.is_over();
            if ended_early {
                progress.state = State::Failed;
                progress.words = "something went wrong inside the program; please report it".to_owned();
            }
            ended_early
        });
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Drive {
    On,
    /// So many steps more, then it waits
    Steps(u32),
}

/// No faster than so many simulated seconds a second.
#[derive(Debug, Clone, Copy)]
struct Pace {
    speed: f64,
    since: Instant,
    /// `[s]`
    from: f64,
}

impl Pilot {
    /// `stop` ends it after its step.
    pub(crate) fn new(session: Session, stop: Arc<AtomicBool>, paused: bool) -> (Self, LiveRun) {
        let (sender, orders) = sync_channel(WAITING_ORDERS);
        let progress = Arc::new(watch::Sender::new(Progress::default()));
        let live = LiveRun { orders: sender, progress, standing: Arc::new(Mutex::new(None)) };
        let drive = if paused { Drive::Steps(0) } else { Drive::On };
        let (begun, part_at_begin) = (Instant::now(), session.part_done());
        let mut pilot = Self {
            session,
            orders,
            live: live.clone(),
            stop,
            wishes: Wishes::default(),
            drive,
            pace: None,
            begun,
            part_at_begin,
            told: Default::default(),
            words: String::new(),
            _last_word: LastWord(live.progress.clone()),
        };
        pilot.tell();
        (pilot, live)
    }

    /// To the scene's end, until a step fails or until someone asks to stop.
    pub fn fly(mut self) -> Result<Summary, SessionError> {
        let halted = self.fly_on();
        let failure = halted.as_ref().err().map(ToString::to_string);
        let concluded = self.session.conclude_after(halted);
        let (state, words) = match (&concluded, failure) {
            (Ok(Summary { ending: Ending::Failed(reason), .. }), _) => (State::Failed, reason.clone()),
            (Ok(summary), _) => (State::Finished, summary.off_target_in_words.join(" ")),
            (Err(error), failure) => (State::Failed, failure.unwrap_or_else(|| error.to_string())),
        };
        if let Ok(mut standing) = self.live.standing.lock() {
            *standing = None;
        }
        let last = Progress { state, words, remaining: Some(0.0), ..self.progress() };
        self.live.progress.send_replace(last);
        concluded
    }

    fn fly_on(&mut self) -> Result<Halt, SessionError> {
        loop {
            if !self.take_orders()? {
                return Ok(Halt::Asked);
            }
            if self.session.is_over() {
                return Ok(Halt::Arrived);
            }
            match self.session.step() {
                // Whoever pulled too hard is to let go: a run of hours does not end by it.
                Err(SessionError::Step(error)) if self.session.held().is_some() => {
                    self.session.let_go()?;
                    self.words = format!("the hand has let go, because it pulled too hard: {error}");
                }
                stepped => {
                    stepped?;
                }
            }
            if let Drive::Steps(left) = &mut self.drive {
                *left = left.saturating_sub(1);
            }
            self.tell();
        }
    }

    /// Carries out what waits, and waits for more while it pauses or is ahead of its pace; false to stop.
    fn take_orders(&mut self) -> Result<bool, SessionError> {
        loop {
            let mut waiting: VecDeque<(Order, Reply)> = self.orders.try_iter().take(WAITING_ORDERS).collect();
            let pause = match (waiting.is_empty(), self.pause()) {
                _ if self.stop.load(Ordering::Relaxed) => return Ok(false),
                (true, Some(pause)) => pause,
                (true, None) => return Ok(true),
                (false, _) => Duration::ZERO,
            };
            if waiting.is_empty() {
                match self.orders.recv_timeout(pause) {
                    Ok(order) => waiting.push_back(order),
                    // Nobody can ever order anything: there is no use in waiting.
                    Err(RecvTimeoutError::Disconnected) => return Ok(true),
                    Err(RecvTimeoutError::Timeout) => continue,
                }
            }
            if !self.carry_out_all(waiting) {
                return Ok(false);
            }
        }
    }

    /// How long to wait before the next step; none for not at all.
    fn pause(&self) -> Option<Duration> {
        if self.drive == Drive::Steps(0) && !self.session.is_over() {
            return Some(LOOK);
        }
        let Pace { speed, since, from } = self.pace?;
        let due = since + Duration::try_from_secs_f64((self.session.time() - from) / speed).ok()?;
        Some(due.saturating_duration_since(Instant::now()).min(LOOK)).filter(|wait| !wait.is_zero())
    }

    /// False to stop. Of several moves of the hand before a step only the last is made.
    fn carry_out_all(&mut self, mut waiting: VecDeque<(Order, Reply)>) -> bool {
        while let Some((order, reply)) = waiting.pop_front() {
            let superseded = matches!(order, Order::Grab { .. })
                && waiting.front().is_some_and(|(next, _)| matches!(next, Order::Grab { .. }));
            let stops = matches!(order, Order::Stop);
            let answer = if superseded { Ok(json!({})) } else { self.carry_out(order) };
            // Whoever asked may be gone.
            let _ = reply.send(answer);
            if stops {
                return false;
            }
        }
        self.tell();
        true
    }

    fn carry_out(&mut self, order: Order) -> Result<Value, AskError> {
        match order {
            // It would ask for one more step, again and again while a hand moves.
            Order::Change(_) | Order::Grab { .. } if self.session.is_over() => {
                return Err(AskError::Words("the run is over: branch from it to change something".to_owned()));
            }
            Order::Pause => self.drive = Drive::Steps(0),
            Order::Go => {
                self.drive = Drive::On;
                self.keep_pace();
            }
            Order::Step(count) => self.drive = Drive::Steps(count.clamp(1, MOST_STEPS)),
            Order::Stop => {}
            Order::Pace(Some(speed)) if !(speed > 0.0 && speed.is_finite()) => {
                let allowed = "a positive number of simulated seconds a second, or null for as fast as it goes".into();
                return Err(AskError::Value { what: format!("speed = {speed}"), allowed });
            }
            Order::Pace(speed) => {
                self.pace = speed.map(|speed| Pace { speed, since: Instant::now(), from: self.session.time() });
            }
            Order::Change(change) => {
                let entry = self.wishes.entry(&self.session, change, &self.stop)?;
                self.session.change_in_words(&entry)?;
            }
            Order::Grab { vertex, point, stiffness } => self.session.grab(vertex, point, stiffness)?,
            Order::Release => self.session.let_go()?,
            Order::Save => return Ok(json!({ "toml": self.session.scene().to_toml()? })),
        }
        Ok(json!({ "step": self.session.steps(), "t": self.session.time(), "changes": *self.changes() }))
    }

    fn keep_pace(&mut self) {
        let from = self.session.time();
        self.pace = self.pace.map(|pace| Pace { since: Instant::now(), from, ..pace });
    }

    /// Those of the hand come by the thousand, and no page lists them.
    fn changes(&mut self) -> Arc<Vec<ChangeEntry>> {
        let (told, known) = &mut self.told;
        let made = self.session.changes();
        let newer = made.get(*known..).unwrap_or_default().iter().filter(|made| !made.change.is_of_the_hand());
        let newer: Vec<ChangeEntry> = newer.map(Into::into).collect();
        if !newer.is_empty() {
            Arc::make_mut(told).extend(newer);
        }
        *known = made.len();
        told.clone()
    }

    fn progress(&mut self) -> Progress {
        let done = self.session.part_done().min(1.0);
        let wall = self.begun.elapsed().as_secs_f64();
        let remaining = wall * (1.0 - done) / (done - self.part_at_begin);
        Progress {
            frames: self.session.frames() as usize,
            rows: self.session.steps() as usize + 1,
            t: self.session.time(),
            state: if self.drive == Drive::Steps(0) { State::Paused } else { State::Running },
            wall,
            remaining: Some(remaining).filter(|left| left.is_finite()),
            words: self.words.clone(),
            changes: self.changes(),
        }
    }

    /// Costs nothing where nobody listens, and never waits.
    fn tell(&mut self) {
        let now = self.progress();
        if let Ok(mut standing) = self.live.standing.lock() {
            *standing = (now.state == State::Paused).then(|| Standing {
                t: now.t,
                vertices: Arc::new(self.session.vertices().into_iter().map(Into::into).collect()),
            });
        }
        self.live.progress.send_replace(now);
    }
}
