//! `visviva study …`: the small worlds.

mod ablation;
mod collision;
mod particle;
mod spectrum;
mod stability;
mod turning;

use indicatif::{ProgressBar, ProgressStyle};

#[derive(Debug, clap::Subcommand)]
pub enum Study {
    /// An elastic bar thrown at a wall: rebound velocity by stiffness, integrator and step
    #[command(name = "collision-1d")]
    Collision(collision::CollisionArgs),
    /// One particle against a barrier that no step resolves, at every phase
    Particle(particle::ParticleArgs),
    /// Determinant, trace and eigenvalues of one step on the harmonic oscillator, against theory
    Stability(stability::StabilityArgs),
    /// A mass on a spring goes round: whether its vibration grows with a-spin, and how far a step turns it
    Turning(turning::TurningArgs),
    /// Energy of the bar by eigenmode after the collision
    Spectrum(spectrum::SpectrumArgs),
    /// What the α interval and the sparse search do to the medium bar
    Ablation(ablation::AblationArgs),
}

impl Study {
    pub fn run(&self) -> anyhow::Result<()> {
        match self {
            Study::Collision(args) => args.run(),
            Study::Particle(args) => args.run(),
            Study::Stability(args) => args.run(),
            Study::Turning(args) => args.run(),
            Study::Spectrum(args) => args.run(),
            Study::Ablation(args) => args.run(),
        }
    }
}

/// On standard error, and only on a terminal.
pub(super) fn progress(total_steps: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{bar:30} {percent:>3} %  {eta} left").expect("the template is well-formed");
    ProgressBar::new(total_steps).with_style(style)
}
