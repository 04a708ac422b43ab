//! What a user may want to know though nothing is wrong: a model that seems to lie on its side, a stiff body computed as a soft one,
//! a model in millimetres, a rough body on a smooth floor.

use crate::mesh::{Mesh, SolidMoments, TriMesh};
use crate::readable::length;
use crate::scene::settings::STIFF;
use crate::scene::{Body, BodyKind, Material, MaterialChoice, Obstacle, Scene, Shape, Up};
use nalgebra::{Vector2, Vector3};

/// Points this near to the lowest, as a part of the height, are what a model stands on.
const BASE: f64 = 0.02;
/// The base of what stands covers at least this part of the bounding rectangle …
const COVERED: f64 = 0.1;
/// … and its centre lies this far inside it, as a part of the rectangle's size.
const INSIDE: f64 = 0.05;

/// A model that is longer is likely in other units `[m]`.
const LONGEST: f64 = 20.0;

/// Of a body in its place.
pub fn hints(body: &Body, mesh: &Mesh) -> Vec<String> {
    let mut hints = Vec::new();
    let is_model = matches!(body.shape, Shape::File(_)) && body.kind != BodyKind::Shell;
    if is_model && body.up.is_none() && body.rotate.is_none() {
        hints.extend(lying(mesh).map(|up| {
            let way = toml::Value::try_from(up).unwrap_or_else(|_| toml::Value::String(String::new()));
            format!("body `{}` seems to lie on its side: up = {way} lets it stand", body.name)
        }));
    }
    let [low, high] = mesh.bounds();
    let longest = (high - low).max();
    if matches!(body.shape, Shape::File(_)) && longest > LONGEST {
        let longest = length(longest);
        hints.push(format!(
            "body `{}` is {longest} long: where its file is in millimetres, scale = 0.001; in inches, scale = 0.0254",
            body.name
        ));
    }
    if let (BodyKind::Solid, MaterialChoice::Named(name)) = (body.kind, &body.material)
        && Material::everyday(name).is_some_and(|material| material.youngs_modulus >= STIFF)
    {
        hints.push(format!(
            "body `{}`: {name} hardly deforms; kind = \"affine\" computes it far more quickly",
            body.name
        ));
    }
    hints
}

/// Of a scene whose bodies would rub and whose obstacles let everything slide.
pub fn smooth_obstacles(scene: &Scene) -> Option<String> {
    let is_smooth = |obstacle: &&Obstacle| {
        let is_named = scene.friction.iter().any(|pair| pair.between.contains(&obstacle.name));
        obstacle.friction.unwrap_or(scene.contact.friction) == 0.0 && !is_named
    };
    let friction = |body: &Body| scene.material_of(body).and_then(|material| material.friction).unwrap_or(0.0);
    let rough = scene.bodies.iter().find(|body| friction(body) > 0.0)?;
    let smooth = scene.obstacles.iter().find(is_smooth).filter(|obstacle| obstacle.friction.is_none())?;
    Some(format!(
        "body `{}` slides on obstacle `{}`, which has no friction: two surfaces rub with the mean of theirs; say friction = 0.5 there",
        rough.name, smooth.name
    ))
}

/// The only way up in which a shape stands, where that is not its own. What has a mirror or turns round stands in several or none.
fn lying(mesh: &Mesh) -> Option<Up> {
    let surface = match mesh {
        Mesh::Tets(mesh) => mesh.surface(),
        Mesh::Surface(mesh) => mesh.clone(),
    };
    let centroid = SolidMoments::inside(&surface).centroid;
    let ways = [Up::X, Up::Y, Up::Z, Up::MinusX, Up::MinusY, Up::MinusZ];
    let mut standing = ways.into_iter().filter(|&up| stands(&surface, centroid, up));
    let only = standing.next().filter(|&up| up != Up::Z)?;
    standing.next().is_none().then_some(only)
}

/// Whether the lowest points hold up the centre of what is inside.
fn stands(surface: &TriMesh, centroid: Vector3<f64>, up: Up) -> bool {
    let turned = |x: &Vector3<f64>| Vector3::from(up.turned((*x).into()));
    let points: Vec<Vector3<f64>> = surface.positions.iter().map(turned).collect();
    let low = points.iter().fold(Vector3::repeat(f64::INFINITY), |m, p| m.inf(p));
    let high = points.iter().fold(Vector3::repeat(f64::NEG_INFINITY), |m, p| m.sup(p));
    let size = high - low;
    let base: Vec<Vector2<f64>> = points.iter().filter(|p| p.z - low.z <= BASE * size.z).map(|p| p.xy()).collect();
    let hull = convex_hull(base);
    let sides = || (0..hull.len()).map(|i| (hull[i], hull[(i + 1) % hull.len()] - hull[i]));
    let area: f64 = sides().map(|(a, side)| 0.5 * a.perp(&side)).sum();
    let centre = turned(&centroid).xy();
    let inside = sides().map(|(a, side)| side.perp(&(centre - a)) / side.norm()).fold(f64::INFINITY, f64::min);
    let rectangle = size.x * size.y;
    area >= COVERED * rectangle && inside >= INSIDE * rectangle.sqrt()
}

/// Counter-clockwise (Andrew's monotone chain); points on straight sides are left out.
fn convex_hull(mut points: Vec<Vector2<f64>>) -> Vec<Vector2<f64>> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let half = |points: &mut dyn Iterator<Item = Vector2<f64>>| {
        let mut chain: Vec<Vector2<f64>> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && (b - a).perp(&(point - a)) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut hull = half(&mut points.iter().copied());
    hull.extend(half(&mut points.iter().rev().copied()));
    hull
}
