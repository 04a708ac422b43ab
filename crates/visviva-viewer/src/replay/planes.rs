//! Planes as pictures show them: a resting floor is the ground, and no part of frames, whose box it would only widen; any other
//! plane is a square.

use nalgebra::Vector3;
use visviva::mesh::Ride;
use visviva::run::{RunMesh, ShownBody};
use visviva::scene::Scene;
use visviva_pictures::run::planes::{PlaneLook, SQUARE, look};

/// What is left to be shown of the bodies with their places in the mesh's list, and the height of the lowest floor `[m]`.
pub fn without_floor(scene: &Scene, mesh: &RunMesh) -> (Vec<(usize, ShownBody)>, Option<f64>) {
    let looks: Vec<Option<PlaneLook>> = mesh
        .bodies
        .iter()
        .map(|body| {
            let settings = scene.obstacles.iter().find(|other| body.kind == "obstacle" && other.name == body.name)?;
            let corners = &mesh.rest[body.vertices[0]..body.vertices[1]];
            look(settings, &corners.iter().map(|&x| Vector3::from(x)).collect::<Vec<_>>())
        })
        .collect();
    let height = |look: &Option<PlaneLook>| if let Some(PlaneLook::Floor(z)) = look { Some(*z) } else { None };
    let floor = looks.iter().filter_map(height).reduce(f64::min);
    let shown = mesh.shown().into_iter().zip(&looks).enumerate().filter_map(|(index, (body, look))| match look {
        Some(_) if height(look).is_some() && height(look) == floor => None,
        Some(_) => Some((index, square(body))),
        None => Some((index, body)),
    });
    (shown.collect(), floor)
}

/// Its corners ride on those of the triangle: the square that the triangle was made about.
fn square(mut plane: ShownBody) -> ShownBody {
    let [a, b, c] = [0, 1, 2].map(|corner| plane.rides.get(corner).map_or(0, |ride| ride.vertices[0]));
    let (along, across) = (1.0 / 8f64.sqrt(), 1.0 / 24f64.sqrt());
    let corner = |(i, j): (f64, f64)| {
        let rest = (1.0 - i * along) / 3.0;
        Ride { vertices: [a, b, c, a], weights: [rest + i * along, rest + j * across, rest - j * across, 0.0] }
    };
    plane.rides = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(corner).to_vec();
    plane.polygons = SQUARE.into_iter().collect();
    plane
}

#[cfg(test)]
mod tests {
    use super::*;
    use visviva::scene::SceneSource;

    #[test]
    fn a_resting_floor_is_left_out_and_other_planes_are_squares() {
        let text = "title = \"t\"\nrun = { h = 0.01, duration = 1 }\n\
                    [[body]]\nname = \"b\"\nmaterial = { youngs_modulus = 1e5 }\nbox = { size = [1, 1, 1], cells = [1, 1, 1] }\n\
                    translate = [0, 0, 50]\n\
                    [[obstacle]]\nname = \"low\"\nplane = { point = [0, 0, -3], normal = [0, 0, 1], size = 4 }\n\
                    [[obstacle]]\nname = \"wall\"\nplane = { point = [1, 2, 3], normal = [1, 0, 0], size = 4 }\n";
        let scene = SceneSource { name: "t".into(), text: text.into(), folder: Default::default() }.parse(&[]).unwrap();
        let mesh = visviva::Session::new(scene.clone()).unwrap().mesh();
        let (shown, floor) = without_floor(&scene, &mesh);
        let names: Vec<(usize, &str)> = shown.iter().map(|(index, body)| (*index, body.name.as_str())).collect();
        assert_eq!((names, floor), (vec![(0, "b"), (2, "wall")], Some(-3.0)));
        let corners = shown[1].1.at(&mesh.rest);
        let side = (0..3).map(|k| (corners[0][k] - corners[1][k]).powi(2)).sum::<f64>().sqrt();
        assert!((side - 4.0).abs() < 1e-12 && corners.iter().all(|x| (x[0] - 1.0).abs() < 1e-12), "{corners:?}");
        assert_eq!(shown[1].1.triangles(&mesh.rest).len(), 2);
    }
}
