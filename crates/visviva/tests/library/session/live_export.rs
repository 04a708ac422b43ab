//! Exporting while a session goes on gives the bytes of exporting afterwards.

use super::{FALL, session};
use std::collections::BTreeMap;
use std::path::Path;
use visviva::run::export::FORMATS;
use visviva::run::{RunFolder, ShownFrame};
use visviva::session::LiveExport;

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read(&path).unwrap()))
        .collect()
}

#[test]
fn a_live_export_has_the_bytes_of_one_made_afterwards() {
    let place = tempfile::tempdir().unwrap();
    for format in FORMATS {
        for every in [1, 3] {
            let [run, live, later] =
                ["run", "live", "later"].map(|part| place.path().join(format!("{}{every}{part}", format.name)));
            let mut session = session(FALL, &["run.contacts=true", "run.duration=0.2"]);
            session.record(&run, &Default::default()).unwrap();
            session.observe(LiveExport::new((format.exporter)(&live), every)).unwrap();
            session.run().unwrap();
            let folder = RunFolder::open(&run).unwrap();
            let model = folder.built().unwrap().1.model;
            let written = folder.frames().unwrap().into_iter().filter(|frame| frame.index.is_multiple_of(every));
            let frames: Vec<ShownFrame> = written.map(|frame| ShownFrame::written(&frame)).collect();
            let rate = folder.scene().unwrap().run.frame_rate;
            let opened = folder.export((format.exporter)(&later).as_mut(), &frames, rate, Some(&model), || {}).unwrap();
            assert!(!opened.is_empty() && opened.iter().all(|path| path.is_file()));
            let (live, later) = (files(&live), files(&later));
            assert!(!later.is_empty() && live.keys().eq(later.keys()), "{:?} {:?}", live.keys(), later.keys());
            live.iter().for_each(|(name, bytes)| assert!(later[name] == *bytes, "{}: {name}", format.name));
        }
    }
}

#[test]
fn going_back_replaces_the_frames_that_came_after() {
    let place = tempfile::tempdir().unwrap();
    for format in FORMATS {
        let [straight, back] = ["straight", "back"].map(|part| place.path().join(format!("{}{part}", format.name)));
        for (folder, detour) in [(&straight, false), (&back, true)] {
            let mut session = session(FALL, &["run.duration=0.1"]);
            session.observe(LiveExport::new((format.exporter)(folder), 1)).unwrap();
            session.run_until(0.03).unwrap();
            if detour {
                let here = session.checkpoint();
                session.set_gravity([0.0; 3]).unwrap();
                session.run_until(0.07).unwrap();
                session.restore(here).unwrap();
            }
            session.run().unwrap();
        }
        assert!(files(&straight) == files(&back), "{}", format.name);
    }
}
