//! A scene that is going on: bodies, state, method and the energy wanted, step after step, and whoever looks on.
//!
//! A session owns all it needs. What is changed under way is written down with its step, so that a run can be repeated.

mod bodies;
mod changes;
mod checkpoint;
mod error;
mod frame_clock;
mod freeze;
mod lag;
mod live_export;
mod model_hash;
mod observer;
mod recorder;
mod resumption;
mod row;
mod squash;
mod steering;
mod stepping;
mod summary;
mod unconverged;

pub use crate::solve::{PinMotion, PinTurn};
pub use checkpoint::Checkpoint;
pub use error::SessionError;
pub use lag::{Lag, Stretch};
pub use live_export::LiveExport;
pub use observer::{Observer, ObserverError, SeenFrame};
pub use recorder::RecordOptions;
pub use row::EnergyNow;
pub use squash::Squash;
pub use stepping::Halt;
pub use summary::{Ending, Phases, Summary, Tally};
pub use unconverged::{Held, HeldSteps, what_held};

pub use crate::scene::{Change, TimedChange};

use crate::energy::Target;
use crate::integrate::IntegratorSpec;
use crate::mesh::Skin;
use crate::model::Part;
use crate::model::bodies::Model;
use crate::run::{RunMesh, StatsRow};
use crate::scene::{Built, Ground, Scene};
use crate::simulation::{Clock, Simulation};
use crate::solve::ContactForce;
use bodies::Bodies;
use frame_clock::FrameClock;
use freeze::Freeze;
use nalgebra::Vector3;
use std::time::Instant;
use steering::Steering;
use unconverged::Unconverged;

/// A scene and how far it has come.
///
/// ```
/// use visviva::scene::{Body, Material, Scene};
/// use visviva::session::Session;
///
/// let bar = Body::cuboid([0.2, 0.05, 0.05], [4, 1, 1]).material(Material::new(1e5));
/// let mut session = Session::new(Scene::new("A bar falls").body(bar).step("1/60"))?;
/// let start = session.checkpoint();
/// session.run_until(0.1)?;
/// assert!(session.vertices().iter().all(|place| place.z < 0.0));
/// session.restore(start)?;
/// assert_eq!(session.time(), 0.0);
/// # Ok::<(), visviva::session::SessionError>(())
/// ```
pub struct Session {
    scene: Scene,
    /// Which of the scene's bodies each of the model's belongs to
    settings_of: Vec<usize>,
    /// What is shown of each of them in place of its surface
    skins: Vec<Option<Skin>>,
    simulation: Simulation<Bodies>,
    integrator: IntegratorSpec,
    /// The scene's own, before any change
    first_target: Target,
    /// Of the model as the scene gives it
    model_hash: u64,
    /// Those made and, after them, those to come
    changes: Vec<TimedChange>,
    made: usize,
    frames: FrameClock,
    row: StatsRow,
    tally: Tally,
    unconverged: Unconverged,
    freeze: Freeze,
    /// What a program does in the next step
    steering: Steering,
    phases: Phases,
    /// What the world's clocks showed where `phases` began to count
    phases_before: Phases,
    started: Instant,
    warnings: Vec<String>,
    observers: Vec<Box<dyn Observer>>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (scene, steps) = (&self.scene.title, self.steps());
        f.debug_struct("Session").field("scene", scene).field("steps", &steps).finish_non_exhaustive()
    }
}

impl Session {
    /// Builds the scene, and finds the energy of its bodies at rest where it asks for that.
    pub fn new(scene: Scene) -> Result<Self, SessionError> {
        let built = scene.build()?;
        Self::from_built(scene, built)
    }

    /// With what the scene has been built into already.
    pub fn from_built(mut scene: Scene, mut built: Built) -> Result<Self, SessionError> {
        if let Some(found) = built.find_ground()? {
            scene.energy.ground = Ground::Joules(found);
        }
        let model_hash = model_hash::model_hash(&built.model);
        let world = Bodies::new(built.model, built.solver)?;
        let method = built.integrator.build();
        let simulation = Simulation::new(world, built.start, method, &built.plan, built.h)?;
        let row = row::at_start(&simulation);
        Ok(Self {
            frames: FrameClock::new(scene.run.steps_a_frame()),
            scene,
            settings_of: built.settings_of,
            skins: built.skins,
            simulation,
            integrator: built.integrator,
            first_target: built.plan.target,
            model_hash,
            changes: built.changes,
            made: 0,
            tally: Tally::new(&row),
            row,
            unconverged: Unconverged::default(),
            freeze: Freeze::default(),
            steering: Steering::default(),
            phases: Phases::default(),
            phases_before: Phases::default(),
            started: Instant::now(),
            warnings: built.warnings,
            observers: Vec::new(),
        })
    }

    /// As it is run: with the ground energy found and the changes made.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    pub fn model(&self) -> &Model {
        self.simulation.backend.model()
    }

    /// Shapes at rest and which body owns what, as run folders and exporters know them.
    pub fn mesh(&self) -> RunMesh {
        RunMesh::of(&self.scene, self.model(), &self.settings_of, &self.skins)
    }

    /// `[s]`
    pub fn time(&self) -> f64 {
        self.simulation.state.t
    }

    pub fn clock(&self) -> Clock {
        self.simulation.clock()
    }

    /// Done so far.
    pub fn steps(&self) -> u64 {
        self.clock().steps
    }

    /// Shown so far, the start included.
    pub fn frames(&self) -> u64 {
        self.frames.shown(self.steps())
    }

    /// Of the nodes, flat `[m]`.
    pub fn positions(&self) -> &[f64] {
        &self.simulation.state.x
    }

    /// Of the nodes, flat `[m/s]`.
    pub fn velocities(&self) -> &[f64] {
        &self.simulation.state.v
    }

    /// Where what is seen is `[m]`.
    pub fn vertices(&self) -> Vec<Vector3<f64>> {
        self.model().at_vertices(self.positions())
    }

    /// Where surfaces press on each other, friction as it was in the last step.
    pub fn contacts(&self) -> Vec<ContactForce> {
        bodies::contact_forces(&self.simulation)
    }

    pub fn energies(&self) -> EnergyNow {
        EnergyNow::new(&self.row, self.simulation.energy())
    }

    /// ∇²P at the present position as the solver projects it `[N/m]`: blocks by columns for pairs of nodes, to be added where a
    /// pair comes again.
    pub fn stiffness(&mut self) -> Vec<([u32; 2], [f64; 9])> {
        bodies::stiffness(&mut self.simulation)
    }

    /// Energies and momenta of each body, and what the last step took and gave; [`Part::grouped`] adds them by group.
    pub fn parts(&self) -> Vec<Part> {
        self.simulation.parts()
    }

    /// What the last step did, as statistics have it; at first the start.
    pub fn row(&self) -> &StatsRow {
        &self.row
    }

    /// Where the time of all steps so far went, by the clock.
    pub fn phases(&self) -> Phases {
        self.phases
    }

    /// The method in use.
    pub fn integrator(&self) -> &IntegratorSpec {
        &self.integrator
    }

    /// Those made so far.
    pub fn changes(&self) -> &[TimedChange] {
        &self.changes[..self.made]
    }

    /// What is doubtful about the scene or the folder it was taken from.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}
