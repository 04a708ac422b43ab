//! Films, frames and sheets: whole files or none.
use super::{BLUE, V, ball, body, front};
use std::path::Path;
use visviva_pictures::render::{Animation, Frames, Picture, RenderError, Renderer, Sheet};
use visviva_pictures::{Image, ImageError};

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.collect();
    names.sort();
    names
}

#[test]
fn a_gif_holds_every_frame_and_appears_only_when_finished() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.gif");
    let surface = ball(0.5, V::zeros());
    let mut renderer = Renderer::new();
    let mut animation = Animation::create(&path, (120, 80), 30.0).unwrap();
    let mut last = None;
    for k in 0..6 {
        let image = renderer.draw(&Picture::new(120, 80, front(3.0 + k as f64), vec![body(&surface, BLUE)])).unwrap();
        animation.add(image).unwrap();
        last = Some(image.clone());
    }
    assert!(matches!(animation.add(&Image::new(4, 4, [0; 3]).unwrap()), Err(RenderError::FrameSize { .. })));
    assert!(!path.exists());
    animation.finish().unwrap();
    assert_eq!(names(folder.path()), ["film.gif"]);

    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(std::fs::File::open(&path).unwrap()).unwrap();
    let (mut frames, mut hundredths, mut pixels) = (0, 0, Vec::new());
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        frames += 1;
        hundredths += frame.delay;
        pixels = frame.buffer.to_vec();
    }
    assert_eq!((frames, hundredths), (6, 20));
    let last = last.unwrap();
    let off: i64 = last.bytes().chunks(3).zip(pixels.chunks(4)).map(|(a, b)| (a[1] as i64 - b[1] as i64).abs()).sum();
    assert!(off < 3 * 120 * 80, "colours stay near: {off}");

    drop(Animation::create(&folder.path().join("left.gif"), (12, 8), 30.0).unwrap());
    assert_eq!(names(folder.path()), ["film.gif"], "one left unfinished leaves nothing");
}

#[test]
fn frames_are_numbered_and_a_sheet_holds_them_all() {
    let folder = tempfile::tempdir().unwrap();
    let mut frames = Frames::new(&folder.path().join("new"), "drop").unwrap();
    let mut sheet = Sheet::new(5, 2, (60, 40)).unwrap();
    for k in 0..5u8 {
        let image = Image::new(120, 80, [40 * k, 0, 0]).unwrap();
        frames.add(&image).unwrap();
        sheet.place(&image, "t = 0 s").unwrap();
    }
    let written = names(&folder.path().join("new"));
    assert_eq!(written, (1..=5).map(|k| format!("drop-{k:05}.png")).collect::<Vec<_>>());
    for k in 0..5u8 {
        let count = sheet.image().pixels.iter().filter(|p| **p == [40 * k, 0, 0]).count();
        assert!(count >= 60 * 40, "image {k} is all there: {count}");
    }
    assert!(matches!(Sheet::new(0, 3, (10, 10)), Err(RenderError::Image(ImageError::Empty { .. }))));
}
