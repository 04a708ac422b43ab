//! visviva: elastic bodies that keep their bounce.
//!
//! Soft solids, thin shells and stiff bodies in frictional contact, never inverted, never penetrating, whose energy you direct:
//! keep it, let it decay, or follow a drawn curve, at large time steps. Positions come from implicit Euler, so that every
//! guarantee of barrier contact holds; velocities are corrected by α times a force difference, with α solved so that the energy
//! meets its target (You, Zheng, Li: *Energy-Controllable Time Integration for Elastodynamic Contact*).
//!
//! Write a [`Scene`], begin a [`Session`], step it, look, and change it under way:
//!
//! ```
//! use visviva::Session;
//! use visviva::energy::Target;
//! use visviva::scene::{Body, Material, Scene};
//!
//! let ball = Body::ball(0.05, 2).material(Material::new(1e5)).at([0.0, 0.0, 0.1]);
//! let mut session = Session::new(Scene::new("A ball falls").body(ball).floor().step("1/120"))?;
//! session.run_until(0.1)?;
//! session.set_target(Target::Decay { tau: 1.0, ground: 0.0 })?;
//! session.step()?;
//!
//! let lowest = session.vertices().iter().map(|vertex| vertex.z).fold(f64::INFINITY, f64::min);
//! let energies = session.energies();
//! println!("{} s: {lowest} m above the floor, {} of {} J", session.time(), energies.total, energies.wanted);
//! # Ok::<(), visviva::session::SessionError>(())
//! ```
//!
//! - [`session`]: a scene that is going on; what is changed under way is written down, and whoever looks on is told
//! - [`scene`]: what a user writes, in code or in TOML
//! - [`run`]: what a run leaves in its folder: frames, statistics, checkpoints, verification, exports
//! - [`energy`] and [`integrate`]: targets, the α search, the ledger; every method by name, and the door for one's own
//! - [`solve`]: the door behind which stages are minimised
//! - [`study`]: the paper's small worlds
//!
//! All quantities are in SI units. Modules use only those above them in this list.

pub mod readable;

#[doc(hidden)] // Internals, open to the project's own tests and benchmarks.
pub mod math;

pub mod mesh;

#[doc(hidden)] // Internals, as above.
pub mod laws;

pub mod model;

#[doc(hidden)] // Internals, as above.
pub mod contact;

pub mod solve;

pub mod energy;

pub mod integrate;

pub mod simulation;

pub mod scene;

pub mod run;

pub mod session;

pub mod study;

pub use scene::Scene;
pub use session::Session;
