//! Runs that are cut short, and go on to the same bits.

use super::place::text;
use super::small_scene::{run_small, small};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Ctrl-C in the middle, as a terminal sends it.
#[cfg(unix)]
#[test]
fn an_interrupted_run_goes_on_to_the_same_bits() {
    let place = small();
    // Long enough that it can be interrupted: hundreds of steps of milliseconds.
    let scene = ["--set", "body.0.box.cells=[6,5,5]", "--h", "1/400", "--duration", "1"];
    let start = ["run", "small.toml", "--quiet", "--out", "cut"];
    let mut child = place.command(&[&start[..], &scene[..]].concat()).stderr(Stdio::piped()).spawn().unwrap();
    let stats = place.path("cut/stats.csv");
    let rows = || fs::read_to_string(&stats).map_or(0, |text| text.lines().count());
    let begun = Instant::now();
    while rows() < 25 && begun.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(1));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let status = child.wait().unwrap();
    assert!(sent.success());
    assert_eq!(status.code(), Some(130));
    let done = place.summary("cut");
    assert_eq!(done["ending"]["kind"], "interrupted");
    let steps = done["steps"].as_u64().unwrap();
    assert!((24..400).contains(&steps), "interrupted after {steps} steps");

    // What a crash leaves behind beyond the checkpoint: half a row and a frame without a time.
    let mut torn = fs::read(&stats).unwrap();
    torn.extend_from_slice(b"999,1.5,0.0");
    fs::write(&stats, torn).unwrap();
    fs::write(place.path("cut/frames/000049.npy"), b"half").unwrap();

    place.succeed(&["resume", "cut", "--quiet", "--threads", "1"]);
    place.succeed(&[&["run", "small.toml", "--quiet", "--out", "whole"], &scene[..]].concat());
    place.assert_same("whole", "cut");
    assert_eq!(place.summary("cut")["ending"]["kind"], "completed");

    // A run that is over stays as it is, its times too.
    let summary = || fs::read(place.path("cut/summary.json")).unwrap();
    let before = summary();
    place.succeed(&["resume", "cut", "--quiet"]);
    place.assert_same("whole", "cut");
    assert_eq!(summary(), before);
}

#[test]
fn what_cannot_go_on_is_said() {
    let place = small();
    run_small(&place, "run", &[]);
    place.fail(&["resume", "nowhere"], 2, &["nowhere", "no such folder"]);
    place.fail(&["resume", "."], 2, &["not the folder of a run"]);
    let bytes = fs::read(place.path("run/checkpoint.bin")).unwrap();
    place.write("run/checkpoint.previous.bin", "not one");
    fs::write(place.path("run/checkpoint.bin"), &bytes[..bytes.len() / 2]).unwrap();
    place.fail(&["resume", "run"], 1, &["checkpoint.bin", "truncated"]);
    fs::remove_file(place.path("run/checkpoint.bin")).unwrap();
    place.fail(&["resume", "run"], 1, &["checkpoint.bin"]);
}

#[test]
fn what_was_damaged_is_named_by_all_commands_and_force_goes_on() {
    let place = small();
    run_small(&place, "run", &[]);
    let said = |args: &[&str]| {
        let output = place.visviva(args);
        (output.status.code(), text(&output.stderr) + &text(&output.stdout))
    };
    let toml = place.read("run/run.toml");
    place.write("run/run.toml", &toml.replace("youngs_modulus = 100000.0", "youngs_modulus = 200000.0"));
    let (code, message) = said(&["resume", "run"]);
    assert!(
        code == Some(1) && message.contains("run.toml was altered in line") && message.contains("--force"),
        "{message}"
    );
    let (code, message) = said(&["resume", "run", "--force"]);
    assert!(code == Some(1) && message.contains("hash"), "two materials in one run: {message}");
    place.write("run/run.toml", &toml);

    // Frames that are not listed, and rows that are cut.
    let times = place.read("run/frames/times.csv");
    place.write("run/frames/times.csv", &times[..times.len() / 2]);
    let (code, message) = said(&["verify", "run"]);
    assert!(
        code == Some(1) && message.contains("times.csv is cut: it lists") && !message.contains("clean:"),
        "{message}"
    );
    place.write("run/frames/times.csv", &times);
    let rows = place.read("run/stats.csv");
    let cut: String = rows.split_inclusive('\n').take(5).collect();
    place.write("run/stats.csv", &cut);
    for (args, wanted) in
        [(&["plot", "run"][..], 0), (&["verify", "run"], 1), (&["measure", "run"], 0), (&["export", "run"], 0)]
    {
        let (code, message) = said(args);
        assert!(
            code == Some(wanted) && message.contains("stats.csv is cut: its rows end at step 3"),
            "{args:?}: {message}"
        );
    }
    place.write("run/stats.csv", &rows);
    place.succeed(&["verify", "run", "--strict"]);

    let mesh = fs::read(place.path("run/mesh/triangles.npy")).unwrap();
    place.write("run/mesh/triangles.npy", "garbage");
    assert_eq!(said(&["resume", "run"]).0, Some(1));
    let (code, message) = said(&["resume", "run", "--force", "--quiet"]);
    assert!(code == Some(0) && message.contains("put back from the scene"), "{message}");
    assert_eq!(fs::read(place.path("run/mesh/triangles.npy")).unwrap(), mesh);
    assert_eq!(place.read("run/mesh/triangles.npy.damaged"), "garbage");
}

/// A file system of a few kilobytes, gone with this.
struct TinyDisk(PathBuf);

impl TinyDisk {
    fn mount(at: PathBuf) -> Option<Self> {
        fs::create_dir(&at).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=200k", "visviva-test"]).arg(&at).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success()).then_some(Self(at))
    }

    fn grow(&self) {
        let status = Command::new("mount").args(["-o", "remount,size=20m"]).arg(&self.0).status();
        assert!(status.unwrap().success());
    }
}

impl Drop for TinyDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_called_one_and_the_run_goes_on_once_there_is_room() {
    let place = small();
    let Some(disk) = TinyDisk::mount(place.path("disk")) else {
        println!("skipped: mounting a small file system is not allowed here");
        return;
    };
    // A frame of 216 nodes takes 10 kB: fifty do not fit.
    let scene = ["--set", "body.0.box.cells=[5,5,5]", "--duration", "1", "--quiet"];
    let output = place.visviva(&[&["run", "small.toml", "--out", "disk/run"], &scene[..]].concat());
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("disk/run/") && message.contains("the disk is full"), "{message}");
    let frames = place.frames("disk/run").len();
    assert!((2..51).contains(&frames), "{frames} frames were kept");
    place.succeed(&["measure", "disk/run"]);

    disk.grow();
    place.succeed(&["resume", "disk/run", "--quiet"]);
    place.succeed(&[&["run", "small.toml", "--out", "whole"], &scene[..]].concat());
    place.assert_same("whole", "disk/run");
}
