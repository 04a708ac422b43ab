//! Scenes, changes to them and energy targets: what is accepted has a finite start and is written as it was read.

use super::formats::{Format, Verdict};
use anyhow::Result;
use visviva::energy::Target;
use visviva::integrate::IntegratorSpec;
use visviva::mesh::generate::icosphere;
use visviva::mesh::write_mesh;
use visviva::scene::{BallLattice, Body, Built, Detail, Filling, MeshFile, ObstacleShape, Scene, SceneSource, Shape};
use visviva::solve::{Backend, BodiesSolver};

const SOLID: &str = include_str!("scenes/solid.toml");
const SHELL: &str = include_str!("scenes/shell.toml");
const STIFF: &str = include_str!("scenes/stiff.toml");

/// Elements beyond which a sound scene takes long for good reasons, and those that no scene may have.
const LARGE: std::ops::Range<u128> = 5_000..1 << 30;

/// Scene files, with meshes beside them.
pub fn scenes() -> Result<Format> {
    let samples = [("solid.toml", SOLID), ("shell.toml", SHELL), ("stiff.toml", STIFF)];
    let folder = folder_with_meshes()?;
    let attempt = move |name: &str, data: &[u8]| {
        let Ok(text) = String::from_utf8(data.to_vec()) else { return Verdict::Refused };
        let source = SceneSource { name: name.to_owned(), text, folder: folder.path().to_owned() };
        source.parse(&[]).map_or(Verdict::Refused, judged)
    };
    let samples = samples.map(|(name, text)| (name, text.as_bytes().to_vec())).to_vec();
    Ok(Format { name: "scene", samples, attempt: Box::new(attempt) })
}

/// What `--set` takes, on a good scene.
pub fn assignments() -> Result<Format> {
    let samples = [
        ("step", "run.h=1/60"),
        ("cells", "body.0.box.cells=[2,1,1]"),
        ("table", "energy={target=\"decay\",tau=2}"),
        ("word", "run.integrator=a-search:max=1.2"),
        ("pin", "pin.0.nodes=[0,1,2]"),
    ];
    let folder = folder_with_meshes()?;
    let attempt = move |_: &str, data: &[u8]| {
        let source = SceneSource { name: "solid".into(), text: SOLID.into(), folder: folder.path().to_owned() };
        let assignment = String::from_utf8_lossy(data).into_owned();
        source.parse(&[assignment]).map_or(Verdict::Refused, judged)
    };
    let samples = samples.map(|(name, text)| (name, text.as_bytes().to_vec())).to_vec();
    Ok(Format { name: "assignment", samples, attempt: Box::new(attempt) })
}

/// Targets and integrators as one word each.
pub fn targets() -> Format {
    let samples = [
        ("decay", "decay:tau=0.3,ground=-2"),
        ("schedule", "schedule:0=inf,5=0.5,ground=1"),
        ("curve", "curve:0=1,3=0.1"),
        ("a-search", "a-search:min=0.9,max=1.1"),
        ("decoupled", "decoupled-sdirk2:alpha=search"),
        ("newmark", "newmark"),
    ];
    let attempt = |_: &str, data: &[u8]| {
        let text = String::from_utf8_lossy(data);
        let target = text.parse::<Target>().is_ok();
        match text.parse::<IntegratorSpec>() {
            Ok(spec) if spec.to_string().parse::<IntegratorSpec>().ok().as_ref() != Some(&spec) => {
                Verdict::Wrong(format!("{spec} is not read as it is written"))
            }
            Ok(_) => Verdict::Accepted,
            Err(_) if target => Verdict::Accepted,
            Err(_) => Verdict::Refused,
        }
    };
    let samples = samples.map(|(name, text)| (name, text.as_bytes().to_vec())).to_vec();
    Format { name: "words", samples, attempt: Box::new(attempt) }
}

fn folder_with_meshes() -> Result<tempfile::TempDir> {
    let folder = tempfile::tempdir()?;
    write_mesh(folder.path().join("ball.obj"), &icosphere(0.05, 0)?.into())?;
    Ok(folder)
}

fn judged(scene: Scene) -> Verdict {
    let copies = |body: &Body| body.array.as_ref().map_or(1, |array| product(&array.counts));
    let of_body = |body: &Body| elements(&body.shape, body.filling).saturating_mul(copies(body));
    let of_bodies = scene.bodies.iter().map(of_body);
    let of_obstacles = scene.obstacles.iter().map(|obstacle| triangles(&obstacle.shape));
    if of_bodies.chain(of_obstacles).any(|count| LARGE.contains(&count)) {
        return Verdict::Large;
    }
    let Ok(built) = scene.build() else { return Verdict::Refused };
    if let Some(problem) = unsound(&built).or_else(|| unwritable(&scene)) {
        return Verdict::Wrong(problem);
    }
    Verdict::Accepted
}

