//! A net of interlocking rings: flat ones on a square grid, upright ones that join each to its neighbours.
//!
//! ```text
//! pitch = 2√2 R,    clearance of any two rings = (2 − √2) R − 2r
//! ```
//!
//! A wider pitch brings a joining ring nearer to the flat rings it holds, a narrower one brings the joining rings of one
//! flat ring nearer to each other; at 2√2 R both distances are equal, and all others are larger.

use super::{check_at_least, check_positive, check_triangle_count, torus_surface};
use crate::mesh::{MeshError, TriMesh};
use nalgebra::Vector3;
use std::f64::consts::{PI, SQRT_2};

/// A net in the plane z = 0, centred on the origin. All links are the same torus.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChainNet {
    /// Flat links along x
    pub columns: usize,
    /// Flat links along y
    pub rows: usize,
    /// From a link's centre to that of its wire `[m]`
    pub major: f64,
    /// Of the wire `[m]`
    pub minor: f64,
    /// Around a link
    pub segments: usize,
    /// Around the wire
    pub sides: usize,
}

/// A link in place.
#[derive(Debug, Clone, PartialEq)]
pub struct NetLink {
    /// `node-I-J` for the flat link at column I and row J, `join-x-I-J` and `join-y-I-J` for those to the next one in x, y
    pub name: String,
    pub mesh: TriMesh,
    /// Whether it is a flat link at the edge of the net
    pub rim: bool,
    /// `[m]`
    pub centre: Vector3<f64>,
    /// The unit vector about which the link is round
    pub axis: Vector3<f64>,
}

impl ChainNet {
    /// Flat and joining links together.
    pub fn link_count(&self) -> usize {
        let (m, n) = (self.columns, self.rows);
        m.saturating_mul(3).saturating_mul(n).saturating_sub(m.saturating_add(n))
    }

    /// Between the centres of neighbouring flat links `[m]`.
    pub fn pitch(&self) -> f64 {
        2.0 * SQRT_2 * self.major
    }

    /// The least distance between two links `[m]`, less what the facets on the inside of the rings may stand out.
    pub fn clearance(&self) -> f64 {
        let bulge = self.major * (1.0 - (PI / self.segments as f64).cos());
        (2.0 - SQRT_2) * self.major - 2.0 * (self.minor + bulge)
    }

    /// The links: flat ones row by row, then those along x, then those along y.
    pub fn links(&self) -> Result<Vec<NetLink>, MeshError> {
        check_at_least(&[("the net's columns", self.columns, 1), ("the net's rows", self.rows, 1)])?;
        let torus = torus_surface(self.major, self.minor, self.segments, self.sides)?;
        check_positive(&[("the clearance between links, (2 - √2) major - 2 minor less facets,", self.clearance())])?;
        check_triangle_count(&[3, self.columns, self.rows, torus.triangles.len()])?;
        let mut links = Vec::with_capacity(self.link_count());
        let (columns, rows) = (self.columns, self.rows);
        let is_end = |k: usize, n: usize| k == 0 || k + 1 == n;
        for (j, i) in grid(columns, rows) {
            let rim = is_end(i, columns) || is_end(j, rows);
            links.push(self.link(format!("node-{i}-{j}"), &torus, [i as f64, j as f64], rim, |x| x));
        }
        // Turned by exchanging coordinates, so that all links have the same bits.
        for (j, i) in grid(columns - 1, rows) {
            let upright = |x: Vector3<f64>| Vector3::new(x.x, -x.z, x.y);
            links.push(self.link(format!("join-x-{i}-{j}"), &torus, [i as f64 + 0.5, j as f64], false, upright));
        }
        for (j, i) in grid(columns, rows - 1) {
            let upright = |x: Vector3<f64>| Vector3::new(x.z, x.x, x.y);
            links.push(self.link(format!("join-y-{i}-{j}"), &torus, [i as f64, j as f64 + 0.5], false, upright));
        }
        Ok(links)
    }

    /// The turned torus at grid coordinates `at`.
    fn link(
        &self,
        name: String,
        torus: &TriMesh,
        at: [f64; 2],
        rim: bool,
        turn: impl Fn(Vector3<f64>) -> Vector3<f64>,
    ) -> NetLink {
        let from_middle = |k: f64, n: usize| (k - 0.5 * (n - 1) as f64) * self.pitch();
        let centre = Vector3::new(from_middle(at[0], self.columns), from_middle(at[1], self.rows), 0.0);
        let positions = torus.positions.iter().map(|&x| centre + turn(x)).collect();
        let mesh = TriMesh { positions, triangles: torus.triangles.clone() };
        NetLink { name, mesh, rim, centre, axis: turn(Vector3::z()) }
    }
}

/// (row, column), columns running fastest.
fn grid(columns: usize, rows: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rows).flat_map(move |j| (0..columns).map(move |i| (j, i)))
}
