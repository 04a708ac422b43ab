//! The scene itself, and how code writes one.

use super::{
    Body, Camera, ChangeEntry, Contact, Energy, Joint, Material, MaterialChoice, Number, Obstacle, PairCoefficient,
    Pin, Provenance, Run, Solver,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Bodies, what they touch, what is held, the time step, and the energy wanted.
///
/// ```
/// use visviva::scene::{Body, Energy, Material, Scene};
///
/// let scene = Scene::new("A ball that bounces for a while")
///     .body(Body::ball(0.05, 2).material(Material::new(1e5)).at([0.0, 0.0, 0.5]))
///     .floor()
///     .energy(Energy::decay(5.0))
///     .step("1/120")
///     .duration(3.0);
/// let built = scene.build()?;
/// assert_eq!((built.model.bodies[0].name.as_str(), built.h), ("ball", 1.0 / 120.0));
/// # Ok::<(), visviva::scene::BuildError>(())
/// ```
///
/// Words are those of scene files, which [`SceneSource`](crate::scene::SceneSource) reads into the same. What is impossible is
/// refused by [`Scene::build`], with a message that names it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(description = "A scene file.")]
pub struct Scene {
    /// One line, shown in lists
    pub title: String,
    /// What the scene shows and what to expect
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Acceleration of gravity `[m/s²]`
    #[serde(default = "default_gravity")]
    pub gravity: [f64; 3],
    /// Method, time step and duration
    pub run: Run,
    /// The energy wanted; by default it is kept
    #[serde(default)]
    pub energy: Energy,
    /// How equations are solved
    #[serde(default)]
    pub solver: Solver,
    /// Materials that bodies name
    #[serde(default, rename = "material", skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<Material>,
    /// What moves
    #[serde(default, rename = "body")]
    pub bodies: Vec<Body>,
    /// How surfaces touch
    #[serde(default)]
    pub contact: Contact,
    /// Surfaces that stand still or move by themselves
    #[serde(default, rename = "obstacle", skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<Obstacle>,
    /// Coefficients of friction by pair
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub friction: Vec<PairCoefficient>,
    /// Restitution of contacts by pair
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub restitution: Vec<PairCoefficient>,
    /// Nodes that are held or moved
    #[serde(default, rename = "pin", skip_serializing_if = "Vec::is_empty")]
    pub pins: Vec<Pin>,
    /// How affine bodies hang together
    #[serde(default, rename = "joint", skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<Joint>,
    /// Nodes that are held where deformations put them until the bodies rest, and let go at the start
    #[serde(default, rename = "release", skip_serializing_if = "Vec::is_empty")]
    pub releases: Vec<Pin>,
    /// What changes under way, in the order of steps
    #[serde(default, rename = "change", skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangeEntry>,
    /// Where pictures are taken from
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub camera: Option<Camera>,
    /// Written into the run folder; ignored when read
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
    /// What relative file names are relative to
    #[serde(skip)]
    pub folder: PathBuf,
}

fn default_gravity() -> [f64; 3] {
    [0.0, 0.0, -9.8]
}

impl Default for Scene {
    /// Nothing, under gravity.
    fn default() -> Self {
        Self {
            title: String::new(),
            description: String::new(),
            gravity: default_gravity(),
            run: Run::default(),
            energy: Energy::default(),
            solver: Solver::default(),
            materials: Vec::new(),
            bodies: Vec::new(),
            contact: Contact::default(),
            obstacles: Vec::new(),
            friction: Vec::new(),
            restitution: Vec::new(),
            pins: Vec::new(),
            joints: Vec::new(),
            releases: Vec::new(),
            changes: Vec::new(),
            camera: None,
            provenance: None,
            folder: PathBuf::new(),
        }
    }
}

impl Scene {
    /// An empty scene under gravity, with a title of one line.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// What it shows and what to expect.
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = text.into();
        self
    }

    /// Acceleration of gravity `[m/s²]`; without this (0, 0, −9.8).
    pub fn gravity(mut self, gravity: [f64; 3]) -> Self {
        self.gravity = gravity;
        self
    }

    /// One more body.
    pub fn body(mut self, body: Body) -> Self {
        self.bodies.push(body);
        self
    }

    /// One more material that bodies may name.
    pub fn material(mut self, material: Material) -> Self {
        self.materials.push(material);
        self
    }

    /// One more obstacle.
    pub fn obstacle(mut self, obstacle: Obstacle) -> Self {
        self.obstacles.push(obstacle);
        self
    }

    /// A plane at z = 0, called `floor`.
    pub fn floor(self) -> Self {
        self.obstacle(Obstacle::plane().named("floor"))
    }

    /// How surfaces touch.
    pub fn contact(mut self, contact: Contact) -> Self {
        self.contact = contact;
        self
    }

    /// The coefficient of friction of two bodies or obstacles, in place of the mean of their own.
    pub fn friction(mut self, between: [&str; 2], coefficient: f64) -> Self {
        self.friction.push(PairCoefficient { between: between.map(str::to_owned), coefficient });
        self
    }

    /// Nodes that are held or moved.
    pub fn pin(mut self, pin: Pin) -> Self {
        self.pins.push(pin);
        self
    }

    /// One more joint of an affine body.
    pub fn joint(mut self, joint: Joint) -> Self {
        self.joints.push(joint);
        self
    }

    /// Nodes that are held until the bodies rest, and let go at the start.
    pub fn release(mut self, pin: Pin) -> Self {
        self.releases.push(pin);
        self
    }

    /// The energy wanted; without this it is conserved.
    pub fn energy(mut self, energy: Energy) -> Self {
        self.energy = energy;
        self
    }

    /// How equations are solved.
    pub fn solver(mut self, solver: Solver) -> Self {
        self.solver = solver;
        self
    }

    /// Name and parameters, such as `a-search` or `bdf2`.
    pub fn integrator(mut self, name: impl Into<String>) -> Self {
        self.run.integrator = name.into();
        self
    }

    /// The time step `[s]`: a number, or a fraction such as `"1/120"`.
    pub fn step(mut self, h: impl Into<Number>) -> Self {
        self.run.h = h.into();
        self
    }

    /// Simulated time `[s]`.
    pub fn duration(mut self, duration: impl Into<Number>) -> Self {
        self.run.duration = duration.into();
        self
    }

    /// Frames written per simulated second.
    pub fn frame_rate(mut self, rate: f64) -> Self {
        self.run.frame_rate = rate;
        self
    }

    /// Where pictures are taken from.
    pub fn camera(mut self, camera: Camera) -> Self {
        self.camera = Some(camera);
        self
    }

    /// The material that a body names or holds itself: the scene's own, or an everyday one. None where none is called so.
    pub fn material_of<'a>(&'a self, body: &'a Body) -> Option<&'a Material> {
        match &body.material {
            MaterialChoice::Inline(material) => Some(material),
            MaterialChoice::Named(name) => {
                let own = self.materials.iter().find(|material| material.name == *name);
                own.or_else(|| Material::everyday(name))
            }
        }
    }

    /// Which of its bodies a body of a run was made from, by its name: the same, or the array or net that it is part of.
    pub fn body_behind(&self, name: &str) -> Option<usize> {
        let is_part = |whole: &str| name.strip_prefix(whole).is_some_and(|rest| rest.starts_with('.'));
        let same = self.bodies.iter().position(|body| body.name == name);
        same.or_else(|| self.bodies.iter().position(|body| is_part(&body.name)))
    }

    /// Whether surfaces touch at all, where there are so many bodies and some may touch themselves or none.
    pub fn has_contact(&self, body_count: usize, self_contact: bool) -> bool {
        self.contact.enabled.unwrap_or(!self.obstacles.is_empty() || body_count > 1 || self_contact)
    }
}
