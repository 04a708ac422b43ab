//! What a drawn picture must show, whatever its exact pixels: places, order, colours, files.
use nalgebra::Vector3;
use std::path::Path;
use visviva::mesh::{TriMesh, generate};
use visviva_cli::chart::Colour;
use visviva_cli::chart::ramp::field_colour;
use visviva_cli::render::{
    Animation, Body, Camera, Fit, Frames, Ground, Image, Legend, Lens, Picture, RenderError, Renderer, Sheet, State,
};

type V = Vector3<f64>;

fn ball(radius: f64, centre: V) -> TriMesh {
    let mut surface = generate::ball(radius, 24).unwrap().surface();
    surface.positions.iter_mut().for_each(|p| *p += centre);
    surface
}

fn body(surface: &TriMesh, colour: Colour) -> Body<'_> {
    Body::new(&surface.positions, &surface.triangles, colour)
}

const RED: Colour = Colour(220, 30, 30);
const BLUE: Colour = Colour(30, 30, 220);

fn reddish(p: [u8; 3]) -> bool {
    p[0] as i32 > p[2] as i32 + 25
}

fn bluish(p: [u8; 3]) -> bool {
    p[2] as i32 > p[0] as i32 + 25
}

fn front(distance: f64) -> Camera {
    Camera::perspective(V::new(0.0, -distance, 0.0), V::zeros(), V::z(), 0.6)
}

fn at(image: &Image, x: f64, y: f64) -> [u8; 3] {
    image.pixels[(y * image.height as f64) as usize * image.width + (x * image.width as f64) as usize]
}

#[test]
fn a_ball_covers_its_perspective_outline() {
    let (radius, distance, shift) = (0.7, 4.0, 0.6);
    let surface = ball(radius, V::new(shift, 0.0, 0.0));
    let (width, height) = (640, 480);
    let mut renderer = Renderer::new();
    let picture = Picture::new(width, height, front(distance), vec![body(&surface, Colour(0, 0, 0))]);
    let image = renderer.draw(&picture).unwrap();
    let dark: Vec<usize> = (0..width * height).filter(|&k| image.pixels[k][1] < 170).collect();
    let area = dark.len() as f64;
    let mean = |f: &dyn Fn(usize) -> usize| dark.iter().map(|&k| f(k) as f64 + 0.5).sum::<f64>() / area;

    // A ray (X, 1, Z) touches the ball at (s, d, 0) when (sX + d)² = (X² + 1 + Z²)(s² + d² − r²): an ellipse.
    let scale = height as f64 / 2.0 / 0.3f64.tan();
    let squared = shift * shift + distance * distance;
    let (middle, half) = ((shift / distance).atan(), (radius / squared.sqrt()).asin());
    let (left, right) = ((middle - half).tan(), (middle + half).tan());
    let x = (left + right) / 2.0;
    let tall = ((shift * x + distance).powi(2) / (squared - radius * radius) - x * x - 1.0).sqrt() * scale;
    let wide = (right - left) / 2.0 * scale;
    let (wanted, outline) = (std::f64::consts::PI * wide * tall, std::f64::consts::PI * (wide + tall));
    assert!((area - wanted).abs() < 0.5 * outline, "area {area} against {wanted}, outline {outline}");
    let centre = (mean(&|k| k % width), mean(&|k| k / width));
    assert!((centre.0 - width as f64 / 2.0 - x * scale).abs() < 0.5, "{centre:?} against {}", x * scale);
    assert!((centre.1 - height as f64 / 2.0).abs() < 0.5, "{centre:?}");
}

#[test]
fn the_nearer_body_hides_the_other_in_any_order() {
    let near = ball(0.3, V::new(0.0, -1.0, 0.0));
    let far = ball(0.9, V::new(0.0, 1.0, 0.0));
    let parallel = Camera { lens: Lens::Orthographic { height: 2.4 }, ..front(5.0) };
    let mut renderer = Renderer::new();
    for camera in [front(5.0), parallel] {
        for swap in [false, true] {
            let mut bodies = vec![body(&near, RED), body(&far, BLUE)];
            if swap {
                bodies.reverse();
            }
            let image = renderer.draw(&Picture::new(200, 200, camera, bodies)).unwrap();
            assert!(reddish(at(image, 0.5, 0.5)) && bluish(at(image, 0.5, 0.3)) && !reddish(at(image, 0.02, 0.02)));
        }
    }
}

