//! Pictures of a run folder: its frames as bodies with colours, one camera for the whole motion.
//!
//! [`RunPictures::open`] looks through a run once; then [`RunPictures::moment`] reads a frame and [`RunPictures::picture`] says
//! what a [`Renderer`] draws of it.
//!
//! ```no_run
//! use visviva_pictures::render::Renderer;
//! use visviva_pictures::run::{Look, RunPictures};
//!
//! let run = RunPictures::open("runs/dice-roll".as_ref(), Look::default())?;
//! let image = run.superimposed(12, &mut Renderer::new())?;
//! image.write_png("dice.png".as_ref())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
mod error;
mod field;
mod look;
pub mod planes;

pub use error::RunPictureError;
pub use field::energy_density;
pub use look::{ColourBy, Look};

use crate::colour::body_colour;
use crate::image::Image;
use crate::render::{Body, Camera, Fit, Ground, Legend, Picture, Renderer, Sheet};
use nalgebra::Vector3;
use planes::PlaneLook;
use std::path::Path;
use visviva::mesh::Ride;
use visviva::run::{FrameInfo, RunFolder, RunMesh, ShownBody, ShownFrame, evenly};
use visviva::scene::{Built, Scene};

/// A run folder made ready for drawing.
#[derive(Debug)]
pub struct RunPictures {
    pub folder: RunFolder,
    pub frames: Vec<FrameInfo>,
    pub scene: Scene,
    mesh: RunMesh,
    /// What is seen of each body
    shown: Vec<ShownBody>,
    /// Its triangles
    triangles: Vec<Vec<[u32; 3]>>,
    /// How each body is drawn that is a plane.
    planes: Vec<Option<PlaneLook>>,
    built: Option<Built>,
    look: Look,
    camera: Camera,
    ground: f64,
    range: (f64, f64),
}

/// One frame's bodies: positions and colours, owned.
#[derive(Debug)]
pub struct Moment {
    /// `[s]`
    pub t: f64,
    /// Whether it lies between two frames
    interpolated: bool,
    positions: Vec<Vec<Vector3<f64>>>,
    values: Vec<Vec<f64>>,
}

impl RunPictures {
    /// Looks through all frames once, for the camera and the range of colours; holds one at a time.
    pub fn open(path: &Path, look: Look) -> Result<Self, RunPictureError> {
        let folder = RunFolder::open(path)?;
        let missing = folder.missing_frames()?;
        if !missing.is_empty() {
            return Err(RunPictureError::MissingFrames { path: path.into(), missing });
        }
        let frames = folder.frames()?;
        if frames.is_empty() {
            return Err(RunPictureError::NoFrames { path: path.into() });
        }
        let scene = folder.scene()?;
        let built = match look.colour_by {
            ColourBy::Energy => Some(folder.built().map_err(RunPictureError::Bodies)?.1),
            _ => None,
        };
        let mesh = folder.mesh()?;
        let looks = mesh.bodies.iter().map(|b| {
            let settings = scene.obstacles.iter().find(|o| b.kind == "obstacle" && o.name == b.name)?;
            let corners: Vec<_> = mesh.rest[b.vertices[0]..b.vertices[1]].iter().map(|p| Vector3::from(*p)).collect();
            planes::look(settings, &corners)
        });
        let planes: Vec<_> = looks.collect();
        let shown = if look.mesh_edges { mesh.simulated() } else { mesh.shown() };
        let triangles = shown.iter().zip(&planes).map(|(body, plane)| match plane {
            Some(_) => planes::SQUARE.to_vec(),
            None => body.triangles(&mesh.rest),
        });
        let triangles = triangles.collect();
        let aspect = look.size.0 as f64 / look.size.1.max(1) as f64;
        let camera = Camera::perspective(Vector3::x(), Vector3::zeros(), Vector3::z(), 0.6);
        let mut pictures = Self {
            folder,
            frames,
            scene,
            mesh,
            shown,
            triangles,
            planes,
            built,
            look,
            camera,
            ground: 0.0,
            range: (0.0, 1.0),
        };
        pictures.survey(aspect)?;
        Ok(pictures)
    }

    fn survey(&mut self, aspect: f64) -> Result<(), RunPictureError> {
        let mut fit = Fit::new(Vector3::new(-0.45, 1.0, -0.4), Vector3::z(), aspect, 0.6)?;
        let mut lowest = f64::INFINITY;
        let mut highest_value = 0.0f64;
        for index in 0..self.frames.len() {
            let moment = self.moment(index)?;
            for (body, positions) in self.mesh.bodies.iter().zip(&moment.positions) {
                if body.kind != "obstacle" {
                    fit.include(positions);
                }
                lowest = positions.iter().fold(lowest, |m, p| m.min(p.z));
            }
            highest_value = moment.values.iter().flatten().fold(highest_value, |m, v| m.max(*v));
        }
        self.camera = match &self.scene.camera {
            Some(c) => Camera::perspective(c.eye.into(), c.target.into(), c.up.into(), c.field_of_view),
            None => fit.perspective()?,
        };
        // A floor hides what lies below it.
        let floors = self.planes.iter().filter_map(|plane| match plane {
            Some(PlaneLook::Floor(height)) => Some(*height),
            _ => None,
        });
        self.ground = floors.reduce(f64::min).unwrap_or(lowest);
        self.range = (0.0, if highest_value > 0.0 { highest_value } else { 1.0 });
        Ok(())
    }

