//! From a picture to its pixels: floor and fixed bodies first, then the states from the oldest to the newest.
use super::light::{Ball, Lights, Studio, Tones};
use super::raster::{Bins, Facet, Floor, Layer, Plane, Scene, TILE, facets, wire_facets};
use super::surface::{Ramp, Surface, V3};
use super::view::View;
use super::{Body, Ground, Picture, RenderError, check_picture_size, overlay};
use crate::image::Image;
use nalgebra::Vector3;
use rayon::prelude::*;

/// Draws pictures one after another in the same memory.
#[derive(Debug)]
pub struct Renderer {
    surfaces: Vec<Surface>,
    facets: Vec<Facet>,
    bins: Bins,
    lights: Lights,
    floor: Floor,
    base: Layer,
    layer: Layer,
    frame: Vec<[f32; 3]>,
    image: Image,
    ramp: Ramp,
    tones: Tones,
}

/// Bodies that share a depth buffer, by their place among all bodies of the picture.
#[derive(Debug, Default)]
struct Part {
    drawn: Vec<usize>,
    /// They hide what is behind them and are drawn elsewhere.
    masks: Vec<usize>,
    opacity: f32,
}

/// Where the key light stands, in right, up and towards the viewer.
const KEY: [f64; 3] = [-0.55, 1.0, 0.5];

impl Default for Renderer {
    fn default() -> Self {
        Renderer::new()
    }
}

impl Renderer {
    pub fn new() -> Self {
        Renderer {
            surfaces: Vec::new(),
            facets: Vec::new(),
            bins: Bins::default(),
            lights: Lights::default(),
            floor: Floor::default(),
            base: Layer::default(),
            layer: Layer::default(),
            frame: Vec::new(),
            image: Image { width: 0, height: 0, pixels: Vec::new() },
            ramp: Ramp::new(),
            tones: Tones::new(),
        }
    }

