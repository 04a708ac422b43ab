//! What drawn pictures must show, whatever their exact pixels, and how the crate holds together.
mod arrows;
mod bodies;
mod files;
mod refusals;
mod runs;
mod studio;
mod wires;

use nalgebra::Vector3;
use visviva::mesh::{TriMesh, generate};
use visviva_pictures::Image;
use visviva_pictures::colour::Colour;
use visviva_pictures::render::{Body, Camera};

type V = Vector3<f64>;

const RED: Colour = Colour(220, 30, 30);
const BLUE: Colour = Colour(30, 30, 220);

fn ball(radius: f64, centre: V) -> TriMesh {
    let mut surface = generate::ball(radius, 24).unwrap().surface();
    surface.positions.iter_mut().for_each(|p| *p += centre);
    surface
}

fn body(surface: &TriMesh, colour: Colour) -> Body<'_> {
    Body::new(&surface.positions, &surface.triangles, colour)
}

fn reddish(p: [u8; 3]) -> bool {
    p[0] as i32 > p[2] as i32 + 25
}

fn bluish(p: [u8; 3]) -> bool {
    p[2] as i32 > p[0] as i32 + 25
}

fn front(distance: f64) -> Camera {
    Camera::perspective(V::new(0.0, -distance, 0.0), V::zeros(), V::z(), 0.6)
}

/// The pixel at parts of an image's width and height.
fn at(image: &Image, x: f64, y: f64) -> [u8; 3] {
    image.pixels[(y * image.height as f64) as usize * image.width + (x * image.width as f64) as usize]
}
