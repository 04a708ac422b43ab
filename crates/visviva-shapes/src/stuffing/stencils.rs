//! What is left of a lattice tet inside the surface: itself, a smaller tet, or a pyramid or prism of two or three.

use super::cuts::Cuts;
use super::lattice::Lattice;
use super::spot::Spot;
use crate::Solid;

/// The parts of all lattice tets inside. Nodes are the vertices of the lattice, then the cuts, used or not.
pub fn trim(lattice: &Lattice, cuts: &Cuts) -> Solid {
    let mut trimming = Trimming { lattice, cuts, tets: Vec::with_capacity(lattice.tets.len()) };
    for &tet in &lattice.tets {
        trimming.trim(tet);
    }
    let tets = trimming.tets;
    let cut_positions = (0..cuts.len()).map(|cut| cuts.position(lattice, cut));
    Solid { positions: lattice.positions.iter().copied().chain(cut_positions).collect(), tets }
}

struct Trimming<'a> {
    lattice: &'a Lattice,
    cuts: &'a Cuts,
    tets: Vec<[u32; 4]>,
}

impl Trimming<'_> {
    fn trim(&mut self, tet: [u32; 4]) {
        let distance = |v: u32| self.lattice.distances[v as usize];
        let outer = tet.iter().filter(|&&v| distance(v) > 0.0).count();
        let inner = tet.iter().filter(|&&v| distance(v) < 0.0).count();
        if inner == 0 {
            return;
        }
        if outer == 0 {
            self.tets.push(tet);
            return;
        }
        // Inner vertices first, outer last; an even exchange keeps the orientation.
        let mut order = [0, 1, 2, 3];
        order.sort_by_key(|&k| side(distance(tet[k])));
        let flipped = is_odd(order);
        let v = order.map(|k| tet[k]);
        let trimmed = match (inner, outer) {
            (1, _) => self.corner(v),
            (2, 1) => self.pyramid(v),
            (2, _) => self.wedge(v),
            _ => self.frustum(v),
        };
        // A field that contradicts itself may cut an edge that nobody looked at: that tet is left out.
        for [a, b, c, d] in trimmed.into_iter().flatten() {
            self.tets.push(if flipped { [a, b, d, c] } else { [a, b, c, d] });
        }
    }

    fn cut(&self, a: u32, b: u32) -> Option<u32> {
        let after = self.lattice.spots.len();
        self.cuts.between(a, b).map(|cut| (after + cut) as u32)
    }

    /// One inner vertex: the tet shrinks to it.
    fn corner(&self, [a, rest @ ..]: [u32; 4]) -> Option<Vec<[u32; 4]>> {
        let mut ends = [a; 3];
        for (end, v) in ends.iter_mut().zip(rest) {
            *end = if self.lattice.distances[v as usize] > 0.0 { self.cut(a, v)? } else { v };
        }
        Some(vec![[a, ends[0], ends[1], ends[2]]])
    }

    /// Inner a and b, z on the surface, o outside: a pyramid with the tip z.
    fn pyramid(&self, [a, b, z, o]: [u32; 4]) -> Option<Vec<[u32; 4]>> {
        let (at_a, at_b) = (self.cut(a, o)?, self.cut(b, o)?);
        Some(if self.leans(a, b, o) {
            vec![[a, b, z, at_b], [a, at_b, z, at_a]]
        } else {
            vec![[a, b, z, at_a], [b, at_b, z, at_a]]
        })
    }

    /// Inner a, b and c, o outside: a prism between them and the cuts towards o.
    fn frustum(&self, [a, b, c, o]: [u32; 4]) -> Option<Vec<[u32; 4]>> {
        let top = [self.cut(a, o)?, self.cut(b, o)?, self.cut(c, o)?];
        let leans = [self.leans(a, b, o), self.leans(b, c, o), self.leans(c, a, o)];
        Some(split_prism([a, b, c], top, leans))
    }

    /// Inner a and b, o and p outside: a prism from a and its cuts to b and its cuts.
    fn wedge(&self, [a, b, o, p]: [u32; 4]) -> Option<Vec<[u32; 4]>> {
        let near_a = [a, self.cut(a, o)?, self.cut(a, p)?];
        let near_b = [b, self.cut(b, o)?, self.cut(b, p)?];
        let (first, last) = (self.leans(a, b, o), !self.leans(a, b, p));
        // The quadrilateral on the surface is nobody else's; any diagonal that closes no cycle will do, and one does.
        let between = if first == last { !first } else { first };
        Some(split_prism(near_a, near_b, [first, between, last]))
    }

    /// Which diagonal cuts the quadrilateral between the inner a and b and their cuts towards o: from a, or from b.
    /// Both tets at the face must agree. The cut of the long edge has it; between two short ones parity decides,
    /// which the angle bounds ask for (Labelle and Shewchuk 2007, section 3).
    fn leans(&self, a: u32, b: u32, o: u32) -> bool {
        let [a, b, o] = [a, b, o].map(|v| self.lattice.spots[v as usize]);
        match (is_long(a, o), is_long(b, o)) {
            (false, true) => true,
            (true, false) => false,
            _ => {
                let above = (0..3).filter(|&k| if a.0[k] == b.0[k] { a.0[k] > o.0[k] } else { a.0[k] > b.0[k] });
                let is_corner = a.0[0] % 2 == 0;
                (above.count() % 2 == 1) == is_corner
            }
        }
    }
}

/// Whether an edge of the lattice is as long as a cell, not half its diagonal.
fn is_long(a: Spot, b: Spot) -> bool {
    a.apart(b) == 4
}

/// Three tets in a prism; `leans[k]` says that the diagonal between the columns k and k + 1 starts low at k.
fn split_prism(low: [u32; 3], high: [u32; 3], leans: [bool; 3]) -> Vec<[u32; 4]> {
    // A column goes before those that its diagonals rise to; three diagonals without a cycle put them in order.
    let rises = [leans[0] as u8 + !leans[2] as u8, leans[1] as u8 + !leans[0] as u8, leans[2] as u8 + !leans[1] as u8];
    let mut order = [0, 1, 2];
    order.sort_by_key(|&k| 2 - rises[k]);
    let [i, j, k] = order;
    let tets =
        [[low[i], low[j], low[k], high[k]], [low[i], low[j], high[k], high[j]], [low[i], high[i], high[j], high[k]]];
    let turned = (j + 1) % 3 == i;
    tets.map(|[a, b, c, d]| if turned { [a, b, d, c] } else { [a, b, c, d] }).to_vec()
}

fn is_odd(order: [usize; 4]) -> bool {
    let inversions = (0..4).flat_map(|i| (i + 1..4).map(move |j| (i, j))).filter(|&(i, j)| order[i] > order[j]);
    inversions.count() % 2 == 1
}

/// Inside, on the surface, outside.
fn side(distance: f64) -> i8 {
    i8::from(distance > 0.0) - i8::from(distance < 0.0)
}
