//! Bodies: their outlines, which of them is seen, what shines through.
use super::{BLUE, RED, V, at, ball, bluish, body, front, reddish};
use visviva_pictures::colour::Colour;
use visviva_pictures::render::{Body, Camera, Ground, Lens, Picture, Renderer};

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
fn opacity_of_a_body_lets_the_ones_behind_through() {
    let inner = ball(0.3, V::zeros());
    let outer = ball(0.8, V::zeros());
    let mut renderer = Renderer::new();
    let bodies = vec![body(&outer, BLUE).opacity(0.3), body(&inner, RED)];
    let image = renderer.draw(&Picture::new(200, 200, front(4.0), bodies)).unwrap();
    assert!(reddish(at(image, 0.5, 0.5)) && bluish(at(image, 0.5, 0.2)));
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
