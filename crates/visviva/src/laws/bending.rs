//! Bending of a thin sheet at the hinge between two triangles, about its rest angle.
//!
//! ```text
//! W = ½ B |ē|²/Ā (θ − θ̄)²,    B = E t³ / 12(1 − ν²),    Ā the rest area of both triangles
//! r_k = dx_k − (1 − s_k) dx_0 − s_k dx_1,   dθ = −Σ_k n_k·r_k / h_k       (k = 2, 3; s_k the foot of x_k on the edge)
//! d²θ = Σ_k 2 (m_k·r_k)(n_k·r_k)/h_k² + 2 (ê·r_k)(n_k·de)/(h_k|e|) + (m_k·de)(n_k·de)/|e|²
//! ```
//!
//! n_k is the unit normal and h_k the height of the triangle with x_k, m_k points in its plane from the edge to x_k.
//! Grinspun, Hirani, Desbrun, Schröder: Discrete shells, SCA 2003, whose W = k (θ − θ̄)² 3|ē|²/Ā this is with k = B/6;
//! derivatives after Tamstorf and Grinspun: Discrete bending forces and their Jacobians, Graphical Models 2013.
//!
//! On a sheet bent to a cylinder of curvature κ the sum is ½ B κ² times the area for equilateral triangles in every
//! direction, and for grids of right triangles along their legs. In other directions, at the angle φ to a leg, a grid
//! with alternating diagonals has 1 + ½ sin²2φ of it, and one with parallel diagonals 1 + sin 2φ + sin²2φ (from ¾ to 3).
//! Left to itself such a grid gives way at every second node: squares then bend with ⅚ of it along their legs, ⅘ in a
//! narrow strip, 4/3 along their diagonals, whatever the refinement (tests/shells); equilateral sheets cannot.
//! On a dome the equilateral sheet is a plate whose ν is −⅓, whatever the material's own: hinges know one stiffness.

use nalgebra::{Matrix3, Vector3};
use thiserror::Error;

use super::membrane::{MembraneError, check_thickness};
use super::solid::lame_parameters;
use super::tetrahedron::{BLOCKS, Curvature};

/// The rest state: angle `[rad]` and |ē|²/Ā. Nodes: edge 0 → 1, then the tips 2 of triangle (0, 1, 2) and 3 of (1, 0, 3).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HingeShape {
    angle: f64,
    weight: f64,
}

/// A rest state in which a triangle has no area.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("the two triangles of a hinge must have positive and finite rest areas, not {} m² and {} m²", areas[0], areas[1])]
pub struct DegenerateHinge {
    pub areas: [f64; 2],
}

/// Energy `[J]`, gradient `[N]` and Hessian `[N/m]`, blocks as in [`BLOCKS`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HingeResponse {
    pub energy: f64,
    pub gradient: [Vector3<f64>; 4],
    pub hessian: [Matrix3<f64>; 10],
}

/// Bending stiffness B `[J]` of a sheet: Young's modulus `[Pa]`, Poisson's ratio, thickness `[m]`.
pub fn bending_stiffness(youngs_modulus: f64, poisson_ratio: f64, thickness: f64) -> Result<f64, MembraneError> {
    lame_parameters(youngs_modulus, poisson_ratio)?;
    let t = check_thickness(thickness)?;
    Ok(youngs_modulus * t * t * t / (12.0 * (1.0 - poisson_ratio * poisson_ratio)))
}

/// The angle between the normals `[rad]`, in (−π, π]: zero where the sheet is flat, positive where its outside is convex.
/// NaN where a triangle has collapsed.
#[inline]
pub fn dihedral_angle(x: &[Vector3<f64>; 4]) -> f64 {
    let (e, [n2, n3]) = (x[1] - x[0], normals(x));
    let angle = (n2.cross(&n3).dot(&e) / e.norm()).atan2(n2.dot(&n3));
    // atan2 would make a number of two zeros.
    if n2.norm_squared() > 0.0 && n3.norm_squared() > 0.0 { angle } else { f64::NAN }
}

/// Normals of (0, 1, 2) and (1, 0, 3), twice their areas long.
#[inline]
fn normals(x: &[Vector3<f64>; 4]) -> [Vector3<f64>; 2] {
    let e = x[1] - x[0];
    [e.cross(&(x[2] - x[0])), (x[3] - x[0]).cross(&e)]
}

/// A linear form on the motions of the four nodes.
type Form = [Vector3<f64>; 4];

/// One of the two triangles: where its tip's foot lies on the edge, its height, and its frame.
struct Side {
    tip: usize,
    foot: f64,
    height: f64,
    normal: Vector3<f64>,
}

impl Side {
    #[inline]
    fn new(x: &[Vector3<f64>; 4], tip: usize, normal: Vector3<f64>) -> Self {
        let e = x[1] - x[0];
        let (length, double) = (e.norm(), normal.norm());
        Self {
            tip,
            foot: (x[tip] - x[0]).dot(&e) / (length * length),
            height: double / length,
            normal: normal / double,
        }
    }

    /// direction · r, per height.
    #[inline]
    fn lever(&self, direction: Vector3<f64>) -> Form {
        let scaled = direction / self.height;
        let mut form = [scaled * (self.foot - 1.0), scaled * -self.foot, Vector3::zeros(), Vector3::zeros()];
        form[self.tip] = scaled;
        form
    }
}

