//! What hangs together: the connected parts of a mesh, by common nodes.

use super::TetMesh;
use visviva_shapes::lowest_of_parts;

impl TetMesh {
    /// How many parts share no node with each other.
    pub fn part_count(&self) -> usize {
        let lowest = lowest_of_parts(self.positions.len(), &self.tets);
        (0..lowest.len()).filter(|&node| lowest[node] == node).count()
    }
}
