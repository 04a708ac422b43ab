//! Files that are written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes beside the file and renames: a reader sees the old content or the new, never a part. It is on the disk on return.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    replace(path, content, true)?;
    path.parent().map_or(Ok(()), sync_folder)
}

/// As `write`, and what the file held is `before` from then on: of the two there is always one whole.
pub fn write_keeping(path: &Path, content: &[u8], before: &Path) -> io::Result<()> {
    let temporary = temporary(path)?;
    let written = fill(&temporary, content, true).and_then(|()| {
        if path.is_file() {
            fs::rename(path, before)?;
        }
        fs::rename(&temporary, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written?;
    path.parent().map_or(Ok(()), sync_folder)
}

/// As `write`, but the system chooses when the disk gets it: for frames, of which there are many; a checkpoint syncs them.
pub fn write_lazily(path: &Path, content: &[u8]) -> io::Result<()> {
    replace(path, content, false)
}

/// As `write_lazily`, for content that is too long to be held at once.
pub fn write_in_parts(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let temporary = temporary(path)?;
    let fill = || {
        let mut file = BufWriter::new(File::create(&temporary)?);
        write(&mut file)?;
        file.flush()?;
        fs::rename(&temporary, path)
    };
    fill().inspect_err(|_| drop(fs::remove_file(&temporary)))
}

/// What a file holds is on the disk when this returns.
pub fn sync(path: &Path) -> io::Result<()> {
    // Some systems sync only what may be written.
    OpenOptions::new().read(true).write(!cfg!(unix)).open(path)?.sync_all()
}

/// The names in a folder are on the disk when this returns, where the system can do that.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if cfg!(unix) { sync(folder) } else { Ok(()) }
}

/// Gives way: what was there is NAME.damaged from then on, or NAME.damaged-2, …
pub(super) fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let place = place_beside(path);
    fs::rename(path, &place)?;
    Ok(place)
}

/// Keeps what a file holds beside it, as `set_aside` would; what is no file gives way.
pub(super) fn keep_copy(path: &Path) -> io::Result<PathBuf> {
    if !path.is_file() {
        return set_aside(path);
    }
    let place = place_beside(path);
    fs::copy(path, &place)?;
    Ok(place)
}

fn place_beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let number = |n: usize| if n > 1 { format!("-{n}") } else { String::new() };
    let mut places = (1..).map(|n| path.with_file_name(format!("{name}.damaged{}", number(n))));
    places.find(|place| place.symlink_metadata().is_err()).unwrap_or_default()
}

fn replace(path: &Path, content: &[u8], sync: bool) -> io::Result<()> {
    let temporary = temporary(path)?;
    let written = fill(&temporary, content, sync).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // Nothing half-written stays; the first error is the one worth telling.
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn fill(path: &Path, content: &[u8], sync: bool) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(content)?;
    if sync { file.sync_all() } else { Ok(()) }
}

fn temporary(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "not a file name"))?;
    Ok(path.with_file_name(format!(".{}.partial", name.to_string_lossy())))
}

/// The name that a temporary name, or that of a file set aside, stands for.
pub(super) fn final_name(name: &str) -> Option<&str> {
    let damaged = || {
        let (name, number) = name.split_once(".damaged")?;
        let known = number.is_empty() || number.strip_prefix('-')?.parse::<u64>().is_ok();
        known.then_some(name)
    };
    name.strip_prefix('.').and_then(|name| name.strip_suffix(".partial")).or_else(damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_replaces_the_content_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write(&path, b"one").unwrap();
        write_lazily(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write(&folder.path().join("missing/a.txt"), b"x").is_err());
        write_in_parts(&path, |file| file.write_all(b"th").and_then(|()| file.write_all(b"ree"))).unwrap();
        let cut = write_in_parts(&path, |file| file.write_all(b"fo").and(Err(io::ErrorKind::StorageFull.into())));
        assert!(cut.is_err() && fs::read(&path).unwrap() == b"three", "nor is anything half-written");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_set_aside_is_kept_and_known_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        for name in ["a.txt.damaged", "a.txt.damaged-2", "a.txt.damaged-3"] {
            fs::write(&path, name).unwrap();
            let place = set_aside(&path).unwrap();
            assert_eq!(
                (place.file_name().unwrap().to_str(), fs::read_to_string(&place).unwrap()),
                (Some(name), name.into())
            );
            assert_eq!(final_name(name), Some("a.txt"));
        }
        assert_eq!(
            (final_name(".a.txt.partial"), final_name("a.txt"), final_name("a.damaged.txt")),
            (Some("a.txt"), None, None)
        );
    }
}
