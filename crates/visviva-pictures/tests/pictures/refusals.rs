//! Wrong pictures are refused with what is wrong; odd ones are drawn.
use super::{RED, V, ball, body, front};
use visviva_pictures::ImageError;
use visviva_pictures::render::{Body, Camera, Ground, Legend, Picture, RenderError, Renderer};

#[test]
fn wrong_pictures_are_refused_with_their_place() {
    let surface = ball(0.5, V::zeros());
    let mut renderer = Renderer::new();
    let bodies = || vec![body(&surface, RED)];
    let mut error = |picture: Picture| renderer.draw(&picture).unwrap_err();
    assert!(matches!(error(Picture::new(0, 9, front(3.0), bodies())), RenderError::Image(ImageError::Empty { .. })));
    assert!(matches!(
        error(Picture::new(9, 1 << 20, front(3.0), bodies())),
        RenderError::Image(ImageError::TooLarge { .. })
    ));
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