#[test]
fn newer_states_lie_over_older_ones_and_the_last_is_solid() {
    // The older state stands nearer to the eye, and is still laid under.
    let older = ball(0.5, V::new(-0.2, -1.0, 0.0));
    let newer = ball(0.5, V::new(0.2, 0.0, 0.0));
    let mut renderer = Renderer::new();
    let states = vec![vec![body(&older, RED)], vec![body(&newer, BLUE)]];
    let picture = Picture::superimposed(300, 200, front(5.0), states);
    assert!(picture.states[0].opacity < 1.0 && picture.states[1].opacity == 1.0);
    let over = renderer.draw(&picture).unwrap().clone();
    let alone = renderer.draw(&Picture::new(300, 200, front(5.0), vec![body(&newer, BLUE)])).unwrap();
    assert_eq!(at(&over, 0.55, 0.5), at(alone, 0.55, 0.5), "nothing shines through the last one");
    let faded = at(&over, 0.33, 0.5);
    assert!(reddish(faded) && faded[2] > 60, "paper shines through the first one: {faded:?}");
    // A fixed body before both hides both.
    let wall = ball(0.6, V::new(0.0, -2.0, 0.0));
    let hidden = picture.with_fixed(vec![Body::obstacle(&wall.positions, &wall.triangles)]);
    let centre = at(renderer.draw(&hidden).unwrap(), 0.5, 0.5);
    assert!(!reddish(centre) && !bluish(centre), "{centre:?}");
}

#[test]
fn a_wire_is_a_thin_dark_line_that_surfaces_before_it_hide() {
    let surface = ball(0.3, V::zeros());
    let (width, height) = (1920, 1080);
    let parallel = Camera { lens: Lens::Orthographic { height: 2.4 }, ..front(5.0) };
    let mut renderer = Renderer::new();
    for camera in [front(5.0), parallel] {
        let mut draw = |ends: Option<[V; 2]>| {
            let ends = ends.map_or(vec![], |ends| ends.to_vec());
            let wires: &[[u32; 2]] = if ends.is_empty() { &[] } else { &[[0, 1]] };
            let fixed = vec![Body::obstacle(&ends, &[]).with_wires(wires)];
            let picture = Picture::new(width, height, camera, vec![body(&surface, RED)]).with_fixed(fixed);
            renderer.draw(&picture).unwrap().clone()
        };
        let bare = draw(None);
        let across = |y: f64| Some([V::new(-0.8, y, 0.01), V::new(0.8, y, 0.01)]);
        // How much darker a column is, in pixels of the wire's own darkness: its width.
        let thickness = |image: &Image, column: usize| {
            let light = |image: &Image, row: usize| image.pixels[row * width + column][1] as f64 / 255.0;
            let lost = (0..height).map(|row| (light(&bare, row).powf(2.2) - light(image, row).powf(2.2)).max(0.0));
            let paper = light(&bare, height / 2).powf(2.2);
            lost.sum::<f64>() / paper
        };
        let behind = draw(across(1.0));
        // Paper is white and the wire is almost black: within the darkness of the wire and 8 samples a pixel.
        for column in [width / 2 - 180, width / 2 + 180] {
            let found = thickness(&behind, column);
            assert!((1.2..=1.7).contains(&found), "{found} px");
        }
        let ball_only = |image: &Image| {
            (0..height).all(|row| {
                let at = row * width + width / 2;
                image.pixels[at] == bare.pixels[at]
            })
        };
        assert!(ball_only(&behind), "the ball hides it");
        assert!(!ball_only(&draw(across(-1.0))), "before the ball it is seen");
        // Through the ball's middle: hidden inside, seen outside.
        let through = draw(across(0.0));
        assert!(ball_only(&through) && thickness(&through, width / 2 + 180) > 1.2);
        // What goes past the eye is cut, not turned round.
        let past = draw(Some([V::new(0.3, -9.0, -0.3), V::new(0.3, 2.0, -0.3)]));
        let differs = |rows: std::ops::Range<usize>| {
            rows.into_iter().any(|row| {
                let row = row * width..(row + 1) * width;
                past.pixels[row.clone()] != bare.pixels[row]
            })
        };
        assert!(!differs(0..height / 2 - 2) && differs(height / 2..height));
    }
    let picture = |wires| Picture::new(80, 60, front(5.0), vec![body(&surface, RED).with_wires(wires)]);
    let error = renderer.draw(&picture(&[[0, 1], [0, 99_999]])).unwrap_err();
    assert!(matches!(error, RenderError::WireIndex { body: 0, wire: 1, index: 99_999, .. }), "{error}");
}