    /// The frames of a film, at even times where that is possible: those between two that were written are interpolated.
    pub fn film(&self, interpolate: bool) -> Vec<ShownFrame> {
        let even = interpolate.then(|| evenly(&self.frames, self.scene.run.frame_rate)).flatten();
        even.unwrap_or_else(|| self.frames.iter().map(ShownFrame::written).collect())
    }

    /// Reads a frame and works out what is seen of it.
    pub fn moment(&self, index: usize) -> Result<Moment, RunPictureError> {
        self.film_moment(&ShownFrame::written(&self.frames[index]))
    }

    /// The same for a frame of the film.
    pub fn film_moment(&self, shown: &ShownFrame) -> Result<Moment, RunPictureError> {
        let (nodes, frame) = self.folder.read_shown(&self.mesh, shown)?;
        let model = self.built.as_ref().map(|built| built.model.as_ref());
        let values = field::values(self.look.colour_by, &nodes, &frame, &self.mesh.rest, model);
        let place = |ride: &Ride| {
            let (x, rest) = (Vector3::from(ride.of(&frame.x)), Vector3::from(ride.of(&self.mesh.rest)));
            rest + self.look.magnify * (x - rest)
        };
        let positions = self.shown.iter().zip(&self.planes).map(|(body, plane)| {
            let points: Vec<_> = body.rides.iter().map(place).collect();
            if plane.is_some() { planes::square(&points) } else { points }
        });
        Ok(Moment {
            t: shown.t,
            interpolated: shown.is_interpolated(),
            positions: positions.collect(),
            values: match &values {
                Some(values) => self.shown.iter().map(|body| body.numbers(values)).collect(),
                None => Vec::new(),
            },
        })
    }

    fn bodies<'a>(&'a self, moment: &'a Moment, obstacles: bool) -> Vec<Body<'a>> {
        let all = self.mesh.bodies.iter().enumerate().filter(|(_, b)| (b.kind == "obstacle") == obstacles);
        let is_ground = |i: usize| matches!(self.planes[i], Some(PlaneLook::Floor(height)) if height == self.ground);
        all.filter(|(i, _)| !is_ground(*i))
            .map(|(i, body)| {
                let (positions, triangles) = (&moment.positions[i], &self.triangles[i]);
                // The copies of an array and the links of a net share a colour.
                let colour = body_colour(self.scene.body_behind(&body.name).unwrap_or(i));
                let body = if obstacles {
                    Body::obstacle(positions, triangles).with_wires(&self.shown[i].wires)
                } else {
                    match moment.values.get(i) {
                        Some(values) => Body::new(positions, triangles, colour).coloured_by(values, self.range),
                        None => Body::new(positions, triangles, colour),
                    }
                };
                if self.look.mesh_edges && !obstacles { body.with_edges() } else { body }
            })
            .collect()
    }

    /// One state, or several superimposed: the earlier ones translucent, the last one solid.
    pub fn picture<'a>(&'a self, states: &'a [Moment]) -> Picture<'a> {
        let (w, h) = self.look.size;
        let bodies: Vec<_> = states.iter().map(|moment| self.bodies(moment, false)).collect();
        let obstacles = states.last().map_or(Vec::new(), |last| self.bodies(last, true));
        let mut picture = Picture::superimposed(w, h, self.camera, bodies).with_fixed(obstacles);
        if self.look.ground {
            picture = picture.on_ground(Ground::at(self.ground));
        }
        if self.look.colour_by != ColourBy::Body {
            picture = picture.with_legend(Legend::new(self.look.colour_by.label(), self.range));
        }
        if let ([only], true) = (states, self.look.captions) {
            let sign = if only.interpolated { '≈' } else { '=' };
            picture = picture.captioned(format!("t {sign} {:.2} s", only.t));
        }
        picture
    }

    /// `count` frame indices spread evenly over the run, the first and the last among them.
    pub fn spread(&self, count: usize) -> Vec<usize> {
        let last = self.frames.len() - 1;
        if count <= 1 {
            return vec![last];
        }
        let mut indices: Vec<usize> =
            (0..count).map(|k| ((last * k) as f64 / (count - 1) as f64).round() as usize).collect();
        indices.dedup();
        indices
    }
    /// `count` moments of the run in one picture, the earlier ones translucent.
    pub fn superimposed(&self, count: usize, renderer: &mut Renderer) -> Result<Image, RunPictureError> {
        let states = self.spread(count).into_iter().map(|index| self.moment(index)).collect::<Result<Vec<_>, _>>()?;
        Ok(renderer.draw(&self.picture(&states))?.clone())
    }

    /// `count` moments of the run side by side.
    pub fn sheet(&self, count: usize, renderer: &mut Renderer) -> Result<Image, RunPictureError> {
        let indices = self.spread(count);
        let columns = (indices.len() as f64).sqrt().ceil() as usize;
        // Cells of a third, so that a sheet of nine is about one picture's size.
        let cell = ((self.look.size.0 / 3).max(1), (self.look.size.1 / 3).max(1));
        let mut sheet = Sheet::new(indices.len(), columns, cell)?;
        for index in indices {
            let states = [self.moment(index)?];
            sheet.place(renderer.draw(&self.picture(&states))?, &format!("t = {:.2} s", states[0].t))?;
        }
        Ok(sheet.image().clone())
    }
}
