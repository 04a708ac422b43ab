//! Files cut short or with bytes changed end in a mesh or an error, never in a panic, a hang or a large allocation.

use super::samples;
use std::path::Path;
use visviva::mesh::TetMesh;
use visviva::mesh::formats::read_raw;

/// What loading does after reading the bytes.
fn load(name: &str, data: &[u8]) -> bool {
    let Ok(raw) = read_raw(data, Path::new(name)) else { return false };
    let mut mesh = TetMesh { positions: raw.positions, tets: raw.tets };
    mesh.remove_isolated();
    mesh.validate().is_ok()
}

/// A linear congruential generator (Knuth's MMIX constants), so that a failure repeats.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

fn files() -> Vec<(&'static str, Vec<u8>)> {
    let mut files = samples::all();
    files.push(("quad.obj", b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1/1 2//1 3/1 4\nf -1 -2 -3\n".to_vec()));
    files
}

#[test]
fn truncation_anywhere_is_survived_and_noticed() {
    for (name, data) in files() {
        for length in (0..data.len()).step_by(3) {
            let whole = load(name, &data[..length]);
            // What may be missing unnoticed is the closing tag or newline, and types of cells that nobody counts.
            assert!(!whole || length + 48 > data.len(), "{name} cut at {length} of {}", data.len());
        }
    }
}

#[test]
fn changed_bytes_are_survived() {
    let mut random = Random(1);
    for (name, data) in files() {
        for _ in 0..3000 {
            let mut spoiled = data.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(spoiled.len());
                spoiled[at] = if random.below(2) == 0 {
                    random.below(256) as u8
                } else {
                    b"0123456789-.e$<\n \xff"[random.below(18)]
                };
            }
            load(name, &spoiled);
        }
    }
}

#[test]
fn lying_counts_cost_no_memory() {
    for text in [
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n9223372036854775807\n1 0 0 0\n",
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 9223372036854775807 1 1\n3 1 0 9223372036854775807\n1\n",
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Elements\n9223372036854775807 1 1 1\n3 1 4 9223372036854775807\n",
        "# vtk DataFile Version 3.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 18446744073709551615 double\n",
        "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 18446744073709551615 double\n1\n",
        "<VTKFile header_type=\"UInt64\"><UnstructuredGrid><Piece NumberOfPoints=\"18446744073709551615\" NumberOfCells=\"1\">\
         <Points><DataArray type=\"Float64\" format=\"binary\">//////////8=</DataArray></Points></Piece>\
         </UnstructuredGrid></VTKFile>",
    ] {
        assert!(!load("a.x", text.as_bytes()), "{text}");
    }
}
