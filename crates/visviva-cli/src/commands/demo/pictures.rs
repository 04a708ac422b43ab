//! The demo's chart, heights above energies, and its strip of balls: each moment stands to the right of the one before.

use super::fall::Fall;
use nalgebra::Vector3;
use std::path::Path;
use visviva::run::RunFolder;
use visviva_pictures::Image;
use visviva_pictures::chart::{Axis, Chart, Dash, Figure, Series, integrator_style};
use visviva_pictures::render::{Body, Fit, Ground, Picture, Renderer, Sheet};

pub fn chart(falls: &[(&str, Fall)], duration: f64) -> Figure {
    let time = || Axis::linear("time [s]").range(0.0, duration);
    let curves = |of: &dyn Fn(&Fall) -> Vec<(f64, f64)>| -> Vec<Series> {
        falls.iter().map(|(name, fall)| Series::integrator(name, of(fall))).collect()
    };
    let target = falls.iter().filter_map(|(_, fall)| fall.energies.first()).map(|(_, start)| *start).next();
    let drop = falls.iter().map(|(_, fall)| fall.drop).fold(0.0, f64::max);
    let asked = |points| Series::line("asked for", super::TARGET, points).dash(Dash::Dotted).width(1.3);
    let mut heights = curves(&|fall| fall.heights.clone());
    let mut energies = curves(&|fall| fall.energies.clone());
    // With the same entries both panels share one legend.
    heights.push(asked(Vec::new()));
    energies.push(asked(target.map_or(Vec::new(), |e| vec![(0.0, e), (duration, e)])));
    let most = 1.1 * target.unwrap_or(1.0);
    let height = Axis::linear("height [m]").range(-0.04 * drop, 1.06 * drop);
    let energy = Axis::linear("energy above rest [J]").range(-0.04 * most, most);
    let panels = vec![
        Chart::new("How high the ball is", time(), height, heights),
        Chart::new("How much energy it has", time(), energy, energies).subtitle(
            "In the midst of a collision the target is out of A-search's reach; the next steps make up for it",
        ),
    ];
    Figure::new(format!("A rubber ball dropped from {drop:.0} m"), 1, panels).sized(860.0, 640.0)
}

/// Frames shown of each second.
const BALLS_A_SECOND: f64 = 15.0;
const STRIP: (usize, usize) = (960, 150);
const CAPTION: usize = 28;

pub fn strips(runs: &[(&str, &Path)], radius: f64, drop: f64, duration: f64) -> anyhow::Result<Image> {
    let pace = 2.1 * radius * BALLS_A_SECOND;
    let corners = [(-radius, 0.0), (radius + pace * duration, 2.0 * radius + drop)];
    let corners: Vec<_> = corners.iter().map(|&(x, z)| Vector3::new(x, 0.0, z)).collect();
    let aspect = STRIP.0 as f64 / STRIP.1 as f64;
    let mut fit = Fit::new(Vector3::new(0.0, 1.0, -0.12), Vector3::z(), aspect, 0.3)?;
    fit.include(&corners);
    let camera = fit.orthographic()?;
    let mut sheet = Sheet::with_captions(runs.len(), 1, STRIP, CAPTION)?;
    let mut renderer = Renderer::new();
    for (name, path) in runs {
        let folder = RunFolder::open(path)?;
        let mesh = folder.mesh()?;
        let Some(ball) = mesh.bodies.iter().find(|body| body.kind == "solid") else { continue };
        let triangles = &mesh.triangles[ball.triangle_range()];
        let mut moments = Vec::new();
        let mut next = 0.0;
        for frame in folder.frames()?.iter().filter(|frame| frame.t <= duration) {
            if frame.t * BALLS_A_SECOND < next - 1e-6 {
                continue;
            }
            next += 1.0;
            let place = Vector3::new(pace * frame.t, 0.0, 0.0);
            let positions = folder.read_frame(frame.index)?.x;
            moments.push(positions.iter().map(|x| Vector3::from(*x) + place).collect::<Vec<_>>());
        }
        let colour = integrator_style(name).0;
        let bodies = moments.iter().map(|positions| Body::new(positions, triangles, colour)).collect();
        let picture = Picture::new(STRIP.0, STRIP.1, camera, bodies).on_ground(Ground::at(0.0));
        sheet.place(renderer.draw(&picture)?, name)?;
    }
    Ok(sheet.image().clone())
}

/// Both forms of the chart and the strips, each file whole.
pub fn write(folder: &Path, chart: &Figure, strips: &Image) -> anyhow::Result<()> {
    chart.write(folder, super::CHART)?;
    Ok(strips.write_png(&folder.join(super::STRIPS))?)
}
