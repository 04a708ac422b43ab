//! OBJ files, which every program reads: a file a frame, an object a body, polygons as faces, wires as lines; one MTL for all.

use super::looks::{Materials, palette_colour};
use super::{ExportFrame, Exported, Exporter, Format, make_folder, names};
use crate::run::error::{At, OutputError};
use crate::run::{ShownBody, whole_file};
use std::fmt::Write;
use std::path::PathBuf;

pub const FORMAT: Format = Format {
    name: "obj",
    aliases: &[],
    what: "for any program: polygons, UVs, materials' names and wires, an object a body, a file a frame",
    folder: "obj",
    uses_materials: false,
    unwieldy: None,
    exporter: |folder| Box::new(ObjFiles { folder: folder.to_owned(), objects: Vec::new(), written: Vec::new() }),
};

const LIBRARY: &str = "materials.mtl";

#[derive(Debug)]
struct ObjFiles {
    folder: PathBuf,
    objects: Vec<Object>,
    /// Index and file of each frame
    written: Vec<(u64, PathBuf)>,
}

/// A body and all lines of it that are the same in every frame.
#[derive(Debug)]
struct Object {
    body: ShownBody,
    /// Before its vertices
    head: String,
    /// After them
    faces: String,
}

impl Exporter for ObjFiles {
    fn begin(&mut self, run: Exported<'_>) -> Result<(), OutputError> {
        make_folder(&self.folder)?;
        if self.objects.is_empty() {
            let bodies = run.mesh.shown();
            let materials = Materials::of(&bodies);
            let names = names::words(materials.names.iter().copied());
            if !names.is_empty() {
                let path = self.folder.join(LIBRARY);
                whole_file::write_lazily(&path, library(&names).as_bytes()).at(&path)?;
            }
            self.objects = objects(&bodies, &materials, &names);
        }
        Ok(())
    }

    fn frame(&mut self, _run: Exported<'_>, frame: &ExportFrame<'_>) -> Result<(), OutputError> {
        let path = self.folder.join(format!("frame_{:06}.obj", frame.index));
        let text = encode(&self.objects, frame);
        whole_file::write_lazily(&path, text.as_bytes()).at(&path)?;
        self.written.retain(|(index, _)| *index < frame.index);
        self.written.push((frame.index, path));
        Ok(())
    }

    /// The first file and the last.
    fn finish(&mut self) -> Result<Vec<PathBuf>, OutputError> {
        let mut ends = vec![self.written.first(), self.written.last()];
        ends.dedup();
        Ok(ends.into_iter().flatten().map(|(_, path)| path.clone()).collect())
    }
}

/// Coordinates in single precision, which is what readers keep.
fn encode(objects: &[Object], frame: &ExportFrame<'_>) -> String {
    let mut text = String::new();
    let mark = if frame.interpolated { ", interpolated between two frames" } else { "" };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "# t = {} s, metres, z up{mark}", frame.t);
    if objects.iter().any(|object| !object.body.materials.is_empty()) {
        let _ = writeln!(text, "mtllib {LIBRARY}");
    }
    for object in objects {
        text.push_str(&object.head);
        for [x, y, z] in object.body.at(&frame.vertices.x) {
            let _ = writeln!(text, "v {} {} {}", x as f32, y as f32, z as f32);
        }
        text.push_str(&object.faces);
    }
    text
}

/// Vertices and texture coordinates are counted from one through all objects.
fn objects(bodies: &[ShownBody], materials: &Materials<'_>, material_names: &[String]) -> Vec<Object> {
    let names = names::words(bodies.iter().map(|body| body.name.as_str()));
    let (mut vertices, mut uvs) = (1, 1);
    let mut object = |(body, name): (&ShownBody, String)| {
        let own: Vec<String> =
            body.materials.iter().map(|name| material_names[materials.index(name)].clone()).collect();
        let faces = faces(body, vertices, uvs, &own);
        vertices += body.rides.len() as u32;
        uvs += body.uvs.as_ref().map_or(0, |uvs| uvs.values.len() as u32);
        Object { body: body.clone(), head: format!("o {name}\n"), faces }
    };
    bodies.iter().zip(names).map(&mut object).collect()
}

/// In their order, with the material named where it changes.
fn faces(body: &ShownBody, vertex: u32, uv: u32, material_names: &[String]) -> String {
    let mut text = String::new();
    for [u, v] in body.uvs.iter().flat_map(|uvs| &uvs.values) {
        let _ = writeln!(text, "vt {} {}", *u as f32, *v as f32);
    }
    for polygon in 0..body.polygons.len() {
        let material = body.material_of.get(polygon);
        if let Some(&material) = material.filter(|_| polygon == 0 || material != body.material_of.get(polygon - 1)) {
            let _ = writeln!(text, "usemtl {}", material_names[material as usize]);
        }
        text.push('f');
        for corner in body.polygons.range(polygon) {
            let _ = write!(text, " {}", vertex + body.polygons.corners[corner]);
            if let Some(uvs) = &body.uvs {
                let _ = write!(text, "/{}", uv + uvs.of_corner[corner]);
            }
        }
        text.push('\n');
    }
    for [a, b] in &body.wires {
        let _ = writeln!(text, "l {} {}", vertex + a, vertex + b);
    }
    text
}

fn library(names: &[String]) -> String {
    let mut text = String::new();
    for (index, name) in names.iter().enumerate() {
        let [r, g, b] = palette_colour(index);
        let _ = writeln!(text, "newmtl {name}\nKd {r} {g} {b}");
    }
    text
}
