//! A picture of every kind, to look at after a change to the renderer: `render_demo FOLDER`.
use nalgebra::{Rotation3, Vector3};
use std::path::Path;
use std::time::Instant;
use visviva::mesh::{TetMesh, TriMesh, generate};
use visviva_pictures::Image;
use visviva_pictures::colour::body_colour;
use visviva_pictures::render::{Animation, Body, Camera, Fit, Ground, Legend, Picture, RenderError, Renderer, Sheet};

type Anything = Box<dyn std::error::Error>;

fn moved(mesh: &TetMesh, turn: Rotation3<f64>, shift: Vector3<f64>) -> TriMesh {
    let mut surface = mesh.surface();
    surface.positions.iter_mut().for_each(|p| *p = turn * *p + shift);
    surface
}

fn up(z: f64) -> Vector3<f64> {
    Vector3::new(0.0, 0.0, z)
}

const FROM: Vector3<f64> = Vector3::new(-0.45, 1.0, -0.42);
const WIDE: (usize, usize) = (1920, 1080);

fn body(surface: &TriMesh, k: usize) -> Body<'_> {
    Body::new(&surface.positions, &surface.triangles, body_colour(k))
}

fn aspect(size: (usize, usize)) -> f64 {
    size.0 as f64 / size.1 as f64
}

