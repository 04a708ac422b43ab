//! Wires: thin lines among the surfaces.
use super::{RED, V, ball, body, front};
use visviva_pictures::Image;
use visviva_pictures::render::{Body, Camera, Lens, Picture, RenderError, Renderer};

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
