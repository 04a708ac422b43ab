//! `visviva view`: runs in a browser, and one as a page of its own.

use crate::condition;
use crate::failure::OrUsage;
use crate::gallery;
use crate::runner::{say, stop_on_signals_saying};
use anyhow::Context;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use visviva::run::{RunFolder, whole_file};
use visviva_viewer::{OfferedScene, StaticPage, Viewer, ViewerOptions, static_page};

#[derive(Debug, clap::Args)]
pub struct ViewArgs {
    /// Run folders, shown side by side; without any, gallery scenes and the runs below ./runs to choose from
    dirs: Vec<PathBuf>,
    /// Write one run as a page that needs no program: to send, or to put on a site
    #[arg(long, value_name = "FILE", conflicts_with_all = ["port", "bind"])]
    html: Option<PathBuf>,
    /// The most that its frames may take [MB]; some are left out where all take more
    #[arg(long, value_name = "MB", requires = "html", value_parser = clap::value_parser!(u16).range(1..=2000))]
    size: Option<u16>,
    /// Replace an older page
    #[arg(long, requires = "html")]
    overwrite: bool,
    #[command(flatten)]
    server: ServerArgs,
}

/// Where the page is served.
#[derive(Debug, Clone, clap::Args)]
struct ServerArgs {
    /// The page's port; by default 8017, or any that is free
    #[arg(long)]
    port: Option<u16>,
    /// Serve the page beyond this machine, such as on 0.0.0.0. Who knows the address can steer runs and start them
    #[arg(long, value_name = "ADDRESS")]
    bind: Option<IpAddr>,
}

/// Of commands that show what they do in a browser where they are asked to.
#[derive(Debug, clap::Args)]
pub(super) struct ViewFlags {
    /// Show it in a browser: the address is printed, and holds until Ctrl-C
    #[arg(long)]
    view: bool,
    /// The page's port; by default 8017, or any that is free
    #[arg(long, requires = "view")]
    port: Option<u16>,
    /// Serve the page beyond this machine, such as on 0.0.0.0. Who knows the address can steer runs and start them
    #[arg(long, value_name = "ADDRESS", requires = "view")]
    bind: Option<IpAddr>,
}

/// Between two looks whether to end.
const LOOK: Duration = Duration::from_millis(100);

impl ViewArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        if let Some(file) = &self.html {
            return self.write_page(file);
        }
        for dir in &self.dirs {
            RunFolder::open(dir)?;
        }
        let stop = stop_on_signals_saying("ending, with all that was done")?;
        let viewer = self.server.start(stop.clone())?;
        for dir in &self.dirs {
            viewer.show(dir)?;
        }
        // What is whole is shown at once; to compare every file may take a while.
        let dirs = self.dirs.clone();
        std::thread::spawn(move || dirs.iter().for_each(|dir| condition::warn(&RunFolder::at(dir).condition())));
        serve_until(&stop, viewer);
        Ok(())
    }

    fn write_page(&self, file: &Path) -> anyhow::Result<()> {
        let [dir] = &self.dirs[..] else {
            return Err("--html takes one run folder").or_usage();
        };
        let name = file.display();
        if file.exists() && !self.overwrite {
            return Err(format!("{name} is there already: choose another name, or replace it with --overwrite"))
                .or_usage();
        }
        let budget = self.size.map(|megabytes| usize::from(megabytes) * 1_000_000);
        condition::warn(&RunFolder::open(dir)?.condition());
        let StaticPage { html, frames, of_frames, inside } = static_page(dir, budget)?;
        whole_file::write(file, html.as_bytes()).with_context(|| format!("cannot write {name}"))?;
        if frames < of_frames {
            say(&format!("note: {frames} of {of_frames} frames are in it; a larger --size holds more"));
        }
        if !inside {
            say("note: the inside of bodies and the colours of their energy are left out; a larger --size holds them");
        }
        println!("{name} ({:.1} MB) opens in any browser, from a disk or from a site", html.len() as f64 / 1e6);
        Ok(())
    }
}

impl ViewFlags {
    /// Where it is asked for.
    pub fn start(&self, stop: &Arc<AtomicBool>) -> anyhow::Result<Option<Viewer>> {
        let server = ServerArgs { port: self.port, bind: self.bind };
        self.view.then(|| server.start(stop.clone())).transpose()
    }
}

impl ServerArgs {
    fn start(&self, stop: Arc<AtomicBool>) -> anyhow::Result<Viewer> {
        let scenes = gallery::SCENES.iter();
        let scenes = scenes.map(|scene| OfferedScene { name: scene.name.to_owned(), source: scene.source() }).collect();
        let log = Arc::new(|line: &str| say(line));
        let (bind, port) = (self.bind.unwrap_or(Ipv4Addr::LOCALHOST.into()), self.port);
        let viewer = Viewer::start(ViewerOptions {
            bind,
            port,
            scenes,
            runs_below: "runs".into(),
            stop,
            log,
            ..ViewerOptions::default()
        })
        .or_usage()?;
        if !bind.is_loopback() {
            say(&format!(
                "warning: with --bind {bind} the page can be reached from other machines, and what it sends can be read on the way. \
                 Whoever knows the address can steer runs and start them. Safer: `ssh -L {port}:localhost:{port} THIS-MACHINE` \
                 and no --bind",
                port = viewer.port()
            ));
        }
        Ok(viewer)
    }
}

/// Until Ctrl-C; runs that pages have started end after their steps.
pub(super) fn serve_until(stop: &AtomicBool, viewer: Viewer) {
    tell_address(&viewer);
    while !stop.load(Ordering::Relaxed) {
        std::thread::sleep(LOOK);
    }
    viewer.finish();
}

/// On standard output, so that other programs can take it from there.
pub(super) fn tell_address(viewer: &Viewer) {
    println!("open {}\nCtrl-C ends it", viewer.address());
}