    /// Draws on the current rayon pool; the pixels do not depend on its threads.
    ///
    /// Errors count bodies from the fixed ones on, then state after state.
    pub fn draw(&mut self, picture: &Picture) -> Result<&Image, RenderError> {
        check_picture_size((picture.width, picture.height))?;
        let size = (picture.width, picture.height);
        let (corner, room) = overlay::subject(picture);
        let view = View::new(&picture.camera, corner, room)?;
        let up = picture.up.try_normalize(1e-12).ok_or(RenderError::Camera("up has no direction"))?;

        let bodies: Vec<&Body> =
            picture.fixed.iter().chain(picture.states.iter().flat_map(|state| &state.bodies)).collect();
        self.surfaces.resize_with(bodies.len(), Surface::default);
        self.surfaces
            .par_iter_mut()
            .zip(&bodies)
            .enumerate()
            .map(|(k, (surface, body))| surface.prepare(body, k, &view))
            .collect::<Vec<_>>()
            .into_iter()
            .collect::<Result<(), _>>()?;
        let fixed: Vec<usize> = (0..picture.fixed.len()).collect();
        let moving = &self.surfaces[fixed.len()..];
        let ball = shadow_ball(moving, &self.surfaces[..fixed.len()]);
        let plane = picture.ground.and_then(|ground| plane(&ground, &up, &view, ball));
        let studio = studio(picture, &up, &view, ball);
        let floored = picture.ground.filter(|_| plane.is_some());
        // A hair lower than the floor, so that what rests on it is not cut.
        let lowered = floored.and_then(|g| view.plane(&up, g.height - 1e-3 * ball.radius as f64));
        let fold = 0.06 * ball.radius;
        let (ramp, tones) = (&self.ramp, &self.tones);
        let scene = Scene { view: &view, size, ground: lowered, studio, ramp, tones, fold };

        let mut first = fixed.len();
        let states: Vec<Vec<usize>> = picture
            .states
            .iter()
            .map(|state| {
                first += state.bodies.len();
                (first - state.bodies.len()..first).collect()
            })
            .collect();
        let opacity = |k: usize| clean(bodies[k].opacity);
        let solid = |all: &[usize]| all.iter().copied().filter(|&k| opacity(k) >= 1.0).collect::<Vec<_>>();
        let glassy = |all: &[usize]| all.iter().copied().filter(|&k| opacity(k) < 1.0).collect::<Vec<_>>();
        let solid_fixed = solid(&fixed);
        // One state shares its depth with the fixed bodies; several lie over them one by one.
        let alone = states.len() <= 1 && picture.states.iter().all(|state| state.opacity >= 1.0);
        let together: Vec<usize> = if alone { states.concat() } else { Vec::new() };
        let base = Part { drawn: [solid_fixed.clone(), solid(&together)].concat(), masks: Vec::new(), opacity: 1.0 };

        let mut stage =
            Stage { surfaces: &self.surfaces, facets: &mut self.facets, bins: &mut self.bins, scene: &scene };
        stage.draw(&base, &mut self.base);
        self.floor.clear(size);
        // The newest is cast last, and its shadows are still there for its own layer when it is alone.
        let nothing = [Vec::new()];
        let casts: &[Vec<usize>] = if states.is_empty() { &nothing } else { &states };
        for (k, state) in casts.iter().enumerate() {
            let weight = picture.states.get(k).map_or(1.0, |state| clean(state.opacity));
            cast(&mut self.lights, &self.surfaces, &fixed, state, &opacity, &studio, ball, size);
            if let Some(plane) = &plane {
                self.floor.light(plane, &self.lights, &view, size, &self.base.full, weight);
            }
            self.base.light(&self.lights, &scene, weight);
        }
        self.frame.resize(size.0 * size.1, [0.0; 3]);
        self.floor.paint(plane.as_ref(), &view, size, &self.base.full, &mut self.frame);
        self.base.lay(&scene, 1.0, &mut self.frame);

        for (k, state) in casts.iter().enumerate() {
            let weight = picture.states.get(k).map_or(1.0, |state| clean(state.opacity));
            let mut parts = Vec::new();
            let own = solid(state);
            if !alone && !own.is_empty() {
                parts.push(Part { drawn: own.clone(), masks: solid_fixed.clone(), opacity: weight });
            }
            let mut clear = glassy(state);
            if k == 0 {
                clear.extend(glassy(&fixed));
            }
            // Far ones first.
            let depth = |k: usize| {
                let seen = &self.surfaces[k].seen;
                seen.iter().map(|p| p.z).sum::<f64>() / seen.len().max(1) as f64
            };
            clear.sort_by(|&a, &b| depth(b).total_cmp(&depth(a)));
            parts.extend(clear.into_iter().map(|k| Part {
                drawn: vec![k],
                masks: [solid_fixed.clone(), own.clone()].concat(),
                opacity: weight * opacity(k),
            }));
            if parts.is_empty() {
                continue;
            }
            if casts.len() > 1 {
                cast(&mut self.lights, &self.surfaces, &fixed, state, &opacity, &studio, ball, size);
            }
            for part in parts.iter().filter(|part| part.opacity > 0.0) {
                stage.draw(part, &mut self.layer);
                self.layer.light(&self.lights, &scene, 1.0);
                self.layer.lay(&scene, part.opacity, &mut self.frame);
            }
        }

        self.image.width = size.0;
        self.image.height = size.1;
        self.image.pixels.resize(size.0 * size.1, [0; 3]);
        let rows = self.image.pixels.par_chunks_mut(size.0 * TILE).zip(self.frame.par_chunks(size.0 * TILE));
        rows.for_each(|(pixels, frame)| pixels.iter_mut().zip(frame).for_each(|(p, c)| *p = tones.encode(*c)));
        overlay::lay(picture, &mut self.image);
        Ok(&self.image)
    }
}

struct Stage<'a> {
    surfaces: &'a [Surface],
    facets: &'a mut Vec<Facet>,
    bins: &'a mut Bins,
    scene: &'a Scene<'a>,
}

impl Stage<'_> {
    fn draw(&mut self, part: &Part, layer: &mut Layer) {
        self.facets.clear();
        let masks = part.masks.iter().map(|&k| (k, true));
        for (k, mask) in part.drawn.iter().map(|&k| (k, false)).chain(masks) {
            facets(&self.surfaces[k], k as u32, mask, self.scene.view, self.scene.size, self.facets);
            wire_facets(&self.surfaces[k], k as u32, mask, self.scene.view, self.scene.size, self.facets);
        }
        self.bins.fill(self.facets, self.scene.size);
        layer.draw(self.facets, self.bins, self.surfaces, self.scene);
    }
}

