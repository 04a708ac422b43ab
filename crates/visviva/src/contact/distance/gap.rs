//! The gap of a pair whose closest points lie inside given features, with its derivatives in closed form.
//!
//! r(β) = Σ cᵢ(β) xᵢ, d = min_β |r|. With unit vectors t̂ₖ along ∂r/∂βₖ, ĉₖ the rate of c that moves r along t̂ₖ, and n = r/d:
//! ∇d = c⊗n,  ∇²d = (1/d) [c cᵀ⊗(I − n nᵀ) − Σₖ qₖ qₖᵀ],  qₖ = d ĉₖ⊗n + c⊗t̂ₖ (the envelope theorem and its derivative).

use super::{Corners, Gradient, Hessian, Point};

/// One way the closest points slide on their features: the rate of the weights that moves r along a unit vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slide {
    /// ĉ `[1/m]`
    pub weights: [f64; 4],
    /// t̂
    pub tangent: Point,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// d `[m]`
    pub distance: f64,
    /// n, from the second primitive to the first; zero where they touch
    pub normal: Point,
    /// c: sums to +1 over the first primitive's points and to −1 over the second's
    pub weights: [f64; 4],
    slides: [Slide; 2],
    slide_count: usize,
}

impl Gap {
    /// `first_side` has the bits of the first primitive's points. Features that are degenerate slide less.
    pub fn new(points: &[Point; 4], first_side: u8, corners: Corners) -> Self {
        let mut weights = [0.0; 4];
        let mut slides = [Slide { weights: [0.0; 4], tangent: Point::zeros() }; 2];
        let mut slide_count = 0;
        for (side, sign) in [(corners.0 & first_side, 1.0), (corners.0 & !first_side, -1.0)] {
            let base = side.trailing_zeros() as usize;
            weights[base] = sign;
            for other in (base + 1..4).filter(|i| side >> i & 1 == 1) {
                let mut rate = [0.0; 4];
                rate[base] = -sign;
                rate[other] = sign;
                let edge = sign * (points[other] - points[base]);
                if let Some(slide) = orthonormal(rate, edge, &slides[..slide_count]) {
                    slides[slide_count] = slide;
                    slide_count += 1;
                }
            }
        }
        let base = |side: u8| points[side.trailing_zeros() as usize];
        let mut r = base(corners.0 & first_side) - base(corners.0 & !first_side);
        // Twice: the second pass takes out what the rounding of the first one left.
        for _ in 0..2 {
            for slide in &slides[..slide_count] {
                let along = r.dot(&slide.tangent);
                r -= along * slide.tangent;
                add_scaled(&mut weights, -along, &slide.weights);
            }
        }
        let distance = r.norm();
        let normal = if distance > 0.0 { r / distance } else { Point::zeros() };
        Self { distance, normal, weights, slides, slide_count }
    }

    pub fn slides(&self) -> &[Slide] {
        &self.slides[..self.slide_count]
    }

    /// d² `[m²]`
    pub fn squared(&self) -> f64 {
        self.distance * self.distance
    }

    /// ∇d
    pub fn gradient(&self) -> Gradient {
        kronecker(&self.weights, &self.normal)
    }

    /// ∇²d `[1/m]`
    pub fn hessian(&self) -> Hessian {
        let inverse = 1.0 / self.distance;
        self.curved(inverse * (nalgebra::Matrix3::identity() - self.normal * self.normal.transpose()), inverse)
    }

    /// ∇d² = 2d ∇d `[m]`
    pub fn squared_gradient(&self) -> Gradient {
        kronecker(&self.weights, &(2.0 * self.distance * self.normal))
    }

    /// ∇²d² = 2 c cᵀ⊗I − 2 Σ qₖ qₖᵀ
    pub fn squared_hessian(&self) -> Hessian {
        self.curved(2.0 * nalgebra::Matrix3::identity(), 2.0)
    }

    /// c cᵀ⊗S − scale Σ qₖ qₖᵀ, S symmetric
    pub fn curved(&self, s: nalgebra::Matrix3<f64>, scale: f64) -> Hessian {
        let c = &self.weights;
        let mut hessian = Hessian::from_fn(|i, j| (c[i / 3] * c[j / 3]) * s[(i % 3, j % 3)]);
        for slide in self.slides() {
            let q = kronecker(&slide.weights, &(self.distance * self.normal)) + kronecker(c, &slide.tangent);
            add_outer(&mut hessian, -scale, &q);
        }
        hessian
    }

    /// The slides turned within their plane so that their weights are orthogonal.
    pub fn principal_slides(&self) -> ([Slide; 2], usize) {
        let mut slides = self.slides;
        if self.slide_count == 2 {
            let [a, b] = &self.slides;
            let (aa, ab, bb) = (dot(&a.weights, &a.weights), dot(&a.weights, &b.weights), dot(&b.weights, &b.weights));
            let (sin, cos) = (0.5 * (2.0 * ab).atan2(aa - bb)).sin_cos();
            slides = [turned(cos, a, sin, b), turned(-sin, a, cos, b)];
        }
        (slides, self.slide_count)
    }
}

/// Gram–Schmidt on tangents, the weights following along; none where the direction is not new.
fn orthonormal(mut weights: [f64; 4], edge: Point, previous: &[Slide]) -> Option<Slide> {
    let mut tangent = edge;
    for slide in previous {
        let along = tangent.dot(&slide.tangent);
        tangent -= along * slide.tangent;
        add_scaled(&mut weights, -along, &slide.weights);
    }
    let length = tangent.norm();
    let is_new = length > 0.0 && length * length > super::PARALLEL * edge.norm_squared();
    is_new.then(|| Slide { weights: weights.map(|c| c / length), tangent: tangent / length })
}

fn turned(x: f64, a: &Slide, y: f64, b: &Slide) -> Slide {
    let weights = std::array::from_fn(|i| x * a.weights[i] + y * b.weights[i]);
    Slide { weights, tangent: x * a.tangent + y * b.tangent }
}

fn add_scaled(y: &mut [f64; 4], s: f64, x: &[f64; 4]) {
    for i in 0..4 {
        y[i] += s * x[i];
    }
}

pub fn dot(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// c⊗n
pub fn kronecker(c: &[f64; 4], n: &Point) -> Gradient {
    Gradient::from_fn(|k, _| c[k / 3] * n[k % 3])
}

/// h ← h + s q qᵀ, symmetric to the last bit
pub fn add_outer(h: &mut Hessian, s: f64, q: &Gradient) {
    for j in 0..12 {
        for i in 0..12 {
            h[(i, j)] += (q[i] * q[j]) * s;
        }
    }
}
