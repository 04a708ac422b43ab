//! Weights by area: B = κ Σ w b(d) is then a quadrature of κ ∫ b dA/A₀ over the surface and does not depend on its mesh.
//!
//! ```text
//! w_v = A_v/4A₀,   A_v = ⅓ Σ areas of the triangles at v,   A₀ = 1 cm²
//! ```
//!
//! A quarter, because a place is seen from both surfaces, by vertices and by edges (Li et al. 2023: Convergent incremental
//! potential contact). A pair counts as its finer side: a coarse floor's corner would otherwise stand for square metres.

use super::distance::Point;

/// A₀ `[m²]`
const UNIT: f64 = 1e-4;

/// Of each vertex, at rest; those of wires, which have no area, count as one.
pub fn area_weights(triangles: &[[u32; 3]], x: &[Point]) -> Vec<f64> {
    let mut weights = vec![0.0; x.len()];
    for &[a, b, c] in triangles {
        let at = |v: u32| x[v as usize];
        let area = 0.5 * (at(b) - at(a)).cross(&(at(c) - at(a))).norm();
        [a, b, c].iter().for_each(|&v| weights[v as usize] += area / (12.0 * UNIT));
    }
    weights.iter_mut().filter(|w| **w == 0.0).for_each(|w| *w = 1.0);
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;

    #[test]
    fn they_add_up_to_a_quarter_of_the_surface_in_square_centimetres() {
        for cells in [[1, 1, 1], [3, 2, 4]] {
            let surface = generate::cuboid(Point::new(0.1, 0.2, 0.3), cells).unwrap().surface();
            let sum: f64 = area_weights(&surface.triangles, &surface.positions).iter().sum();
            assert!((sum - 0.25 * 2200.0).abs() < 1e-9, "{sum}");
        }
    }
}
