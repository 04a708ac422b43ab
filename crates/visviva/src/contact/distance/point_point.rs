//! Two points: r = p − q, the only class there is.

use super::{Closest, Corners, Point};

pub const BOTH: Corners = Corners(0b11);

pub fn closest(p: &Point, q: &Point) -> Closest {
    Closest { corners: BOTH, between: p - q }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::distance::checks;
    use crate::contact::sampling::Random;

    #[test]
    fn squared_distance_derivatives_match_finite_differences() {
        let mut random = Random(1);
        for _ in 0..50 {
            checks::squared_derivatives_hold(&random.points(), 0b01, BOTH);
        }
    }
}
