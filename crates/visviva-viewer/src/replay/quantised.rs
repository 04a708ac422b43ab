//! Positions of a frame in 16 bits a coordinate: x = origin + scale q. A box of 65 535 steps holds them all; half a step is
//! 8·10⁻⁶ of its longest side, below what a screen can show.

use crate::protocol::{Kind, Message};

const STEPS: f64 = 65_535.0;

/// `index` is the frame's, `t` its time `[s]`, positions `[m]`.
pub fn frame_message(id: u32, index: usize, t: f64, positions: &[[f64; 3]]) -> Vec<u8> {
    let (origin, scale) = frame_box(positions);
    let mut message = Message::new(id, Kind::Frame, index, 16, 24 + 6 * positions.len());
    message.put(&[t]);
    message.put(&origin.map(|x| x as f32));
    message.put(&[scale]);
    // As the page will read them: with the origin and the scale that single precision leaves.
    let (origin, scale) = (origin.map(|x| f64::from(x as f32)), f64::from(scale));
    for position in positions {
        let steps: [u16; 3] = std::array::from_fn(|k| ((position[k] - origin[k]) / scale).round() as u16);
        message.put(&steps);
    }
    message.finish()
}

/// The least corner and metres a step; what is not finite does not count.
fn frame_box(positions: &[[f64; 3]]) -> ([f64; 3], f32) {
    let (mut least, mut most) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for position in positions {
        for k in 0..3 {
            if position[k].is_finite() {
                (least[k], most[k]) = (least[k].min(position[k]), most[k].max(position[k]));
            }
        }
    }
    let longest = (0..3).map(|k| most[k] - least[k]).fold(0.0, f64::max);
    let origin = least.map(|x| if x.is_finite() { x } else { 0.0 });
    // Rounding to single precision must not push the last point beyond the last step.
    let scale = (longest / STEPS * (1.0 + 1e-6)) as f32;
    (origin, if scale > 0.0 && scale.is_finite() { scale } else { 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], count: usize) -> Vec<[f64; 3]> {
        let single = |at: usize| f64::from(f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()));
        let (origin, scale) = ([single(24), single(28), single(32)], single(36));
        let step = |at: usize| f64::from(u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()));
        let point = |i: usize| std::array::from_fn(|k| origin[k] + scale * step(40 + 6 * i + 2 * k));
        (0..count).map(point).collect()
    }

    #[test]
    fn positions_come_back_within_a_hundred_thousandth_of_the_box() {
        let wave = |i: usize| (i as f64 * 0.7).sin();
        for size in [1e-3, 1.0, 300.0] {
            let points: Vec<[f64; 3]> = (0..500)
                .map(|i| [size * wave(i), 5.0 * size + size * wave(3 * i), -0.1 * size * wave(7 * i)])
                .collect();
            let bytes = frame_message(9, 4, 0.25, &points);
            assert_eq!((bytes.len() % 4, &bytes[..12]), (0, &[9, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0][..]));
            assert_eq!(f64::from_le_bytes(bytes[16..24].try_into().unwrap()), 0.25);
            let worst =
                points.iter().zip(read(&bytes, 500)).flat_map(|(x, y)| (0..3).map(move |k| (x[k] - y[k]).abs()));
            // The longest side is twice `size`: half a step, and the rounding of an origin in single precision.
            let allowed = 2.0 * size * (0.5 / STEPS + 4e-7);
            let worst = worst.fold(0.0, f64::max);
            assert!(worst <= allowed, "{worst} {allowed}");
        }
    }

    #[test]
    fn what_is_no_number_or_a_single_point_harms_nobody() {
        for points in [vec![], vec![[1.0; 3]], vec![[f64::NAN; 3], [0.0; 3], [f64::INFINITY, 1.0, 2.0]]] {
            let bytes = frame_message(1, 0, 0.0, &points);
            assert!(read(&bytes, points.len()).as_flattened().iter().all(|x| x.is_finite()));
        }
    }
}
