//! All that a folder holds, by name, and copies of folders.

use anyhow::Result;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

pub type Files = BTreeMap<String, Vec<u8>>;

/// Every file in a folder; what cannot be read has no bytes.
pub fn files(folder: &Path) -> Result<Files> {
    let mut found = Files::new();
    collect(folder, folder, &mut found)?;
    Ok(found)
}

fn collect(root: &Path, folder: &Path, found: &mut Files) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, found)?;
        } else {
            let name = path.strip_prefix(root)?.to_string_lossy().into_owned();
            found.insert(name, fs::read(&path).unwrap_or_default());
        }
    }
    Ok(())
}

pub fn copy(from: &Path, to: &Path) -> Result<()> {
    if to.exists() {
        remove(to)?;
    }
    for (name, bytes) in files(from)? {
        let path = to.join(name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, bytes)?;
    }
    Ok(())
}

/// Read-only folders too.
pub fn remove(folder: &Path) -> Result<()> {
    make_writable(folder)?;
    Ok(fs::remove_dir_all(folder)?)
}

#[expect(clippy::permissions_set_readonly_false, reason = "it is about to be removed")]
fn make_writable(folder: &Path) -> Result<()> {
    let mut permissions = fs::metadata(folder)?.permissions();
    permissions.set_readonly(false);
    fs::set_permissions(folder, permissions)?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            make_writable(&path)?;
        }
    }
    Ok(())
}
