//! A run's frames as a sequence of OBJ files, for Blender and Houdini: an object a body, surfaces as faces, wires as lines.

use super::export::chosen_frames;
use super::study::progress;
use anyhow::Context;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use visviva::run::{RunFolder, RunMesh, whole_file};

/// Writes every `every`-th frame that is there; returns the first and the last file.
pub fn export(run: &RunFolder, out: &Path, every: u64) -> anyhow::Result<[PathBuf; 2]> {
    let mesh = run.mesh()?;
    let chosen = chosen_frames(run, every)?;
    std::fs::create_dir_all(out).with_context(|| format!("cannot make the folder {}", out.display()))?;
    let bar = progress(chosen.len() as u64);
    let mut paths = Vec::with_capacity(chosen.len());
    for info in &chosen {
        let (_, frame) = run.read_nodes_and_vertices(&mesh, info.index)?;
        let path = out.join(format!("frame_{:06}.obj", info.index));
        let text = encode(&mesh, &frame.x, info.t);
        whole_file::write_lazily(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
        paths.push(path);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok([paths[0].clone(), paths[paths.len() - 1].clone()])
}

/// Coordinates in single precision, which is what readers keep. Vertices inside solids belong to no face and are left out, so that
/// each object has its own and no more.
fn encode(mesh: &RunMesh, x: &[[f64; 3]], t: f64) -> String {
    // Writing to a string cannot fail.
    let mut text = String::with_capacity(40 * x.len());
    let _ = writeln!(text, "# t = {t} s, metres, z up");
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
