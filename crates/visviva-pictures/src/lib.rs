//! Pictures of simulations: charts, and a renderer of moving bodies that needs neither a window nor a GPU.
//!
//! - [`chart`]: curves, markers and bars on axes, as SVG and as PNG.
//! - [`render`]: triangle surfaces and wires with shadows on a floor, as images, sheets and films.
//! - [`run`]: the run folders of `visviva` as pictures; the only part that knows of simulations.
//! - [`colour`]: colours of bodies and of fields, readable without colour vision.
//!
//! Fonts are carried along, so all machines draw alike, and the same input gives the same bytes.
//!
//! A chart:
//!
//! ```
//! use visviva_pictures::chart::{Axis, Chart, Figure, Series};
//!
//! let swing = |k: i32| (0.01 * k as f64, (0.03 * k as f64).cos());
//! let curve = Series::integrator("a-search", (0..500).map(swing).collect());
//! let chart = Chart::new("A pendulum", Axis::linear("time [s]"), Axis::linear("angle [rad]"), vec![curve]);
//! let figure = Figure::single(chart.guide_y(0.0, "at rest"));
//!
//! assert!(figure.to_svg().starts_with("<svg"));
//! let png = figure.to_image(2.0)?.to_png()?;
//! # assert!(png.starts_with(b"\x89PNG"));
//! # Ok::<(), visviva_pictures::ImageError>(())
//! ```
//!
//! A picture of a tetrahedron on the ground:
//!
//! ```
//! use nalgebra::Vector3;
//! use visviva_pictures::colour::body_colour;
//! use visviva_pictures::render::{Body, Camera, Ground, Picture, Renderer};
//!
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, 0.9, 0.0], [0.5, 0.3, 0.8]].map(Vector3::from);
//! let triangles = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
//! let camera = Camera::fit(&corners, Vector3::new(-0.5, 1.0, -0.4), Vector3::z(), 1.5)?;
//! let bodies = vec![Body::new(&corners, &triangles, body_colour(5))];
//! let picture = Picture::new(300, 200, camera, bodies).on_ground(Ground::at(0.0));
//!
//! let mut renderer = Renderer::new();
//! let image = renderer.draw(&picture)?;
//! # assert!(image.pixels.iter().any(|[r, _, b]| r.saturating_sub(*b) > 100), "the body shows in its colour");
//! # Ok::<(), visviva_pictures::render::RenderError>(())
//! ```
//!
//! `cargo run --release -p visviva-pictures --example chart_gallery` draws a figure of every kind, `--example render_demo`
//! a picture of every kind.

pub mod colour;

mod image;
mod partial_file;
mod quantised;

mod drawing;

pub mod chart;
pub mod render;
pub mod run;

pub use image::{Image, ImageError};
