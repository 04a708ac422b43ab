//! Hands a sweep to Slurm: writes the scripts, submits the array, and a job after it that gathers.

use crate::failure::OrUsage;
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use visviva::run::whole_file;
use visviva_sweep::Sweep;
use visviva_sweep::slurm::{Call, scripts};

/// The tasks run elsewhere: all paths are whole.
pub fn submit(sweep: &Sweep, file: &Path, name: &str, only_write: bool) -> anyhow::Result<()> {
    let whole = |path: &Path| path.canonicalize().with_context(|| path.display().to_string());
    let call = Call {
        program: std::env::current_exe().context("where this program is")?,
        file: whole(file)?,
        folder: std::env::current_dir().context("where this is")?,
    };
    let sweep = Sweep { folder: whole(&sweep.folder)?, ..sweep.clone() };
    let Some(scripts) = scripts(&sweep, &call, name) else {
        println!("all points of {} are done; `--gather` makes the table", sweep.folder.display());
        return Ok(());
    };
    let folder = sweep.folder.join("slurm");
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let write = |name: &str, text: &str| -> anyhow::Result<PathBuf> {
        let path = folder.join(name);
        whole_file::write(&path, text.as_bytes()).with_context(|| path.display().to_string())?;
        println!("{}", path.display());
        Ok(path)
    };
    let (array, gather) = (write("array.sh", &scripts.array)?, write("gather.sh", &scripts.gather)?);
    if only_write {
        return Ok(());
    }
    let id = sbatch(&[], &array)?;
    println!("submitted as job {id}");
    sbatch(&[format!("--dependency=afterany:{id}")], &gather)?;
    Ok(())
}

/// The number of the job.
fn sbatch(options: &[String], script: &Path) -> anyhow::Result<String> {
    let output = Command::new("sbatch").arg("--parsable").args(options).arg(script).output();
    let output = output.map_err(|problem| format!("sbatch cannot be called ({problem}): is this a machine of a Slurm cluster? `--no-submit` only writes the scripts")).or_usage()?;
    if !output.status.success() {
        bail!("sbatch refused {}: {}", script.display(), String::from_utf8_lossy(&output.stderr).trim());
    }
    // With several clusters their name follows.
    let printed = String::from_utf8_lossy(&output.stdout);
    Ok(printed.trim().split(';').next().unwrap_or_default().to_owned())
}
