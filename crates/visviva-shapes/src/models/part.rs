//! A line in a model's table: a shape, where it is, and how it joins what stands above it.

use crate::field::{Cuboid, Ellipsoid, Field, Placed, RoundCone, Sphere};
use nalgebra::{Similarity3, UnitQuaternion, Vector3};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    pub name: &'static str,
    pub shape: Shape,
    /// Radius of the seam to what stands above `[m]`
    pub blend: f64,
    /// Whether it is taken away from what stands above
    pub carves: bool,
    /// Whether there is another on the other side, x for −x
    pub paired: bool,
    /// Angles about x, y and z through the middle of the shape, in this order, in degrees; limbs are not turned
    pub turn: [f64; 3],
}

/// Places and sizes in `[m]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    Ball {
        centre: [f64; 3],
        radius: f64,
    },
    Egg {
        centre: [f64; 3],
        semi_axes: [f64; 3],
    },
    /// A capsule whose radius changes on the way
    Limb {
        ends: [[f64; 3]; 2],
        radii: [f64; 2],
    },
    Block {
        centre: [f64; 3],
        half_sides: [f64; 3],
    },
}

pub(super) const fn ball(name: &'static str, centre: [f64; 3], radius: f64) -> Part {
    Part::new(name, Shape::Ball { centre, radius })
}

pub(super) const fn egg(name: &'static str, centre: [f64; 3], semi_axes: [f64; 3]) -> Part {
    Part::new(name, Shape::Egg { centre, semi_axes })
}

/// An egg that is taken away.
pub(super) const fn hollow(name: &'static str, centre: [f64; 3], semi_axes: [f64; 3]) -> Part {
    Part { carves: true, ..egg(name, centre, semi_axes) }
}

pub(super) const fn limb(name: &'static str, from: [f64; 3], to: [f64; 3], radii: [f64; 2]) -> Part {
    Part::new(name, Shape::Limb { ends: [from, to], radii })
}

/// Takes away what is below z = 0, so that soles are flat.
pub(super) const FLOOR: Part = Part {
    carves: true,
    blend: 0.02,
    ..Part::new("floor", Shape::Block { centre: [0.0, 0.0, -1.0], half_sides: [2.0, 2.0, 1.0] })
};

impl Part {
    const fn new(name: &'static str, shape: Shape) -> Part {
        Part { name, shape, blend: 0.0, carves: false, paired: false, turn: [0.0; 3] }
    }

    pub(super) const fn blend(self, radius: f64) -> Part {
        Part { blend: radius, ..self }
    }

    pub(super) const fn paired(self) -> Part {
        Part { paired: true, ..self }
    }

    pub(super) const fn turn(self, degrees: [f64; 3]) -> Part {
        Part { turn: degrees, ..self }
    }

    /// Of the part itself, or of its other.
    pub(super) fn field(&self, other_side: bool) -> Box<dyn Field + Send> {
        let side = if other_side { -1.0 } else { 1.0 };
        let point = |[x, y, z]: [f64; 3]| Vector3::new(side * x, y, z);
        let [about_x, about_y, about_z] = self.turn.map(f64::to_radians);
        let turn = UnitQuaternion::from_euler_angles(about_x, side * about_y, side * about_z);
        let place = |centre| Similarity3::from_parts(point(centre).into(), turn, 1.0);
        match self.shape {
            Shape::Ball { centre, radius } => Box::new(Sphere { centre: point(centre), radius }),
            Shape::Egg { centre, semi_axes } => {
                Box::new(Placed::new(Ellipsoid { semi_axes: semi_axes.into() }, place(centre)))
            }
            Shape::Limb { ends, radii } => Box::new(RoundCone { ends: ends.map(point), radii }),
            Shape::Block { centre, half_sides } => {
                let block = Cuboid { half_sides: half_sides.into(), rounding: 0.0 };
                Box::new(Placed::new(block, place(centre)))
            }
        }
    }
}
