//! A rabbit that sits on its haunches, ears up.

use super::Blueprint;
use super::part::{FLOOR, Part, ball, egg, hollow, limb};

pub(super) static RABBIT: Blueprint = Blueprint {
    name: "rabbit",
    about: "a rabbit that sits on its haunches, ears up",
    parts: PARTS,
    thinnest: 0.07,
    cell: 0.039,
    nodes: 4500,
    skin_cell: 0.016,
};

const PARTS: &[Part] = &[
    egg("rump", [0.0, 0.105, 0.250], [0.190, 0.245, 0.228]).turn([-20.0, 0.0, 0.0]),
    egg("chest", [0.0, -0.095, 0.300], [0.148, 0.142, 0.195]).blend(0.12),
    egg("belly", [0.0, 0.090, 0.120], [0.150, 0.200, 0.130]).blend(0.05),
    egg("haunch", [0.155, 0.105, 0.165], [0.080, 0.165, 0.155]).turn([-10.0, 0.0, 6.0]).paired().blend(0.03),
    limb("hind foot", [0.175, 0.090, 0.052], [0.215, -0.125, 0.044], [0.057, 0.052]).paired().blend(0.04),
    limb("foreleg", [0.085, -0.135, 0.280], [0.094, -0.228, 0.058], [0.062, 0.046]).paired().blend(0.04),
    egg("forepaw", [0.097, -0.255, 0.038], [0.050, 0.070, 0.048]).turn([0.0, 0.0, 8.0]).paired().blend(0.03),
    limb("neck", [0.0, -0.090, 0.430], [0.0, -0.140, 0.530], [0.115, 0.110]).blend(0.06),
    egg("head", [0.0, -0.165, 0.575], [0.125, 0.148, 0.122]).turn([18.0, 0.0, 0.0]).blend(0.05),
    egg("cheek", [0.080, -0.205, 0.535], [0.062, 0.075, 0.062]).paired().blend(0.05),
    ball("muzzle", [0.030, -0.290, 0.535], 0.046).paired().blend(0.03),
    egg("nose", [0.0, -0.322, 0.566], [0.030, 0.020, 0.020]).blend(0.015),
    ball("eye", [0.091, -0.238, 0.608], 0.032).paired().blend(0.008),
    egg("ear", [0.112, -0.075, 0.826], [0.068, 0.050, 0.182]).turn([-14.0, 15.0, -18.0]).paired().blend(0.04),
    hollow("inner ear", [0.126, -0.146, 0.830], [0.046, 0.045, 0.135]).turn([-14.0, 15.0, -18.0]).paired().blend(0.02),
    ball("tail", [0.0, 0.345, 0.195], 0.085).blend(0.04),
    FLOOR,
];