/// Bodies one can look through cast no shadow of their own.
fn cast(
    lights: &mut Lights,
    surfaces: &[Surface],
    fixed: &[usize],
    state: &[usize],
    opacity: &impl Fn(usize) -> f32,
    studio: &Studio,
    ball: Ball,
    size: (usize, usize),
) {
    let casting = fixed.iter().chain(state).filter(|&&k| opacity(k) > 0.5);
    let casting: Vec<&Surface> = casting.map(|&k| &surfaces[k]).collect();
    lights.cast(&casting, studio.up, studio.key, ball, size.0.max(size.1));
}

/// Between 0 and 1; what is not a number is solid.
fn clean(opacity: f64) -> f32 {
    if opacity.is_nan() { 1.0 } else { opacity.clamp(0.0, 1.0) as f32 }
}

/// The ball about what moves; fixed bodies count as long as they are not much larger.
fn shadow_ball(moving: &[Surface], fixed: &[Surface]) -> Ball {
    let bounds = |surfaces: &mut dyn Iterator<Item = &Surface>| {
        let points = surfaces.flat_map(|s| s.triangles.iter().flatten().map(|&v| s.positions[v as usize]));
        points.fold(None, |bounds: Option<(V3, V3)>, p| match bounds {
            Some((low, high)) => Some((low.inf(&p), high.sup(&p))),
            None => Some((p, p)),
        })
    };
    let ball =
        |(low, high): (V3, V3)| Ball { centre: (low + high) / 2.0, radius: ((high - low).norm() / 2.0).max(1e-6) };
    let subject = bounds(&mut moving.iter()).map(ball);
    let all = bounds(&mut moving.iter().chain(fixed)).map(ball);
    match (subject, all) {
        (Some(subject), Some(all)) if all.radius > 4.0 * subject.radius => {
            Ball { radius: 2.0 * subject.radius, ..subject }
        }
        (_, Some(all)) => all,
        _ => Ball { centre: V3::zeros(), radius: 1.0 },
    }
}

fn studio(picture: &Picture, up: &Vector3<f64>, view: &View, ball: Ball) -> Studio {
    let back = picture.camera.eye - picture.camera.target;
    // Seen from straight above there is no level way back: the top of the image serves.
    let level = |v: Vector3<f64>| (v - up * up.dot(&v)).try_normalize(1e-3 * v.norm());
    let back = level(back).or_else(|| level(-picture.camera.up)).unwrap_or_else(Vector3::x);
    let right = up.cross(&back);
    let key = (right * KEY[0] + up * KEY[1] + back * KEY[2]).normalize().cast::<f32>();
    let ground = picture.ground.map(|g| ((g.height - up.dot(&view.origin)) as f32, 0.5 * ball.radius));
    Studio { up: up.cast::<f32>(), key, ground }
}

fn plane(ground: &Ground, up: &Vector3<f64>, view: &View, ball: Ball) -> Option<Plane> {
    let nearness = view.plane(up, ground.height)?;
    // The world's own axes, as far as they lie in the plane.
    let first = if up.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() };
    let first = (first - up * up.dot(&first)).normalize();
    let second = up.cross(&first);
    let spacing = ground.spacing.unwrap_or_else(|| round_step(0.45 * view.half_height));
    Some(Plane {
        nearness,
        up: up.cast::<f32>(),
        axes: [first.cast::<f32>(), second.cast::<f32>()],
        origin: [first.dot(&view.origin), second.dot(&view.origin)],
        height: (ground.height - up.dot(&view.origin)) as f32,
        spacing: if spacing.is_finite() { spacing } else { 0.0 },
        ball,
    })
}

/// The nearest of 1, 2 and 5 times a power of ten.
fn round_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let lead = rough / power;
    power
        * if lead < 1.42 {
            1.0
        } else if lead < 3.2 {
            2.0
        } else if lead < 7.1 {
            5.0
        } else {
            10.0
        }
}