#[test]
fn opacity_of_a_body_lets_the_ones_behind_through() {
    let inner = ball(0.3, V::zeros());
    let outer = ball(0.8, V::zeros());
    let mut renderer = Renderer::new();
    let bodies = vec![body(&outer, BLUE).opacity(0.3), body(&inner, RED)];
    let image = renderer.draw(&Picture::new(200, 200, front(4.0), bodies)).unwrap();
    assert!(reddish(at(image, 0.5, 0.5)) && bluish(at(image, 0.5, 0.2)));
}

#[test]
fn the_legend_shows_the_ramp_and_leaves_the_subject_room() {
    let surface = ball(0.6, V::zeros());
    let values = vec![1.0; surface.positions.len()];
    let (width, height) = (640, 500);
    let bodies = vec![body(&surface, RED).coloured_by(&values, (0.0, 2.0))];
    let picture = Picture::new(width, height, front(3.0), bodies).with_legend(Legend::new("speed [m/s]", (0.0, 2.0)));
    let mut renderer = Renderer::new();
    let image = renderer.draw(&picture).unwrap();
    let (top, length) = (height / 5, height * 3 / 5);
    let ramp = |row: usize| field_colour(1.0 - (row as f64 + 0.5) / length as f64);
    let bar = (0..width).rev().find(|&x| {
        let Colour(r, g, b) = ramp(0);
        image.pixels[top * width + x] == [r, g, b]
    });
    let bar = bar.expect("the bar stands at the right") - 2;
    for row in 0..length {
        let Colour(r, g, b) = ramp(row);
        assert_eq!(image.pixels[(top + row) * width + bar], [r, g, b], "row {row}");
    }
    // The subject moves aside by half the legend.
    let strip = width - bar;
    let dark = |x: usize| image.pixels[height / 2 * width + x][0] < 160;
    let (first, last) = ((0..bar - 30).find(|&x| dark(x)).unwrap(), (0..bar - 30).rev().find(|&x| dark(x)).unwrap());
    let middle = (first + last) / 2;
    assert!(middle < width / 2 - strip / 3 && middle > width / 2 - strip, "{middle}");
}

#[test]
fn pixels_are_the_same_on_every_run_and_for_any_number_of_threads() {
    let (a, b) = (ball(0.4, V::new(-0.3, 0.0, 0.4)), ball(0.3, V::new(0.4, -0.2, 0.3)));
    let values: Vec<f64> = a.positions.iter().map(|p| p.z).collect();
    let states = vec![
        vec![body(&b, RED), body(&a, BLUE).opacity(0.5)],
        vec![body(&b, RED).with_edges(), body(&a, BLUE).coloured_by(&values, (0.0, 0.8))],
    ];
    let camera = Camera::fit(a.positions.iter().chain(&b.positions), V::new(0.3, 1.0, -0.5), V::z(), 1.5).unwrap();
    let picture = Picture::superimposed(331, 217, camera, states).on_ground(Ground::at(0.0)).captioned("t = 1 s");
    let draw = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Renderer::new().draw(&picture).unwrap().clone())
    };
    let one = draw(1);
    assert!(one == draw(2) && one == draw(2) && one == draw(3));
    let mut used = Renderer::new();
    used.draw(&Picture::new(640, 480, front(3.0), vec![body(&a, RED)])).unwrap();
    assert!(*used.draw(&picture).unwrap() == one, "buffers of an earlier picture leave no trace");
}

#[test]
fn the_ground_shows_shadow_and_hides_what_lies_under_it() {
    let surface = ball(0.4, V::new(0.0, 0.0, 0.4));
    let camera = Camera::perspective(V::new(0.0, -4.0, 3.0), V::new(0.0, 0.0, 0.2), V::z(), 0.6);
    let mut renderer = Renderer::new();
    let ground = Ground { height: 0.0, spacing: Some(0.0) };
    let picture = Picture::new(400, 300, camera, vec![body(&surface, RED)]).on_ground(ground);
    let lit = renderer.draw(&picture).unwrap().clone();
    let darkest = lit.pixels.iter().filter(|p| !reddish(**p)).map(|p| p[1]).min().unwrap();
    let corner = lit.pixels[399][1];
    assert!(darkest < 190 && corner > 240, "{darkest} {corner}");
    let sunk: Vec<V> = surface.positions.iter().map(|p| p - V::z()).collect();
    let bodies = vec![Body::new(&sunk, &surface.triangles, RED)];
    let image = renderer.draw(&Picture { states: vec![State { bodies, opacity: 1.0 }], ..picture }).unwrap();
    assert!(!image.pixels.iter().any(|p| reddish(*p)));
}

