//! Prints how long one evaluation of each solid takes on one core `[ns]`: cargo bench --bench laws.

use std::hint::black_box;
use std::time::Instant;

use nalgebra::{Matrix3, Vector3};
use visviva::laws::inversion::largest_step;
use visviva::laws::solid::{SOLIDS, Solid};
use visviva::laws::tetrahedron::{Curvature, TetShape};
use visviva::math::polar::polar;
use visviva::math::svd::svd;

/// Best of seven rounds over all states: the machine may be shared.
fn nanoseconds<T, R>(states: &[T], evaluate: impl Fn(&T) -> R) -> f64 {
    let round = || {
        let start = Instant::now();
        for _ in 0..100 {
            for state in states {
                black_box(evaluate(black_box(state)));
            }
        }
        start.elapsed().as_nanos() as f64 / (100 * states.len()) as f64
    };
    (0..7).map(|_| round()).fold(f64::INFINITY, f64::min)
}

fn main() {
    let rest = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
    let Ok(shape) = TetShape::from_rest(rest) else { return };
    // A fixed quasi-random cloud: strains of 10 % and of 40 %, turned by up to a radian.
    let noise = |k: usize| (k as f64 * 0.754_877_666).fract() * 2.0 - 1.0;
    for strain in [0.1, 0.4] {
        let gradients: Vec<Matrix3<f64>> = (0..1000)
            .map(|k| {
                let turn = nalgebra::Rotation3::new(Vector3::from_fn(|i, _| noise(17 * k + i))).into_inner();
                turn * (Matrix3::identity() + strain * Matrix3::from_fn(|i, j| noise(31 * k + 3 * i + j)))
            })
            .filter(|f| f.determinant() > 0.05)
            .collect();
        let states: Vec<[Vector3<f64>; 4]> = gradients.iter().map(|f| rest.map(|corner| f * corner)).collect();
        println!("strain {strain}: {} states", states.len());
        println!("  svd {:5.0}, polar {:5.0}", nanoseconds(&gradients, svd), nanoseconds(&gradients, polar));
        let step = rest.map(|corner| Vector3::new(0.2, -0.9, 0.1).cross(&corner) - corner * 1.2);
        println!("  largest step {:5.0}", nanoseconds(&states, |x| largest_step(x, &step)));
        println!("  {:20} value  gradient  projected  exact", "");
        for entry in SOLIDS {
            let Ok(solid) = Solid::from_name(entry.name, 1e5, 0.3) else { continue };
            println!(
                "  {:20} {:5.0}  {:8.0}  {:9.0}  {:5.0}",
                entry.name,
                nanoseconds(&states, |x| shape.energy(&solid, x)),
                nanoseconds(&states, |x| shape.energy_and_gradient(&solid, x)),
                nanoseconds(&states, |x| shape.evaluate(&solid, x, Curvature::Projected)),
                nanoseconds(&states, |x| shape.evaluate(&solid, x, Curvature::Exact)),
            );
        }
    }
}
