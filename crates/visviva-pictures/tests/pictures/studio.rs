//! What is round the bodies: the camera's frame, the ground, the legend.
use super::{RED, V, ball, body, front, reddish};
use visviva_pictures::colour::{Colour, field_colour};
use visviva_pictures::render::{Body, Camera, Fit, Ground, Legend, Picture, Renderer, State};

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
