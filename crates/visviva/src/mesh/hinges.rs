//! The inner edges of a surface, where it bends, and its rim; what keeps a surface from being a sheet is named.

use super::coincident::coincident;
use super::{MeshError, TriMesh};

/// A directed side of a triangle: its edge with the lower node first, whether it runs against that, the triangle, the tip.
type SideRecord = ([u32; 2], bool, u32, u32);

/// All sides, those of one edge side by side, the one that runs from the lower node first.
fn sorted_sides(triangles: &[[u32; 3]]) -> Vec<SideRecord> {
    let mut sides: Vec<SideRecord> = Vec::with_capacity(3 * triangles.len());
    for (t, &[a, b, c]) in triangles.iter().enumerate() {
        for [from, to, tip] in [[a, b, c], [b, c, a], [c, a, b]] {
            sides.push(([from.min(to), from.max(to)], from > to, t as u32, tip));
        }
    }
    sides.sort_unstable();
    sides
}

/// The hinges (a, b, c, d) of triangles (a, b, c) and (b, a, d), a < b, ascending by edge: edge ends, then tips,
/// as the law of bending takes them. An edge of three triangles, or of two that face opposite sides, is refused.
pub fn hinges(triangles: &[[u32; 3]]) -> Result<Vec<[u32; 4]>, MeshError> {
    let mut hinges = Vec::with_capacity(3 * triangles.len() / 2);
    for run in sorted_sides(triangles).chunk_by(|a, b| a.0 == b.0) {
        match run {
            [_] => {}
            [(edge, false, first, c), (_, true, second, d)] => {
                if c == d {
                    return Err(MeshError::Doubled { triangles: [*first as usize, *second as usize] });
                }
                hinges.push([edge[0], edge[1], *c, *d]);
            }
            [(edge, _, first, _), (_, _, second, _)] => {
                return Err(MeshError::Turned { edge: *edge, triangles: [*first as usize, *second as usize] });
            }
            _ => return Err(MeshError::NonManifold { edge: run[0].0, count: run.len() }),
        }
    }
    Ok(hinges)
}

/// The edges of one triangle alone, directed as it turns, ascending by their lower node.
pub fn rim_edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sides = sorted_sides(triangles);
    let alone = sides.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() == 1);
    alone.map(|run| if run[0].1 { [run[0].0[1], run[0].0[0]] } else { run[0].0 }).collect()
}

impl TriMesh {
    /// Checks everything a sheet relies on beyond [`TriMesh::validate`], and gives its [`hinges`]: every edge has one
    /// triangle or two that turn alike, and no two nodes lie at one point, where the sheet would be cut unseen.
    pub fn validate_sheet(&self) -> Result<Vec<[u32; 4]>, MeshError> {
        self.validate()?;
        let hinges = hinges(&self.triangles)?;
        match coincident(&self.positions).first() {
            Some(&nodes) => Err(MeshError::Coincident { nodes }),
            None => Ok(hinges),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;

    const STRIP: [[u32; 3]; 3] = [[0, 1, 2], [2, 1, 3], [2, 3, 4]];

    fn strip() -> TriMesh {
        let positions = (0..5).map(|i| Vector3::new(f64::from(i / 2), f64::from(i % 2), 0.0)).collect();
        TriMesh { positions, triangles: STRIP.to_vec() }
    }

    #[test]
    fn hinges_and_rim_share_out_the_edges() {
        assert_eq!(hinges(&STRIP).unwrap(), [[1, 2, 0, 3], [2, 3, 4, 1]]);
        assert_eq!(rim_edges(&STRIP), [[0, 1], [2, 0], [1, 3], [4, 2], [3, 4]]);
        assert_eq!(strip().validate_sheet().unwrap().len(), 2);
    }

    #[test]
    fn an_edge_that_no_sheet_has_is_named() {
        let refusal = |triangles: &[[u32; 3]]| hinges(triangles).unwrap_err().to_string();
        let third = refusal(&[[0, 1, 2], [1, 0, 3], [0, 1, 4]]);
        assert!(third.starts_with("edge [0, 1] belongs to 3 triangles"), "{third}");
        let turned = refusal(&[[0, 1, 2], [0, 1, 3]]);
        assert!(turned.starts_with("triangles [0, 1] turn opposite ways at edge [0, 1]"), "{turned}");
        let turned = refusal(&[[1, 0, 2], [1, 0, 3]]);
        assert!(turned.contains("edge [0, 1]"), "{turned}");
        let doubled = refusal(&[[0, 1, 2], [2, 1, 0]]);
        assert!(doubled.starts_with("triangles [0, 1] have the same three nodes"), "{doubled}");
    }

    #[test]
    fn a_sheet_with_a_fault_is_refused_with_its_place() {
        let refusal = |spoil: fn(&mut TriMesh)| {
            let mut mesh = strip();
            spoil(&mut mesh);
            mesh.validate_sheet().unwrap_err()
        };
        let error = refusal(|mesh| mesh.positions[4] = mesh.positions[0] * -1.0);
        assert!(matches!(error, MeshError::Coincident { nodes: [0, 4] }), "{error}");
        let error = refusal(|mesh| mesh.positions[3].y = f64::NAN);
        assert!(matches!(error, MeshError::NotFinite { node: 3, .. }), "{error}");
        let error = refusal(|mesh| mesh.triangles[1][2] = 2);
        assert!(matches!(error, MeshError::RepeatedNode { element: 1, .. }), "{error}");
        let error = refusal(|mesh| mesh.positions[4] = mesh.positions[2] * 0.25 + mesh.positions[3] * 0.75);
        assert!(matches!(error, MeshError::Degenerate { .. }), "{error}");
        let error = refusal(|mesh| mesh.positions.push(Vector3::repeat(9.0)));
        assert!(matches!(error, MeshError::Isolated { .. }), "{error}");
        let error = refusal(|mesh| mesh.triangles[2] = [3, 2, 4]);
        assert!(matches!(error, MeshError::Turned { edge: [2, 3], triangles: [1, 2] }), "{error}");
        let error = refusal(|mesh| mesh.triangles.push([2, 3, 0]));
        assert!(matches!(error, MeshError::NonManifold { edge: [2, 3], count: 3 }), "{error}");
    }
}