fn product(factors: &[usize]) -> u128 {
    factors.iter().fold(1u128, |product, &n| product.saturating_mul(n as u128))
}

/// About how many a shape has.
fn elements(shape: &Shape, filling: Filling) -> u128 {
    match shape {
        Shape::Box(s) => product(&[6, s.cells[0], s.cells[1], s.cells[2]]),
        Shape::Ball(s) => match s.lattice {
            BallLattice::Shells(shells) => product(&[20, shells, shells, shells]),
            BallLattice::Wrapped { cells: [x, y, z], layers } => {
                let quads = product(&[2, x, y]).saturating_add(product(&[2, y, z])).saturating_add(product(&[2, z, x]));
                product(&[5, x, y, z]).saturating_add(quads.saturating_mul(product(&[5, layers])))
            }
        },
        Shape::Ellipsoid(s) => product(&[20, s.shells, s.shells, s.shells]),
        Shape::Cylinder(s) => product(&[18, s.rings, s.rings, s.layers]),
        Shape::Torus(s) => product(&[18, s.rings, s.rings, s.around]),
        Shape::Icosphere(s) => sphere(s.subdivisions),
        Shape::Disc(s) => product(&[6, s.rings, s.rings]),
        Shape::Rectangle(s) => product(&[2, s.cells[0], s.cells[1]]),
        Shape::Tube(s) => product(&[2, s.cells[0], s.cells[1]]),
        Shape::ChainNet(s) => product(&[6, s.rings[0], s.rings[1], s.segments[0], s.segments[1]]),
        Shape::File(MeshFile { stand_in: Some(other), .. }) => elements(other, filling),
        Shape::Model(_) | Shape::File(_) | Shape::Mesh(_) => {
            // Models are a metre high, and the trials' meshes smaller.
            let cells = match filling.detail {
                Some(Detail::Cell(cell)) => (1.0 / cell.abs()) as usize,
                Some(Detail::Cells(cells)) => cells,
                None => 0,
            };
            product(&[12, cells, cells, cells])
        }
    }
}

/// About how many an obstacle has.
fn triangles(shape: &ObstacleShape) -> u128 {
    match shape {
        ObstacleShape::Sphere(s) => sphere(s.subdivisions),
        ObstacleShape::Capsule(s) => product(&[s.segments, s.segments]),
        ObstacleShape::Cylinder(s) => product(&[4, s.segments]),
        _ => 0,
    }
}

fn sphere(subdivisions: usize) -> u128 {
    20u128.saturating_mul(4u128.saturating_pow(u32::try_from(subdivisions).unwrap_or(u32::MAX)))
}

fn unsound(built: &Built) -> Option<String> {
    let finite = |what: &str, values: &[f64]| {
        let wrong = values.iter().find(|value| !value.is_finite())?;
        Some(format!("{what} holds {wrong}"))
    };
    let model = &built.model;
    finite("the start", &built.start.x)
        .or_else(|| finite("the start's velocity", &built.start.v))
        .or_else(|| finite("the masses", &model.node_mass))
        .or_else(|| finite("gravity", model.gravity.as_slice()))
        .or_else(|| finite("the step", &[built.h, 1.0 / built.h]))
        .or_else(|| {
            let mut solver = BodiesSolver::new(model.clone(), built.solver).ok()?;
            finite("the start's energy", &[solver.evaluation(&built.start.x).energies.total()])
        })
        .or_else(|| {
            let count = model.node_count();
            model
                .pins
                .iter()
                .find(|pin| pin.node >= count)
                .map(|pin| format!("a pin holds node {} of {count}", pin.node))
        })
}

/// A scene that a run folder could not repeat.
fn unwritable(scene: &Scene) -> Option<String> {
    let text = match scene.to_toml() {
        Ok(text) => text,
        Err(error) => return Some(format!("it is not written: {error}")),
    };
    let source = SceneSource { name: "again".into(), text, folder: scene.folder.clone() };
    match source.parse(&[]) {
        Ok(again) if again == *scene => None,
        Ok(_) => Some("it is written otherwise than it was read".into()),
        Err(error) => Some(format!("what is written is not read: {error}")),
    }
}
