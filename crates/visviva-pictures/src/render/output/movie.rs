//! MP4 through ffmpeg, where it is installed: raw frames go to its standard input.
use super::check_frame;
use crate::image::{Image, ImageError};
use crate::partial_file::PartialFile;
use crate::render::{RenderError, check_picture_size};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;

#[derive(Debug)]
pub struct Movie {
    child: Child,
    complaints: Option<JoinHandle<String>>,
    partial: PartialFile,
    size: (usize, usize),
}

impl Movie {
    /// A film at `rate` frames a second.
    pub fn create(path: &Path, size: (usize, usize), rate: f64) -> Result<Movie, RenderError> {
        Movie::create_with("ffmpeg", path, size, rate)
    }

    fn create_with(program: &str, path: &Path, size: (usize, usize), rate: f64) -> Result<Movie, RenderError> {
        check_picture_size(size)?;
        if !(0.01..=1000.0).contains(&rate) {
            return Err(RenderError::Rate(rate));
        }
        let partial = PartialFile::new(path).map_err(ImageError::write(path))?;
        let (size_text, rate) = (format!("{}x{}", size.0, size.1), format!("{rate}"));
        let input = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", &size_text, "-r", &rate, "-i", "-"];
        // Players want even sides and halved colour; white is the paper of the pictures.
        let even = "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white";
        let output = ["-an", "-vf", even, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "17", "-preset", "medium"];
        let child = Command::new(program)
            .args(["-y", "-loglevel", "error"])
            .args(input)
            .args(output)
            .args(["-movflags", "+faststart", "-f", "mp4"])
            .arg(partial.temporary())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.map_err(|error| match error.kind() {
            ErrorKind::NotFound => RenderError::NoEncoder(program.into()),
            _ => RenderError::Film(error.to_string()),
        })?;
        // Read beside the writing: a full pipe would stop both.
        let complaints = child.stderr.take().map(|mut pipe| {
            std::thread::spawn(move || {
                let mut text = Vec::new();
                let _ = pipe.read_to_end(&mut text);
                String::from_utf8_lossy(&text).trim().to_string()
            })
        });
        Ok(Movie { child, complaints, partial, size })
    }

    pub fn add(&mut self, image: &Image) -> Result<(), RenderError> {
        check_frame(self.size, image)?;
        let written = self.child.stdin.as_mut().map(|pipe| pipe.write_all(image.bytes()));
        match written {
            Some(Ok(())) => Ok(()),
            // The program has gone: what it said tells more than the broken pipe.
            _ => Err(self.failure()),
        }
    }

    /// Waits for the last frame and gives the file its name.
    pub fn finish(mut self) -> Result<(), RenderError> {
        drop(self.child.stdin.take());
        match self.child.wait() {
            Ok(status) if status.success() => {}
            _ => return Err(self.failure()),
        }
        Ok(self.partial.complete().map_err(ImageError::write(self.partial.path()))?)
    }

    fn failure(&mut self) -> RenderError {
        drop(self.child.stdin.take());
        let status = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        let said = self.complaints.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        RenderError::Film(if said.is_empty() { status } else { said })
    }
}

impl Drop for Movie {
    fn drop(&mut self) {
        // Left before its end: nobody waits for the rest.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_encoder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let made = Movie::create_with("no-such-encoder", &folder.path().join("a.mp4"), (4, 4), 25.0);
        assert!(matches!(made, Err(RenderError::NoEncoder(name)) if name == "no-such-encoder"));
    }

    #[cfg(unix)]
    #[test]
    fn frames_reach_the_encoder_and_its_complaints_come_back() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let program = |name: &str, script: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            path.to_string_lossy().into_owned()
        };
        let film = folder.path().join("a.mp4");
        // Stands in for ffmpeg: keeps the raw frames under its last argument.
        let copier = program("copier", "for last; do :; done; cat > \"$last\"");
        let mut movie = Movie::create_with(&copier, &film, (4, 2), 25.0).unwrap();
        let image = Image::new(4, 2, [1, 2, 3]).unwrap();
        (0..3).for_each(|_| movie.add(&image).unwrap());
        movie.finish().unwrap();
        assert_eq!(std::fs::read(&film).unwrap(), image.bytes().repeat(3));

        let failing = program("failing", "cat > /dev/null; echo no such codec >&2; exit 1");
        let mut movie = Movie::create_with(&failing, &folder.path().join("b.mp4"), (4, 2), 25.0).unwrap();
        movie.add(&image).unwrap();
        assert!(matches!(movie.finish(), Err(RenderError::Film(said)) if said == "no such codec"));
        assert!(!folder.path().join("b.mp4").exists());
    }
}
