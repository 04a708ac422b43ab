//! The real program, with a bound on its time and its memory.

use anyhow::{Context, Result};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

#[derive(Debug)]
pub struct Program {
    pub file: PathBuf,
}

/// How a command ended.
#[derive(Debug)]
pub struct End {
    /// None where a signal ended it
    pub code: Option<i32>,
    pub hung: bool,
    /// Standard output and error
    pub said: String,
    pub complained: bool,
}

/// Far more than any command on these folders needs, with eight trials on two busy cores.
const LONGEST: Duration = Duration::from_secs(120);
/// Address space [KiB]: threads reserve a part of it without using it
const MOST_MEMORY: &str = "6000000";

impl Program {
    pub fn run(&self, folder: &Path, args: &[&str]) -> Result<End> {
        let limited = format!("ulimit -v {MOST_MEMORY}; exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.arg("-c").arg(limited).arg(&self.file).args(args).current_dir(folder);
        // One thread: trials run beside each other.
        command.env("RAYON_NUM_THREADS", "1").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("{} cannot be run", self.file.display()))?;
        let out = reader(child.stdout.take());
        let err = reader(child.stderr.take());
        let (code, hung) = wait(&mut child)?;
        let [out, err] = [out, err].map(|pipe| pipe.join().unwrap_or_default());
        Ok(End { code, hung, complained: !err.is_empty(), said: format!("{out}{err}") })
    }
}

fn wait(child: &mut Child) -> Result<(Option<i32>, bool)> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((status.code(), false));
        }
        if begun.elapsed() > LONGEST {
            child.kill()?;
            child.wait()?;
            return Ok((None, true));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn reader(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
