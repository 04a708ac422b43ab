//! Solids and sheets made from a few numbers, so that a scene needs no mesh file. All are centred on the origin; round ones turn
//! about z.

mod ball;
mod chain_net;
mod cuboid;
mod ground;
mod lathe;
mod sheet;
mod surfaces;
mod sweep;
mod wrapped_ball;

pub use ball::{ball, ellipsoid};
pub use chain_net::{ChainNet, NetLink};
pub use cuboid::cuboid;
pub use ground::{plane, stairs};
pub use lathe::{capsule_surface, cylinder_surface};
pub use sheet::{disc, icosphere, rectangle, tube_surface};
pub use surfaces::{box_surface, open_box, torus_surface};
pub use sweep::{cylinder, torus, tube};
pub use wrapped_ball::wrapped_ball;

use super::{MeshError, TetMesh, signed_volume};

/// A typing error in a scene should say so instead of filling the memory: 2²⁶ tets are 1 GiB of indices alone.
const MAX_ELEMENTS: u128 = 1 << 26;

fn check_positive(lengths: &[(&'static str, f64)]) -> Result<(), MeshError> {
    match lengths.iter().find(|(_, value)| !(value.is_finite() && *value > 0.0)) {
        Some(&(what, value)) => Err(MeshError::Parameter { what, wanted: "positive and finite", value }),
        None => Ok(()),
    }
}

fn check_at_least(counts: &[(&'static str, usize, usize)]) -> Result<(), MeshError> {
    for &(what, value, least) in counts {
        if value < least {
            let wanted = if least <= 1 { "at least 1" } else { "at least 3" };
            return Err(MeshError::Parameter { what, wanted, value: value as f64 });
        }
    }
    Ok(())
}

/// `factors` multiply to the number of tets.
fn check_tet_count(factors: &[usize]) -> Result<(), MeshError> {
    check_count("tets", factors)
}

/// `factors` multiply to the number of triangles.
fn check_triangle_count(factors: &[usize]) -> Result<(), MeshError> {
    check_count("triangles", factors)
}

fn check_count(what: &'static str, factors: &[usize]) -> Result<(), MeshError> {
    let count = factors.iter().fold(1u128, |product, &f| product.saturating_mul(f as u128));
    if count > MAX_ELEMENTS { Err(MeshError::TooMany { what, count, limit: MAX_ELEMENTS }) } else { Ok(()) }
}

/// Makes every tet positive, for generators whose pattern does not fix the orientation.
fn orient(mesh: &mut TetMesh) {
    for tet in &mut mesh.tets {
        if signed_volume(&tet.map(|i| mesh.positions[i as usize])) < 0.0 {
            tet.swap(2, 3);
        }
    }
}
