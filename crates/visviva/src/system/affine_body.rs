//! The four nodes of an affine body: its origin p and the columns a₁ a₂ a₃ of its matrix A.
//!
//! ```text
//! x(X) = p + X₁a₁ + X₂a₂ + X₃a₃,     rigid:  ṗ = v,  ȧ_i = ω × a_i
//! ```
//!
//! X are rest coordinates from the centroid [m], so that p is the centre of mass and its mass is not coupled to A's.

use nalgebra::Vector3;

/// (p, a₁, a₂, a₃), or their velocities: p in m, the columns without unit.
pub type AffineNodes = [Vector3<f64>; 4];

/// The nodes of a body whose rest coordinates count from its `centre` [m]: A = I.
pub fn at_rest(centre: Vector3<f64>) -> AffineNodes {
    [centre, Vector3::x(), Vector3::y(), Vector3::z()]
}

/// The velocities of a rigid motion: `linear` of the centre [m/s] and `angular` about it [rad/s].
pub fn rigid_velocities(nodes: &AffineNodes, linear: Vector3<f64>, angular: Vector3<f64>) -> AffineNodes {
    [linear, angular.cross(&nodes[1]), angular.cross(&nodes[2]), angular.cross(&nodes[3])]
}

/// Where the rest coordinates `rest` [m] are; of velocities, how fast they move.
#[inline]
pub fn vertex(nodes: &AffineNodes, rest: &Vector3<f64>) -> Vector3<f64> {
    nodes[0] + nodes[1] * rest.x + nodes[2] * rest.y + nodes[3] * rest.z
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sampling::Sampler;
    use crate::mesh::SolidMoments;
    use crate::mesh::generate::link_surface;
    use crate::system::Mass;
    use nalgebra::{Matrix4, Rotation3};

    fn flat(nodes: &AffineNodes) -> Vec<f64> {
        nodes.iter().flat_map(|x| [x.x, x.y, x.z]).collect()
    }

    /// A link that lies askew, so that its second moments are full.
    fn moments() -> SolidMoments {
        let mut link = link_surface(0.05, 0.03, 0.005, 16, 8).unwrap();
        link.rotate(Vector3::new(1.0, -2.0, 0.5), 0.8).unwrap();
        link.translate(Vector3::new(0.4, 0.1, -0.3)).unwrap();
        SolidMoments::inside(&link)
    }

    #[test]
    fn a_rigid_start_has_the_momenta_and_the_energy_of_a_rigid_body() {
        let mut random = Sampler::new(81);
        let (moments, density) = (moments(), 1000.0);
        let block = moments.mass_block(density).unwrap();
        let mass = Mass::new(3, vec![0.0; 4], vec![(0, block)], vec![]).unwrap();
        for _ in 0..20 {
            let (linear, angular) = (random.vector(), random.vector() * 10.0);
            let nodes = at_rest(moments.centroid);
            let velocities = rigid_velocities(&nodes, linear, angular);
            let (x, v) = (flat(&nodes), flat(&velocities));
            let (m, inertia) = (density * moments.volume, moments.inertia(density));
            assert!((mass.linear_momentum(&v) - linear * m).norm() < 1e-15 * m);
            let spin = inertia * angular + moments.centroid.cross(&linear) * m;
            assert!((mass.angular_momentum(&x, &v) - spin).norm() < 1e-14 * (spin.norm() + m));
            let energy = 0.5 * (m * linear.norm_squared() + angular.dot(&(inertia * angular)));
            assert!((mass.kinetic_energy(&v) / energy - 1.0).abs() < 1e-13);
            let at = random.vector();
            let speed = linear + angular.cross(&at);
            assert!((vertex(&velocities, &at) - speed).norm() < 1e-14 * (1.0 + speed.norm()));
        }
    }

    #[test]
    fn any_affine_motion_has_the_momenta_of_its_mass_points() {
        let mut random = Sampler::new(82);
        // Points off their common centre: the block is full, and beside it stands a lumped node.
        let points: Vec<_> = (0..9).map(|_| (random.vector() + Vector3::x(), 1.5 + random.signed())).collect();
        let one = |x: &Vector3<f64>| x.insert_row(0, 1.0);
        let block: Matrix4<f64> = points.iter().map(|(x, m)| one(x) * one(x).transpose() * *m).sum();
        let mass = Mass::new(3, vec![2.0, 0.0, 0.0, 0.0, 0.0], vec![(1, block)], vec![]).unwrap();
        let [nodes, velocities]: [AffineNodes; 2] = [(); 2].map(|_| [(); 4].map(|_| random.vector()));
        let (at, speed) = (random.vector(), random.vector());
        let chained = |first: &Vector3<f64>, nodes: &AffineNodes| [first.as_slice(), &flat(nodes)].concat();
        let (x, v) = (chained(&at, &nodes), chained(&speed, &velocities));
        let (mut linear, mut angular, mut energy) = (speed * 2.0, at.cross(&speed) * 2.0, speed.norm_squared());
        for (rest, m) in &points {
            let (x, v) = (vertex(&nodes, rest), vertex(&velocities, rest));
            linear += v * *m;
            angular += x.cross(&v) * *m;
            energy += 0.5 * m * v.norm_squared();
        }
        assert!((mass.linear_momentum(&v) - linear).norm() < 1e-13);
        assert!((mass.angular_momentum(&x, &v) - angular).norm() < 1e-13);
        assert!((mass.kinetic_energy(&v) - energy).abs() < 1e-13 * energy);
    }

    #[test]
    fn pinned_nodes_have_no_momentum_and_a_line_has_only_a_linear_one() {
        let mass = Mass::new(3, vec![2.0, 3.0], vec![], vec![1]).unwrap();
        let (x, v) = ([0.0, 1.0, 0.0, 5.0, 5.0, 5.0], [1.0, 0.0, 0.0, 7.0, 8.0, 9.0]);
        assert_eq!(mass.linear_momentum(&v), Vector3::x() * 2.0);
        assert_eq!(mass.angular_momentum(&x, &v), Vector3::z() * -2.0);
        let line = Mass::lumped(1, vec![2.0, 3.0]).unwrap();
        assert_eq!(line.linear_momentum(&[1.0, -1.0]), -Vector3::x());
        assert_eq!(line.angular_momentum(&[4.0, 5.0], &[1.0, -1.0]), Vector3::zeros());
    }

    #[test]
    fn turning_the_body_turns_its_angular_momentum() {
        let moments = moments();
        let mass = Mass::new(3, vec![0.0; 4], vec![(0, moments.mass_block(1.0).unwrap())], vec![]).unwrap();
        let turn = Rotation3::from_euler_angles(0.4, 1.1, -2.0);
        let nodes = at_rest(Vector3::zeros());
        let velocities = rigid_velocities(&nodes, Vector3::zeros(), Vector3::new(1.0, 2.0, 3.0));
        let spin = mass.angular_momentum(&flat(&nodes), &flat(&velocities));
        let turned = mass.angular_momentum(&flat(&nodes.map(|a| turn * a)), &flat(&velocities.map(|a| turn * a)));
        assert!((turned - turn * spin).norm() < 1e-14 * spin.norm());
    }
}
