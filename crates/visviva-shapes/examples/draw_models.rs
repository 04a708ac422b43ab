//! Each model from the front, three quarters, the side and behind, to look at after a change: `draw_models FOLDER`.
use nalgebra::Vector3;
use rayon::prelude::*;
use std::path::Path;
use visviva_shapes::{Field, models};

/// Pixels of a view's height; a view is as wide.
const SIDE: usize = 480;
/// What a view shows `[m]`
const HEIGHT: f64 = 1.12;
/// Turns about z `[°]`; 0 looks along +y, into the face.
const VIEWS: [f64; 4] = [0.0, 40.0, 90.0, 205.0];

/// How bright a point is that the ray from `eye` along `forward` meets, if any.
fn brightness(field: &impl Field, eye: Vector3<f64>, forward: Vector3<f64>) -> Option<f64> {
    let (mut point, far) = (eye, 4.0);
    let mut distance = field.distance(&point);
    while distance > 2e-4 {
        point += forward * distance;
        distance = field.distance(&point);
        if (point - eye).norm() > far {
            return None;
        }
    }
    let slope = |axis: Vector3<f64>| field.distance(&(point + axis * 5e-4)) - field.distance(&(point - axis * 5e-4));
    let normal = Vector3::new(slope(Vector3::x()), slope(Vector3::y()), slope(Vector3::z())).normalize();
    let light = (Vector3::z() * 0.9 - forward * 0.6 - forward.cross(&Vector3::z()) * 0.6).normalize();
    // Creases are darker: less room around them than above a plane.
    let room = [0.02, 0.06, 0.12].map(|reach| (field.distance(&(point + normal * reach)) / reach).clamp(0.0, 1.0));
    let open = room.iter().sum::<f64>() / 3.0;
    Some((0.25 + 0.12 * normal.z) * open + 0.68 * normal.dot(&light).max(0.0) * (0.4 + 0.6 * open))
}

fn draw(field: &impl Field, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let width = SIDE * VIEWS.len();
    let mut pixels = vec![235u8; width * SIDE];
    pixels.par_iter_mut().enumerate().for_each(|(at, pixel)| {
        let (row, column) = (at / width, at % width);
        let (sine, cosine) = VIEWS[column / SIDE].to_radians().sin_cos();
        let forward = Vector3::new(-sine, cosine, -0.12).normalize();
        let right = Vector3::new(cosine, sine, 0.0);
        let up = right.cross(&forward);
        let across = ((column % SIDE) as f64 / SIDE as f64 - 0.5) * HEIGHT;
        let above = (0.5 - row as f64 / SIDE as f64) * HEIGHT;
        let eye = Vector3::new(0.0, 0.0, 0.5) + right * across + up * above - forward * 2.0;
        if let Some(brightness) = brightness(field, eye, forward) {
            *pixel = (255.0 * brightness.clamp(0.0, 1.0).powf(1.0 / 2.2)) as u8;
        }
    });
    let file = std::io::BufWriter::new(std::fs::File::create(path)?);
    let mut encoder = png::Encoder::new(file, width as u32, SIDE as u32);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("which folder do the pictures go to?")?;
    std::fs::create_dir_all(&folder)?;
    for blueprint in models::BLUEPRINTS {
        let model = models::by_name(blueprint.name).ok_or("a model that is listed can be made")?;
        let [low, high] = model.bounds();
        println!("{}: {}; from {low:.3?} to {high:.3?}", blueprint.name, blueprint.about);
        draw(&model, &Path::new(&folder).join(format!("{}.png", blueprint.name)))?;
    }
    Ok(())
}