#[test]
fn a_fitted_camera_sees_every_point_and_wastes_no_room() {
    let surface = ball(0.5, V::new(3.0, 2.0, 1.0));
    for aspect in [0.6, 1.0, 1.8] {
        let (width, height) = ((300.0 * aspect) as usize, 300);
        let mut fit = Fit::new(V::new(1.0, 0.4, -0.3), V::z(), aspect, 0.7).unwrap();
        fit.include(&surface.positions);
        for camera in [fit.perspective().unwrap(), fit.orthographic().unwrap()] {
            let mut renderer = Renderer::new();
            let image = renderer.draw(&Picture::new(width, height, camera, vec![body(&surface, RED)])).unwrap();
            let seen: Vec<usize> = (0..width * height).filter(|&k| reddish(image.pixels[k])).collect();
            let extent = |f: &dyn Fn(usize) -> usize| {
                seen.iter().map(|&k| f(k)).max().unwrap() + 1 - seen.iter().map(|&k| f(k)).min().unwrap()
            };
            let (wide, tall) = (extent(&|k| k % width), extent(&|k| k / width));
            let fill = (wide as f64 / width as f64).max(tall as f64 / height as f64);
            assert!((0.85..0.97).contains(&fill), "{aspect}: {fill}");
        }
    }
}

#[test]
fn wrong_pictures_are_refused_with_their_place() {
    let surface = ball(0.5, V::zeros());
    let mut renderer = Renderer::new();
    let bodies = || vec![body(&surface, RED)];
    let mut error = |picture: Picture| renderer.draw(&picture).unwrap_err();
    assert!(matches!(error(Picture::new(0, 9, front(3.0), bodies())), RenderError::EmptyImage { .. }));
    assert!(matches!(error(Picture::new(9, 1 << 20, front(3.0), bodies())), RenderError::TooLarge { .. }));
    assert!(matches!(error(Picture::new(9, 9, front(0.0), bodies())), RenderError::Camera(_)));
    assert!(matches!(error(Picture::new(9, 9, front(f64::NAN), bodies())), RenderError::Camera(_)));
    let mut broken = surface.clone();
    broken.positions[7].y = f64::NAN;
    let picture = Picture::new(9, 9, front(3.0), vec![body(&surface, RED), body(&broken, RED)]);
    assert!(matches!(error(picture), RenderError::NotFinite { body: 1, vertex: 7 }));
    let mut broken = surface.clone();
    broken.triangles[3][1] = 1_000_000;
    let picture = Picture::new(9, 9, front(3.0), vec![body(&broken, RED)]);
    assert!(matches!(error(picture), RenderError::Index { triangle: 3, index: 1_000_000, .. }));
    let picture = Picture::new(9, 9, front(3.0), vec![body(&surface, RED).coloured_by(&[1.0], (0.0, 1.0))]);
    assert!(matches!(error(picture), RenderError::FieldLength { values: 1, .. }));
}

#[test]
fn odd_scenes_are_drawn_without_panic() {
    let mut renderer = Renderer::new();
    let surface = ball(1.0, V::zeros());
    let sliver = [V::zeros(), V::x(), V::x() * 2.0];
    let values = [f64::NAN, f64::INFINITY, -1.0];
    let inside = Camera::perspective(V::new(0.0, -0.2, 0.0), V::new(0.0, 1.0, 0.0), V::z(), 2.0);
    let above = Camera::perspective(V::new(0.0, 0.0, 5.0), V::zeros(), V::y(), 0.6);
    for camera in [inside, above, front(1e6), front(1e-3)] {
        for bodies in [
            vec![],
            vec![Body::new(&[], &[], RED)],
            vec![body(&surface, RED)],
            vec![Body::new(&sliver, &[[0, 1, 2], [1, 1, 1]], RED).coloured_by(&values, (1.0, 1.0)).with_edges()],
        ] {
            let picture = Picture::new(37, 21, camera, bodies)
                .on_ground(Ground::at(-0.5))
                .with_legend(Legend::new("E [J]", (f64::NAN, 1.0)))
                .titled("a < b");
            assert_eq!(renderer.draw(&picture).unwrap().pixels.len(), 37 * 21);
            renderer.draw(&Picture { states: vec![], ..picture }).unwrap();
        }
    }
}

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
    assert!(matches!(Sheet::new(0, 3, (10, 10)), Err(RenderError::EmptyImage { .. })));
}
