//! What every element offers: the energy of a few points, with its derivatives.

use super::bending::HingeShape;
use super::inversion;
use super::membrane::Membrane;
use super::solid::Solid;
use super::tetrahedron::{Curvature, TetShape};
use super::triangle::TriangleShape;
use super::volume_barrier::UprightSolid;
use crate::math::svd::{Svd, svd};
use crate::math::svd_of_four::svd_of_four;
use nalgebra::{Matrix3, Vector3};

/// An energy of `NODES` points; `BLOCKS` = NODES (NODES + 1)/2 blocks of its Hessian, the upper triangle by rows.
pub trait Stencil<const NODES: usize, const BLOCKS: usize>: Sync + Sized {
    /// `[J]`, +∞ where the points are inadmissible
    fn energy(&self, x: &[Vector3<f64>; NODES]) -> f64;

    /// `[N]`
    fn gradient(&self, x: &[Vector3<f64>; NODES]) -> [Vector3<f64>; NODES];

    /// Gradient `[N]` and Hessian `[N/m]`, projected to be positive semidefinite
    fn gradient_and_hessian(&self, x: &[Vector3<f64>; NODES]) -> ([Vector3<f64>; NODES], [Matrix3<f64>; BLOCKS]);

    /// What `gradient_and_hessian` must find out of each of four elements and is had more cheaply for all of them at once; nothing
    /// where nothing is.
    #[inline]
    fn decomposed(_four: [(&Self, [Vector3<f64>; NODES]); 4]) -> [Option<Svd>; 4] {
        [None; 4]
    }

    /// `gradient_and_hessian`, to the same bits, with what is known of the element.
    #[inline]
    fn gradient_and_hessian_with(
        &self,
        x: &[Vector3<f64>; NODES],
        _known: &Option<Svd>,
    ) -> ([Vector3<f64>; NODES], [Matrix3<f64>; BLOCKS]) {
        self.gradient_and_hessian(x)
    }

    /// The largest part of the step dx, at most 1, in which the points stay admissible.
    fn largest_step(&self, _x: &[Vector3<f64>; NODES], _dx: &[Vector3<f64>; NODES]) -> f64 {
        1.0
    }
}

/// A tetrahedron of a solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolidTet {
    pub shape: TetShape,
    pub solid: Solid,
    /// κ of what keeps its volume from vanishing `[Pa]`, where its law alone would let it
    pub volume_barrier: Option<f64>,
}

impl SolidTet {
    /// As its law wants it.
    pub fn new(shape: TetShape, solid: Solid) -> Self {
        Self { shape, solid, volume_barrier: None }
    }

    /// Never turned inside out and never crushed to nothing, whatever its law; κ `[Pa]` is that of the barrier.
    pub fn upright(shape: TetShape, solid: Solid, stiffness: f64) -> Self {
        Self { shape, solid, volume_barrier: (!solid.forbids_inversion()).then_some(stiffness) }
    }

    #[inline]
    fn upright_solid(&self) -> Option<UprightSolid> {
        self.volume_barrier.map(|stiffness| UprightSolid { solid: self.solid, stiffness })
    }
}

impl Stencil<4, 10> for SolidTet {
    #[inline]
    fn energy(&self, x: &[Vector3<f64>; 4]) -> f64 {
        match self.upright_solid() {
            Some(solid) => self.shape.energy(&solid, x),
            None => self.shape.energy(&self.solid, x),
        }
    }

    #[inline]
    fn gradient(&self, x: &[Vector3<f64>; 4]) -> [Vector3<f64>; 4] {
        match self.upright_solid() {
            Some(solid) => self.shape.energy_and_gradient(&solid, x).1,
            None => self.shape.energy_and_gradient(&self.solid, x).1,
        }
    }

    #[inline]
    fn gradient_and_hessian(&self, x: &[Vector3<f64>; 4]) -> ([Vector3<f64>; 4], [Matrix3<f64>; 10]) {
        self.gradient_and_hessian_with(x, &None)
    }

    #[inline]
    fn decomposed(four: [(&Self, [Vector3<f64>; 4]); 4]) -> [Option<Svd>; 4] {
        svd_of_four(&four.map(|(tet, x)| tet.shape.deformation_gradient(&x))).map(Some)
    }

    #[inline]
    fn gradient_and_hessian_with(
        &self,
        x: &[Vector3<f64>; 4],
        known: &Option<Svd>,
    ) -> ([Vector3<f64>; 4], [Matrix3<f64>; 10]) {
        let decompose = |f: &Matrix3<f64>| known.unwrap_or_else(|| svd(f));
        let response = match self.upright_solid() {
            Some(solid) => self.shape.evaluate_with(&solid, x, Curvature::Projected, decompose),
            None => self.shape.evaluate_with(&self.solid, x, Curvature::Projected, decompose),
        };
        (response.gradient, response.hessian)
    }

    #[inline]
    fn largest_step(&self, x: &[Vector3<f64>; 4], dx: &[Vector3<f64>; 4]) -> f64 {
        let still = dx.iter().all(|d| d.x == 0.0 && d.y == 0.0 && d.z == 0.0);
        let bounded = self.volume_barrier.is_some() || self.solid.forbids_inversion();
        if bounded && !still { inversion::largest_step(x, dx) } else { 1.0 }
    }
}

/// A triangle of a thin sheet, against stretching.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShellTriangle {
    pub shape: TriangleShape,
    pub membrane: Membrane,
}

impl Stencil<3, 6> for ShellTriangle {
    #[inline]
    fn energy(&self, x: &[Vector3<f64>; 3]) -> f64 {
        self.shape.energy(&self.membrane, x)
    }

    #[inline]
    fn gradient(&self, x: &[Vector3<f64>; 3]) -> [Vector3<f64>; 3] {
        self.shape.energy_and_gradient(&self.membrane, x).1
    }

    #[inline]
    fn gradient_and_hessian(&self, x: &[Vector3<f64>; 3]) -> ([Vector3<f64>; 3], [Matrix3<f64>; 6]) {
        let response = self.shape.evaluate(&self.membrane, x, Curvature::Projected);
        (response.gradient, response.hessian)
    }
}

/// Two triangles of a thin sheet, against bending.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShellHinge {
    pub shape: HingeShape,
    /// `[J]`
    pub stiffness: f64,
}

impl Stencil<4, 10> for ShellHinge {
    #[inline]
    fn energy(&self, x: &[Vector3<f64>; 4]) -> f64 {
        self.shape.energy(self.stiffness, x)
    }

    #[inline]
    fn gradient(&self, x: &[Vector3<f64>; 4]) -> [Vector3<f64>; 4] {
        self.shape.energy_and_gradient(self.stiffness, x).1
    }

    #[inline]
    fn gradient_and_hessian(&self, x: &[Vector3<f64>; 4]) -> ([Vector3<f64>; 4], [Matrix3<f64>; 10]) {
        let response = self.shape.evaluate(self.stiffness, x, Curvature::Projected);
        (response.gradient, response.hessian)
    }
}
