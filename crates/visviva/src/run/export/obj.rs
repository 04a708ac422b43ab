//! OBJ files, for Blender and Houdini: a file a frame, an object a body, surfaces as faces, wires as lines.

use super::{ExportFrame, Exported, Exporter, Format, make_folder};
use crate::run::error::{At, OutputError};
use crate::run::{RunMesh, whole_file};
use std::fmt::Write;
use std::path::PathBuf;

pub const FORMAT: Format = Format {
    name: "obj",
    what: "for Blender and Houdini: surfaces and wires, an object a body, a file a frame",
    folder: "obj",
    uses_materials: false,
    exporter: |folder| Box::new(ObjFiles { folder: folder.to_owned(), written: Vec::new() }),
};

#[derive(Debug)]
struct ObjFiles {
    folder: PathBuf,
    /// Index and file of each frame
    written: Vec<(u64, PathBuf)>,
}

impl Exporter for ObjFiles {
    fn begin(&mut self, _run: Exported<'_>) -> Result<(), OutputError> {
        make_folder(&self.folder)
    }

    fn frame(&mut self, run: Exported<'_>, frame: &ExportFrame<'_>) -> Result<(), OutputError> {
        let path = self.folder.join(format!("frame_{:06}.obj", frame.index));
        let text = encode(run.mesh, frame);
        whole_file::write_lazily(&path, text.as_bytes()).at(&path)?;
        self.written.retain(|(index, _)| *index < frame.index);
        self.written.push((frame.index, path));
        Ok(())
    }

    /// The first file and the last.
    fn finish(&mut self) -> Result<Vec<PathBuf>, OutputError> {
        let ends = self.written.first().into_iter().chain(self.written.last());
        Ok(ends.map(|(_, path)| path.clone()).collect())
    }
}

/// Coordinates in single precision, which is what readers keep. Vertices inside solids belong to no face and are left out, so that
/// each object has its own and no more.
fn encode(mesh: &RunMesh, frame: &ExportFrame<'_>) -> String {
    let (x, t) = (&frame.vertices.x, frame.t);
    // Writing to a string cannot fail.
    let mut text = String::with_capacity(40 * x.len());
    let mark = if frame.interpolated { ", interpolated between two frames" } else { "" };
    let _ = writeln!(text, "# t = {t} s, metres, z up{mark}");
    let mut number = vec![0u32; x.len()];
    let mut count = 0;
    for body in &mesh.bodies {
        let (triangles, wires) = (&mesh.triangles[body.triangle_range()], &mesh.wires[body.wire_range()]);
        let mut used: Vec<u32> = triangles.as_flattened().iter().chain(wires.as_flattened()).copied().collect();
        used.sort_unstable();
        used.dedup();
        // White space would end the name.
        let _ = writeln!(text, "o {}", body.name.replace(char::is_whitespace, "_"));
        for vertex in used {
            count += 1;
            number[vertex as usize] = count;
            let [x, y, z] = x[vertex as usize].map(|c| c as f32);
            let _ = writeln!(text, "v {x} {y} {z}");
        }
        for [a, b, c] in triangles.iter().map(|t| t.map(|vertex| number[vertex as usize])) {
            let _ = writeln!(text, "f {a} {b} {c}");
        }
        for [a, b] in wires.iter().map(|w| w.map(|vertex| number[vertex as usize])) {
            let _ = writeln!(text, "l {a} {b}");
        }
    }
    text
}
