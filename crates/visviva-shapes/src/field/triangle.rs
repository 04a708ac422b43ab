//! One triangle as the distance field needs it: its nearest point and the solid angle it fills.

use nalgebra::Vector3;

/// The point of a triangle nearest to another (Ericson 2005, section 5.1.5).
pub fn nearest_point([a, b, c]: &[Vector3<f64>; 3], p: &Vector3<f64>) -> Vector3<f64> {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return *a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return *b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 && d1 - d3 > 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return *c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 && d2 - d6 > 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    let (along, back) = (d4 - d3, d5 - d6);
    if va <= 0.0 && along >= 0.0 && back >= 0.0 && along + back > 0.0 {
        return b + (c - b) * (along / (along + back));
    }
    let whole = va + vb + vc;
    // A triangle without area is its sides, and these were asked above.
    if whole > 0.0 { a + (ab * vb + ac * vc) / whole } else { *a }
}

/// Solid angle under which a triangle is seen from a point, positive from behind (Van Oosterom and Strackee 1983).
pub fn solid_angle(corners: &[Vector3<f64>; 3], p: &Vector3<f64>) -> f64 {
    let [a, b, c] = corners.map(|corner| corner - p);
    let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
    let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
    2.0 * a.dot(&b.cross(&c)).atan2(below)
}
