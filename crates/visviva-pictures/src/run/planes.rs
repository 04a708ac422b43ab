//! Plane obstacles as pictures show them: a resting floor is the picture's ground, any other plane a square.
//!
//! The surface of a plane is one triangle with its circumscribed circle √2 times the plane's size (`mesh::generate::plane`).

use nalgebra::Vector3;
use visviva::scene::{Obstacle, ObstacleShape};

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlaneLook {
    /// The ground at this height `[m]` stands for it
    Floor(f64),
    Square,
}

/// None for what is no plane.
pub fn look(settings: &Obstacle, triangle: &[Vector3<f64>]) -> Option<PlaneLook> {
    let (ObstacleShape::Plane(_), &[a, b, c]) = (&settings.shape, triangle) else { return None };
    let rests = settings.shift.is_empty() && settings.turn.is_none();
    let normal = (b - a).cross(&(c - a)).normalize();
    Some(if rests && normal.z > 1.0 - 1e-9 { PlaneLook::Floor(a.z) } else { PlaneLook::Square })
}

pub const SQUARE: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

/// Corners of the square that the triangle was made about.
pub fn square(triangle: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
    let &[a, b, c] = triangle else { return triangle.to_vec() };
    let centre = (a + b + c) / 3.0;
    let first = (a - centre) / 8f64.sqrt();
    let second = (b - c) / 24f64.sqrt();
    [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|(i, j)| centre + i * first + j * second).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use visviva::scene::SceneSource;

    fn obstacle(more: &str) -> (Obstacle, Vec<Vector3<f64>>) {
        let text = format!(
            "title = \"t\"\n[run]\nh = 0.01\nduration = 1\n[[body]]\nname = \"b\"\nmaterial = {{ youngs_modulus = 1e5 }}\n\
             box = {{ size = [1, 1, 1], cells = [1, 1, 1] }}\ntranslate = [0, 0, 50]\n[[obstacle]]\nname = \"o\"\n{more}\n"
        );
        let source = SceneSource { name: "t".into(), text, folder: Default::default() };
        let mut scene = source.parse(&[]).unwrap();
        let built = scene.build().unwrap();
        let nodes = built.model.obstacles[0].nodes.clone();
        (scene.obstacles.remove(0), built.model.rest[nodes].to_vec())
    }

    #[test]
    fn a_resting_floor_is_the_ground_and_other_planes_are_squares() {
        let floor = "plane = { point = [1, 2, -3], normal = [0, 0, 2], size = 4 }";
        let (settings, triangle) = obstacle(floor);
        assert_eq!(look(&settings, &triangle), Some(PlaneLook::Floor(-3.0)));
        for other in [
            "plane = { point = [0, 0, 0], normal = [0.1, 0, 1], size = 4 }".to_owned(),
            "plane = { point = [0, 0, 90], normal = [0, 0, -1], size = 4 }".to_owned(),
            format!("{floor}\nshift = [[0, 0, 0, 0], [1, 0, 0, 1]]"),
        ] {
            let (settings, triangle) = obstacle(&other);
            assert_eq!(look(&settings, &triangle), Some(PlaneLook::Square), "{other}");
        }
        let (settings, corners) = obstacle("box = { size = [1, 1, 1] }");
        assert_eq!(look(&settings, &corners), None);
    }

    #[test]
    fn the_square_has_the_planes_size_and_side() {
        let (_, triangle) = obstacle("plane = { point = [1, 2, 3], normal = [1, 0, 1], size = 4 }");
        let corners = square(&triangle);
        let normal = Vector3::new(1.0, 0.0, 1.0).normalize();
        for k in 0..4 {
            let (here, next) = (corners[k], corners[(k + 1) % 4]);
            assert!(((next - here).norm() - 4.0).abs() < 1e-12);
            assert!((here - Vector3::new(1.0, 2.0, 3.0)).dot(&normal).abs() < 1e-12);
        }
        let [a, b, c] = SQUARE[0].map(|i| corners[i as usize]);
        assert!((b - a).cross(&(c - a)).dot(&normal) > 0.0);
    }
}
