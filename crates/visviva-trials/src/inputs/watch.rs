//! Looks on while an input is tried: one that takes too long or too much memory is kept, and ends the campaign.

use super::memory;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What one input may take of the processor.
pub const LONGEST: Duration = Duration::from_secs(5);
/// … and of the day: a busy machine is no hang.
const HANG: Duration = Duration::from_secs(100);
/// Between two looks
const PAUSE: Duration = Duration::from_millis(50);
/// Whatever the input, before the machine suffers `[bytes]`
const TOO_MUCH: usize = 4 << 30;

/// What is tried now.
struct Current {
    name: String,
    input: Vec<u8>,
    since: Instant,
}

pub struct Watch {
    current: Arc<Mutex<Option<Current>>>,
    /// What is tried now, on disk: a stack that overflows ends the process without a word
    last_tried: File,
    last_tried_path: PathBuf,
}

impl Watch {
    /// Begins to look on; offenders are kept in a folder.
    pub fn begin(keep: &Path) -> std::io::Result<Self> {
        std::fs::create_dir_all(keep)?;
        let current: Arc<Mutex<Option<Current>>> = Arc::default();
        let last_tried_path = keep.join("last-tried");
        let last_tried = File::create(&last_tried_path)?;
        let (seen, keep) = (Arc::downgrade(&current), keep.to_owned());
        std::thread::spawn(move || {
            while let Some(current) = seen.upgrade() {
                look(&current.lock().unwrap_or_else(PoisonError::into_inner), &keep);
                drop(current);
                std::thread::sleep(PAUSE);
            }
        });
        Ok(Self { current, last_tried, last_tried_path })
    }

    pub fn try_now(&self, name: &str, input: &[u8]) -> std::io::Result<()> {
        // Over what was there: a file that is emptied first goes to the disk each time.
        let mut file = &self.last_tried;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(input)?;
        file.set_len(input.len() as u64)?;
        let tried = Current { name: name.to_owned(), input: input.to_vec(), since: Instant::now() };
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(tried);
        Ok(())
    }

    pub fn done(&self) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

fn look(current: &Option<Current>, keep: &Path) {
    let Some(tried) = current else { return };
    let problem = match (tried.since.elapsed() > HANG, memory::now() > TOO_MUCH) {
        (_, true) => "memory",
        (true, _) => "hang",
        _ => return,
    };
    match kept(keep, &tried.name, problem, &tried.input) {
        Ok(path) => eprintln!("{problem}: {}", path.display()),
        Err(error) => eprintln!("{problem}: {}, which cannot be kept: {error}", tried.name),
    }
    // No thread can be stopped from outside.
    std::process::exit(1);
}

/// What this process has taken of the processor so far, where the system tells it.
pub fn processor_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // Behind the name in brackets come 11 fields, then the hundredths of a second in the program and in the system.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let ticks: u64 = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
    Some(Duration::from_millis(10 * ticks))
}

impl Drop for Watch {
    fn drop(&mut self) {
        // Whoever comes here has told all that there is to tell.
        let _ = std::fs::remove_file(&self.last_tried_path);
    }
}

/// Where an offending input was put.
pub fn kept(keep: &Path, name: &str, problem: &str, input: &[u8]) -> std::io::Result<PathBuf> {
    let path = keep.join(format!("{name}-{problem}"));
    std::fs::write(&path, input)?;
    Ok(path)
}
