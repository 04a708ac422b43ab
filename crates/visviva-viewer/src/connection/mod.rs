//! One page: its asks are read one by one, each answered before the next is read. What it does not take, it does not get.

mod answers;
mod budget;
mod events;

use crate::protocol::Asked;
use crate::shelf::Shelf;
use answers::{Answer, Surroundings, answer};
use axum::extract::ws::{Message, WebSocket};
use budget::Budget;
use events::Events;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, timeout};

/// Whoever wants to know of asks that are none.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// An ask is a line; longer ones are refused. What is far longer ends the connection before it is read.
pub const LONGEST_ASK: usize = 64 * 1024;
/// A page that takes nothing for so long is gone.
const PATIENCE: Duration = Duration::from_secs(30);
/// Between two looks at whether there is more.
const TICK: Duration = Duration::from_millis(33);
/// Answers to orders that live runs have not carried out yet.
const PENDING: usize = 64;
/// So many bad messages of a page are logged.
const LOGGED: usize = 10;

pub async fn serve(socket: WebSocket, shelf: Arc<Shelf>, stop: Arc<AtomicBool>, log: Log) {
    let (later, mut done) = mpsc::channel(PENDING);
    let around = Surroundings { stop, log, later };
    let (budget, events) = (Budget::new(Instant::now()), Events::new(&shelf));
    let mut page = Page { socket, shelf, around, budget, events, bad: 0 };
    let mut tick = interval(TICK);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let goes_on = tokio::select! {
            message = page.socket.recv() => match message {
                Some(Ok(message)) => page.take(message).await,
                // Closed, or what came was no message at all.
                _ => None,
            },
            Some(text) = done.recv() => page.send(Message::text(text)).await,
            _ = tick.tick() => page.tell_events().await,
        };
        if goes_on.is_none() {
            return;
        }
    }
}

struct Page {
    socket: WebSocket,
    shelf: Arc<Shelf>,
    around: Surroundings,
    budget: Budget,
    events: Events,
    bad: usize,
}

/// Nothing where the page is gone.
type GoesOn = Option<()>;

impl Page {
    async fn take(&mut self, message: Message) -> GoesOn {
        tokio::time::sleep(self.budget.take(Instant::now())).await;
        match message {
            Message::Text(text) if text.len() > LONGEST_ASK => {
                let words = format!("an ask may have {LONGEST_ASK} bytes, and this one has {}", text.len());
                self.refuse(Value::Null, words).await
            }
            Message::Text(text) => match Asked::read(&text) {
                Ok(asked) => self.answer(asked).await,
                Err((id, words)) => self.refuse(id, words).await,
            },
            Message::Binary(_) => self.refuse(Value::Null, "asks are JSON in text messages".to_owned()).await,
            Message::Close(_) => None,
            Message::Ping(_) | Message::Pong(_) => Some(()),
        }
    }

    /// What is no ask; the page's maker wants to know, and so may whoever runs the program.
    async fn refuse(&mut self, id: Value, words: String) -> GoesOn {
        self.bad += 1;
        match self.bad {
            bad if bad < LOGGED => (self.around.log)(&format!("a page sent what is no ask: {words}")),
            LOGGED => (self.around.log)("a page goes on sending what is no ask; no more is said of it"),
            _ => {}
        }
        self.send(Message::text(json!({ "id": id, "error": words }).to_string())).await
    }

    async fn answer(&mut self, asked: Asked) -> GoesOn {
        let Asked { id, ask } = asked;
        if let Some(run) = ask.watched() {
            self.events.watch(run, &self.shelf);
        }
        for part in ask.parts() {
            let (shelf, around) = (self.shelf.clone(), self.around.clone());
            // Folders are read where waiting for a disk holds up nobody.
            let answered = tokio::task::spawn_blocking(move || answer(&shelf, id, part, around)).await;
            let message = match answered {
                Ok(Ok(Answer::Json(value))) => Message::text(json!({ "id": id, "ok": value }).to_string()),
                Ok(Ok(Answer::Binary(bytes))) => Message::binary(bytes),
                Ok(Ok(Answer::Later)) => continue,
                Ok(Err(error)) => Message::text(json!({ "id": id, "error": error.to_string() }).to_string()),
                Err(_) => {
                    (self.around.log)("an ask went wrong inside the program, which goes on; please report it");
                    let words = "something went wrong in the program; it goes on all the same";
                    Message::text(json!({ "id": id, "error": words }).to_string())
                }
            };
            let failed = matches!(message, Message::Text(_));
            self.send(message).await?;
            if failed {
                break;
            }
        }
        Some(())
    }

    async fn tell_events(&mut self) -> GoesOn {
        let mut news = self.events.news(&self.shelf);
        if let Some(mut elsewhere) = self.events.take_due() {
            let shelf = self.shelf.clone();
            let look = move || (elsewhere.news(&shelf), elsewhere);
            // One that fell over is looked at no more.
            let (more, elsewhere) = tokio::task::spawn_blocking(look).await.unwrap_or_default();
            news.extend(more);
            self.events.looked(elsewhere);
        }
        for event in news {
            self.send(Message::text(event.to_string())).await?;
        }
        Some(())
    }

    async fn send(&mut self, message: Message) -> GoesOn {
        timeout(PATIENCE, self.socket.send(message)).await.ok()?.ok()
    }
}
