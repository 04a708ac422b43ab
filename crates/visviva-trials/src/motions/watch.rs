//! A run, and what is seen of it beneath its energy.

use super::cases::Case;
use anyhow::{Context, Result};
use nalgebra::{Matrix3, Rotation3, Vector3};
use visviva::scene::SceneSource;
use visviva::session::Session;

#[derive(Debug, Default)]
pub struct Watched {
    /// About the angular momentum that there is at the time
    pub turns: f64,
    /// How far what is seen has turned in all
    pub orientation: Matrix3<f64>,
    /// Largest change of the angular momentum about the mass centre, as a part of it
    pub spin_off: f64,
    /// Largest energy above the target, as a part of the largest kinetic energy
    pub over: f64,
    /// Heights of return, as a part of the drop, with their times `[s]`
    pub apexes: Vec<(f64, f64)>,
    pub unconverged: u32,
    pub newton: u64,
    pub steps: u32,
}

impl std::fmt::Display for Watched {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { turns, spin_off, over, apexes, unconverged, newton, steps, .. } = self;
        write!(f, "turns {turns:8.3}  spin off {spin_off:8.1e}  above target {:7.3} %", 100.0 * over)?;
        if let (Some((_, first)), Some((t, last))) = (apexes.first(), apexes.last()) {
            let least = lowest(apexes);
            write!(f, "  apexes {first:.3} … {last:.3} at {t:.1} s, least of the last five {least:.3}")?;
        }
        write!(f, "  Newton {:.2}", *newton as f64 / f64::from(*steps))?;
        if *unconverged > 0 { write!(f, "  {unconverged} unconverged") } else { Ok(()) }
    }
}

/// Of the last five
pub fn lowest(apexes: &[(f64, f64)]) -> f64 {
    apexes.iter().rev().take(5).map(|&(_, height)| height).fold(f64::INFINITY, f64::min)
}

pub fn watch(case: &Case, method: &str, h: u32) -> Result<Watched> {
    let source = SceneSource { name: case.name.clone(), text: case.text.clone(), folder: std::env::temp_dir() };
    let changes =
        [format!("run.integrator={method}"), format!("run.h=1/{h}"), format!("run.duration={}", case.duration)];
    let scene = source.parse(&changes).with_context(|| case.name.clone())?;
    let mut session = Session::new(scene).with_context(|| case.name.clone())?;
    let mut seen = Watched { orientation: Matrix3::identity(), ..Watched::default() };
    let first_spin = spin(&session, case);
    let first = of_bodies(&session);
    let start = mean(&first);
    let drop = first.iter().map(|p| p.z).fold(f64::INFINITY, f64::min);
    let (mut before, mut heights, mut fastest) = (first, [start.z; 2], 0.0f64);
    for _ in 0..(case.duration * f64::from(h)).round() as u32 {
        let report = session.step().with_context(|| format!("{} with {method} at 1/{h} s", case.name))?;
        let now = of_bodies(&session);
        let spin = spin(&session, case);
        let turn = Rotation3::from_matrix_eps(&best_turn(&before, &now), 1e-12, 10, Rotation3::identity());
        let axis = spin.try_normalize(0.0).unwrap_or(Vector3::z());
        seen.turns += turn.scaled_axis().dot(&axis) / std::f64::consts::TAU;
        seen.orientation = turn.matrix() * seen.orientation;
        let size = first_spin.norm().max(f64::MIN_POSITIVE);
        seen.spin_off = seen.spin_off.max((spin - first_spin).norm() / size);
        fastest = fastest.max(report.ledger.kinetic);
        seen.over = seen.over.max((report.ledger.total - report.target) / fastest.max(f64::MIN_POSITIVE));
        seen.unconverged += u32::from(!report.solve.converged);
        seen.newton += report.solve.newton_iterations as u64;
        seen.steps += 1;
        let height = mean(&now).z;
        let flies = session.row().active_pairs == Some(0);
        if case.returns() && flies && heights[1] >= heights[0] && heights[1] > height {
            seen.apexes.push((session.time(), 1.0 + (heights[1] - start.z) / drop));
        }
        heights = [heights[1], height];
        before = now;
    }
    Ok(seen)
}

/// Where what is seen of bodies is, which comes before obstacles `[m]`.
fn of_bodies(session: &Session) -> Vec<Vector3<f64>> {
    let count = session.model().bodies.last().map_or(0, |body| body.vertices.end);
    let mut vertices = session.vertices();
    vertices.truncate(count);
    vertices
}

/// About the mass centre of all bodies, or about what the case says is held.
fn spin(session: &Session, case: &Case) -> Vector3<f64> {
    let (model, x) = (session.model(), session.positions());
    let (p, l) = model.momenta(x, session.velocities());
    let centre = case.held.map_or_else(
        || {
            let nodes = model.node_mass.iter().zip(x.chunks_exact(3));
            let (mass, moment) = nodes.fold((0.0, Vector3::zeros()), |(mass, moment), (m, x)| {
                (mass + m, moment + *m * Vector3::new(x[0], x[1], x[2]))
            });
            moment / mass
        },
        Vector3::from,
    );
    l - centre.cross(&p)
}

fn mean(points: &[Vector3<f64>]) -> Vector3<f64> {
    points.iter().sum::<Vector3<f64>>() / points.len() as f64
}

/// The rotation that takes the one about its middle to the other as nearly as can be.
fn best_turn(from: &[Vector3<f64>], to: &[Vector3<f64>]) -> Matrix3<f64> {
    let centres = [mean(from), mean(to)];
    let covariance: Matrix3<f64> =
        from.iter().zip(to).map(|(a, b)| (b - centres[1]) * (a - centres[0]).transpose()).sum();
    let svd = covariance.svd(true, true);
    let (Some(u), Some(v_t)) = (svd.u, svd.v_t) else { return Matrix3::identity() };
    let mirror = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, (u * v_t).determinant().signum()));
    u * mirror * v_t
}
