//! What Slurm is told: a job array with a task a point, and a job that gathers when all have ended.
//!
//! A minute before its time is up a task is sent SIGTERM: the point writes its checkpoint and ends with 130, and the task puts itself
//! into the queue again. A task that is killed without a word goes on from its last checkpoint as well, when Slurm requeues it or
//! the sweep is submitted again.

use crate::{Standing, Sweep};
use std::path::{Path, PathBuf};

/// Seconds before the end of a task's time at which it is told.
const NOTICE: u32 = 60;
/// Slurm's own limit on the numbers of array tasks, where the cluster does not say otherwise, is 1001.
const MOST_TASKS: usize = 1000;

/// Where the work is done, and what by.
#[derive(Debug, Clone)]
pub struct Call {
    pub program: PathBuf,
    /// The sweep file
    pub file: PathBuf,
    /// Where the command was called
    pub folder: PathBuf,
}

/// The two scripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scripts {
    pub array: String,
    pub gather: String,
}

/// None where no point is left to run.
pub fn scripts(sweep: &Sweep, call: &Call, name: &str) -> Option<Scripts> {
    let left: Vec<usize> = sweep
        .points
        .iter()
        .filter(|point| !matches!(sweep.standing(point), Standing::Finished | Standing::Failed(_)))
        .map(|point| point.index)
        .collect();
    if left.is_empty() {
        return None;
    }
    let chunk = sweep.points.len().div_ceil(MOST_TASKS);
    let (tasks, points) = if chunk == 1 {
        (ranges(&left), "\"$SLURM_ARRAY_TASK_ID\"".to_owned())
    } else {
        let mut tasks: Vec<usize> = left.iter().map(|index| index / chunk).collect();
        tasks.dedup();
        let last = sweep.points.len() - 1;
        let first = format!("$((SLURM_ARRAY_TASK_ID * {chunk}))");
        let end = format!(
            "$((SLURM_ARRAY_TASK_ID * {chunk} + {chunk} - 1 < {last} ? SLURM_ARRAY_TASK_ID * {chunk} + {chunk} - 1 : {last}))"
        );
        (ranges(&tasks), format!("\"{first}-{end}\""))
    };
    let settings = &sweep.settings.slurm;
    let out = quoted(&sweep.folder);
    let logs = sweep.folder.join("slurm");
    let at_a_time = settings.at_a_time.map_or(String::new(), |count| format!("%{count}"));
    let command = format!("{} sweep {} --out {out} --quiet", quoted(&call.program), quoted(&call.file));
    let mut array = format!(
        "#!/bin/bash
#SBATCH --job-name={}
#SBATCH --array={tasks}{at_a_time}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={}
#SBATCH --time={}
#SBATCH --signal=TERM@{NOTICE}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output={}
",
        crate::naming::plain(name),
        settings.threads,
        settings.time,
        logs.join("%a.log").display(),
    );
    let mut gather = format!(
        "#!/bin/bash
#SBATCH --job-name={}-gather
#SBATCH --ntasks=1
#SBATCH --output={}
",
        crate::naming::plain(name),
        logs.join("gather.log").display(),
    );
    for script in [&mut array, &mut gather] {
        let options = settings.options.iter().map(|option| format!("#SBATCH {option}\n"));
        let setup = settings.setup.iter().map(|line| format!("{line}\n"));
        script.extend(options.chain([format!("cd {}\n", quoted(&call.folder))]).chain(setup));
    }
    array += &format!(
        "srun --ntasks=1 --cpus-per-task={threads} {command} --points {points} --jobs 1 --threads {threads}
code=$?
# Told to end while the job itself goes on: the time is nearly up. A job that was cancelled is not put back.
if [ $code -eq 130 ] && [ \"$(squeue -h -j \"$SLURM_JOB_ID\" -o %T)\" = RUNNING ]; then
    scontrol requeue \"$SLURM_JOB_ID\"
fi
exit $code
",
        threads = settings.threads,
    );
    gather += &format!("exec {command} --gather\n");
    Some(Scripts { array, gather })
}

/// `0-3,7,9-10`.
pub fn ranges(indices: &[usize]) -> String {
    let runs = indices.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [only] => only.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    runs.collect::<Vec<_>>().join(",")
}

/// As the shell takes it whatever it holds.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_told_in_ranges() {
        assert_eq!(ranges(&[0, 1, 2, 3, 7, 9, 10]), "0-3,7,9-10");
        assert_eq!(ranges(&[5]), "5");
    }

    #[test]
    fn paths_survive_the_shell() {
        assert_eq!(quoted(Path::new("/a b/it's")), "'/a b/it'\\''s'");
    }
}