impl HingeShape {
    /// The shape of four rest positions `[m]`; the sheet is unstressed there, bent or not.
    pub fn from_rest(rest: [Vector3<f64>; 4]) -> Result<Self, DegenerateHinge> {
        let areas = normals(&rest).map(|n| 0.5 * n.norm());
        let weight = (rest[1] - rest[0]).norm_squared() / (areas[0] + areas[1]);
        let angle = dihedral_angle(&rest);
        let sound = areas.iter().all(|&area| area > 0.0) && weight.is_finite() && weight > 0.0 && angle.is_finite();
        if sound { Ok(Self { angle, weight }) } else { Err(DegenerateHinge { areas }) }
    }

    /// |ē|²/Ā
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// The angle θ̄ at which the sheet is unstressed `[rad]`.
    pub fn rest_angle(&self) -> f64 {
        self.angle
    }

    /// W `[J]` for the stiffness B `[J]`; +∞ where a triangle has collapsed or a position is not finite.
    #[inline]
    pub fn energy(&self, stiffness: f64, x: &[Vector3<f64>; 4]) -> f64 {
        self.energy_and_moment(stiffness, x).0
    }

    /// W `[J]` and its gradient `[N]`, which is zero where the energy is infinite.
    #[inline]
    pub fn energy_and_gradient(&self, stiffness: f64, x: &[Vector3<f64>; 4]) -> (f64, [Vector3<f64>; 4]) {
        let (energy, moment) = self.energy_and_moment(stiffness, x);
        if energy == f64::INFINITY {
            return (energy, [Vector3::zeros(); 4]);
        }
        (energy, angle_gradient(&sides(x)).map(|slope| slope * moment))
    }

    /// Energy, gradient and Hessian together; gradient and Hessian are zero where the energy is infinite.
    ///
    /// Projected is the Gauss–Newton part B |ē|²/Ā ∇θ∇θᵀ alone. On strips unrolling or falling, Newton's method took as
    /// many iterations with it as with the exact Hessian (4 to 71), and with the exact one's eigenvalues clamped hinge by
    /// hinge up to three times as many: half of d²θ is negative everywhere but at rest, and clamping stiffens the sheet.
    pub fn evaluate(&self, stiffness: f64, x: &[Vector3<f64>; 4], curvature: Curvature) -> HingeResponse {
        let (energy, moment) = self.energy_and_moment(stiffness, x);
        let mut hessian = [Matrix3::zeros(); 10];
        if energy == f64::INFINITY {
            return HingeResponse { energy, gradient: [Vector3::zeros(); 4], hessian };
        }
        let sides = sides(x);
        let slope = angle_gradient(&sides);
        add_product(&mut hessian, 0.5 * stiffness * self.weight, &slope, &slope);
        if curvature == Curvature::Exact {
            add_angle_hessian(&mut hessian, moment, x, &sides);
        }
        HingeResponse { energy, gradient: slope.map(|slope| slope * moment), hessian }
    }

    /// W and ∂W/∂θ `[J]`.
    #[inline]
    fn energy_and_moment(&self, stiffness: f64, x: &[Vector3<f64>; 4]) -> (f64, f64) {
        let bend = dihedral_angle(x) - self.angle;
        let moment = stiffness * self.weight * bend;
        let energy = 0.5 * moment * bend;
        (if energy < f64::INFINITY { energy } else { f64::INFINITY }, moment)
    }
}

#[inline]
fn sides(x: &[Vector3<f64>; 4]) -> [Side; 2] {
    let [n2, n3] = normals(x);
    [Side::new(x, 2, n2), Side::new(x, 3, n3)]
}

/// ∂θ/∂x of each node `[1/m]`; zero where a triangle has collapsed and no angle is.
pub fn angle_slope(x: &[Vector3<f64>; 4]) -> [Vector3<f64>; 4] {
    let slope = angle_gradient(&sides(x));
    if slope.iter().all(|slope| slope.iter().all(|c| c.is_finite())) { slope } else { [Vector3::zeros(); 4] }
}

#[inline]
fn angle_gradient(sides: &[Side; 2]) -> Form {
    let [a, b] = sides.each_ref().map(|side| side.lever(-side.normal));
    [a[0] + b[0], a[1] + b[1], a[2], b[3]]
}

fn add_angle_hessian(blocks: &mut [Matrix3<f64>; 10], moment: f64, x: &[Vector3<f64>; 4], sides: &[Side; 2]) {
    let e = x[1] - x[0];
    let length = e.norm();
    let along = e / length;
    // direction · de, per length.
    let turn = |direction: Vector3<f64>| {
        let scaled = direction / length;
        [-scaled, scaled, Vector3::zeros(), Vector3::zeros()]
    };
    for side in sides {
        let foot = x[0] + e * side.foot;
        let inward = (x[side.tip] - foot) / side.height;
        add_product(blocks, moment, &side.lever(inward), &side.lever(side.normal));
        add_product(blocks, moment, &side.lever(along), &turn(side.normal));
        add_product(blocks, 0.5 * moment, &turn(inward), &turn(side.normal));
    }
}

/// Adds factor (u vᵀ + v uᵀ).
#[inline]
fn add_product(blocks: &mut [Matrix3<f64>; 10], factor: f64, u: &Form, v: &Form) {
    for (block, (a, b)) in blocks.iter_mut().zip(BLOCKS) {
        *block += (u[a] * v[b].transpose() + v[a] * u[b].transpose()) * factor;
    }
}
