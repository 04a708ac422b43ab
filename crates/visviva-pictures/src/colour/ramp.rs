//! Colour ramp for fields: dark violet through teal to yellow, lightness growing evenly.
//!
//! Control points lie in OKLab (B. Ottosson, "A perceptual color space for image processing", 2020),
//! where equal distances look about equal.
use super::Colour;

/// Lightness, chroma, hue `[degrees]`, at even steps of the field.
const CONTROL: [(f64, f64, f64); 7] = [
    (0.24, 0.10, 315.0),
    (0.35, 0.11, 286.0),
    (0.46, 0.10, 252.0),
    (0.57, 0.095, 205.0),
    (0.68, 0.125, 165.0),
    (0.79, 0.165, 132.0),
    (0.90, 0.18, 106.0),
];

/// The colour of `t` in 0..1; below and above, the end colours; grey where the field is not a number.
pub fn field_colour(t: f64) -> Colour {
    if t.is_nan() {
        return Colour(160, 160, 160);
    }
    let place = t.clamp(0.0, 1.0) * (CONTROL.len() - 1) as f64;
    let k = (place as usize).min(CONTROL.len() - 2);
    let (from, to, s) = (CONTROL[k], CONTROL[k + 1], place - k as f64);
    let mix = |a: f64, b: f64| a + s * (b - a);
    oklch(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

/// The sRGB colour nearest to OKLab lightness (0..1), chroma (0..0.3) and hue `[degrees]`.
pub fn oklch(lightness: f64, chroma: f64, hue: f64) -> Colour {
    let (sin, cos) = hue.to_radians().sin_cos();
    let (a, b) = (chroma * cos, chroma * sin);
    let l = (lightness + 0.3963377774 * a + 0.2158037573 * b).powi(3);
    let m = (lightness - 0.1055613458 * a - 0.0638541728 * b).powi(3);
    let s = (lightness - 0.0894841775 * a - 1.2914855480 * b).powi(3);
    Colour(
        encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
        encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
        encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s),
    )
}

fn encode(linear: f64) -> u8 {
    let v = linear.clamp(0.0, 1.0);
    let v = if v <= 0.0031308 { 12.92 * v } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 };
    (255.0 * v).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::sight::{linear, oklab};

    #[test]
    fn field_ramp_grows_lighter_in_even_steps() {
        let lightness: Vec<f64> = (0..=32).map(|k| oklab(linear(field_colour(k as f64 / 32.0)))[0]).collect();
        let mean = (lightness[32] - lightness[0]) / 32.0;
        for pair in lightness.windows(2) {
            let step = pair[1] - pair[0];
            assert!((step - mean).abs() < 0.5 * mean, "step {step} against mean {mean}");
        }
    }

    #[test]
    fn field_ramp_stays_defined_outside_its_range() {
        assert_eq!(field_colour(-3.0), field_colour(0.0));
        assert_eq!(field_colour(f64::INFINITY), field_colour(1.0));
        assert_eq!(field_colour(f64::NAN), Colour(160, 160, 160));
    }
}
