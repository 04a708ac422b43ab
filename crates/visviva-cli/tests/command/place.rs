//! A folder of its own in which commands are run, and what is asked of the runs in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use visviva::run::RunFolder;
use visviva::run::stats::COLUMNS;

/// Gone with this.
pub struct Place(tempfile::TempDir);

impl Place {
    pub fn empty() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// With a file in it.
    pub fn with(name: &str, text: &str) -> Self {
        let place = Self::empty();
        place.write(name, text);
        place
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_visviva"));
        command.current_dir(self.0.path()).args(args);
        command
    }

    pub fn visviva(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// What it printed on standard output.
    pub fn succeed(&self, args: &[&str]) -> String {
        let output = self.visviva(args);
        assert!(output.status.success(), "{args:?}: {}{}", text(&output.stdout), text(&output.stderr));
        text(&output.stdout)
    }

    /// It ends with this code and says all of these on standard error, which is returned.
    pub fn fail(&self, args: &[&str], code: i32, parts: &[&str]) -> String {
        let output = self.visviva(args);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
        parts.iter().for_each(|part| assert!(said.contains(part), "{args:?}: `{part}` is not in: {said}"));
        said
    }

    /// What lies in a folder, sorted.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub fn run_folder(&self, run: &str) -> RunFolder {
        RunFolder::open(&self.path(run)).unwrap()
    }

    pub fn frames(&self, run: &str) -> Vec<Vec<u8>> {
        let frames = self.run_folder(run).frames().unwrap();
        frames.iter().map(|frame| fs::read(&frame.path).unwrap()).collect()
    }

    /// All cells of stats.csv but those of wall-clock time.
    pub fn stats(&self, run: &str) -> Vec<String> {
        assert_eq!(COLUMNS.last(), Some(&"wall_s"));
        let text = fs::read_to_string(self.path(run).join("stats.csv")).unwrap();
        text.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned()).collect()
    }

    pub fn summary(&self, run: &str) -> serde_json::Value {
        self.run_folder(run).summary().unwrap().unwrap()
    }

    /// Bit for bit.
    pub fn assert_same(&self, a: &str, b: &str) {
        assert_eq!(self.stats(a), self.stats(b), "{a} against {b}");
        assert!(self.frames(a) == self.frames(b), "frames of {a} against {b}");
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
