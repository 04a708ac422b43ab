//! Run folders as pictures, without the command.
use std::path::Path;
use visviva::scene::SceneSource;
use visviva::session::{RecordOptions, Session};
use visviva_pictures::Image;
use visviva_pictures::render::Renderer;
use visviva_pictures::run::{ColourBy, Look, RunPictureError, RunPictures};

const FALL: &str = r#"
title = "A cube falls"
run = { h = "1/100", duration = 0.1, frame_rate = 50 }

[[body]]
name = "cube"
material = { youngs_modulus = 1e5 }
box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }
translate = [0, 0, 0.06]
velocity = { linear = [0.5, 0, 0] }

[[obstacle]]
name = "ground"
plane = { size = 4 }
"#;

fn record(folder: &Path) {
    let source = SceneSource { name: "test".into(), text: FALL.into(), folder: Default::default() };
    let mut session = Session::new(source.parse(&[]).unwrap()).unwrap();
    session.record(folder, &RecordOptions::default()).unwrap();
    session.run().unwrap();
}

fn small(colour_by: ColourBy) -> Look {
    Look { size: (160, 90), colour_by, ..Look::default() }
}

/// Pixels in the colour of the first body.
fn orange(image: &Image) -> usize {
    image.pixels.iter().filter(|[r, _, b]| r.saturating_sub(*b) > 100).count()
}

#[test]
fn a_recorded_session_is_drawn_by_every_field() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    record(&folder);
    let mut renderer = Renderer::new();
    let mut drawn = Vec::new();
    for colour_by in ColourBy::ALL {
        let run = RunPictures::open(&folder, small(colour_by)).unwrap();
        assert_eq!(run.frames.len(), 6);
        let last = [run.moment(5).unwrap()];
        assert!((last[0].t - 0.1).abs() < 1e-12);
        let image = renderer.draw(&run.picture(&last)).unwrap().clone();
        assert!(!drawn.contains(&image), "{colour_by:?} shows something else");
        drawn.push(image);
    }
    let run = RunPictures::open(&folder, small(ColourBy::Body)).unwrap();
    let several = run.superimposed(6, &mut renderer).unwrap();
    assert!(orange(&several) > orange(&drawn[0]) && orange(&drawn[0]) > 100, "it moves while it falls");
    let sheet = run.sheet(4, &mut renderer).unwrap();
    assert!(
        sheet.width > 2 * 53 && sheet.height > 2 * 30,
        "four cells of a third: {} by {}",
        sheet.width,
        sheet.height
    );
    assert_eq!((run.spread(3), run.spread(1), run.spread(100).len()), (vec![0, 3, 5], vec![5], 6));
}

#[test]
fn a_run_that_lacks_frames_is_refused_with_their_numbers() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    assert!(matches!(RunPictures::open(&folder, small(ColourBy::Body)), Err(RunPictureError::Folder(_))));
    record(&folder);
    std::fs::remove_file(folder.join("frames/000002.npy")).unwrap();
    let refused = RunPictures::open(&folder, small(ColourBy::Body)).unwrap_err();
    assert!(matches!(&refused, RunPictureError::MissingFrames { missing, .. } if *missing == [2]), "{refused}");
}

#[test]
fn fields_are_known_by_their_names() {
    for (name, colour_by) in ColourBy::NAMES.iter().zip(ColourBy::ALL) {
        assert_eq!(name.parse(), Ok(colour_by));
    }
    assert!("heat".parse::<ColourBy>().unwrap_err().contains("velocity"));
}
