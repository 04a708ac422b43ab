//! A solid seen from outside, and cut open.

use nalgebra::Vector3;
use std::path::Path;
use visviva::mesh::TetMesh;
use visviva_pictures::colour::body_colour;
use visviva_pictures::render::{Body, Camera, Picture, Renderer, Sheet};

const CELL: (usize, usize) = (720, 720);

pub fn draw(mesh: &TetMesh, path: &Path) -> anyhow::Result<()> {
    let whole = mesh.surface();
    // The half that faces the camera goes.
    let middle = whole.positions.iter().sum::<Vector3<f64>>() / whole.positions.len().max(1) as f64;
    let behind =
        |tet: &&[u32; 4]| tet.iter().map(|&node| mesh.positions[node as usize].y).sum::<f64>() > 4.0 * middle.y;
    let tets: Vec<[u32; 4]> = mesh.tets.iter().filter(behind).copied().collect();
    let cut = TetMesh { positions: mesh.positions.clone(), tets }.surface();
    let camera = Camera::fit(&whole.positions, Vector3::new(-0.35, 1.0, -0.3), Vector3::z(), 1.0)?;
    let mut sheet = Sheet::new(2, 2, CELL)?;
    let mut renderer = Renderer::new();
    for (surface, caption) in [(&whole, "whole"), (&cut, "cut open")] {
        let body = Body::new(&surface.positions, &surface.triangles, body_colour(0)).with_edges().flat();
        sheet.place(renderer.draw(&Picture::new(CELL.0, CELL.1, camera, vec![body]))?, caption)?;
    }
    Ok(sheet.image().write_png(path)?)
}