/// Box, ball and torus on the ground beside a grey step: about 30,000 triangles.
fn still_life(renderer: &mut Renderer, folder: &Path) -> Result<(), Anything> {
    let still = Rotation3::identity();
    let cube = generate::cuboid(Vector3::new(0.5, 0.5, 0.5), [4; 3])?;
    let cube = moved(&cube, Rotation3::from_axis_angle(&Vector3::z_axis(), 0.5), Vector3::new(-0.7, 0.1, 0.25));
    let ball = moved(&generate::ball(0.32, 34)?, still, Vector3::new(0.05, -0.25, 0.32));
    let torus = moved(&generate::torus(0.34, 0.12, 8, 110)?, still, Vector3::new(0.75, 0.15, 0.12));
    let lean = Rotation3::from_axis_angle(&Vector3::x_axis(), 1.2);
    let ring = moved(&generate::torus(0.2, 0.05, 6, 60)?, lean, Vector3::new(0.35, -0.62, 0.24));
    let step = moved(&generate::cuboid(Vector3::new(2.6, 0.25, 0.3), [8, 1, 1])?, still, Vector3::new(0.0, 0.75, 0.15));
    let bodies = vec![body(&cube, 0).with_edges(), body(&ball, 4), body(&torus, 2), body(&ring, 6)];
    let all = [&cube, &ball, &torus, &ring, &step];
    let triangles: usize = all.iter().map(|s| s.triangles.len()).sum();
    let camera = Camera::fit(all.iter().flat_map(|s| &s.positions), FROM, Vector3::z(), aspect(WIDE))?;
    let picture = Picture::new(WIDE.0, WIDE.1, camera, bodies)
        .with_fixed(vec![Body::obstacle(&step.positions, &step.triangles)])
        .on_ground(Ground::at(0.0));
    let mut best = f64::INFINITY;
    for _ in 0..6 {
        let start = Instant::now();
        renderer.draw(&picture)?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("still life: {triangles} triangles, {best:.3} s a frame at best");
    renderer.draw(&picture)?.write_png(&folder.join("still.png"))?;
    let inside = camera.target;
    let near = Camera { eye: inside + (camera.eye - inside) * 0.35, ..camera };
    renderer.draw(&Picture { camera: near, ..picture.clone() })?.write_png(&folder.join("near.png"))?;
    let mut fit = Fit::new(Vector3::new(-1.0, 1.0, -1.0), Vector3::z(), aspect((900, 700)), 0.5)?;
    fit.include(all.iter().flat_map(|s| &s.positions));
    let parallel = Picture { width: 900, height: 700, camera: fit.orthographic()?, ..picture };
    renderer.draw(&parallel)?.write_png(&folder.join("parallel.png"))?;
    Ok(())
}

/// A ball thrown over the ground, squashed where it bounces.
fn flight(t: f64, mesh: &TetMesh) -> TriMesh {
    let bounce = 0.9;
    let s = (t / bounce).rem_euclid(1.0);
    let height = 0.2 + 1.2 * 4.0 * s * (1.0 - s) * 0.8f64.powi((t / bounce) as i32);
    let squash = 1.0 - 0.3 * (-(s.min(1.0 - s) / 0.05).powi(2)).exp();
    let turn = Rotation3::from_axis_angle(&Vector3::y_axis(), 2.0 * t);
    let mut surface = moved(mesh, turn, Vector3::zeros());
    let wide = 1.0 / squash.sqrt();
    let shift = Vector3::new(1.1 * t, 0.0, height - 0.2 * (1.0 - squash));
    surface.positions.iter_mut().for_each(|p| *p = p.component_mul(&Vector3::new(wide, wide, squash)) + shift);
    surface
}

fn superimposed(renderer: &mut Renderer, folder: &Path) -> Result<(), Anything> {
    let mesh = generate::ball(0.2, 12)?;
    let states: Vec<TriMesh> = (0..20).map(|k| flight(0.1 + 0.09 * k as f64, &mesh)).collect();
    let wall = moved(
        &generate::cuboid(Vector3::new(0.12, 0.8, 0.9), [1, 4, 4])?,
        Rotation3::identity(),
        Vector3::new(2.75, 0.0, 0.45),
    );
    let points = states.iter().chain([&wall]).flat_map(|s| &s.positions);
    let camera = Camera::fit(points, FROM, Vector3::z(), aspect(WIDE))?;
    let bodies = states.iter().map(|s| vec![body(s, 5)]).collect();
    let picture = Picture::superimposed(WIDE.0, WIDE.1, camera, bodies)
        .with_fixed(vec![Body::obstacle(&wall.positions, &wall.triangles)])
        .on_ground(Ground::at(0.0))
        .captioned("20 states, 0.09 s apart");
    let start = Instant::now();
    renderer.draw(&picture)?.write_png(&folder.join("superimposed.png"))?;
    println!("superimposed: {:.2} s", start.elapsed().as_secs_f64());
    Ok(())
}

fn field(renderer: &mut Renderer, folder: &Path) -> Result<(), Anything> {
    let lean = Rotation3::from_axis_angle(&Vector3::x_axis(), 0.45);
    let torus = moved(&generate::torus(0.5, 0.2, 8, 90)?, lean, up(0.45));
    let values: Vec<f64> = torus.positions.iter().map(|p| 1.6 + 1.4 * (5.0 * p.x + 3.0 * p.z).sin()).collect();
    let size = (1200, 900);
    let camera = Camera::fit(&torus.positions, FROM, Vector3::z(), 1.15)?;
    let bodies = vec![body(&torus, 0).coloured_by(&values, (0.0, 3.0))];
    let picture = Picture::new(size.0, size.1, camera, bodies)
        .on_ground(Ground::at(0.0))
        .with_legend(Legend::new("speed [m s^-1]", (0.0, 3.0)))
        .titled("A torus coloured by a field")
        .captioned("t = 0.25 s");
    renderer.draw(&picture)?.write_png(&folder.join("field.png"))?;
    let glass = moved(&generate::cuboid(Vector3::new(1.5, 1.5, 0.9), [2; 3])?, Rotation3::identity(), up(0.45));
    let camera = Camera::fit(&glass.positions, FROM, Vector3::z(), 1.3)?;
    let bodies = vec![body(&torus, 0).with_edges(), body(&glass, 1).opacity(0.25).flat()];
    let picture = Picture::new(size.0, size.1, camera, bodies).on_ground(Ground::at(0.0));
    renderer.draw(&picture)?.write_png(&folder.join("glass.png"))?;
    Ok(())
}

fn film(renderer: &mut Renderer, folder: &Path) -> Result<(), Anything> {
    let mesh = generate::ball(0.2, 5)?;
    let size = (640, 360);
    let mut fit = Fit::new(FROM, Vector3::z(), aspect(size), 0.55)?;
    let times: Vec<f64> = (0..45).map(|k| k as f64 * 0.04).collect();
    times.iter().for_each(|&t| fit.include(&flight(t, &mesh).positions));
    let camera = fit.perspective()?;
    let mut draw = |t: f64| -> Result<Image, RenderError> {
        let surface = flight(t, &mesh);
        let picture = Picture::new(size.0, size.1, camera, vec![body(&surface, 5).with_edges()]);
        Ok(renderer.draw(&picture.on_ground(Ground::at(0.0)).captioned(format!("t = {t:.2} s")))?.clone())
    };
    let mut animation = Animation::create(&folder.join("film.gif"), size, 25.0)?;
    let mut sheet = Sheet::new(9, 3, size)?;
    for (k, &t) in times.iter().enumerate() {
        let image = draw(t)?;
        animation.add(&image)?;
        if k % 5 == 0 {
            sheet.place(&image, &format!("frame {k}"))?;
        }
    }
    animation.finish()?;
    sheet.image().write_png(&folder.join("sheet.png"))?;
    Ok(())
}

fn main() -> Result<(), Anything> {
    let folder = std::env::args().nth(1).ok_or("name a folder for the pictures")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let mut renderer = Renderer::new();
    still_life(&mut renderer, folder)?;
    superimposed(&mut renderer, folder)?;
    field(&mut renderer, folder)?;
    film(&mut renderer, folder)
}
